fn a() {
}
fn b() {
}
