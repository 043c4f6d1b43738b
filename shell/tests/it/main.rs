//! Verdicts on machines made up for the purpose, so that they hold on any.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop where its ground is not as laid, and lays it itself"
)]

mod flags;
mod programs;
mod world;
