//! Reads what a patch names: each path as it stands, and what git knows of it.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};

use rustix::fs::FileType;

use super::base::{self, BaseOption};
use super::discover;
use super::disk::{self, Content, Ident};
use super::ids::{Ids, Rule};
use super::index::{Entry, Index, Stamp};
use super::record;
use super::walk::{Way, ancestors};
use super::{ApplyOptions, Error, Target, Worktree, journal};
use crate::blob::{BlobId, BlobIds as _};
use crate::outcome::{PathTrouble, Reason, Unsupported};
use crate::patch::{Destination, Edit, Mode, Step};
use crate::path::{PathError, PathSpec, RelativeTo, RepoPath};
use crate::preimage::{Preimage, Preimages, State, Witness, WitnessSource};

/// What was seen at a path, to be looked at again before anything is written.
#[derive(Clone, Debug)]
pub(super) enum Seen {
    /// Nothing.
    Absent,
    /// A regular file or a link. `attributes`: it has extended ones.
    File { ident: Ident, attributes: bool },
    /// A folder.
    Folder,
    /// Something that nothing is done with, or nothing that was looked at.
    Other,
}

/// What was read for a patch.
pub(super) struct Reading {
    pub(super) preimages: Preimages,
    pub(super) seen: BTreeMap<RepoPath, Seen>,
    /// For the record of results: the index as it was, and each path's entry in it.
    pub(super) stamp: Option<Stamp>,
    pub(super) tracked: BTreeMap<RepoPath, Option<BlobId>>,
}

/// The longest path that is looked at, in bytes: what the kernel takes.
const LONGEST: usize = 4096;

/// Reads every path that `steps` name.
pub(super) struct Reader<'a, 'w> {
    pub(super) worktree: &'a Worktree,
    pub(super) ids: &'a Ids<'w>,
    pub(super) options: &'a ApplyOptions,
    /// The index, where the caller has locked it; else it is read once it is needed.
    pub(super) locked: Option<&'a Index>,
    own: OnceCell<Index>,
    head: OnceCell<Option<gix::ObjectId>>,
    named: BTreeSet<RepoPath>,
    /// The index has told something that makes earlier ids wrong.
    again: Cell<bool>,
}

impl<'a, 'w> Reader<'a, 'w> {
    pub(super) fn new(
        worktree: &'a Worktree,
        ids: &'a Ids<'w>,
        options: &'a ApplyOptions,
        locked: Option<&'a Index>,
    ) -> Self {
        let (own, head, named) = (OnceCell::new(), OnceCell::new(), BTreeSet::new());
        let again = Cell::new(false);
        Self {
            worktree,
            ids,
            options,
            locked,
            own,
            head,
            named,
            again,
        }
    }

    /// Reads what `steps` name.
    ///
    /// # Errors
    ///
    /// Where the disk or the repository cannot be read.
    pub(super) fn read(mut self, steps: &[Step]) -> Result<Reading, Error> {
        let edits: Vec<&Edit> = steps
            .iter()
            .flat_map(|s| &s.readings)
            .flat_map(|r| &r.patch.edits)
            .collect();
        let preimages = self.empty(&edits)?;
        for spec in edits.iter().flat_map(|edit| specs(edit)) {
            if let Ok((first, second)) = preimages.spellings(spec) {
                self.named.insert(first);
                self.named.extend(second);
            }
        }
        if let Some(index) = self.locked {
            self.ids.learn(&index.file);
        }
        let mut reading = Reading {
            preimages,
            seen: BTreeMap::new(),
            stamp: self.stamp()?,
            tracked: BTreeMap::new(),
        };
        self.look_at_all(&mut reading)?;
        if self.again.get() {
            self.look_at_all(&mut reading)?;
        }
        let base = BaseOption::resolve(self.worktree, self.options.base.as_deref())?;
        base::insert_blobs(self.worktree, &edits, base.as_ref(), &mut reading.preimages)?;
        Ok(reading)
    }

    fn look_at_all(&self, reading: &mut Reading) -> Result<(), Error> {
        let stamp = reading.stamp;
        for path in &self.named {
            let (preimage, look, entry) = self.look(path, stamp.as_ref())?;
            reading.preimages.insert(path.clone(), preimage);
            reading.seen.insert(path.clone(), look);
            if let Some(entry) = entry {
                reading.tracked.insert(path.clone(), entry);
            }
        }
        Ok(())
    }

    /// Returns preimages that know where paths count from, and nothing else.
    fn empty(&self, edits: &[&Edit]) -> Result<Preimages, Error> {
        let fold = self.worktree.git.as_ref().is_some_and(|git| git.fold_case);
        let mut specs = edits.iter().flat_map(|edit| specs(edit));
        if !specs.any(|spec| spec.relative_to == RelativeTo::Caller) {
            return Ok(Preimages::new(Vec::new(), None, fold));
        }
        let (roots, caller) = discover::places(&self.worktree.root, &self.options.caller)?;
        Ok(Preimages::new(roots, caller, fold))
    }

    fn stamp(&self) -> Result<Option<Stamp>, Error> {
        let Some(git) = &self.worktree.git else {
            return Ok(None);
        };
        let stamp = Stamp::of(&git.repo.index_path());
        stamp
            .map(Some)
            .map_err(|e| Error::io("cannot look at the index".into(), e))
    }

    fn index(&self) -> Result<&Index, Error> {
        if let Some(index) = self.locked {
            return Ok(index);
        }
        if let Some(index) = self.own.get() {
            return Ok(index);
        }
        let Some(git) = &self.worktree.git else {
            return Err(Error::plain(
                "cannot read the index: there is no repository",
            ));
        };
        let index = Index::open(git, false)?;
        self.again.set(self.ids.learn(&index.file));
        Ok(self.own.get_or_init(|| index))
    }

    /// Looks at one path. The last of the three is its index entry, where that was looked at.
    fn look(
        &self,
        path: &RepoPath,
        stamp: Option<&Stamp>,
    ) -> Result<(Preimage, Seen, Option<Option<BlobId>>), Error> {
        if path.as_bstr().len() > LONGEST || journal::is_reserved(path) {
            let reason = Reason::ForbiddenPath(PathTrouble::Name(PathError::Reserved));
            return Ok((Preimage::barred(reason), Seen::Other, None));
        }
        if self.options.target == Target::Index {
            return Ok((self.look_in_index(path)?, Seen::Other, None));
        }
        let (mut preimage, seen) = self.look_on_disk(path)?;
        if preimage.barred.is_none()
            && let Rule::Barred(what) = self.ids.rule(path)?
        {
            preimage.barred = Some(Reason::Unsupported(what));
        }
        let tracked = self.ask_git(path, &mut preimage, stamp)?;
        Ok((preimage, seen, tracked))
    }

    fn look_on_disk(&self, path: &RepoPath) -> Result<(Preimage, Seen), Error> {
        let cannot = |e| Error::io(format!("cannot read `{path}`"), e);
        let barred = |reason| (Preimage::barred(reason), Seen::Other);
        let place = match self.worktree.folders.way(path).map_err(cannot)? {
            Way::Open(place) => place,
            Way::Missing(_) => return Ok((Preimage::absent(), Seen::Absent)),
            // Another edit may take away what is in the way; whether it does is seen in the plan.
            Way::Blocked(at, PathTrouble::Symlink | PathTrouble::NotFolder)
                if self.named.contains(&at) =>
            {
                return Ok((Preimage::absent(), Seen::Absent));
            }
            Way::Blocked(_, trouble) => return Ok(barred(Way::barred(trouble))),
        };
        let ident = match disk::stat(&place) {
            Err(e) if e.kind() == std::io::ErrorKind::InvalidFilename => {
                let trouble = PathTrouble::Name(PathError::Reserved);
                return Ok(barred(Reason::ForbiddenPath(trouble)));
            }
            ident => ident.map_err(cannot)?,
        };
        match ident.map(|ident| ident.kind()) {
            None => Ok((Preimage::absent(), Seen::Absent)),
            Some(FileType::Directory) => {
                let own = self.worktree.git.is_some()
                    && !matches!(self.worktree.folders.folder(path), Ok(Some(_)));
                // What is named below it may go away: whether all of it does is seen in the plan.
                let empties = !own && self.names_below(path);
                let state = match (own, empties) {
                    (true, _) => State::Gitlink,
                    (false, true) => State::Absent,
                    (false, false) => State::Folder,
                };
                let barred = own.then_some(Reason::ForbiddenPath(PathTrouble::Submodule));
                Ok((
                    Preimage {
                        state,
                        barred,
                        ..Preimage::absent()
                    },
                    Seen::Folder,
                ))
            }
            Some(FileType::RegularFile | FileType::Symlink) => {
                if ident.is_some_and(|ident| ident.size > disk::MOST_BYTES) {
                    return Ok(barred(Reason::Unsupported(Unsupported::TooLarge)));
                }
                match disk::read(&place).map_err(cannot)? {
                    Some(content) => self.file(path, content),
                    None => Ok(barred(Reason::ChangedUnderfoot)),
                }
            }
            Some(_) => Ok(barred(Reason::ForbiddenPath(PathTrouble::Special))),
        }
    }

    /// Tells whether the patch names something below the folder `path`.
    fn names_below(&self, path: &RepoPath) -> bool {
        let below = |name: &&RepoPath| ancestors(name).any(|above| above == *path);
        self.named
            .range(path..)
            .take_while(|name| name.as_bstr().starts_with(path.as_bstr()))
            .any(|name| below(&name))
    }

    fn file(&self, path: &RepoPath, content: Content) -> Result<(Preimage, Seen), Error> {
        let Content {
            bytes,
            ident,
            attributes,
        } = content;
        let mode = match ident.kind() {
            FileType::Symlink => Mode::Symlink,
            _ if ident.mode & 0o100 != 0 => Mode::Executable,
            _ => Mode::Regular,
        };
        let mut preimage = Preimage::file(bytes, mode);
        if ident.links > 1 && !self.options.break_links && mode != Mode::Symlink {
            preimage.barred = Some(Reason::Unsupported(Unsupported::HardLink));
        }
        if let State::File { content, .. } = &preimage.state {
            preimage.blob = match mode {
                Mode::Symlink => self.ids.raw_id(content),
                _ => self.ids.blob_id(path, content),
            };
        }
        Ok((preimage, Seen::File { ident, attributes }))
    }

    /// Adds what git knows of `path`. Returns its index entry, where known.
    fn ask_git(
        &self,
        path: &RepoPath,
        preimage: &mut Preimage,
        stamp: Option<&Stamp>,
    ) -> Result<Option<Option<BlobId>>, Error> {
        let (Some(git), Some(stamp)) = (&self.worktree.git, stamp) else {
            return Ok(None);
        };
        let last = match (&preimage.state, preimage.blob) {
            (
                State::File {
                    mode: Mode::Regular | Mode::Executable,
                    ..
                },
                Some(blob),
            ) => record::recall(git, path).filter(|last| last.result == blob),
            _ => None,
        };
        if let Some(last) = &last {
            witness(preimage, WitnessSource::LastResult);
            // The index has not changed since: it has nothing new to say. Without the executable
            // bit on disk it is asked for the mode.
            if last.stamp == *stamp && git.file_mode {
                preimage.recoverable = last.tracked == preimage.blob;
                return Ok(Some(last.tracked));
            }
        }
        let index = self.index()?;
        if let Some(reason) = index.barred(path) {
            preimage.barred = Some(reason);
            return Ok(None);
        }
        let entry = index.entry(path);
        self.apply_entry(preimage, entry.as_ref());
        if last.is_none() && matches!(preimage.state, State::File { .. }) {
            self.add_witnesses(path, preimage, entry.as_ref())?;
        }
        Ok(Some(entry.map(|entry| entry.id)))
    }

    /// Takes over what `path`'s index entry says.
    fn apply_entry(&self, preimage: &mut Preimage, entry: Option<&Entry>) {
        use gix::index::entry::Flags;
        let Some(git) = &self.worktree.git else {
            return;
        };
        if let Some(entry) = entry {
            preimage.recoverable = preimage.blob == Some(entry.id);
            if preimage.state == State::Absent && entry.flags.contains(Flags::SKIP_WORKTREE) {
                preimage.barred = Some(Reason::Unsupported(Unsupported::SkipWorktree));
            }
            if let (State::File { mode, .. }, Some(known), false) =
                (&mut preimage.state, entry.mode(), git.file_mode)
                && *mode != Mode::Symlink
                && matches!(known, Mode::Regular | Mode::Executable)
            {
                *mode = known;
            }
        }
    }

    /// Adds the older states that the author may have seen: the index, and where the file is not
    /// as the index has it HEAD too.
    fn add_witnesses(
        &self,
        path: &RepoPath,
        preimage: &mut Preimage,
        entry: Option<&Entry>,
    ) -> Result<(), Error> {
        let entry =
            entry.filter(|entry| matches!(entry.mode(), Some(Mode::Regular | Mode::Executable)));
        if entry.is_some_and(|entry| Some(entry.id) == preimage.blob) {
            witness(preimage, WitnessSource::Index);
            return Ok(());
        }
        let mut push = |source, id| -> Result<(), Error> {
            if let Some(content) = base::blob(self.worktree, id)? {
                preimage.witnesses.push(Witness { source, content });
            }
            Ok(())
        };
        if let Some(entry) = entry {
            push(WitnessSource::Index, entry.id)?;
        }
        let head = self.in_head(path)?;
        if let Some(id) = head.filter(|id| entry.is_none_or(|entry| entry.id != *id)) {
            push(WitnessSource::Head, id)?;
        }
        Ok(())
    }

    /// Returns the blob that HEAD has at `path`.
    fn in_head(&self, path: &RepoPath) -> Result<Option<BlobId>, Error> {
        let Some(git) = &self.worktree.git else {
            return Ok(None);
        };
        let tree = match self.head.get() {
            Some(known) => *known,
            None => {
                let tree = git.repo.head_tree_id_or_empty();
                let tree = tree
                    .map_err(|e| Error::from_git("cannot read HEAD", e))?
                    .detach();
                *self.head.get_or_init(|| Some(tree))
            }
        };
        tree.map_or(Ok(None), |tree| base::blob_in_tree(git, tree, path))
    }

    /// Looks at `path` as the index has it, for `--cached`.
    fn look_in_index(&self, path: &RepoPath) -> Result<Preimage, Error> {
        let index = self.index()?;
        if let Some(reason) = index.barred(path) {
            return Ok(Preimage::barred(reason));
        }
        for above in ancestors(path) {
            let Some(entry) = index.entry(&above) else {
                continue;
            };
            let trouble = match entry.mode() {
                Some(Mode::Symlink) => PathTrouble::Symlink,
                _ => PathTrouble::NotFolder,
            };
            if !self.named.contains(&above) {
                return Ok(Preimage::barred(Way::barred(trouble)));
            }
        }
        let Some(entry) = index.entry(path) else {
            let folder = index.has_folder(path) && !self.names_below(path);
            let state = if folder { State::Folder } else { State::Absent };
            return Ok(Preimage {
                state,
                ..Preimage::absent()
            });
        };
        let content = base::blob(self.worktree, entry.id)?;
        let (Some(content), Some(mode)) = (content, entry.mode()) else {
            return Ok(Preimage::barred(Reason::Unsupported(Unsupported::TooLarge)));
        };
        let mut preimage = Preimage::file(content, mode);
        preimage.blob = Some(entry.id);
        preimage.recoverable = true;
        if let Some(id) = self.in_head(path)?.filter(|id| *id != entry.id)
            && let Some(content) = base::blob(self.worktree, id)?
        {
            preimage.witnesses.push(Witness {
                source: WitnessSource::Head,
                content,
            });
        }
        Ok(preimage)
    }
}

/// Adds the present content as the state that the author may have seen.
fn witness(preimage: &mut Preimage, source: WitnessSource) {
    if let State::File { content, .. } = &preimage.state {
        preimage.witnesses.push(Witness {
            source,
            content: content.clone(),
        });
    }
}

/// Returns every path that `edit` names.
fn specs(edit: &Edit) -> impl Iterator<Item = &PathSpec> {
    let other = match &edit.destination {
        Destination::Same => None,
        Destination::Rename(path) | Destination::Copy(path) => Some(path),
    };
    std::iter::once(&edit.path).chain(other)
}
