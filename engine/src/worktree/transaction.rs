//! A plan on its way to the disk: staged beside its files, published, and then kept or undone.
//!
//! Nothing is flushed to the platter: a killed process leaves a tree that the next start makes
//! whole, a power cut may not.

use std::collections::BTreeMap;
use std::io;

use bstr::ByteSlice as _;
use rustix::fs::Mode as Permissions;

use super::carry::{Carried, Origin, carry};
use super::disk::{self, Attributes, Content, Ident, Place};
use super::ids::Ids;
use super::index_write::IndexWrite;
use super::journal::{IndexNames, Lock};
use super::layout;
use super::read::{Reading, Seen};
use super::steps::{Ground, Staged, Step};
use super::{Error, Stop, Target, Worktree};
use crate::outcome::{Reason, Refusal, Refused};
use crate::patch::Mode;
use crate::path::RepoPath;
use crate::plan::{After, Plan};
use crate::preimage::State;

/// A plan written beside its files, where no reader sees it. Dropping it removes what it wrote.
#[must_use = "the worktree is unchanged until `publish`"]
pub(super) struct Transaction<'w> {
    worktree: &'w Worktree,
    lock: Option<Lock>,
    steps: Vec<Staged>,
    index: Option<IndexWrite<'w>>,
    published: bool,
    /// The index is in place: from here on nothing is undone.
    settled: bool,
    /// Files whose extended attributes could not be carried over.
    lost: Vec<RepoPath>,
    /// The extended attributes that were carried over, by the path that they were read from.
    carried: BTreeMap<RepoPath, Attributes>,
}

/// A plan whose files are in place. Dropping it puts the old ones back.
#[must_use = "dropping this undoes it; call `keep`"]
pub(super) struct Published<'w>(Transaction<'w>);

impl<'w> Transaction<'w> {
    /// Begins transaction `id` under `lock`, with no step yet. `index`: it is written too, and is
    /// locked from here on.
    pub(super) fn begin(
        worktree: &'w Worktree,
        lock: Lock,
        id: &str,
        index: Option<(&IndexNames, Target)>,
    ) -> Result<Self, Stop> {
        let mut this = Self {
            worktree,
            lock: Some(lock),
            steps: Vec::new(),
            index: None,
            published: false,
            settled: false,
            lost: Vec::new(),
            carried: BTreeMap::new(),
        };
        if let Some((names, target)) = index
            && let Err(stop) = this.lock_index(id, names, target)
        {
            return Err(this.abort(stop));
        }
        Ok(this)
    }

    fn lock_index(&mut self, id: &str, names: &IndexNames, target: Target) -> Result<(), Stop> {
        self.journal(|lock| lock.begin(self.worktree, id, &[], Some(names)))?;
        self.index
            .insert(IndexWrite::new(self.worktree, names, id, target)?)
            .take()
    }

    /// Returns the index, locked and read anew, where it is to be written.
    pub(super) fn index(&self) -> Option<&super::index::Index> {
        self.index.as_ref().map(IndexWrite::index)
    }

    /// Writes `plan`'s files beside their places.
    pub(super) fn stage(mut self, id: &str, plan: &Plan, read: &Reading) -> Result<Self, Stop> {
        match self.stage_all(id, plan, read) {
            Ok(()) => Ok(self),
            Err(stop) => Err(self.abort(stop)),
        }
    }

    fn stage_all(&mut self, id: &str, plan: &Plan, read: &Reading) -> Result<(), Stop> {
        let folders = &self.worktree.folders;
        self.steps = layout::steps(folders, id, plan.outputs(), &read.seen)?;
        let (disk, steps) = (&self.worktree.disk, &self.steps);
        if self.index.is_some() {
            self.journal(|lock| lock.steps(disk, steps))?;
        } else {
            self.journal(|lock| lock.begin(self.worktree, id, steps, None))?;
        }
        for at in 0..self.steps.len() {
            self.stage_one(at, plan, read)?;
        }
        Ok(())
    }

    fn stage_one(&mut self, at: usize, plan: &Plan, read: &Reading) -> Result<(), Stop> {
        let Some(staged) = self.steps.get(at) else {
            return Ok(());
        };
        let (Step::Make { temp, target } | Step::Swap { temp, target, .. }) = &staged.step else {
            return Ok(());
        };
        let Some(Some(after)) = plan.outputs().get(target) else {
            return Ok(());
        };
        let old = origin(plan, read, target, after);
        let cannot = |e| Error::io(format!("cannot write `{target}`"), e);
        let (new, carried) = self.write(temp, after, old.as_ref()).map_err(cannot)?;
        if let (Some(carried), Some(old)) = (carried, old) {
            if carried.lost {
                self.lost.push(target.clone());
            }
            let attributes = carried.attributes.map(|all| (old.path, all));
            self.carried.extend(attributes);
        }
        if let Some(staged) = self.steps.get_mut(at) {
            staged.new = Some(new);
        }
        Ok(())
    }

    /// Writes `after` under the name `temp`. Returns what it became, and what it took over from the
    /// file that it comes of.
    fn write(
        &self,
        temp: &RepoPath,
        after: &After,
        old: Option<&Origin>,
    ) -> io::Result<(Ident, Option<Carried>)> {
        let disk = &self.worktree.disk;
        let place = self.worktree.folders.place(temp)?;
        if after.mode == Mode::Symlink {
            disk.symlink(after.content.as_bstr(), &place)?;
            let ident = disk::stat(&place)?.ok_or(io::ErrorKind::NotFound)?;
            return Ok((ident, None));
        }
        let old = old.filter(|old| old.ident.kind() == rustix::fs::FileType::RegularFile);
        let executable = after.mode == Mode::Executable;
        let first = match old {
            Some(_) => 0o600,
            // The umask takes from this what the user wants taken.
            None if executable => 0o777,
            None => 0o666,
        };
        let file = disk.create(&place, Permissions::from_raw_mode(first))?;
        disk.write(&file, &after.content)?;
        let mut made = disk::stat_open(&file)?;
        let Some(old) = old else {
            return Ok((made, None));
        };
        let from = self.worktree.folders.place(&old.path)?;
        let carried = carry(disk, old, &from, &file, &made, executable)?;
        made.mode = carried.mode;
        Ok((made, Some(carried)))
    }

    /// Puts every file in its place.
    pub(super) fn publish(mut self, read: &Reading) -> Result<Published<'w>, Stop> {
        match self.publish_all(read) {
            Ok(()) => Ok(Published(self)),
            Err(stop) => Err(self.abort(stop)),
        }
    }

    fn publish_all(&mut self, read: &Reading) -> Result<(), Stop> {
        let (disk, steps) = (&self.worktree.disk, &self.steps);
        self.journal(|lock| lock.publish(disk, steps))?;
        self.check_ways()?;
        self.published = true;
        let ground = self.ground();
        for staged in &self.steps {
            ground
                .publish(&staged.step)
                .map_err(|e| could_not(&staged.step, e))?;
            if let Some((target, aside)) = put_aside(&staged.step) {
                let cannot = |e| Error::io(format!("cannot read `{target}` again"), e);
                if !self.is_as_read(aside, target, read).map_err(cannot)? {
                    return Err(changed(target));
                }
            }
        }
        self.check_ways()
    }

    /// Checks that every folder that is open is still in its place.
    fn check_ways(&self) -> Result<(), Stop> {
        let moved = self.worktree.folders.moved();
        match moved.map_err(|e| Error::io("cannot look at a folder again".into(), e))? {
            Some(folder) => Err(changed(&folder)),
            None => Ok(()),
        }
    }

    /// Tells whether the file that was put aside is the one that the plan was made from, and that
    /// the new one took its mode, owner and attributes from.
    fn is_as_read(
        &self,
        aside: [Option<&RepoPath>; 2],
        target: &RepoPath,
        read: &Reading,
    ) -> io::Result<bool> {
        let before = read.preimages.get(target).map(|file| &file.state);
        let (Some(State::File { content, .. }), Some(Seen::File { ident, .. })) =
            (before, read.seen.get(target))
        else {
            return Ok(false);
        };
        for name in aside.into_iter().flatten() {
            let place = self.worktree.folders.place(name)?;
            if let Some(old) = disk::read(&place)? {
                let equal = old.bytes == *content && old.ident.same_rights(ident);
                return Ok(equal && self.has_what_was_carried(target, &old, &place));
            }
        }
        Ok(false)
    }

    /// Tells whether the file at `place`, which `target` was, has the attributes that were copied
    /// from it; yes where
    /// it had none to copy, because it goes or they could not be read.
    fn has_what_was_carried(&self, target: &RepoPath, old: &Content, place: &Place) -> bool {
        match self.carried.get(target) {
            None => true,
            Some(carried) if !old.attributes => carried.is_empty(),
            Some(carried) => disk::attributes(place).is_ok_and(|now| now == *carried),
        }
    }

    fn write_index(&mut self, plan: &Plan, ids: &Ids<'_>) -> Result<(), Stop> {
        let Some(index) = &mut self.index else {
            return Ok(());
        };
        index.stage(plan, ids, &self.steps)?;
        let disk = &self.worktree.disk;
        self.journal(|lock| lock.note(disk, "indexed"))?;
        if let Some(index) = &mut self.index {
            index.publish()?;
            self.settled = true;
        }
        Ok(())
    }

    fn ground(&self) -> Ground<'w> {
        Ground {
            folders: &self.worktree.folders,
            disk: &self.worktree.disk,
        }
    }

    fn journal(&self, note: impl FnOnce(&Lock) -> io::Result<()>) -> Result<(), Stop> {
        let Some(lock) = &self.lock else {
            return Ok(());
        };
        note(lock).map_err(|e| Error::io("cannot write the journal".into(), e).into())
    }

    /// Undoes everything, and adds to `stop` what could not be put back.
    pub(super) fn abort(mut self, stop: Stop) -> Stop {
        let left = self.undo(true);
        if left.is_empty() {
            return stop;
        }
        match stop {
            Stop::Error(mut error) => {
                error.left.extend(left);
                Stop::Error(error)
            }
            Stop::Refused(refused) => {
                let message = format!("cannot undo after a refusal: {refused}");
                Stop::Error(Box::new(Error {
                    message,
                    left,
                    source: None,
                }))
            }
        }
    }

    /// Removes the old files and all that is ours. What cannot be removed stays in the journal.
    fn finish(&mut self) {
        let Some(lock) = self.lock.take() else { return };
        let mut clean = !self.ground().finish(&self.steps).retry;
        if let Some(index) = self.index.take() {
            clean &= index.release();
        }
        if clean {
            drop(lock.release(&self.worktree.disk));
        }
    }

    /// Undoes everything. Returns what could not be put back. `tells`: the caller tells that; else
    /// the journal stays, so that the next start does.
    fn undo(&mut self, tells: bool) -> Vec<std::path::PathBuf> {
        if self.settled {
            self.finish();
            return Vec::new();
        }
        let Some(lock) = self.lock.take() else {
            return Vec::new();
        };
        let mut undone = self.ground().undo(&self.steps, self.published);
        if let Some(index) = self.index.take() {
            undone.retry |= !index.undo();
        }
        if !undone.retry && (tells || undone.left.is_empty()) {
            drop(lock.release(&self.worktree.disk));
        }
        undone.left
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        self.undo(false);
    }
}

impl Published<'_> {
    /// Writes the index, where asked for: the last step that can fail.
    pub(super) fn write_index(mut self, plan: &Plan, ids: &Ids<'_>) -> Result<Self, Stop> {
        match self.0.write_index(plan, ids) {
            Ok(()) => Ok(self),
            Err(stop) => Err(self.0.abort(stop)),
        }
    }

    /// Gives up the old files. Once that is noted nothing is undone, and what cannot be removed now
    /// is removed at the next start.
    pub(super) fn keep(mut self) -> Result<(), Stop> {
        let this = &mut self.0;
        let disk = &this.worktree.disk;
        let noted = this.journal(|lock| lock.note(disk, "commit"));
        if let (Err(stop), false) = (noted, this.settled) {
            return Err(self.0.abort(stop));
        }
        this.settled = true;
        this.finish();
        Ok(())
    }

    /// Returns the files whose extended attributes or owner could not be carried over.
    pub(super) fn lost(&self) -> &[RepoPath] {
        &self.0.lost
    }
}

fn origin(plan: &Plan, read: &Reading, target: &RepoPath, after: &After) -> Option<Origin> {
    // Files stand by path, each once but for sources that several are copied from.
    let files = plan.files();
    let at = files.partition_point(|file| file.path < *target);
    let file = files.get(at).filter(|file| file.path == *target);
    let path = file.and_then(|file| file.from.as_ref()).unwrap_or(target);
    let Some(Seen::File { ident, attributes }) = read.seen.get(path) else {
        return None;
    };
    let keeps_mode = match read.preimages.get(path).map(|preimage| &preimage.state) {
        Some(State::File { mode, .. }) => *mode == after.mode,
        _ => false,
    };
    Some(Origin {
        path: path.clone(),
        ident: *ident,
        attributes: *attributes,
        keeps_mode,
    })
}

/// Returns the name of a step's old file, and where it was put: by exchange, or as a spare.
fn put_aside(step: &Step) -> Option<(&RepoPath, [Option<&RepoPath>; 2])> {
    match step {
        Step::Away { target, backup } => Some((target, [Some(backup), None])),
        Step::Swap {
            temp,
            target,
            spare,
            ..
        } => Some((target, [Some(temp), Some(spare)])),
        _ => None,
    }
}

fn could_not(step: &Step, error: io::Error) -> Stop {
    let what = match step {
        Step::Make { target, .. } | Step::Swap { target, .. }
            if error.kind() == io::ErrorKind::AlreadyExists =>
        {
            return changed(target);
        }
        Step::Away { target, .. } | Step::Swap { target, .. }
            if error.kind() == io::ErrorKind::NotFound =>
        {
            return changed(target);
        }
        Step::RemoveFolder { folder, .. } if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
            return changed(folder);
        }
        Step::Away { target, .. } => format!("cannot remove `{target}`"),
        Step::Make { target, .. } | Step::Swap { target, .. } => {
            format!("cannot rename onto `{target}`")
        }
        Step::RemoveFolder { folder, .. } => format!("cannot remove the folder `{folder}`"),
        Step::MakeFolder { folder } => format!("cannot make the folder `{folder}`"),
    };
    Error::io(what, error).into()
}

pub(super) fn changed(path: &RepoPath) -> Stop {
    let refusal = Refusal::of_path(path.as_bstr(), Reason::ChangedUnderfoot);
    Stop::Refused(Refused::one(refusal))
}

/// Looks again at all that was read, now under the lock.
///
/// # Errors
///
/// `changed-underfoot` for the first path that is not as it was.
pub(super) fn look_again(worktree: &Worktree, read: &mut Reading) -> Result<(), Stop> {
    for (path, seen) in &mut read.seen {
        let cannot = |e| Error::io(format!("cannot read `{path}` again"), e);
        let place = match worktree.folders.way(path).map_err(cannot)? {
            super::walk::Way::Open(place) => Some(place),
            _ => None,
        };
        let now = match &place {
            Some(place) => disk::stat(place).map_err(cannot)?,
            None => None,
        };
        let same = match (&mut *seen, now) {
            (Seen::Other, _) | (Seen::Absent, None) => true,
            (Seen::Folder, Some(now)) => now.kind() == rustix::fs::FileType::Directory,
            (Seen::File { ident, .. }, Some(now)) if *ident == now => true,
            (Seen::File { ident, attributes }, Some(_)) => {
                let again = place
                    .map(|place| disk::read(&place))
                    .transpose()
                    .map_err(cannot)?;
                let before = read.preimages.get(path).map(|file| &file.state);
                match (again.flatten(), before) {
                    (Some(again), Some(State::File { content, .. }))
                        if again.bytes == *content && again.ident.same_rights(ident) =>
                    {
                        *ident = again.ident;
                        *attributes = again.attributes;
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        if !same {
            return Err(changed(path));
        }
    }
    Ok(())
}
