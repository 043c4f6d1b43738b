//! The binary as its users meet it: real processes in real git repositories.

mod apply;
mod cases;
mod diff;
#[cfg(target_os = "linux")]
mod kill;
mod pages;
mod schema;
mod scratch;
mod settings;
