//! Links the binary for a fast start, where the system lets a build choose: docs/decisions/0003.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    // A position-independent binary has thousands of pointers to put right at every start, on pages
    // that are then copied. Nothing here parses untrusted input outside of safe Rust, so a random
    // load address guards little.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    // The unwinder comes along in the binary: a shared library less to find, map and bind.
    if is("TARGET", &std::env::var("HOST").unwrap_or_default())
        && let Some(folder) = folder_of("libgcc_eh.a")
    {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static=gcc_eh");
    }
}

/// Returns the folder in which the C compiler finds `library`, if it has it.
fn folder_of(library: &str) -> Option<PathBuf> {
    let mut ask = Command::new("cc");
    let told = ask
        .arg(format!("-print-file-name={library}"))
        .output()
        .ok()?;
    let path = String::from_utf8(told.stdout).ok()?;
    // A compiler that does not have it gives the bare name back.
    let folder = Path::new(path.trim()).parent()?;
    folder.is_absolute().then(|| folder.to_owned())
}
