//! The disk, read only: the one module that names the file system, beside the cache.
#![expect(
    clippy::disallowed_methods,
    reason = "programs, manual pages and completions are looked up where the system keeps them"
)]

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The most that is read of one file. Manual pages and completions are far smaller; of programs
/// only those below it are looked into.
const LIMIT: u64 = 16 << 20;

/// What tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// Returns the stamp of what `path` leads to.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    let found = fs::metadata(path).ok()?;
    Some(Stamp {
        device: found.dev(),
        inode: found.ino(),
        size: found.size(),
        modified: (found.mtime(), found.mtime_nsec()),
        changed: (found.ctime(), found.ctime_nsec()),
    })
}

/// Tells whether `path` is a file that somebody may execute.
pub(crate) fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Tells whether `path` is a file.
pub(crate) fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}

/// Returns `path` with every link in it followed.
pub(crate) fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Returns what `path` holds; nothing where it cannot be read or is larger than [`LIMIT`].
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    let found = file.metadata().ok()?;
    if !found.is_file() || found.len() > LIMIT {
        return None;
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).ok()?);
    file.take(LIMIT).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Returns what the gzip file at `path` unpacks to, as with [`read`].
pub(crate) fn unpack(path: &Path) -> Option<Vec<u8>> {
    let packed = read(path)?;
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(packed.as_slice())
        .take(LIMIT)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(bytes)
}

/// Returns the names of what the folder holds, sorted; nothing where it cannot be read.
pub(crate) fn names(folder: &Path) -> Vec<std::ffi::OsString> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.file_name()).collect())
        .unwrap_or_default();
    names.sort();
    names
}
