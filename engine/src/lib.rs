//! Lands an edit where it provably belongs, or refuses and says why.
//!
//! [`patch`] is the one form that every edit format is parsed into. [`plan()`] decides, without
//! touching a disk, what each file is to become, or collects every reason why not. With the feature
//! `git`, [`worktree`] reads the files that a patch names and lands a plan: all files or none.

pub mod blob;
pub mod lines;
pub mod locate;
pub mod outcome;
pub mod patch;
pub mod path;
pub mod plan;
pub mod policy;
pub mod preimage;
pub mod verify;
#[cfg(feature = "git")]
pub mod worktree;

pub use plan::plan;
