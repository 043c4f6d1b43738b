//! Edits with the right answer to each: ground truth that shares no code with what it judges.
//!
//! A case is a folder under `cases/apply` or `cases/refuse`: the tree before (`in/`), the bytes of
//! the edit (`edit`), the one right tree after (`out/`), and a sheet (`case.json`) that says why.
//! [`cases`] reads them all, [`Case::trials`] gives the settings that each is to be tried in,
//! [`Trial::lay_out`] makes one on disk, and [`Ground::grade`] judges what came of it: by the bytes
//! on disk first, by the words of the report last. [`shell`] does the like for commands.

mod case;
mod grade;
pub mod grid;
mod ground;
pub mod shell;
mod tree;

pub use case::{Answer, Case, LoadError, Setting, Trial, cases, cases_in};
pub use grade::{Grade, Run};
pub use ground::Ground;
pub use tree::{Entry, Tree};
