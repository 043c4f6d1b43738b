fn a() {
}
fn b();
