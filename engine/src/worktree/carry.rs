//! What a new file takes over from the one that it comes of: owner, extended attributes, mode.
//!
//! Where something cannot be kept, nobody may do more with the new file than with the old one: the
//! bits and attributes that give a program its owner's rights go with the owner.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{Gid, Mode as Permissions, RawMode, Uid, XattrFlags};

use super::disk::{self, Attributes, Disk, Ident, Place};
use crate::path::RepoPath;

/// The file that a new one comes of: the one in its place, or the one renamed or copied there.
pub(super) struct Origin {
    pub(super) path: RepoPath,
    pub(super) ident: Ident,
    /// It has extended attributes.
    pub(super) attributes: bool,
    /// The plan leaves its mode as git sees it, so that every bit stays.
    pub(super) keeps_mode: bool,
}

/// The attributes that say who may do what, and so mean something else under another owner.
const OF_OWNER: [&[u8]; 2] = [ACL, b"security.capability"];
/// A list of users and groups beside the mode.
const ACL: &[u8] = b"system.posix_acl_access";
const SET_ID: RawMode = 0o6000;

/// What a new file has taken over.
pub(super) struct Carried {
    /// Its mode now.
    pub(super) mode: RawMode,
    /// Anything but the mode's executable bits is not as it was.
    pub(super) lost: bool,
    /// The old file's extended attributes; `None` where they cannot be read.
    pub(super) attributes: Option<Attributes>,
}

/// Gives `file`, just `made` and wholly written, what `old` at `from` has.
///
/// The order matters: a change of owner takes capabilities and the set-id bits away, and a list of
/// users sets the group's bits.
pub(super) fn carry(
    disk: &Disk,
    old: &Origin,
    from: &Place,
    file: &OwnedFd,
    made: &Ident,
    executable: bool,
) -> io::Result<Carried> {
    let [user, group] = give_owner(disk, file, old.ident.owner, made.owner);
    // The folder may give every new file a list that this one never had.
    let bare = rustix::fs::fremovexattr(file, ACL);
    let unlisted = bare.is_err_and(|e| e != rustix::io::Errno::NODATA && !disk::unsupported(e));
    let attributes = match old.attributes {
        true => disk::attributes(from).ok(),
        false => Some(Attributes::new()),
    };
    let copied = attributes
        .as_ref()
        .is_some_and(|all| copy_attributes(all, file, user && group));
    let mode = match old.ident.mode & 0o7777 {
        mode if old.keeps_mode => mode,
        mode => with_executable(mode, executable),
    };
    let mode = without_owner(mode, [user, group]);
    disk.chmod(file, Permissions::from_raw_mode(mode))?;
    let lost = !(user && group && copied) || unlisted;
    Ok(Carried {
        mode,
        lost,
        attributes,
    })
}

/// Gives `file` to the owner `wanted`, as far as that can be. Returns whether the user and the
/// group are the wanted ones.
fn give_owner(disk: &Disk, file: &OwnedFd, wanted: [u32; 2], made: [u32; 2]) -> [bool; 2] {
    if wanted == made {
        return [true, true];
    }
    let [user, group] = wanted;
    let (owner, class) = (Uid::from_raw(user), Gid::from_raw(group));
    if disk.chown(file, Some(owner), Some(class)).is_ok() {
        return [true, true];
    }
    // A group can often be given where a user cannot.
    let [old_user, old_group] = made;
    let given = old_group == group || disk.chown(file, None, Some(class)).is_ok();
    [old_user == user, given]
}

/// Gives a file extended attributes; under another owner not those that give rights. Returns
/// whether it took all.
fn copy_attributes(attributes: &Attributes, to: &OwnedFd, same_owner: bool) -> bool {
    let copy = |(name, value): &(Vec<u8>, Vec<u8>)| {
        let rights = OF_OWNER.contains(&name.as_slice());
        (same_owner || !rights) && set_attribute(to, name, value)
    };
    // Every one is tried, also behind one that failed.
    attributes.iter().filter(|one| !copy(one)).count() == 0
}

/// Gives `file` an extended attribute. Returns whether it has it now.
fn set_attribute(file: &OwnedFd, name: &[u8], value: &[u8]) -> bool {
    if rustix::fs::fsetxattr(file, name, value, XattrFlags::empty()).is_ok() {
        return true;
    }
    // A label that the system itself gives need not be ours to set.
    let mut now = vec![0; value.len() + 1];
    let len = rustix::fs::fgetxattr(file, name, &mut now[..]);
    len.is_ok_and(|len| now.get(..len) == Some(value))
}

/// Returns what is left of `mode` where the user or the group could not be kept: another owner's
/// rights are given to nobody, and another group has no more than everybody.
pub(super) fn without_owner(mode: RawMode, [user, group]: [bool; 2]) -> RawMode {
    let mode = if user && group { mode } else { mode & !SET_ID };
    if group {
        return mode;
    }
    mode & (!0o070 | (mode & 0o007) << 3)
}

/// Returns permission bits that let run whoever may read, or nobody.
fn with_executable(mode: RawMode, executable: bool) -> RawMode {
    match (executable, mode & 0o100 != 0) {
        (true, false) => mode | (mode & 0o444) >> 2,
        (false, true) => mode & !0o111,
        _ => mode,
    }
}
