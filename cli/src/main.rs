//! The `surefoot` binary: arguments in, report out.
fn main() {}
