//! Finds where one hunk goes in one file: one place, or the reason there is none.
//!
//! Evidence is asked for in the order of its strength, and each kind of it has a file of its own.
//! Two places that are equally well proven are a refusal, never a choice.

pub(crate) mod anchor;
pub(crate) mod budget;
pub(crate) mod candidates;
pub(crate) mod chain;
pub(crate) mod doubt;
pub(crate) mod elision;
pub(crate) mod file;
pub(crate) mod hunk;
pub(crate) mod mapped;
#[cfg(test)]
pub(crate) mod naive;
pub(crate) mod range;
pub(crate) mod scope;
pub(crate) mod search;
pub(crate) mod sweep;
pub(crate) mod text;
pub(crate) mod witness;
pub(crate) mod word;
