//! A working tree on disk, with git where there is one: reads what a patch names, lands a plan.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::outcome::Outcome;
use crate::patch::Parsed;
use crate::policy::Policy;

/// A git working tree, or a plain folder.
#[derive(Debug)]
pub struct Worktree {
    root: PathBuf,
}

/// What kept us from deciding or from landing. Nothing has changed, unless `left` says otherwise.
#[derive(Debug)]
pub struct Error {
    /// What was attempted, as in "cannot rename onto `a.py`".
    pub message: String,
    /// Files that could not be put back. Nearly always empty.
    pub left: Vec<PathBuf>,
    /// The cause.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as &(dyn std::error::Error + 'static))
    }
}

/// Where a plan lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The files; the index is not touched.
    Worktree,
    /// The files and their index entries, which must be equal before.
    WorktreeAndIndex,
    /// The index alone.
    Index,
}

/// How to apply.
#[derive(Clone, Debug)]
pub struct ApplyOptions {
    /// Where the plan lands.
    pub target: Target,
    /// Decide only, and write nothing.
    pub check: bool,
    /// Let a file with several names be replaced, which parts them.
    pub break_links: bool,
    /// Globs over repo paths; where any are given, paths outside of all are refused.
    pub allow: Vec<String>,
    /// A revision or blob id that the author of every edit saw.
    pub base: Option<String>,
    /// The folder that JSON paths count from. Below the root, else the root counts.
    pub caller: PathBuf,
}

impl Worktree {
    /// Opens the working tree that holds `dir`; where there is no git, `dir` itself is the root.
    ///
    /// A transaction that a killed process left unfinished is finished or undone first.
    ///
    /// # Errors
    ///
    /// Where `dir` is no folder, or its repository cannot be read.
    pub fn discover(dir: &Path) -> Result<Self, Error> {
        Ok(Self { root: dir.to_owned() })
    }

    /// Returns the tree's root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// The one door: reads, plans, stages, publishes, and then keeps or undoes.
///
/// `inputs` are planned one after another, each on the result of the one before, and land together.
///
/// # Errors
///
/// Where the disk or the repository fails; then every file is as it was, but for [`Error::left`].
pub fn apply(
    _worktree: &Worktree,
    _inputs: &[Parsed],
    _policy: &Policy,
    _options: &ApplyOptions,
) -> Result<Outcome, Error> {
    Err(Error { message: "not built yet".into(), left: Vec::new(), source: None })
}
