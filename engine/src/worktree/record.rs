//! What we last wrote at a path: the newest state that anybody who edits through us has seen.
//!
//! One file of fixed slots in the git folder, `surefoot/last`; a path's slot follows from the
//! digest of its name, and a newer path with the same slot takes it over, so the file cannot grow.
//! An entry is advice: it is used only where the file still has the id that it names.

use std::io;
use std::os::fd::OwnedFd;

use gix_hash::ObjectId;
use rustix::fs::{Mode, OFlags};
use sha2::{Digest as _, Sha256};

use super::discover::Git;
use super::index::Stamp;
use crate::blob::BlobId;
use crate::path::RepoPath;

/// How many paths can be remembered.
const SLOTS: u64 = 4096;
/// Bytes of a slot: digest of the name, two ids with their lengths, stamp, rest unused.
const SLOT: usize = 256;

/// What is remembered of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Last {
    /// The id of what we wrote.
    pub(super) result: BlobId,
    /// The index as it was then.
    pub(super) stamp: Stamp,
    /// The path's entry in that index, which had no conflict there.
    pub(super) tracked: Option<BlobId>,
}

/// Returns what is remembered of `path`. Where that cannot be read, nothing is.
pub(super) fn recall(git: &Git, path: &RepoPath) -> Option<Last> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(&git.dir, "surefoot/last", flags, Mode::empty()).ok()?;
    let (digest, offset) = place(path);
    let mut slot = [0; SLOT];
    let read = rustix::io::pread(&file, &mut slot[..], offset).ok()?;
    (read == SLOT).then(|| decode(&slot, &digest)).flatten()
}

/// Remembers `entries`, as a favour: whoever cannot, forgets.
pub(super) fn remember(git: &Git, entries: &[(&RepoPath, Last)]) {
    if entries.is_empty() {
        return;
    }
    if let Ok(file) = open(git) {
        for (path, last) in entries {
            let (digest, offset) = place(path);
            let slot = encode(last, &digest);
            if rustix::io::pwrite(&file, &slot, offset).is_err() {
                return;
            }
        }
    }
}

fn open(git: &Git) -> io::Result<OwnedFd> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(0o666);
    match rustix::fs::openat(&git.dir, "surefoot/last", flags, mode) {
        Err(rustix::io::Errno::NOENT) => {
            rustix::fs::mkdirat(&git.dir, "surefoot", Mode::from_raw_mode(0o777))?;
            Ok(rustix::fs::openat(&git.dir, "surefoot/last", flags, mode)?)
        }
        opened => Ok(opened?),
    }
}

/// Returns the digest of the path's name and where its slot begins.
fn place(path: &RepoPath) -> ([u8; 32], u64) {
    let digest: [u8; 32] = Sha256::digest(path.as_bstr()).into();
    let number = digest
        .iter()
        .take(4)
        .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    (digest, (number % SLOTS) * SLOT as u64)
}

fn encode(last: &Last, digest: &[u8; 32]) -> [u8; SLOT] {
    let mut bytes = Vec::with_capacity(SLOT);
    bytes.extend_from_slice(digest);
    for id in [Some(last.result), last.tracked] {
        let id = id.map(|id| id.0.as_bytes().to_vec()).unwrap_or_default();
        bytes.push(u8::try_from(id.len()).unwrap_or(0));
        bytes.extend_from_slice(&id);
        bytes.resize(bytes.len() + 32 - id.len().min(32), 0);
    }
    for number in last.stamp.0 {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let mut slot = [0; SLOT];
    for (to, from) in slot.iter_mut().zip(bytes) {
        *to = from;
    }
    slot
}

fn decode(slot: &[u8; SLOT], digest: &[u8; 32]) -> Option<Last> {
    let rest = slot.strip_prefix(digest.as_slice())?;
    let (result, rest) = take_id(rest)?;
    let (tracked, mut rest) = take_id(rest)?;
    let mut numbers = [0; 6];
    for number in &mut numbers {
        let (bytes, tail) = rest.split_first_chunk::<16>()?;
        *number = i128::from_le_bytes(*bytes);
        rest = tail;
    }
    Some(Last {
        result: result?,
        stamp: Stamp(numbers),
        tracked,
    })
}

/// Takes an id off the front of `bytes`; inside: `None` for no id.
fn take_id(bytes: &[u8]) -> Option<(Option<BlobId>, &[u8])> {
    let (len, rest) = bytes.split_first()?;
    let (id, rest) = rest.split_at_checked(32)?;
    match len {
        0 => Some((None, rest)),
        20 | 32 => {
            let id = ObjectId::try_from(id.get(..usize::from(*len))?).ok()?;
            Some((Some(BlobId(id)), rest))
        }
        _ => None,
    }
}
