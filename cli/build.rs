//! Links the binary at a fixed address, where the system lets a build choose.
//!
//! A position-independent one has thousands of pointers to put right at every start, on pages that
//! are then copied: a fifth of what a small edit costs (docs/decisions/0003). Nothing here parses
//! untrusted input outside of safe Rust, so a random load address guards little.

fn main() {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
