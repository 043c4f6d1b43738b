//! The working tree against real git and a real disk.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests look at the disk themselves"
)]

mod disk;
mod ids;
mod index;
mod paths;
mod scene;
