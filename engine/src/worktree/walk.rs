//! The way to a path: component by component from the root's handle, through no symbolic link.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use bstr::{BString, ByteSlice as _};
use rustix::fs::{FileType, Mode};
use rustix::io::Errno;

use super::disk::{self, Place};
use crate::outcome::{PathTrouble, Reason};
use crate::path::RepoPath;

/// The folders below a root, opened as they are asked for.
#[derive(Debug)]
pub(super) struct Folders {
    root: Rc<OwnedFd>,
    /// The repository's own folders, whatever they are called.
    own: Vec<(i128, i128)>,
    open: RefCell<BTreeMap<RepoPath, Open>>,
}

/// A folder that is open, with its device and inode.
#[derive(Clone, Debug)]
struct Open {
    folder: Rc<OwnedFd>,
    ident: (i128, i128),
}

/// What the way to a path's folder is like.
#[derive(Debug)]
pub(super) enum Way {
    /// The path's name in its folder.
    Open(Place),
    /// This folder, the outermost that is missing, is not there.
    Missing(RepoPath),
    /// Something stands where this folder would have to be.
    Blocked(RepoPath, PathTrouble),
}

impl Way {
    /// Returns the refusal that the way asks for, if any.
    pub(super) fn barred(trouble: PathTrouble) -> Reason {
        match trouble {
            PathTrouble::Symlink => Reason::OutsideTree(trouble),
            _ => Reason::ForbiddenPath(trouble),
        }
    }
}

impl Folders {
    pub(super) fn new(root: OwnedFd) -> Self {
        Self {
            root: Rc::new(root),
            own: Vec::new(),
            open: RefCell::default(),
        }
    }

    /// Keeps every way out of `folder`: it is the repository's own.
    pub(super) fn keep_out_of(&mut self, folder: impl AsFd) -> io::Result<()> {
        let ident = disk::stat_open(folder)?;
        self.own.push((ident.dev, ident.ino));
        Ok(())
    }

    pub(super) fn root(&self) -> &Rc<OwnedFd> {
        &self.root
    }

    /// Returns the way to `path`, looked up afresh but for folders that are open already.
    pub(super) fn way(&self, path: &RepoPath) -> io::Result<Way> {
        let text = path.as_bstr();
        let mut folder = Rc::clone(&self.root);
        let mut start = 0;
        for end in text.find_iter(b"/") {
            let name = text.get(start..end).unwrap_or_default();
            let prefix = text.get(..end).unwrap_or_default();
            start = end + 1;
            let Ok(prefix) = RepoPath::new(BString::from(prefix)) else {
                return Err(io::ErrorKind::InvalidInput.into());
            };
            if let Some(open) = self.open.borrow().get(&prefix) {
                folder = Rc::clone(&open.folder);
                continue;
            }
            let open = match self.enter(&folder, name)? {
                Ok(open) => open,
                Err(None) => return Ok(Way::Missing(prefix)),
                Err(Some(trouble)) => return Ok(Way::Blocked(prefix, trouble)),
            };
            folder = Rc::clone(&open.folder);
            self.open.borrow_mut().insert(prefix, open);
        }
        let name = text.get(start..).unwrap_or_default().into();
        Ok(Way::Open(Place { folder, name }))
    }

    /// Returns the place of `path`, whose folder must be there.
    pub(super) fn place(&self, path: &RepoPath) -> io::Result<Place> {
        match self.way(path)? {
            Way::Open(place) => Ok(place),
            Way::Missing(_) => Err(io::ErrorKind::NotFound.into()),
            Way::Blocked(..) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Returns the open folder at `path`, or `None` where there is none.
    pub(super) fn folder(&self, path: &RepoPath) -> io::Result<Option<Rc<OwnedFd>>> {
        if let Some(open) = self.open.borrow().get(path) {
            return Ok(Some(Rc::clone(&open.folder)));
        }
        let Way::Open(place) = self.way(path)? else {
            return Ok(None);
        };
        let entered = self.enter(&place.folder, &place.name)?;
        Ok(entered.ok().map(|open| open.folder))
    }

    /// Returns an open folder that is no longer where it was opened: an open handle goes along with
    /// a folder that somebody moves, even out of the tree.
    pub(super) fn moved(&self) -> io::Result<Option<RepoPath>> {
        let open = self.open.borrow();
        for (path, Open { ident, .. }) in open.iter() {
            let above = path.parent().and_then(|above| open.get(&above));
            let above = above.map_or(&self.root, |above| &above.folder);
            let name = path.components().next_back().unwrap_or_default();
            let now = disk::stat_at(above, name)?;
            if now.is_none_or(|now| (now.dev, now.ino) != *ident) {
                return Ok(Some(path.clone()));
            }
        }
        Ok(None)
    }

    /// Forgets that `path` was a folder.
    pub(super) fn forget(&self, path: &RepoPath) {
        self.open.borrow_mut().remove(path);
    }

    /// Forgets every open folder, so that each is looked up afresh.
    pub(super) fn forget_all(&self) {
        self.open.borrow_mut().clear();
    }

    /// Opens the folder `name` in `folder`; inside `Err`: nothing is there, or what it is instead.
    fn enter(
        &self,
        folder: &OwnedFd,
        name: &[u8],
    ) -> io::Result<Result<Open, Option<PathTrouble>>> {
        match rustix::fs::openat(folder, name, disk::FOLDER, Mode::empty()) {
            // It belongs to another repository.
            Ok(next) if disk::stat_at(&next, b".git")?.is_some() || is_repository(&next)? => {
                Ok(Err(Some(PathTrouble::Submodule)))
            }
            Ok(next) => {
                let ident = disk::stat_open(&next)?;
                let ident = (ident.dev, ident.ino);
                if self.own.contains(&ident) {
                    let error = crate::path::PathError::DotGit;
                    return Ok(Err(Some(PathTrouble::Name(error))));
                }
                let folder = Rc::new(next);
                Ok(Ok(Open { folder, ident }))
            }
            Err(Errno::NOENT) => Ok(Err(None)),
            Err(Errno::NAMETOOLONG) => Ok(Err(Some(PathTrouble::Name(
                crate::path::PathError::Reserved,
            )))),
            Err(Errno::NOTDIR | Errno::LOOP) => {
                let kind = disk::stat_at(folder, name)?.map(|ident| ident.kind());
                Ok(Err(kind.map(|kind| match kind {
                    FileType::Symlink => PathTrouble::Symlink,
                    _ => PathTrouble::NotFolder,
                })))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Tells whether `folder` is what git takes for a repository, whatever its name: a bare one, or what
/// a `.git` file points to.
pub(super) fn is_repository(folder: impl AsFd) -> io::Result<bool> {
    let is = |name: &[u8], kind| {
        let found = disk::stat_at(folder.as_fd(), name)?;
        io::Result::Ok(found.is_some_and(|found| found.kind() == kind))
    };
    if disk::stat_at(folder.as_fd(), b"HEAD")?.is_none() {
        return Ok(false);
    }
    Ok(is(b"commondir", FileType::RegularFile)?
        || is(b"objects", FileType::Directory)? && is(b"refs", FileType::Directory)?)
}

/// Returns the folders that hold `path`, innermost first, without the root.
pub(super) fn ancestors(path: &RepoPath) -> impl Iterator<Item = RepoPath> {
    std::iter::successors(path.parent(), RepoPath::parent)
}
