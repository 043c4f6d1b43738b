//! The binary as its users meet it: real processes in real git repositories.

mod apply;
mod diff;
mod pages;
mod schema;
mod scratch;
mod settings;
