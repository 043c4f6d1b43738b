//! The appliers that surefoot is measured beside, each as its users know it.
//!
//! They are pure functions of a file and an edit, the ones that run a program included, and share
//! no code with what they are compared with. What they do wrong is what the grid is there to
//! measure: none of it is to be mended here.

mod blocks;
mod diff;
mod external;
mod function;
mod range;
mod ratio;
mod robust;
mod text;
mod windows;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub(crate) use blocks::{Choice, Likeness};
pub(crate) use external::Patch;
pub(crate) use function::Lookup;
pub(crate) use robust::{Dials, Rivals, Robust};

use crate::Trouble;

/// One edit and the file that it meets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'r> {
    /// The file as it stands.
    pub(crate) file: &'r str,
    /// What is to be done to it.
    pub(crate) edit: Edit<'r>,
}

/// An edit as its author sent it. Lines are counted from 0, and ranges are half-open.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edit<'r> {
    /// Old lines and new ones, from top to bottom: each is applied to what the one before it made.
    Blocks(&'r [Block<'r>]),
    /// A unified diff of one file.
    Diff(&'r str),
    /// Lines of the file as its author counted them, from top to bottom, and what replaces them.
    Lines(&'r [(Range<usize>, &'r str)]),
    /// A function's new text.
    Function {
        /// Its name with its scopes', joined by dots.
        name: &'r str,
        /// All of it, from its `def` line to its last.
        new: &'r str,
        /// The functions of the file as it stands, in the order of their first lines.
        functions: &'r [Function<'r>],
    },
    /// The whole file as its author saw it, and as it was to become.
    Versions {
        /// The file that the author saw.
        base: &'r str,
        /// The file that the author made of it.
        target: &'r str,
    },
}

/// Lines to find and what replaces them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'r> {
    /// The lines to find.
    pub(crate) old: &'r str,
    /// The lines that take their place.
    pub(crate) new: &'r str,
}

/// A function of the file.
#[derive(Clone, Debug)]
pub(crate) struct Function<'r> {
    /// Its name with its scopes', joined by dots.
    pub(crate) name: &'r str,
    /// Its lines, decorators aside.
    pub(crate) lines: Range<usize>,
}

/// What an applier made of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The file after the edit.
    Applied(String),
    /// Nothing, and why.
    Refused(String),
}

impl Answer {
    fn refused(why: impl Into<String>) -> Self {
        Self::Refused(why.into())
    }
}

/// What an edit is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// [`Edit::Blocks`].
    Blocks,
    /// [`Edit::Diff`].
    Diff,
    /// [`Edit::Lines`].
    Lines,
    /// [`Edit::Function`].
    Function,
    /// [`Edit::Versions`].
    Versions,
}

impl Edit<'_> {
    /// Returns what the edit is written in.
    pub(crate) fn format(&self) -> Format {
        match self {
            Self::Blocks(_) => Format::Blocks,
            Self::Diff(_) => Format::Diff,
            Self::Lines(_) => Format::Lines,
            Self::Function { .. } => Format::Function,
            Self::Versions { .. } => Format::Versions,
        }
    }
}

/// A way to apply an edit.
#[derive(Clone, Debug)]
pub(crate) enum Applier {
    /// Old lines that are found as they are, or but for blanks.
    Blocks(Likeness, Choice),
    /// The window that is most like the old lines, if its likeness is at least this; however many
    /// others are as like.
    Fuzzy(f64),
    /// GNU `patch`, which may ignore so many lines of context at a hunk's ends.
    Patch(Patch),
    /// The lines with those numbers.
    Lines,
    /// The function of that name.
    Function(Lookup),
    /// Robust-Apply: exact, then but for blanks, then the likest with a floor and a margin.
    Robust(Robust),
    /// `git apply`.
    GitApply,
    /// The crate `diffy`.
    Diffy,
    /// `git merge-file`: a merge of the file and the author's two versions.
    MergeFile,
}

impl Applier {
    /// Returns the baselines of the grid, in the order of its tables, each with its name in them.
    pub(crate) fn all() -> Vec<(&'static str, Self)> {
        use {Choice as C, Likeness as L, Rivals as R};
        let robust = |likeness, rivals| {
            Self::Robust(Robust {
                likeness,
                rivals,
                dials: Dials::PAPER,
            })
        };
        vec![
            ("sr-exact", Self::Blocks(L::Exact, C::Only)),
            ("sr-ws", Self::Blocks(L::BlankBlind, C::Only)),
            ("sr-fuzzy", Self::Fuzzy(0.6)),
            ("udiff-f2", Self::Patch(Patch::with_fuzz(2))),
            ("line", Self::Lines),
            ("func", Self::Function(Lookup::First)),
            ("udiff-f0", Self::Patch(Patch::with_fuzz(0))),
            ("sr-ws-indented", Self::Blocks(L::IndentAware, C::Only)),
            ("sr-exact-first", Self::Blocks(L::Exact, C::First)),
            ("sr-ws-first", Self::Blocks(L::BlankBlind, C::First)),
            ("func-refuse-duplicates", Self::Function(Lookup::Only)),
            ("func-qualified", Self::Function(Lookup::Qualified)),
            ("robust-w1", robust(L::BlankBlind, R::Disjoint)),
            ("robust-w2", robust(L::IndentAware, R::All)),
            ("robust-w2-disjoint", robust(L::IndentAware, R::Disjoint)),
            ("git-apply", Self::GitApply),
            ("diffy", Self::Diffy),
            ("merge-file", Self::MergeFile),
        ]
    }

    /// Returns the formats that the applier reads.
    pub(crate) fn formats(&self) -> &'static [Format] {
        match self {
            Self::Blocks(..) | Self::Fuzzy(_) => &[Format::Blocks],
            Self::Patch(_) | Self::GitApply | Self::Diffy => &[Format::Diff],
            Self::Lines => &[Format::Lines],
            Self::Function(_) => &[Format::Function],
            Self::Robust(_) => &[Format::Blocks, Format::Diff],
            Self::MergeFile => &[Format::Versions],
        }
    }

    /// Applies the edit of `request` to its file.
    ///
    /// # Errors
    ///
    /// Where the program behind the applier cannot be run, or where the applier reads no edit of
    /// that format: neither says anything about the edit.
    pub(crate) fn apply(&self, request: &Request<'_>) -> Result<Answer, Trouble> {
        let file = request.file;
        match (self, request.edit) {
            (Self::Blocks(likeness, choice), Edit::Blocks(hunks)) => {
                Ok(blocks::apply(file, hunks, *likeness, *choice))
            }
            (Self::Fuzzy(floor), Edit::Blocks(hunks)) => {
                Ok(blocks::apply_likest(file, hunks, *floor))
            }
            (Self::Patch(patch), Edit::Diff(diff)) => patch.apply(file, diff),
            (Self::Lines, Edit::Lines(ranges)) => Ok(range::apply(file, ranges)),
            (
                Self::Function(lookup),
                Edit::Function {
                    name,
                    new,
                    functions,
                },
            ) => Ok(function::apply(file, name, new, functions, *lookup)),
            (Self::Robust(robust), Edit::Blocks(hunks)) => Ok(robust.apply_blocks(file, hunks)),
            (Self::Robust(robust), Edit::Diff(diff)) => Ok(robust.apply_diff(file, diff)),
            (Self::GitApply, Edit::Diff(diff)) => external::git_apply(file, diff),
            (Self::Diffy, Edit::Diff(diff)) => Ok(external::diffy(file, diff)),
            (Self::MergeFile, Edit::Versions { base, target }) => {
                external::merge_file(file, base, target)
            }
            (_, edit) => {
                Err(format!("{self:?} reads no edit of format {:?}", edit.format()).into())
            }
        }
    }
}
