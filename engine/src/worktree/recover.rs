//! Makes whole what a killed process left: all of its files old, or all new.

use super::Error;
use super::Worktree;
use super::disk;
use super::index_write::Files;
use super::journal::{Journal, Lock};
use super::steps::{Ground, Undone};

/// Finishes or undoes what a killed process left, if one did.
///
/// # Errors
///
/// Where the disk fails, and where somebody has changed a file since: that one is left alone, and
/// named with what was kept beside it.
pub(super) fn recover(worktree: &Worktree) -> Result<(), Error> {
    let cannot = |e| Error::io("cannot look for an unfinished transaction".into(), e);
    match Lock::take_left(&worktree.lock_place()).map_err(cannot)? {
        Some(lock) => settle(worktree, lock),
        None => Ok(()),
    }
}

/// Does it under `lock`, which is given back.
pub(super) fn settle(worktree: &Worktree, lock: Lock) -> Result<(), Error> {
    let cannot = |e| Error::io("cannot finish what a killed process left".into(), e);
    if lock.is_left() {
        let journal = lock.read().map_err(cannot)?;
        check_ours(worktree, &lock, &journal)?;
        settle_journal(worktree, &journal, lock)
    } else {
        lock.release(&worktree.disk).map_err(cannot)
    }
}

/// Checks that the journal is about this tree, and that we know what it says.
fn check_ours(worktree: &Worktree, lock: &Lock, journal: &Journal) -> Result<(), Error> {
    let name = worktree.lock_place().name;
    // In a copy of the tree no inode is what the journal says, and undoing would be guessing.
    if !journal.at_home {
        return Err(Error::plain(format!(
            "cannot start: `{name}` was not written here; remove it, and look first for files \
             named `.surefoot-*`, which may hold what was replaced"
        )));
    }
    // Who may write in the root alone could have us move and remove files anywhere below it.
    let (writer, us) = (lock.writer(), rustix::process::geteuid().as_raw());
    if writer != us {
        return Err(Error::plain(format!(
            "cannot start: `{name}` was left by a killed process of another user, number {writer}; \
             that user has to start surefoot here, or to remove the file"
        )));
    }
    // A step that is not understood may have been done, and one that names no tree anywhere.
    let rootless = journal.root.is_none() && !journal.steps.is_empty();
    if !journal.understood || rootless {
        return Err(Error::plain(format!(
            "cannot start: `{name}` was left by another version of surefoot, which has to finish it"
        )));
    }
    let cannot = |e| Error::io("cannot look at the working tree's root".into(), e);
    let ours = disk::stat_open(worktree.folders.root()).map_err(cannot)?;
    match &journal.root {
        Some((root, named)) if *root != [ours.dev, ours.ino] => Err(Error::plain(format!(
            "cannot start: `{name}` was left by a killed process in another working tree of this \
             repository, `{named}`; start surefoot there, or remove the file if that tree is gone"
        ))),
        _ => Ok(()),
    }
}

fn settle_journal(worktree: &Worktree, journal: &Journal, lock: Lock) -> Result<(), Error> {
    let cannot = |e| Error::io("cannot finish what a killed process left".into(), e);
    let ground = Ground {
        folders: &worktree.folders,
        disk: &worktree.disk,
    };
    let files = journal
        .index
        .as_ref()
        .map(|names| Files::open(names, &journal.id));
    let files = files.transpose().map_err(cannot)?;
    let index_is_in_place = match &files {
        Some(files) => journal.indexed && !files.is_staged().map_err(cannot)?,
        None => false,
    };
    let (done, failed) = if journal.committed || index_is_in_place {
        // All is in place. What cannot be removed even now is told once: it must not stand in the
        // way of all later work.
        let mut done = ground.finish(&journal.steps);
        done.retry = false;
        (
            done,
            "cannot remove what a killed process kept of old files",
        )
    } else {
        // So is what somebody has changed since, which no later start could put back.
        let undone = ground.undo(&journal.steps, journal.published);
        let failed = match undone.retry {
            true => "cannot put back what a killed process changed; it is tried again",
            false => "cannot put back what a killed process changed: files changed since",
        };
        (undone, failed)
    };
    if let Some(files) = files {
        files.remove(&worktree.disk).map_err(cannot)?;
    }
    let Undone { left, retry } = done;
    if !retry {
        lock.release(&worktree.disk).map_err(cannot)?;
    }
    if left.is_empty() && !retry {
        return Ok(());
    }
    Err(Error {
        left,
        ..Error::plain(failed)
    })
}
