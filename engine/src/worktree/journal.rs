//! The lock and the journal: one file, `surefoot.lock`, that is there while a transaction runs.
//!
//! Its holder keeps a kernel lock on it, which ends with the process however that ends; so a file
//! without that lock is what a killed process left, and it says what that one was about to do.
//! (A process number would not do: it means nothing in another container, and is used again.)
//!
//! Lines, each written before what it announces: `surefoot 1 ID DEVICE INODE` of the file itself,
//! `root` with the tree that it is about (a repository may have several), one for each step,
//! `index` where the index is written too; then, once all is staged, a `new` line for each staged
//! file and `publish`; `indexed` once the new index is staged; `commit` once all is in place. Until
//! then the transaction is undone, from then on it is finished. What survives is what the kernel
//! had: a killed process loses nothing, a power cut may (nothing is flushed).

use std::io::{self, Read as _};
use std::os::fd::OwnedFd;

use bstr::{BString, ByteSlice as _};
use rustix::fs::{FlockOperation, Mode, OFlags};

use super::Worktree;
use super::disk::{self, Disk, Ident, Place};
use super::steps::{Staged, Step};
use crate::path::RepoPath;

/// How often a lock that somebody holds is tried again, every 10 milliseconds.
const TRIES: u32 = 500;
/// The largest journal that is read.
const MOST_BYTES: u64 = 1 << 30;

/// How the first line of a journal begins.
const HEADER: &[u8] = b"surefoot 1 ";

/// The held lock, which is the open journal.
#[derive(Debug)]
pub(super) struct Lock {
    file: OwnedFd,
    place: Place,
    ident: Ident,
}

/// What a killed process left in the lock's file.
#[derive(Debug, Default)]
pub(super) struct Journal {
    pub(super) id: String,
    pub(super) steps: Vec<Staged>,
    pub(super) index: Option<IndexNames>,
    pub(super) published: bool,
    pub(super) indexed: bool,
    pub(super) committed: bool,
    /// The journal was written where it stands, and not copied from elsewhere.
    pub(super) at_home: bool,
    /// The root of the tree that the steps count from: device and inode, and its name then.
    pub(super) root: Option<([i128; 2], String)>,
    /// Every line is one that we write.
    pub(super) understood: bool,
}

/// Where an index is written: its folder, and three names in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexNames {
    pub(super) folder: BString,
    pub(super) name: BString,
}

impl Lock {
    /// Takes the lock at `place`, waiting up to 5 seconds; `None` if somebody still holds it.
    pub(super) fn take(place: &Place) -> io::Result<Option<Self>> {
        for turn in 0..TRIES {
            if turn > 0 {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let mode = Mode::from_raw_mode(0o666);
            let file = rustix::fs::openat(&place.folder, place.name.as_slice(), flags, mode)?;
            if let Some(lock) = Self::hold(file, place)? {
                return Ok(Some(lock));
            }
        }
        Ok(None)
    }

    /// Takes the lock at `place` if a file is there and nobody holds it.
    pub(super) fn take_left(place: &Place) -> io::Result<Option<Self>> {
        if disk::stat(place)?.is_none() {
            return Ok(None);
        }
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match rustix::fs::openat(&place.folder, place.name.as_slice(), flags, Mode::empty()) {
            Err(rustix::io::Errno::NOENT) => Ok(None),
            opened => Self::hold(opened?, place),
        }
    }

    /// Locks `file` if nobody else has it, and it is still the one at `place`.
    fn hold(file: OwnedFd, place: &Place) -> io::Result<Option<Self>> {
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
            done => done?,
        }
        let ident = disk::stat_open(&file)?;
        let same = disk::stat(place)?.is_some_and(|now| now.ino == ident.ino);
        Ok(same.then(|| Self {
            file,
            place: place.clone(),
            ident,
        }))
    }

    /// Tells whether the file was left by a process that was killed.
    pub(super) fn is_left(&self) -> bool {
        self.ident.size > 0
    }

    /// Returns the user that the file belongs to.
    pub(super) fn writer(&self) -> u32 {
        let [user, _] = self.ident.owner;
        user
    }

    /// Reads what is in the file.
    pub(super) fn read(&self) -> io::Result<Journal> {
        let mut bytes = Vec::new();
        let file = std::fs::File::from(self.file.try_clone()?);
        file.take(MOST_BYTES).read_to_end(&mut bytes)?;
        Ok(Journal::parse(&bytes, &self.ident))
    }

    /// Begins the journal of transaction `id`.
    pub(super) fn begin(
        &self,
        worktree: &Worktree,
        id: &str,
        steps: &[Staged],
        index: Option<&IndexNames>,
    ) -> io::Result<()> {
        let mut text =
            format!("surefoot 1 {id} {} {}\n", self.ident.dev, self.ident.ino).into_bytes();
        let root = disk::stat_open(worktree.folders.root())?;
        let numbers = [root.dev, root.ino].map(|number| number.to_string());
        let [dev, ino] = numbers.each_ref().map(String::as_bytes);
        put(
            &mut text,
            &[b"root", dev, ino, root_name(worktree).as_bytes()],
        );
        for staged in steps {
            staged.step.write(&mut text);
        }
        if let Some(index) = index {
            put(&mut text, &[b"index", &index.folder, &index.name]);
        }
        worktree.disk.write(&self.file, &text)
    }

    /// Adds steps to a journal that was begun without them.
    pub(super) fn steps(&self, disk: &Disk, steps: &[Staged]) -> io::Result<()> {
        let mut text = Vec::new();
        for staged in steps {
            staged.step.write(&mut text);
        }
        disk.write(&self.file, &text)
    }

    /// Notes that all files are staged, and which they are.
    pub(super) fn publish(&self, disk: &Disk, steps: &[Staged]) -> io::Result<()> {
        let mut text = Vec::new();
        for (at, new) in steps
            .iter()
            .enumerate()
            .filter_map(|(at, s)| Some((at, s.new?)))
        {
            let [seconds, nanos] = new.modified;
            let line = format!("new\t{at}\t{}\t{}\t{seconds}\t{nanos}\n", new.ino, new.size);
            text.extend_from_slice(line.as_bytes());
        }
        text.extend_from_slice(b"publish\n");
        disk.write(&self.file, &text)
    }

    /// Notes one more state.
    pub(super) fn note(&self, disk: &Disk, state: &str) -> io::Result<()> {
        disk.write(&self.file, format!("{state}\n").as_bytes())
    }

    /// Removes the file; the lock ends with it.
    pub(super) fn release(self, disk: &Disk) -> io::Result<()> {
        disk.unlink(&self.place)
    }
}

impl Journal {
    /// Reads a journal. A last line that is not whole was never acted upon.
    fn parse(bytes: &[u8], ident: &Ident) -> Self {
        let mut journal = Self {
            understood: true,
            ..Self::default()
        };
        let whole = bytes.rfind_byte(b'\n').map_or(0, |at| at + 1);
        // Killed within the very first write: nothing was done.
        journal.at_home = whole == 0 && bytes.starts_with(HEADER);
        for line in bytes.get(..whole).unwrap_or_default().lines() {
            let fields: Vec<&[u8]> = line.split(|b| *b == b'\t').collect();
            journal.take_line(&fields, ident);
        }
        journal
    }

    fn take_line(&mut self, fields: &[&[u8]], ident: &Ident) {
        match fields {
            [b"publish"] => self.published = true,
            [b"indexed"] => self.indexed = true,
            [b"commit"] => self.committed = true,
            [b"index", folder, name] => {
                let (folder, name) = ((*folder).into(), (*name).into());
                self.index = Some(IndexNames { folder, name });
            }
            [b"root", dev, ino, name] => {
                let ident = number(dev).zip(number(ino));
                let name = name.to_str_lossy().into_owned();
                self.root = ident.map(|(dev, ino)| ([dev, ino], name));
            }
            [b"new", at, numbers @ ..] => {
                let numbers: Vec<i128> = numbers.iter().filter_map(|n| number(n)).collect();
                let at = number(at).and_then(|at| usize::try_from(at).ok());
                let staged = at.and_then(|at| self.steps.get_mut(at));
                if let (Some(staged), [ino, size, seconds, nanos]) = (staged, numbers.as_slice()) {
                    let modified = [*seconds, *nanos];
                    staged.new = Some(Ident {
                        ino: *ino,
                        size: *size,
                        modified,
                        ..*ident
                    });
                } else {
                    self.understood = false;
                }
            }
            [header] if header.starts_with(HEADER) => {
                let words: Vec<&[u8]> = header.split(|b| *b == b' ').collect();
                if let [_, _, id, dev, ino] = words.as_slice() {
                    self.id = id.to_str_lossy().into_owned();
                    self.at_home = number(dev) == Some(ident.dev) && number(ino) == Some(ident.ino);
                }
            }
            fields => {
                let step = Step::parse(fields, &self.id);
                self.understood &= step.is_some();
                self.steps
                    .extend(step.map(|step| Staged { step, new: None }));
            }
        }
    }
}

impl Step {
    fn write(&self, text: &mut Vec<u8>) {
        match self {
            Self::Away { target, backup } => {
                put(text, &[b"away", target.as_bstr(), backup.as_bstr()]);
            }
            Self::RemoveFolder {
                folder,
                mode,
                owner: [user, group],
            } => {
                let numbers = [mode, user, group].map(u32::to_string);
                let [mode, user, group] = numbers.each_ref().map(String::as_bytes);
                put(text, &[b"rmdir", folder.as_bstr(), mode, user, group]);
            }
            Self::MakeFolder { folder } => put(text, &[b"mkdir", folder.as_bstr()]),
            Self::Make { temp, target } => {
                put(text, &[b"make", temp.as_bstr(), target.as_bstr()]);
            }
            Self::Swap {
                temp,
                target,
                spare,
            } => {
                let [temp, target, spare] = [temp, target, spare].map(RepoPath::as_bstr);
                put(text, &[b"swap", temp, target, spare]);
            }
        }
    }

    /// Reads a step of transaction `id`; `None` for a line that no version of us wrote.
    fn parse(fields: &[&[u8]], id: &str) -> Option<Self> {
        let path = |field: &&[u8]| RepoPath::new(BString::from(*field)).ok();
        let own = |field: &&[u8]| path(field).filter(|path| is_own_name(path, id));
        match fields {
            [b"away", target, backup] => Some(Self::Away {
                target: path(target)?,
                backup: own(backup)?,
            }),
            [b"rmdir", folder, mode, user, group] => {
                let small = |field| number(field).and_then(|number| u32::try_from(number).ok());
                let mode = number(mode).and_then(|mode| mode.try_into().ok())?;
                Some(Self::RemoveFolder {
                    folder: path(folder)?,
                    mode,
                    owner: [small(user)?, small(group)?],
                })
            }
            [b"mkdir", folder] => Some(Self::MakeFolder {
                folder: path(folder)?,
            }),
            [b"make", temp, target] => Some(Self::Make {
                temp: own(temp)?,
                target: path(target)?,
            }),
            [b"swap", temp, target, spare] => Some(Self::Swap {
                temp: own(temp)?,
                target: path(target)?,
                spare: own(spare)?,
            }),
            _ => None,
        }
    }
}

/// Returns the name of transaction `id`'s file number `n`.
pub(super) fn own_name(id: &str, n: usize) -> String {
    format!(".surefoot-{id}-{n}")
}

fn is_own_name(path: &RepoPath, id: &str) -> bool {
    let prefix = format!(".surefoot-{id}-");
    path.components()
        .next_back()
        .is_some_and(|name| name.starts_with(prefix.as_bytes()))
}

/// Tells whether a component of `path` is a name that we keep for ourselves.
pub(super) fn is_reserved(path: &RepoPath) -> bool {
    path.components()
        .any(|name| name.starts_with(b".surefoot-") || name.eq_ignore_ascii_case(b".surefoot.lock"))
}

/// Returns the name of the root for a message, free of line breaks.
fn root_name(worktree: &Worktree) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let named = worktree.named_root();
    let name = std::path::absolute(named);
    let name = name.as_deref().unwrap_or(named);
    name.as_os_str().as_bytes().escape_bytes().to_string()
}

fn put(text: &mut Vec<u8>, fields: &[&[u8]]) {
    text.extend_from_slice(&bstr::join("\t", fields));
    text.push(b'\n');
}

fn number(field: &[u8]) -> Option<i128> {
    field.to_str().ok()?.parse().ok()
}
