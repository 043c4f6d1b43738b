//! The index: what it says of a path, and how it is written without losing anybody's change.

use std::io;
use std::path::Path;

use bstr::{BStr, ByteSlice as _};
use gix::index::entry::{Flags, Mode as EntryMode};

use super::Error;
use super::discover::Git;
use super::disk;
use crate::blob::BlobId;
use crate::outcome::{PathTrouble, Reason, Unsupported};
use crate::patch::Mode;
use crate::path::RepoPath;

/// What tells one version of the index file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp(pub(super) [i128; 6]);

impl Stamp {
    /// Returns the present stamp of the index at `path`; zeros where there is none.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        match rustix::fs::stat(path) {
            Ok(stat) => {
                let ident = disk::Ident::of(&stat);
                let ([s, ns], [cs, cns]) = (ident.modified, ident.changed);
                Ok(Self([ident.ino, ident.size, s, ns, cs, cns]))
            }
            Err(rustix::io::Errno::NOENT) => Ok(Self([0; 6])),
            Err(error) => Err(error.into()),
        }
    }
}

/// A decoded index.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) file: gix::index::File,
}

/// What the index says of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) id: BlobId,
    pub(super) mode: EntryMode,
    pub(super) flags: Flags,
}

impl Entry {
    /// Returns the entry's mode as edits know it; `None` for a sparse folder.
    pub(super) fn mode(&self) -> Option<Mode> {
        match self.mode {
            EntryMode::FILE => Some(Mode::Regular),
            EntryMode::FILE_EXECUTABLE => Some(Mode::Executable),
            EntryMode::SYMLINK => Some(Mode::Symlink),
            EntryMode::COMMIT => Some(Mode::Gitlink),
            _ => None,
        }
    }
}

impl Index {
    /// Returns an index with nothing in it.
    pub(super) fn empty(kind: gix_hash::Kind) -> Self {
        let state = gix::index::State::new(kind);
        Self {
            file: gix::index::File::from_state(state, std::path::PathBuf::new()),
        }
    }

    /// Decodes the index of `git`, an empty one where there is no file. `verify`: its checksum too,
    /// as is needed before it is written back.
    pub(super) fn open(git: &Git, verify: bool) -> Result<Self, Error> {
        let path = git.repo.index_path();
        let kind = git.repo.object_hash();
        if rustix::fs::stat(&path).is_err_and(|error| error == rustix::io::Errno::NOENT) {
            let state = gix::index::State::new(kind);
            return Ok(Self {
                file: gix::index::File::from_state(state, path),
            });
        }
        let options = gix::index::decode::Options {
            thread_limit: Some(1),
            ..Default::default()
        };
        let file = gix::index::File::at(&path, kind, !verify, options)
            .map_err(|error| Error::from_git("cannot read the index", error))?;
        Ok(Self { file })
    }

    /// Returns the entry of `path`, where it has no conflict.
    pub(super) fn entry(&self, path: &RepoPath) -> Option<Entry> {
        self.entry_named(path.as_bstr())
    }

    fn entry_named(&self, path: &BStr) -> Option<Entry> {
        let stage = gix::index::entry::Stage::Unconflicted;
        let entry = self.file.entry_by_path_and_stage(path, stage)?;
        Some(Entry {
            id: BlobId(entry.id),
            mode: entry.mode,
            flags: entry.flags,
        })
    }

    /// Returns why `path` may not be edited, as far as the index knows.
    pub(super) fn barred(&self, path: &RepoPath) -> Option<Reason> {
        let text = path.as_bstr();
        let range = self.file.entry_range(text);
        let mut entries = range
            .and_then(|range| self.file.entries().get(range))
            .into_iter()
            .flatten();
        if entries.any(|entry| entry.stage_raw() != 0) {
            return Some(Reason::Unmerged);
        }
        for end in text.find_iter(b"/") {
            let above = self.entry_named(text.get(..end).unwrap_or_default().as_bstr());
            if above.is_some_and(|entry| entry.mode == EntryMode::COMMIT) {
                return Some(Reason::ForbiddenPath(PathTrouble::Submodule));
            }
            // A sparse index has one entry for a folder that is not checked out: what is below it
            // is tracked, though nothing is on disk.
            let folded = self.entry_named(text.get(..=end).unwrap_or_default().as_bstr());
            if folded.is_some_and(|entry| entry.mode == EntryMode::DIR) {
                return Some(Reason::Unsupported(Unsupported::SkipWorktree));
            }
        }
        self.entry(path)
            .is_some_and(|entry| entry.mode == EntryMode::COMMIT)
            .then_some(Reason::ForbiddenPath(PathTrouble::Submodule))
    }

    /// Tells whether the index has something below the folder `path`.
    pub(super) fn has_folder(&self, path: &RepoPath) -> bool {
        self.file.path_is_directory(path.as_bstr())
    }

    /// Tells whether a tracked path that does not go, or a folder above it, is equal to `path` or a
    /// folder above that when case is set aside, and spelled otherwise.
    pub(super) fn has_other_case(&self, path: &RepoPath, goes: impl Fn(&BStr) -> bool) -> bool {
        let backing = self.file.path_backing();
        let entries = self.file.entries().iter();
        let names = entries.map(|entry| entry.path_in(backing));
        names
            .filter(|name| spelled_otherwise(name, path.as_bstr()))
            .any(|name| !goes(name))
    }

    /// Returns why this index cannot be written back.
    pub(super) fn unwritable(&self) -> Option<Unsupported> {
        if self.file.link().is_some() {
            return Some(Unsupported::Index("split"));
        }
        self.file
            .is_sparse()
            .then_some(Unsupported::Index("sparse"))
    }
}

/// Tells whether the first component in which `a` and `b` differ is the same when case is set aside.
fn spelled_otherwise(a: &[u8], b: &[u8]) -> bool {
    let pairs = a.split(|b| *b == b'/').zip(b.split(|b| *b == b'/'));
    let first = pairs.into_iter().find(|(a, b)| a != b);
    first.is_some_and(|(a, b)| alike(a, b))
}

/// Tells whether `a` and `b` are one name where case does not count.
fn alike(a: &[u8], b: &[u8]) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    a.to_str_lossy().to_lowercase() == b.to_str_lossy().to_lowercase()
}
