//! Writing the index: locked before it is read, changed in memory, and renamed into place.
//!
//! Our `index.lock` holds our transaction's id, so that the next start knows it from git's own; the
//! new index is staged beside it under another name. Its rename is what commits.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;

use bstr::{BString, ByteSlice as _};
use gix::index::entry::stat::Time;
use gix::index::entry::{Flags, Mode as EntryMode, Stage, Stat};
use rustix::fs::Mode as Permissions;

use super::disk::{self, Disk, Ident, Place};
use super::ids::Ids;
use super::index::Index;
use super::journal::IndexNames;
use super::steps::Staged;
use super::{Error, Stop, Target, Worktree};
use crate::outcome::{Reason, Refusal, Refused, Unsupported};
use crate::patch::Mode;
use crate::path::RepoPath;
use crate::plan::{After, Plan};

/// A locked index.
pub(super) struct IndexWrite<'w> {
    worktree: &'w Worktree,
    files: Files,
    /// Read once the lock is taken.
    index: Index,
    target: Target,
}

/// The files of an index that is written.
pub(super) struct Files {
    folder: Rc<OwnedFd>,
    names: IndexNames,
    id: String,
}

impl Files {
    /// Returns the files of the index `names` for transaction `id`.
    pub(super) fn open(names: &IndexNames, id: &str) -> io::Result<Self> {
        let flags = disk::FOLDER.difference(rustix::fs::OFlags::NOFOLLOW);
        let folder = rustix::fs::open(names.folder.as_slice(), flags, Permissions::empty())?;
        Ok(Self {
            folder: Rc::new(folder),
            names: names.clone(),
            id: id.into(),
        })
    }

    fn at(&self, name: impl Into<BString>) -> Place {
        Place {
            folder: Rc::clone(&self.folder),
            name: name.into(),
        }
    }

    fn index(&self) -> Place {
        self.at(self.names.name.clone())
    }

    fn lock(&self) -> Place {
        self.at(format!("{}.lock", self.names.name))
    }

    fn marker(&self) -> Place {
        self.at(format!("surefoot-lock-{}", self.id))
    }

    fn staged(&self) -> Place {
        self.at(format!("surefoot-index-{}", self.id))
    }

    fn mark(&self) -> String {
        format!("surefoot {}\n", self.id)
    }

    /// Tells whether a new index is staged and not yet in place.
    pub(super) fn is_staged(&self) -> io::Result<bool> {
        disk::stat(&self.staged()).map(|ident| ident.is_some())
    }

    /// Takes git's lock on the index.
    fn take(&self, disk: &Disk) -> io::Result<()> {
        let marker = self.marker();
        let file = disk.create(&marker, Permissions::from_raw_mode(0o666))?;
        disk.write(&file, self.mark().as_bytes())?;
        disk.rename_new(&marker, &self.lock())
    }

    /// Removes all but the index itself.
    pub(super) fn remove(&self, disk: &Disk) -> io::Result<()> {
        for place in [self.marker(), self.staged()] {
            if disk::stat(&place)?.is_some() {
                disk.unlink(&place)?;
            }
        }
        let lock = disk::read(&self.lock())?;
        match lock.is_some_and(|lock| lock.bytes == self.mark()) {
            true => disk.unlink(&self.lock()),
            false => Ok(()),
        }
    }
}

/// Returns where the index of `worktree` is.
pub(super) fn names(worktree: &Worktree) -> Result<IndexNames, Stop> {
    use std::os::unix::ffi::OsStrExt as _;
    let Some(git) = &worktree.git else {
        return Err(Error::plain("cannot use the index: there is no repository").into());
    };
    let path = git.repo.index_path();
    let bytes = |path: &std::ffi::OsStr| BString::from(path.as_bytes());
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Error::plain("cannot use the index: it has no name").into());
    };
    let (folder, name) = (bytes(folder.as_os_str()), bytes(name));
    if name.ends_with(b".lock") {
        return Err(refused(Unsupported::Index(
            "locked by the git command that runs this",
        )));
    }
    let odd = |text: &BString| text.find_byteset(b"\n\t").is_some();
    if odd(&folder) || odd(&name) {
        return Err(refused(Unsupported::Index(
            "in a folder with a line break in its name",
        )));
    }
    Ok(IndexNames { folder, name })
}

pub(super) fn refused(what: Unsupported) -> Stop {
    Stop::Refused(Refused::one(Refusal::of_input(Reason::Unsupported(what))))
}

impl<'w> IndexWrite<'w> {
    /// Names the files of an index that is to be locked. Dropping this removes nothing.
    pub(super) fn new(
        worktree: &'w Worktree,
        names: &IndexNames,
        id: &str,
        target: Target,
    ) -> Result<Self, Stop> {
        let files = Files::open(names, id);
        let files = files.map_err(|e| Error::io("cannot open the index's folder".into(), e))?;
        let kind = worktree
            .git
            .as_ref()
            .map_or(gix_hash::Kind::Sha1, |git| git.repo.object_hash());
        Ok(Self {
            worktree,
            files,
            index: Index::empty(kind),
            target,
        })
    }

    /// Locks the index and then reads it.
    pub(super) fn take(&mut self) -> Result<(), Stop> {
        let Some(git) = &self.worktree.git else {
            return Err(Error::plain("cannot use the index: there is no repository").into());
        };
        self.files.take(&self.worktree.disk).map_err(|e| {
            let what = match e.kind() {
                io::ErrorKind::AlreadyExists => "another git process holds the index",
                _ => "cannot lock the index",
            };
            Error::io(what.into(), e)
        })?;
        self.index = Index::open(git, true)?;
        self.index
            .unwritable()
            .map_or(Ok(()), |what| Err(refused(what)))
    }

    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    /// Writes the new index beside the old one. `steps` know the files that were put in place.
    pub(super) fn stage(
        &mut self,
        plan: &Plan,
        ids: &Ids<'_>,
        steps: &[Staged],
    ) -> Result<(), Stop> {
        let removed = |path: &bstr::BStr| {
            let path = RepoPath::new(path.to_owned()).ok();
            path.is_some_and(|path| matches!(plan.outputs().get(&path), Some(None)))
        };
        let ours: BTreeMap<&RepoPath, Ident> = steps.iter().filter_map(Staged::made).collect();
        self.forget_racy();
        self.index.file.remove_entries(|_, path, _| removed(path));
        let mut fresh = Vec::new();
        for (path, after) in plan.outputs() {
            if let Some(after) = after {
                let ours = ours.get(path);
                fresh.extend(self.set(path, after, ids, ours)?);
            }
        }
        for (path, (id, mode, stat)) in fresh {
            let path = path.as_bstr();
            self.index
                .file
                .dangerously_push_entry(stat, id, Flags::empty(), mode, path);
        }
        self.index.file.sort_entries();
        self.index.file.remove_tree();
        self.check(plan)?;
        let mut bytes = Vec::new();
        let options = gix::index::write::Options::default();
        let written = self.index.file.write_to(&mut bytes, options);
        written.map_err(|e| Error::from_git("cannot encode the index", e))?;
        self.write(&bytes)
            .map_err(|e| Error::io("cannot write the index".into(), e).into())
    }

    /// Changes `path`'s entry to `after`, or returns the entry to be added.
    #[expect(clippy::type_complexity, reason = "one caller takes it apart at once")]
    fn set<'p>(
        &mut self,
        path: &'p RepoPath,
        after: &After,
        ids: &Ids<'_>,
        ours: Option<&Ident>,
    ) -> Result<Option<(&'p RepoPath, (gix::ObjectId, EntryMode, Stat))>, Stop> {
        let Some(git) = &self.worktree.git else {
            return Ok(None);
        };
        let link = after.mode == Mode::Symlink;
        let stored = if link {
            Some(after.content.clone())
        } else {
            ids.to_git(path, &after.content)?
        };
        let Some(stored) = stored else {
            return Err(refused(Unsupported::Filter));
        };
        let id = git.repo.write_blob(stored.as_slice());
        let id = id
            .map_err(|e| Error::from_git("cannot write a blob", e))?
            .detach();
        let mode = match after.mode {
            Mode::Regular => EntryMode::FILE,
            Mode::Executable => EntryMode::FILE_EXECUTABLE,
            Mode::Symlink => EntryMode::SYMLINK,
            Mode::Gitlink => EntryMode::COMMIT,
        };
        let stat = self.stat(path, ours)?;
        let found = self
            .index
            .file
            .entry_mut_by_path_and_stage(path.as_bstr(), Stage::Unconflicted);
        let Some(entry) = found else {
            return Ok(Some((path, (id, mode, stat))));
        };
        (entry.id, entry.mode, entry.stat) = (id, mode, stat);
        entry.flags.remove(Flags::INTENT_TO_ADD);
        Ok(None)
    }

    /// Returns what vouches for the file at `path`, which we made as `ours`; where it is another by
    /// now or is not written at all, nothing, so that git looks for itself.
    fn stat(&self, path: &RepoPath, ours: Option<&Ident>) -> Result<Stat, Error> {
        let (Some(ours), Target::WorktreeAndIndex) = (ours, self.target) else {
            return Ok(Stat::default());
        };
        let cannot = |e| Error::io(format!("cannot look at `{path}`"), e);
        let place = self.worktree.folders.place(path).map_err(cannot)?;
        let now = disk::stat(&place).map_err(cannot)?;
        let same = now.filter(|now| now.same_file(ours));
        Ok(same.as_ref().map_or_else(Stat::default, entry_stat))
    }

    /// Makes git look again at files that changed as late as the old index was written: the new
    /// one is younger, and would vouch for them.
    fn forget_racy(&mut self) {
        let written = self.index.file.timestamp();
        let options = gix::index::entry::stat::Options::default();
        for entry in self.index.file.entries_mut() {
            if entry.stat.is_racy(written, options) {
                entry.stat.size = 0;
            }
        }
    }

    /// Checks that no path is a file and a folder at once.
    fn check(&self, plan: &Plan) -> Result<(), Stop> {
        for path in plan
            .outputs()
            .iter()
            .filter_map(|(path, after)| after.as_ref().map(|_| path))
        {
            let above =
                super::walk::ancestors(path).any(|above| self.index.entry(&above).is_some());
            if above || self.index.has_folder(path) {
                let message = format!("cannot index `{path}`: a file and a folder have one name");
                return Err(Error::plain(message).into());
            }
        }
        Ok(())
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let disk = &self.worktree.disk;
        let file = disk.create(&self.files.staged(), Permissions::from_raw_mode(0o666))?;
        disk.write(&file, bytes)?;
        match disk::stat(&self.files.index())? {
            Some(old) => disk.chmod(&file, Permissions::from_raw_mode(old.mode & 0o777)),
            None => Ok(()),
        }
    }

    /// Puts the new index in place.
    pub(super) fn publish(&mut self) -> Result<(), Stop> {
        let done = self
            .worktree
            .disk
            .rename(&self.files.staged(), &self.files.index());
        done.map_err(|e| Error::io("cannot rename onto the index".into(), e).into())
    }

    /// Gives the lock back. Returns whether that worked.
    pub(super) fn release(self) -> bool {
        self.files.remove(&self.worktree.disk).is_ok()
    }

    /// Leaves the index as it was, before it was published. Returns whether that worked.
    pub(super) fn undo(self) -> bool {
        self.release()
    }
}

/// Returns what an index says of a file: of each number the last 32 bits, as git has it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the format's fields are narrower"
)]
fn entry_stat(ident: &Ident) -> Stat {
    let time = |[secs, nsecs]: [i128; 2]| Time {
        secs: secs as u32,
        nsecs: nsecs as u32,
    };
    let [uid, gid] = ident.owner;
    Stat {
        mtime: time(ident.modified),
        ctime: time(ident.changed),
        dev: ident.dev as u32,
        ino: ident.ino as u32,
        uid,
        gid,
        size: ident.size as u32,
    }
}
