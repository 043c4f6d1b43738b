//! The binary as its users meet it: real processes in real git repositories.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop where its ground is not as laid"
)]

mod apply;
mod cases;
mod diff;
mod environment;
mod hooks;
#[cfg(target_os = "linux")]
mod kill;
mod pages;
#[cfg(target_os = "linux")]
mod sandbox;
mod schema;
mod scratch;
mod settings;
mod shell;
