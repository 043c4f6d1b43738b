//! What a transaction does to the tree, step by step, and how each step is undone or finished.
//!
//! A running process and the one that cleans up after a killed one use the same code: whether a
//! step was done is read from the disk and not remembered.

use std::io;
use std::path::PathBuf;

use rustix::fs::{FileType, Mode, RawMode};

use super::disk::{self, Disk, Ident};
use super::walk::{Folders, ancestors};
use crate::path::RepoPath;

/// One change to the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// `target` is removed, and kept as `backup`.
    Away { target: RepoPath, backup: RepoPath },
    /// An empty folder is removed.
    RemoveFolder {
        folder: RepoPath,
        mode: RawMode,
        owner: [u32; 2],
    },
    /// A folder is made.
    MakeFolder { folder: RepoPath },
    /// `temp` becomes `target`, where nothing was.
    Make { temp: RepoPath, target: RepoPath },
    /// `temp` and `target` change names, so that the old file stays as `temp`. Where that cannot
    /// be had the old file stays as `spare`.
    Swap {
        temp: RepoPath,
        target: RepoPath,
        spare: RepoPath,
    },
}

impl Step {
    /// Returns every name of our own that the step may leave.
    fn own_names(&self) -> Vec<&RepoPath> {
        match self {
            Self::Away { backup, .. } => vec![backup],
            Self::Make { temp, .. } => vec![temp],
            Self::Swap { temp, spare, .. } => vec![temp, spare],
            Self::RemoveFolder { .. } | Self::MakeFolder { .. } => Vec::new(),
        }
    }
}

/// The mode of a folder that is being made again: closed to others, and sticky to nobody's use.
const UNFINISHED: RawMode = 0o1700;

/// A step with the new file's identity, once that is known.
#[derive(Clone, Debug)]
pub(super) struct Staged {
    pub(super) step: Step,
    pub(super) new: Option<Ident>,
}

impl Staged {
    /// Returns the path of the file that the step puts in place, and the file.
    pub(super) fn made(&self) -> Option<(&RepoPath, Ident)> {
        match &self.step {
            Step::Make { target, .. } | Step::Swap { target, .. } => Some((target, self.new?)),
            _ => None,
        }
    }
}

/// What became of an undo, or of the cleaning up behind a commit.
#[derive(Debug, Default)]
pub(super) struct Undone {
    /// Files that were not put back or not removed, and what stays beside them.
    pub(super) left: Vec<PathBuf>,
    /// The disk failed: the next start may do better.
    pub(super) retry: bool,
}

/// The tree that steps are done in.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) folders: &'a Folders,
    pub(super) disk: &'a Disk,
}

impl Ground<'_> {
    /// Does `step`, whose new file is staged.
    pub(super) fn publish(self, step: &Step) -> io::Result<()> {
        let at = |path| self.folders.place(path);
        match step {
            // The backup's name is ours, and a rename takes along what stands there, whosever.
            Step::Away { target, backup } => self.disk.rename(&at(target)?, &at(backup)?),
            Step::RemoveFolder { folder, .. } => {
                self.folders.forget(folder);
                self.disk.remove_folder(&at(folder)?)
            }
            Step::MakeFolder { folder } => self
                .disk
                .make_folder(&at(folder)?, Mode::from_raw_mode(0o777)),
            Step::Make { temp, target } => self.disk.rename_new(&at(temp)?, &at(target)?),
            Step::Swap {
                temp,
                target,
                spare,
            } => {
                let (temp, target) = (at(temp)?, at(target)?);
                match self.disk.exchange(&temp, &target) {
                    // For a moment the name is free; but a file that somebody puts there meanwhile is
                    // never replaced.
                    Err(error) if cannot_exchange(&error) => {
                        self.disk.rename(&target, &at(spare)?)?;
                        self.disk.rename_new(&temp, &target)
                    }
                    done => done,
                }
            }
        }
    }

    /// Undoes `steps`, last first, as far as they were done. Returns the files that could not be
    /// put back, because somebody changed them since or the disk failed; what was in them stays
    /// beside them. `published`: a step may have been done; else only staged files are removed.
    pub(super) fn undo(self, steps: &[Staged], published: bool) -> Undone {
        let mut undone = Undone::default();
        for staged in steps.iter().rev() {
            let done = if published {
                self.undo_one(staged)
            } else {
                self.unstage(&staged.step)
            };
            undone.retry |= done.is_err();
            if !done.is_ok_and(|done| done) {
                undone.left.extend(self.remains(&staged.step));
            }
        }
        undone.left.sort();
        undone.left.dedup();
        undone
    }

    /// Names what a step that could not be undone has left on the disk.
    fn remains(self, step: &Step) -> Vec<PathBuf> {
        let target = match step {
            Step::Away { target, .. } | Step::Make { target, .. } | Step::Swap { target, .. } => {
                target
            }
            Step::RemoveFolder { folder, .. } | Step::MakeFolder { folder } => folder,
        };
        let own = step
            .own_names()
            .into_iter()
            .filter(|name| self.is_there(name));
        std::iter::once(target)
            .chain(own)
            .map(super::to_path)
            .collect()
    }

    fn is_there(self, path: &RepoPath) -> bool {
        matches!(self.look(path), Ok(Some(_)))
    }

    fn look(self, path: &RepoPath) -> io::Result<Option<Ident>> {
        match self.folders.way(path)? {
            super::walk::Way::Open(place) => disk::stat(&place),
            _ => Ok(None),
        }
    }

    fn remove(self, path: &RepoPath) -> io::Result<()> {
        match self.folders.way(path)? {
            super::walk::Way::Open(place) => self.disk.unlink(&place),
            _ => Ok(()),
        }
    }

    fn unstage(self, step: &Step) -> io::Result<bool> {
        for name in step.own_names() {
            if self.is_there(name) {
                self.remove(name)?;
            }
        }
        Ok(true)
    }

    /// Undoes one step if it was done. `false`: the place is not as the step left it.
    fn undo_one(self, staged: &Staged) -> io::Result<bool> {
        match &staged.step {
            Step::Away { target, backup } => self.undo_away(target, backup),
            Step::RemoveFolder {
                folder,
                mode,
                owner,
            } => self.make_again(folder, *mode, *owner),
            Step::MakeFolder { folder } => {
                self.folders.forget(folder);
                if self
                    .look(folder)?
                    .is_some_and(|now| now.kind() == FileType::Directory)
                {
                    // Somebody else's file may be in it by now: then it stays.
                    self.prune_one(folder)?;
                }
                Ok(true)
            }
            Step::Make { temp, target } => self.undo_make(temp, target, staged.new),
            Step::Swap {
                temp,
                target,
                spare,
            } => self.undo_swap([temp, target, spare], staged.new),
        }
    }

    /// Makes a folder that was removed, with the mode and owner that it had. Until it is as it was
    /// it has a mode that no folder has, by which it is known after a kill.
    fn make_again(self, folder: &RepoPath, mode: RawMode, owner: [u32; 2]) -> io::Result<bool> {
        let place = self.folders.place(folder)?;
        if disk::stat(&place)?.is_none() {
            self.disk
                .make_folder(&place, Mode::from_raw_mode(UNFINISHED))?;
        }
        let now = disk::stat(&place)?.ok_or(io::ErrorKind::NotFound)?;
        if now.kind() == FileType::Directory && now.mode & 0o1777 == UNFINISHED {
            let mode = Mode::from_raw_mode(mode & 0o7777);
            self.disk.restore_folder(&place, mode, owner)?;
        }
        Ok(now.kind() == FileType::Directory)
    }

    fn undo_away(self, target: &RepoPath, backup: &RepoPath) -> io::Result<bool> {
        if !self.is_there(backup) {
            // Neither name: somebody took the folder away, with what was kept.
            return Ok(self.is_there(target));
        }
        if let Some(now) = self.look(target)? {
            // Where a file can only be linked and unlinked, a kill between leaves it both names.
            if self.look(backup)?.is_some_and(|kept| kept.ino == now.ino) {
                self.remove(backup)?;
                return Ok(true);
            }
            return Ok(false);
        }
        self.disk
            .rename_new(&self.folders.place(backup)?, &self.folders.place(target)?)?;
        Ok(true)
    }

    fn undo_make(self, temp: &RepoPath, target: &RepoPath, new: Option<Ident>) -> io::Result<bool> {
        if let Some(staged) = self.look(temp)? {
            // As above: linked to its place, and not yet unlinked here.
            if self.look(target)?.is_some_and(|now| now.ino == staged.ino) {
                self.remove(target)?;
            }
            self.remove(temp)?;
            return Ok(true);
        }
        match (self.look(target)?, new) {
            (None, _) => Ok(true),
            // The folder that the new file was to replace.
            (Some(now), _) if now.kind() == FileType::Directory => Ok(true),
            (Some(now), Some(new)) if now.same_file(&new) => {
                self.remove(target)?;
                Ok(true)
            }
            (Some(_), _) => Ok(false),
        }
    }

    fn undo_swap(
        self,
        [temp, target, spare]: [&RepoPath; 3],
        new: Option<Ident>,
    ) -> io::Result<bool> {
        if let Some(kept) = self.look(spare)? {
            return self.undo_spare([temp, target, spare], kept, new);
        }
        let (aside, now) = (self.look(temp)?, self.look(target)?);
        if is_new(aside, new) {
            // Never swapped: what is aside is ours alone.
            self.remove(temp)?;
        } else if is_new(now, new) && aside.is_some() {
            // What is aside is what stood here when the names were swapped, whoever wrote it.
            self.disk
                .exchange(&self.folders.place(temp)?, &self.folders.place(target)?)?;
            if !is_new(self.look(temp)?, new) {
                return Ok(false);
            }
            self.remove(temp)?;
        } else if aside.is_some() || now.is_none() {
            // Where there is none of the names, somebody took the folder away with what was kept.
            return Ok(false);
        }
        Ok(true)
    }

    /// Undoes a swap where the file that stood there is kept as `spare`. Whatever stands at `target`
    /// by now is put aside before it is looked at.
    fn undo_spare(
        self,
        [temp, target, spare]: [&RepoPath; 3],
        kept: Ident,
        new: Option<Ident>,
    ) -> io::Result<bool> {
        let (aside, now) = (self.look(temp)?, self.look(target)?);
        if now.is_some_and(|now| now.ino == kept.ino) {
            // It has both names: an earlier undo was cut short.
            self.remove(spare)?;
            self.remove(temp)?;
            return Ok(true);
        }
        if is_new(now, new) && is_new(aside, new) {
            // So has the new one: it was linked to its place, and not yet unlinked.
            self.remove(target)?;
        } else if is_new(now, new) && aside.is_none() {
            self.disk
                .rename(&self.folders.place(target)?, &self.folders.place(temp)?)?;
        }
        let (aside, now) = (self.look(temp)?, self.look(target)?);
        let theirs = aside.is_some() && !is_new(aside, new);
        if theirs && now.is_none() {
            let (temp, target) = (self.folders.place(temp)?, self.folders.place(target)?);
            self.disk.rename_new(&temp, &target)?;
        } else if !theirs {
            self.remove(temp)?;
        }
        if theirs || now.is_some() {
            return Ok(false);
        }
        let (spare, target) = (self.folders.place(spare)?, self.folders.place(target)?);
        self.disk.rename_new(&spare, &target)?;
        Ok(true)
    }

    /// Removes what the steps kept of the old files, and folders that they emptied.
    pub(super) fn finish(self, steps: &[Staged]) -> Undone {
        let mut done = Undone::default();
        for name in steps.iter().flat_map(|staged| staged.step.own_names()) {
            if self.remove(name).is_err() {
                done.left.push(super::to_path(name));
            }
        }
        done.retry = !done.left.is_empty();
        for staged in steps {
            if let Step::Away { target, .. } = &staged.step {
                done.retry |= self.prune(target).is_err();
            }
        }
        done
    }

    /// Removes the folders above `path` that are empty, innermost first, as git does.
    fn prune(self, path: &RepoPath) -> io::Result<()> {
        for folder in ancestors(path) {
            let now = self.look(&folder)?;
            if now.is_none_or(|now| now.kind() != FileType::Directory) {
                continue;
            }
            if !self.prune_one(&folder)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Removes `folder` if it is empty. `false`: it is not.
    fn prune_one(self, folder: &RepoPath) -> io::Result<bool> {
        match self.disk.remove_folder(&self.folders.place(folder)?) {
            Ok(()) => {
                self.folders.forget(folder);
                Ok(true)
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists
                ) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}

/// Tells whether `now` is the staged file `new`.
fn is_new(now: Option<Ident>, new: Option<Ident>) -> bool {
    now.zip(new).is_some_and(|(now, new)| now.same_file(&new))
}

/// Tells whether `error` says that this file system cannot exchange two names.
fn cannot_exchange(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error).is_some_and(disk::unsupported)
}
