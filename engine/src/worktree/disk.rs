//! The system calls of a transaction, each behind one gate that tests can fail.
//!
//! Everything is relative to a folder's handle, so that nobody can swap a folder for a symbolic
//! link between our look and our write. Nothing here follows a link.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use bstr::{BStr, BString, ByteSlice as _};
use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, RawMode, RenameFlags, Stat, Uid};
use rustix::io::Errno;

/// How a folder on the way is opened: as a handle, and never through a link.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) const FOLDER: OFlags = OFlags::PATH
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
/// How a folder on the way is opened, where no handle without read permission is to be had.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// A name in an open folder.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) folder: Rc<OwnedFd>,
    pub(super) name: BString,
}

impl Place {
    fn name(&self) -> &[u8] {
        self.name.as_slice()
    }
}

/// What tells one state of a file from another, as the kernel has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ident {
    pub(super) dev: i128,
    pub(super) ino: i128,
    pub(super) size: i128,
    pub(super) modified: [i128; 2],
    pub(super) changed: [i128; 2],
    pub(super) mode: RawMode,
    pub(super) links: i128,
    pub(super) owner: [u32; 2],
}

impl Ident {
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            dev: i128::from(stat.st_dev),
            ino: i128::from(stat.st_ino),
            size: i128::from(stat.st_size),
            modified: [i128::from(stat.st_mtime), i128::from(stat.st_mtime_nsec)],
            changed: [i128::from(stat.st_ctime), i128::from(stat.st_ctime_nsec)],
            mode: stat.st_mode,
            links: i128::from(stat.st_nlink),
            owner: [stat.st_uid, stat.st_gid],
        }
    }

    pub(super) fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.mode)
    }

    /// Tells whether `other` has the same mode, owner and number of names.
    pub(super) fn same_rights(&self, other: &Self) -> bool {
        (self.mode, self.owner, self.links) == (other.mode, other.owner, other.links)
    }

    /// Tells whether `other` is the same file with the same content, wherever it was renamed to.
    pub(super) fn same_file(&self, other: &Self) -> bool {
        self.ino == other.ino && self.size == other.size && self.modified == other.modified
    }
}

/// The disk, as a transaction sees it.
#[derive(Debug, Default)]
pub(super) struct Disk {
    #[cfg(test)]
    pub(super) faults: faults::Faults,
}

impl Disk {
    /// Passes, unless a test wants the next call to fail.
    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "tests count the steps here")]
    fn gate(&self) -> io::Result<()> {
        Ok(())
    }

    /// Passes, unless a test wants the next call to fail.
    #[cfg(test)]
    fn gate(&self) -> io::Result<()> {
        self.faults.gate()
    }

    /// Makes a new file, and fails where anything has the name.
    pub(super) fn create(&self, place: &Place, mode: Mode) -> io::Result<OwnedFd> {
        self.gate()?;
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(
            &place.folder,
            place.name(),
            flags,
            mode,
        )?)
    }

    /// Writes all of `bytes`.
    pub(super) fn write(&self, file: &OwnedFd, bytes: &[u8]) -> io::Result<()> {
        self.gate()?;
        let mut rest = bytes;
        while !rest.is_empty() {
            match rustix::io::write(file, rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => rest = rest.get(n..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Makes a symbolic link.
    pub(super) fn symlink(&self, target: &BStr, place: &Place) -> io::Result<()> {
        self.gate()?;
        Ok(rustix::fs::symlinkat(
            target.as_bytes(),
            &place.folder,
            place.name(),
        )?)
    }

    /// Gives `file` these permission bits.
    pub(super) fn chmod(&self, file: &OwnedFd, mode: Mode) -> io::Result<()> {
        self.gate()?;
        Ok(rustix::fs::fchmod(file, mode)?)
    }

    /// Gives the folder at `place` this owner, where that may be, and these permission bits.
    pub(super) fn restore_folder(
        &self,
        place: &Place,
        mode: Mode,
        [user, group]: [u32; 2],
    ) -> io::Result<()> {
        self.gate()?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = rustix::fs::openat(&place.folder, place.name(), flags, Mode::empty())?;
        if stat_open(&folder)?.owner != [user, group] {
            // What may not be given back was not ours, and is the maker's now.
            let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
            rustix::fs::fchown(&folder, Some(user), Some(group)).ok();
        }
        Ok(rustix::fs::fchmod(folder, mode)?)
    }

    /// Gives `file` to this user and this group.
    pub(super) fn chown(
        &self,
        file: &OwnedFd,
        user: Option<Uid>,
        group: Option<Gid>,
    ) -> io::Result<()> {
        self.gate()?;
        Ok(rustix::fs::fchown(file, user, group)?)
    }

    /// Lets `a` and `b` change names, in one step.
    pub(super) fn exchange(&self, a: &Place, b: &Place) -> io::Result<()> {
        self.gate()?;
        Ok(self.rename_with(a, b, RenameFlags::EXCHANGE)?)
    }

    /// Renames in a way that not every file system has.
    #[cfg_attr(
        not(test),
        expect(clippy::unused_self, reason = "tests take the ways away")
    )]
    fn rename_with(&self, from: &Place, to: &Place, flags: RenameFlags) -> Result<(), Errno> {
        #[cfg(test)]
        if self.faults.plain.get() {
            return Err(Errno::INVAL);
        }
        rustix::fs::renameat_with(&from.folder, from.name(), &to.folder, to.name(), flags)
    }

    /// Renames, and replaces what has the new name.
    pub(super) fn rename(&self, from: &Place, to: &Place) -> io::Result<()> {
        self.gate()?;
        Ok(rustix::fs::renameat(
            &from.folder,
            from.name(),
            &to.folder,
            to.name(),
        )?)
    }

    /// Renames, and fails where anything has the new name.
    pub(super) fn rename_new(&self, from: &Place, to: &Place) -> io::Result<()> {
        self.gate()?;
        match self.rename_with(from, to, RenameFlags::NOREPLACE) {
            Err(error) if unsupported(error) => {
                self.link(from, to)?;
                self.unlink(from)
            }
            done => Ok(done?),
        }
    }

    /// Gives the file at `from` a second name.
    pub(super) fn link(&self, from: &Place, to: &Place) -> io::Result<()> {
        self.gate()?;
        let (old, new) = (from.name(), to.name());
        Ok(rustix::fs::linkat(
            &from.folder,
            old,
            &to.folder,
            new,
            AtFlags::empty(),
        )?)
    }

    /// Removes a file; one that is gone already is no failure.
    pub(super) fn unlink(&self, place: &Place) -> io::Result<()> {
        self.gate()?;
        match rustix::fs::unlinkat(&place.folder, place.name(), AtFlags::empty()) {
            Err(Errno::NOENT) => Ok(()),
            done => Ok(done?),
        }
    }

    /// Makes a folder; one that is there already is no failure.
    pub(super) fn make_folder(&self, place: &Place, mode: Mode) -> io::Result<()> {
        self.gate()?;
        match rustix::fs::mkdirat(&place.folder, place.name(), mode) {
            Err(Errno::EXIST) => Ok(()),
            done => Ok(done?),
        }
    }

    /// Removes an empty folder.
    pub(super) fn remove_folder(&self, place: &Place) -> io::Result<()> {
        self.gate()?;
        Ok(rustix::fs::unlinkat(
            &place.folder,
            place.name(),
            AtFlags::REMOVEDIR,
        )?)
    }
}

/// Tells whether `error` says that the file system has no such kind of rename or link.
pub(super) fn unsupported(error: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP].contains(&error)
}

/// Returns what is at `place`, not following a link; `None` where nothing is.
pub(super) fn stat(place: &Place) -> io::Result<Option<Ident>> {
    stat_at(&place.folder, place.name())
}

/// Returns what is named `name` in `folder`, not following a link; `None` where nothing is.
pub(super) fn stat_at(folder: impl AsFd, name: &[u8]) -> io::Result<Option<Ident>> {
    match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(Ident::of(&stat))),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns what is behind an open handle.
pub(super) fn stat_open(file: impl AsFd) -> io::Result<Ident> {
    Ok(Ident::of(&rustix::fs::fstat(file)?))
}

/// The most bytes of a file that are read.
pub(super) const MOST_BYTES: i128 = 1 << 30;

/// A regular file's content, or a link's target, with what the kernel said of it before the read.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) bytes: BString,
    pub(super) ident: Ident,
    /// It has extended attributes.
    pub(super) attributes: bool,
}

/// Reads the regular file or the link at `place`. `None` where another kind of thing is there, or
/// more than [`MOST_BYTES`].
pub(super) fn read(place: &Place) -> io::Result<Option<Content>> {
    let Some(seen) = stat(place)? else {
        return Ok(None);
    };
    if seen.kind() == FileType::Symlink {
        let target = rustix::fs::readlinkat(&place.folder, place.name(), Vec::new())?;
        let bytes = BString::from(target.into_bytes());
        return Ok(Some(Content {
            bytes,
            ident: seen,
            attributes: false,
        }));
    }
    if seen.kind() != FileType::RegularFile || seen.size > MOST_BYTES {
        return Ok(None);
    }
    // What stands here may have become a pipe since: never block on opening it.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(&place.folder, place.name(), flags, Mode::empty()) {
        Err(Errno::LOOP | Errno::NOENT) => return Ok(None),
        opened => opened?,
    };
    let ident = stat_open(&file)?;
    if ident.kind() != FileType::RegularFile {
        return Ok(None);
    }
    let attributes = rustix::fs::flistxattr_query(&file).is_ok_and(|len| len > 0);
    let Some(bytes) = read_to_end(file, ident.size)? else {
        return Ok(None);
    };
    Ok(Some(Content {
        bytes,
        ident,
        attributes,
    }))
}

/// Reads all of `file`, about `size` bytes; `None` where it is more than [`MOST_BYTES`].
fn read_to_end(file: OwnedFd, size: i128) -> io::Result<Option<BString>> {
    use std::io::Read as _;
    let size = usize::try_from(size).unwrap_or(0);
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(size.saturating_add(1))
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    let limit = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX);
    let file = std::fs::File::from(file);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then(|| bytes.into()))
}

/// Extended attributes: each name and value, in the kernel's order.
pub(super) type Attributes = Vec<(Vec<u8>, Vec<u8>)>;

/// Returns the extended attributes of the file at `place`.
pub(super) fn attributes(place: &Place) -> io::Result<Attributes> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::openat(&place.folder, place.name(), flags, Mode::empty())?;
    let mut names = vec![0u8; 64 << 10];
    let len = rustix::fs::flistxattr(&file, &mut names[..])?;
    let mut all = Vec::new();
    let names = names.get(..len).unwrap_or_default();
    for name in names.split(|b| *b == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0u8; 64 << 10];
        let len = rustix::fs::fgetxattr(&file, name, &mut value[..])?;
        value.truncate(len);
        all.push((name.to_vec(), value));
    }
    Ok(all)
}

#[cfg(test)]
pub(super) mod faults {
    //! Makes a chosen step fail, panic or be the last one of its process.

    use std::cell::Cell;
    use std::io;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(in crate::worktree) enum How {
        /// The step fails as on a full disk.
        #[default]
        Fail,
        /// The step panics.
        Panic,
        /// The step and all after it do nothing, as if the process were gone.
        Kill,
        /// Somebody else writes `meddled` before the step.
        Meddle,
        /// Somebody else writes `meddled`, and the step panics.
        MeddleAndPanic,
        /// Somebody else renames `meddled` to `moved` before the step.
        Move,
        /// Somebody else closes `meddled` to others before the step.
        Close,
        /// Somebody else gives `meddled` a second name, `moved`, before the step.
        Link,
        /// Somebody else gives `meddled` an extended attribute before the step.
        Mark,
        /// Somebody else puts another file in the place of `meddled` before the step, as editors
        /// save.
        Replace,
    }

    #[derive(Debug, Default)]
    pub(in crate::worktree) struct Faults {
        pub(in crate::worktree) steps: Cell<usize>,
        pub(in crate::worktree) at: Cell<Option<usize>>,
        /// The disk can neither exchange two names nor rename to a free one alone.
        pub(in crate::worktree) plain: Cell<bool>,
        pub(in crate::worktree) how: Cell<How>,
        pub(in crate::worktree) meddled: std::cell::RefCell<std::path::PathBuf>,
        pub(in crate::worktree) moved: std::cell::RefCell<std::path::PathBuf>,
    }

    impl Faults {
        #[expect(
            clippy::disallowed_methods,
            reason = "somebody else does not go through a gate"
        )]
        pub(in crate::worktree) fn gate(&self) -> io::Result<()> {
            let step = self.steps.get();
            self.steps.set(step + 1);
            let Some(at) = self.at.get() else {
                return Ok(());
            };
            match self.how.get() {
                How::Fail if step == at => Err(io::ErrorKind::StorageFull.into()),
                How::Panic if step == at => panic!("a test wants step {step} to panic"),
                How::Meddle if step == at => {
                    std::fs::write(&*self.meddled.borrow(), "somebody else's\n")
                }
                How::Move if step == at => {
                    std::fs::rename(&*self.meddled.borrow(), &*self.moved.borrow())
                }
                How::Link if step == at => {
                    std::fs::hard_link(&*self.meddled.borrow(), &*self.moved.borrow())
                }
                How::Close if step == at => {
                    use std::os::unix::fs::PermissionsExt as _;
                    let mode = std::fs::Permissions::from_mode(0o600);
                    std::fs::set_permissions(&*self.meddled.borrow(), mode)
                }
                How::Mark if step == at => {
                    let flags = rustix::fs::XattrFlags::empty();
                    let set =
                        rustix::fs::setxattr(&*self.meddled.borrow(), "user.mark", b"x", flags);
                    Ok(set?)
                }
                How::MeddleAndPanic if step == at => {
                    std::fs::write(&*self.meddled.borrow(), "somebody else's\n")?;
                    panic!("a test wants step {step} to panic")
                }
                How::Replace if step == at => {
                    let path = self.meddled.borrow();
                    let beside = path.with_extension("theirs");
                    std::fs::write(&beside, "somebody else's\n")?;
                    // Tools that keep times do so: then git cannot take the file for racy.
                    let file = std::fs::File::options().append(true).open(&beside)?;
                    let then = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
                    file.set_modified(then)?;
                    std::fs::rename(beside, &*path)
                }
                How::Kill if step >= at => Err(io::ErrorKind::StorageFull.into()),
                _ => Ok(()),
            }
        }
    }
}
