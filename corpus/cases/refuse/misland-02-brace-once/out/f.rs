fn a() {
    c();
}
fn b();
