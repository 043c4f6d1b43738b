//! What a plan is made from: the files that a patch names, as they are, and what is known of them.
//!
//! A worktree fills this from disk and git; tests and benchmarks fill it in memory.

use std::collections::BTreeMap;

use bstr::{BString, ByteSlice as _};

use crate::blob::{BlobId, IdPrefix};
use crate::outcome::Reason;
use crate::patch::Mode;
use crate::path::{PathError, PathSpec, RelativeTo, RepoPath};

/// One path as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preimage {
    /// What is there.
    pub state: State,
    /// Why nothing may be written there, whatever the edit (unmerged, a symbolic link on the way, a
    /// filter, a hard link). Planning refuses any edit of the path with it.
    pub barred: Option<Reason>,
    /// The id of the content as git computes it. `None` where nothing is there, or git's
    /// normalisation cannot be known.
    pub blob: Option<BlobId>,
    /// The blob that the caller names as what the author of every edit saw here (`--base`).
    pub base: Option<BlobId>,
    /// Older states of this path that the author may have seen, newest first.
    pub witnesses: Vec<Witness>,
    /// Git can give the present content back: the path is tracked and equal to its index entry.
    pub recoverable: bool,
}

impl Preimage {
    /// Returns a path where nothing is.
    #[must_use]
    pub fn absent() -> Self {
        let state = State::Absent;
        let witnesses = Vec::new();
        Self {
            state,
            barred: None,
            blob: None,
            base: None,
            witnesses,
            recoverable: false,
        }
    }

    /// Returns a file of which nothing but its content is known.
    #[must_use]
    pub fn file(content: impl Into<BString>, mode: Mode) -> Self {
        Self {
            state: State::File {
                content: content.into(),
                mode,
            },
            ..Self::absent()
        }
    }

    /// Returns a path that may not be edited, and why.
    #[must_use]
    pub fn barred(reason: Reason) -> Self {
        Self {
            barred: Some(reason),
            ..Self::absent()
        }
    }
}

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Absent,
    /// A regular file, or a symbolic link with its target as content.
    File {
        /// The bytes as they stand in the worktree.
        content: BString,
        /// What it is.
        mode: Mode,
    },
    /// A folder.
    Folder,
    /// A submodule's root.
    Gitlink,
}

/// An older state of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Where it is known from.
    pub source: WitnessSource,
    /// Its content.
    pub content: BString,
}

/// Where an older state is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WitnessSource {
    /// What surefoot itself last wrote there.
    LastResult,
    /// The index.
    Index,
    /// The last commit.
    Head,
}

/// Every path that a patch names, as it stands, and the blobs that its edits name as their base.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preimages {
    files: BTreeMap<RepoPath, Preimage>,
    blobs: BTreeMap<BlobId, BString>,
    roots: Vec<BString>,
    caller: Option<RepoPath>,
    fold_case: bool,
}

impl Preimages {
    /// Returns the preimages of a tree whose root is known under the absolute names `roots`, for a
    /// caller who stands in the folder `caller` (`None`: in the root).
    #[must_use]
    pub fn new(roots: Vec<BString>, caller: Option<RepoPath>, fold_case: bool) -> Self {
        Self {
            roots,
            caller,
            fold_case,
            ..Self::default()
        }
    }

    /// Adds or replaces what is known of `path`.
    pub fn insert(&mut self, path: RepoPath, preimage: Preimage) {
        self.files.insert(path, preimage);
    }

    /// Adds the content of a blob that an edit names as its base.
    pub fn insert_blob(&mut self, id: BlobId, content: BString) {
        self.blobs.insert(id, content);
    }

    /// Returns what is known of `path`.
    #[must_use]
    pub fn get(&self, path: &RepoPath) -> Option<&Preimage> {
        self.files.get(path)
    }

    /// Returns every known path with its preimage, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&RepoPath, &Preimage)> {
        self.files.iter()
    }

    /// Returns the base content that `id` names, if it is known and `id` fits one blob only.
    #[must_use]
    pub fn blob(&self, id: &IdPrefix) -> Option<(&BlobId, &BString)> {
        let mut fitting = self.blobs.iter().filter(|(blob, _)| id.matches(blob));
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    /// Tells whether names that differ only in case are one file here (`core.ignorecase`).
    #[must_use]
    pub fn fold_case(&self) -> bool {
        self.fold_case
    }

    /// Returns the spellings of `spec` as places in the tree: one, or two where it has a second
    /// one. Lexical: nothing is looked up.
    ///
    /// # Errors
    ///
    /// The first spelling's [`PathError`], where it is no place in the tree.
    pub fn spellings(&self, spec: &PathSpec) -> Result<(RepoPath, Option<RepoPath>), PathError> {
        let first = self.place(&spec.text, spec.relative_to)?;
        let second = spec
            .or
            .as_ref()
            .and_then(|or| self.place(or, spec.relative_to).ok());
        Ok((first, second))
    }

    fn place(&self, text: &BString, relative_to: RelativeTo) -> Result<RepoPath, PathError> {
        match relative_to {
            RelativeTo::Root => RepoPath::new(text.clone()),
            RelativeTo::Caller if text.first() == Some(&b'/') => {
                let below = self.roots.iter().find_map(|root| {
                    let root = root.strip_suffix(b"/").unwrap_or(root);
                    text.strip_prefix(root)?.strip_prefix(b"/")
                });
                RepoPath::new(below.ok_or(PathError::Absolute)?)
            }
            RelativeTo::Caller => RepoPath::new(self.beside_caller(text)?),
        }
    }

    /// Joins `text` to the caller's folder. Only a leading `..` is taken: behind a component it
    /// would have to be known whether that one is a symbolic link.
    fn beside_caller(&self, text: &BString) -> Result<BString, PathError> {
        let mut parts: Vec<&[u8]> = match &self.caller {
            Some(folder) => folder.components().map(|c| c.as_bytes()).collect(),
            None => Vec::new(),
        };
        let mut leading = true;
        for part in text.split(|b| *b == b'/') {
            match part {
                b"." => {}
                b".." if leading => {
                    parts.pop().ok_or(PathError::Parent)?;
                }
                _ => {
                    leading = false;
                    parts.push(part);
                }
            }
        }
        Ok(bstr::join("/", parts).into())
    }
}
