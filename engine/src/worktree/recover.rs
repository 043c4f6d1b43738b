//! Makes whole what a killed process left: all of its files old, or all new.

use super::Error;
use super::Worktree;
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
        // In a copy of the tree no inode is what the journal says, and undoing would be guessing.
        if !journal.at_home {
            let name = worktree.lock_place().name;
            return Err(Error::plain(format!(
                "cannot start: `{name}` was not written here; remove it, and look first for files \
                 named `.surefoot-*`, which may hold what was replaced"
            )));
        }
        settle_journal(worktree, &journal, lock)
    } else {
        lock.release(&worktree.disk).map_err(cannot)
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
    let Undone { left, retry } = if journal.committed || index_is_in_place {
        // What cannot be removed even now would only stand in the way of all later work.
        ground.finish(&journal.steps);
        Undone::default()
    } else {
        ground.undo(&journal.steps, journal.published)
    };
    if let Some(files) = files {
        files.remove(&worktree.disk).map_err(cannot)?;
    }
    if !retry {
        lock.release(&worktree.disk).map_err(cannot)?;
    }
    match left.is_empty() && !retry {
        true => Ok(()),
        false => {
            let message = "cannot put back what a killed process changed: files changed since";
            Err(Error {
                message: message.into(),
                left,
                source: None,
            })
        }
    }
}
