//! A working tree on disk, with git where there is one: reads what a patch names, lands a plan.
//!
//! All files become what the plan says, or none does. A process that is killed on the way leaves a
//! journal, and the next [`Worktree::discover`] finishes or undoes what it began. No file is flushed
//! to the platter: that much survives a kill, and a power cut may lose it.

mod apply;
mod attributes;
mod base;
mod carry;
mod discover;
mod disk;
mod ids;
mod index;
mod index_write;
mod journal;
mod layout;
mod read;
mod record;
mod recover;
mod steps;
mod transaction;
mod walk;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bstr::ByteSlice as _;

pub use apply::apply;

use crate::outcome::Refused;
use crate::path::RepoPath;

/// A git working tree, or a plain folder.
#[derive(Debug)]
pub struct Worktree {
    root: PathBuf,
    folders: walk::Folders,
    git: Option<discover::Git>,
    disk: disk::Disk,
}

/// What kept us from deciding or from landing. Nothing has changed, unless `left` says otherwise.
#[derive(Debug)]
pub struct Error {
    /// What was attempted, as in "cannot rename onto `a.py`".
    pub message: String,
    /// Files that could not be put back, from the root, and what was kept of them beside them.
    /// Nearly always empty.
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
        self.source
            .as_ref()
            .map(|source| source.as_ref() as &(dyn std::error::Error + 'static))
    }
}

impl Error {
    fn plain(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            left: Vec::new(),
            source: None,
        }
    }

    fn io(message: String, source: io::Error) -> Self {
        Self {
            message,
            left: Vec::new(),
            source: Some(Box::new(source)),
        }
    }

    fn from_git(message: &str, source: gix::Error) -> Self {
        Self {
            message: message.into(),
            left: Vec::new(),
            source: Some(Box::new(source)),
        }
    }
}

/// What ends an attempt: a decision against it, or a failure.
#[derive(Debug)]
enum Stop {
    Refused(Refused),
    Error(Box<Error>),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(Box::new(error))
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
    /// Globs over repo paths; where any are given, paths outside of all are refused. `*` stays
    /// within a folder, `**` does not.
    pub allow: Vec<String>,
    /// A revision or blob id that the author of every edit saw.
    pub base: Option<String>,
    /// The folder that JSON paths count from. Below the root, else the root counts.
    pub caller: PathBuf,
}

impl Worktree {
    /// Opens the working tree that holds `dir`; where there is no git, `dir` itself is the root.
    ///
    /// git's own environment (`GIT_DIR`, `GIT_INDEX_FILE`, as its hooks have it) counts where the
    /// working tree that it names holds `dir`. A transaction that a killed process left unfinished
    /// is finished or undone first; one that is still running is left to its process.
    ///
    /// # Errors
    ///
    /// Where `dir` is no folder, its repository cannot be read or is not ours to trust, or an
    /// unfinished transaction cannot be undone.
    pub fn discover(dir: &Path) -> Result<Self, Error> {
        let discover::Found { root, folders, git } = discover::find(dir)?;
        let worktree = Self {
            root,
            folders,
            git,
            disk: disk::Disk::default(),
        };
        recover::recover(&worktree)?;
        Ok(worktree)
    }

    /// Returns the tree's root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the tree's root by a name that is never empty.
    fn named_root(&self) -> &Path {
        match self.root.as_os_str().is_empty() {
            true => Path::new("."),
            false => &self.root,
        }
    }

    /// Returns where the lock is: in the git folder, else in the root.
    fn lock_place(&self) -> disk::Place {
        match &self.git {
            Some(git) => disk::Place {
                folder: Rc::clone(&git.dir),
                name: "surefoot.lock".into(),
            },
            None => disk::Place {
                folder: Rc::clone(self.folders.root()),
                name: ".surefoot.lock".into(),
            },
        }
    }
}

/// Returns `path` as the system spells it, from the root.
fn to_path(path: &RepoPath) -> PathBuf {
    path.as_bstr().to_path_lossy().into_owned()
}
