//! The working tree against real git and a real disk.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests look at the disk themselves"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

mod disk;
mod ids;
mod index;
mod paths;
mod places;
mod scene;
