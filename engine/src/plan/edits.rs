//! One patch on one tree: what becomes of each file, or every reason why not.

use std::collections::BTreeMap;

use bstr::BString;

use super::file::{self, Asked, Setting};
use super::tree::{There, Tree};
use super::{Action, After, FilePlan, Placed, binary, whole};
use crate::blob::{BlobId, BlobIds, IdPrefix};
use crate::locate::budget::Budget;
use crate::locate::file::File;
use crate::locate::hunk::BaseProof;
use crate::outcome::{PathTrouble, Reason, Refusal, Stale, Unanchored, Unsupported, Warning};
use crate::patch::{Base, BinaryPatch, Change, Destination, Edit, Hunk, Mode, Order, Patch};
use crate::path::RepoPath;
use crate::policy::{Evidence, Policy};

/// What one patch makes of a tree.
#[derive(Debug, Default)]
pub(crate) struct StepPlan {
    pub(crate) files: Vec<FilePlan>,
    pub(crate) outputs: BTreeMap<RepoPath, Option<After>>,
    pub(crate) warnings: Vec<Warning>,
}

/// What planning of one patch asks.
#[derive(Debug)]
pub(crate) struct Planner<'a, I> {
    pub(crate) tree: &'a Tree<'a, I>,
    pub(crate) policy: &'a Policy,
    pub(crate) budget: &'a Budget,
}

impl<I> Clone for Planner<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Planner<'_, I> {}

/// Edits of one file that are resolved together, in the order written.
#[derive(Debug)]
struct Batch<'p> {
    path: RepoPath,
    edits: Vec<&'p Edit>,
}

/// What becomes of one batch, before the batches have met.
#[derive(Debug)]
struct Result1 {
    plan: FilePlan,
    after: Option<After>,
    warnings: Vec<Warning>,
}

impl<I: BlobIds> Planner<'_, I> {
    /// Plans every edit of `patch` on the tree.
    pub(crate) fn plan(&self, patch: &Patch) -> Result<StepPlan, Vec<Refusal>> {
        let batches = self.batches(patch)?;
        if let Some(done) = self.already_there(&batches) {
            return Ok(done);
        }
        let mut results = Vec::new();
        let mut refusals = Vec::new();
        for batch in &batches {
            match self.batch(batch) {
                Ok(result) => results.push((batch, result)),
                Err(reasons) => refusals.extend(reasons),
            }
        }
        if !refusals.is_empty() {
            return Err(refusals);
        }
        self.meet(results)
    }

    fn batches<'p>(&self, patch: &'p Patch) -> Result<Vec<Batch<'p>>, Vec<Refusal>> {
        let mut batches: Vec<Batch<'p>> = Vec::new();
        let mut places: BTreeMap<RepoPath, usize> = BTreeMap::new();
        let mut refusals = Vec::new();
        for edit in &patch.edits {
            let path = match self.tree.resolve(&edit.path) {
                Ok(path) => path,
                Err(reason) => {
                    refusals.push(refusal(edit, None, reason));
                    continue;
                }
            };
            match places.get(&path) {
                Some(at) if joins(&batches[*at], edit) => batches[*at].edits.push(edit),
                Some(_) => refusals.push(refusal(edit, None, twice())),
                None => {
                    places.insert(path.clone(), batches.len());
                    batches.push(Batch {
                        path,
                        edits: vec![edit],
                    });
                }
            }
        }
        if refusals.is_empty() {
            Ok(batches)
        } else {
            Err(refusals)
        }
    }

    /// Returns the empty plan where every file is what the patch makes of it, by its id.
    fn already_there(&self, batches: &[Batch<'_>]) -> Option<StepPlan> {
        let mut step = StepPlan::default();
        let mut proven = false;
        for edit in batches.iter().flat_map(|batch| &batch.edits) {
            let is_there = self.is_at_post(edit)?;
            proven |= is_there == AtPost::Proven;
            let path = self.destination(edit).ok()?;
            let id = self.tree.blob(&path);
            step.files.push(FilePlan {
                after: id,
                ..untouched(path, id)
            });
        }
        proven.then_some(step)
    }

    /// Tells whether a file is what `edit` makes of it; `None` where it is not, or cannot be known.
    fn is_at_post(&self, edit: &Edit) -> Option<AtPost> {
        let source = self.tree.resolve(&edit.path).ok()?;
        let target = self.destination(edit).ok()?;
        let here = self.tree.there(&target).ok()?;
        let source_gone = || matches!(self.tree.there(&source), Ok(There::Absent));
        if matches!(edit.change, Change::Delete { .. }) {
            return matches!(here, There::Absent).then_some(AtPost::Consistent);
        }
        let There::File { mode, .. } = here else {
            return None;
        };
        if edit.mode.is_some_and(|change| change.new != mode)
            || (matches!(edit.destination, Destination::Rename(_)) && !source_gone())
        {
            return None;
        }
        match (&edit.post, self.tree.blob(&target)) {
            (Some(post), Some(id)) if post.matches(&id) => Some(AtPost::Proven),
            (None, _) if edit.change == Change::Keep => Some(AtPost::Consistent),
            _ => None,
        }
    }

    fn destination(&self, edit: &Edit) -> Result<RepoPath, Reason> {
        match &edit.destination {
            Destination::Same => self.tree.resolve(&edit.path),
            Destination::Rename(to) | Destination::Copy(to) => self.tree.resolve(to),
        }
    }

    fn batch(&self, batch: &Batch<'_>) -> Result<Result1, Vec<Refusal>> {
        let [first, rest @ ..] = &batch.edits[..] else {
            return Err(Vec::new());
        };
        let one = |reason| vec![refusal(first, None, reason)];
        if let (Change::Delete { shown }, [create]) = (&first.change, rest) {
            return self.replace(batch, first, shown.as_ref(), create);
        }
        match &first.change {
            Change::Modify { .. } => self.modify(batch),
            Change::Keep => self.keep(batch, first).map_err(one),
            Change::Create { content, existing } => {
                self.create(batch, first, content, *existing).map_err(one)
            }
            Change::Write { content } => self.write(batch, first, content).map_err(one),
            Change::Delete { shown } => self.delete(batch, first, shown.as_ref()).map_err(one),
            Change::Binary { forward, .. } => self.binary(batch, first, forward).map_err(one),
        }
    }

    /// Returns the file that an existing path holds.
    fn existing(&self, path: &RepoPath) -> Result<(&[u8], Mode), Reason> {
        match self.tree.there(path)? {
            There::File { content, mode } => Ok((content, mode)),
            There::Absent => Err(Reason::MissingFile),
            There::Folder => Err(Reason::ForbiddenPath(PathTrouble::Folder)),
            There::Gitlink => Err(Reason::ForbiddenPath(PathTrouble::Submodule)),
        }
    }

    /// Returns the mode after `edit` of a file that has `mode`.
    fn mode_after(&self, edit: &Edit, mode: Mode) -> Result<Mode, Reason> {
        let Some(change) = edit.mode else {
            return if mode == Mode::Symlink {
                Err(Reason::Unsupported(Unsupported::Symlink))
            } else {
                Ok(mode)
            };
        };
        if change.new == Mode::Gitlink || change.old == Some(Mode::Gitlink) {
            return Err(Reason::ForbiddenPath(PathTrouble::Submodule));
        }
        let other_kind = (change.new == Mode::Symlink) != (mode == Mode::Symlink);
        let other_mode = change
            .old
            .is_some_and(|old| old != mode && change.new != mode);
        if other_kind || other_mode {
            return Err(Reason::Stale {
                why: Stale::Mode,
                candidates: Vec::new(),
            });
        }
        // An `index a..b 100644` line states a mode that does not change: the file's own stays.
        Ok(if change.old.is_none() {
            mode
        } else {
            change.new
        })
    }

    /// Tells what the base that `edit` names, or the caller for it, says of the file.
    fn base<'b>(
        &'b self,
        path: &RepoPath,
        edit: &'b Edit,
        named: Option<&'b IdPrefix>,
        content: Option<&'b File<'b>>,
    ) -> BaseProof<'b> {
        let found = self.tree.blob(path);
        let Some(wanted) = edit.base.as_ref().map(Base::blob).or(named) else {
            return BaseProof::None;
        };
        let evidence = match edit.base {
            Some(Base::Receipt { .. }) => Evidence::Receipt,
            _ => Evidence::Base,
        };
        match &found {
            Some(id) if wanted.matches(id) => BaseProof::Current(evidence),
            Some(id) if wanted.agrees(id) => BaseProof::None,
            _ => BaseProof::Other {
                wanted,
                found,
                content,
            },
        }
    }

    /// Returns the base that the caller names for `path`, where no earlier step has changed it.
    fn named(&self, path: &RepoPath) -> Option<IdPrefix> {
        if self.tree.is_changed(path) {
            return None;
        }
        self.tree.preimage(path)?.base.map(IdPrefix::from)
    }

    fn check_needs_base(&self, edit: &Edit, named: Option<&IdPrefix>) -> Result<(), Reason> {
        if self.policy.needs_base && edit.base.is_none() && named.is_none() {
            return Err(Reason::Unanchored {
                why: Unanchored::NoBase,
                place: Vec::new(),
            });
        }
        Ok(())
    }

    fn modify(&self, batch: &Batch<'_>) -> Result<Result1, Vec<Refusal>> {
        let first = batch.edits[0];
        let one = |reason| vec![refusal(first, None, reason)];
        let (bytes, mode) = self.existing(&batch.path).map_err(one)?;
        let after_mode = self.mode_after(first, mode).map_err(one)?;
        if let Some(done) = self.at_post_among_others(batch, first, mode) {
            return Ok(done);
        }
        let named = self.named(&batch.path);
        self.check_needs_base(first, named.as_ref()).map_err(one)?;
        let source = File::new(bytes);
        let wanted = first.base.as_ref().map(Base::blob).or(named.as_ref());
        let known = wanted.and_then(|id| self.tree.preimages().blob(id));
        let base_file = known.map(|(_, content)| File::new(content));
        let older = self.witness(&batch.path, bytes);
        let witness_file = older.map(File::new);
        let witness = match (&witness_file, self.tree.preimage(&batch.path)) {
            (Some(file), _) => Some(file),
            (None, Some(preimage)) if !preimage.witnesses.is_empty() => Some(&source),
            _ => None,
        };
        let asked = self.asked(batch, named.as_ref(), base_file.as_ref());
        let setting = Setting {
            file: &source,
            witness,
            policy: self.policy,
            budget: self.budget,
        };
        let changed = file::change(&asked, &setting).map_err(|unplaced| {
            let refused = unplaced
                .into_iter()
                .map(|(n, reason)| hunk_refusal(batch, n, reason));
            refused.collect::<Vec<_>>()
        })?;
        let proven = asked.iter().all(|one| one.base.is_current());
        let content: BString = changed.content.into();
        let stated: Vec<&Edit> = batch
            .edits
            .iter()
            .copied()
            .filter(|edit| edit.base.is_none() || proven)
            .filter(|_| batch.edits.len() == 1)
            .collect();
        let mut warnings = self.policy_file(&batch.path);
        warnings.extend(changed.moved.iter().map(|(number, was, is)| Warning {
            code: "moved-since-witness",
            path: Some(batch.path.clone()),
            message: moved_message(*number, was, is),
        }));
        let after = After {
            content,
            mode: after_mode,
        };
        self.result(batch, first, after, changed.placed, warnings, &stated)
            .map_err(one)
    }

    /// Returns the newest older state of `path` that differs from `now`.
    fn witness(&self, path: &RepoPath, now: &[u8]) -> Option<&[u8]> {
        if self.tree.is_changed(path) {
            return None;
        }
        let newest = self.tree.preimage(path)?.witnesses.first()?;
        (newest.content != now).then_some(newest.content.as_slice())
    }

    fn asked<'b>(
        &'b self,
        batch: &Batch<'b>,
        named: Option<&'b IdPrefix>,
        base_file: Option<&'b File<'b>>,
    ) -> Vec<Asked<'b>> {
        let mut asked = Vec::new();
        for (group, edit) in batch.edits.iter().enumerate() {
            let Change::Modify { hunks, order } = &edit.change else {
                continue;
            };
            let base = self.base(&batch.path, edit, named, base_file);
            let shown = match edit.base {
                Some(Base::Receipt { shown, .. }) => shown,
                _ => None,
            };
            let ordered = (*order == Order::File).then_some(group);
            for hunk in hunks {
                asked.push(Asked {
                    number: asked.len() + 1,
                    hunk,
                    base,
                    shown,
                    ordered,
                });
            }
        }
        asked
    }

    /// A file at its post id beside files that are not yet: nothing is to be done here.
    fn at_post_among_others(&self, batch: &Batch<'_>, edit: &Edit, mode: Mode) -> Option<Result1> {
        let [_] = batch.edits[..] else { return None };
        if self.is_at_post(edit)? != AtPost::Proven || edit.destination != Destination::Same {
            return None;
        }
        let There::File { content, .. } = self.tree.there(&batch.path).ok()? else {
            return None;
        };
        let id = self.tree.blob(&batch.path);
        let plan = untouched(batch.path.clone(), id);
        let after = Some(After {
            content: content.into(),
            mode,
        });
        Some(Result1 {
            plan,
            after,
            warnings: Vec::new(),
        })
    }

    fn keep(&self, batch: &Batch<'_>, edit: &Edit) -> Result<Result1, Reason> {
        let (content, mode) = self.existing(&batch.path)?;
        let after_mode = match edit.mode {
            None => mode,
            Some(_) => self.mode_after(edit, mode)?,
        };
        if edit.destination == Destination::Same && after_mode == mode {
            return Err(match edit.mode {
                Some(_) => Reason::AlreadyApplied { lines: None },
                None => Reason::NoChange,
            });
        }
        let named = self.named(&batch.path);
        if let BaseProof::Other { wanted, found, .. } =
            self.base(&batch.path, edit, named.as_ref(), None)
        {
            let why = Stale::Id {
                wanted: wanted.clone(),
                found,
            };
            return Err(Reason::Stale {
                why,
                candidates: Vec::new(),
            });
        }
        let after = After {
            content: content.into(),
            mode: after_mode,
        };
        self.result(
            batch,
            edit,
            after,
            Vec::new(),
            self.policy_file(&batch.path),
            &[],
        )
    }

    fn create(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        content: &BString,
        existing: crate::patch::Existing,
    ) -> Result<Result1, Reason> {
        let mode = edit.mode.map_or(Mode::Regular, |change| change.new);
        match self.tree.there(&batch.path)? {
            There::Absent => {}
            There::File { mode: found, .. } => {
                if let Some(done) = self.at_post_among_others(batch, edit, found) {
                    return Ok(done);
                }
                return Err(whole::taken(existing));
            }
            There::Folder => return Err(Reason::ForbiddenPath(PathTrouble::Folder)),
            There::Gitlink => return Err(Reason::ForbiddenPath(PathTrouble::Submodule)),
        }
        self.fresh(batch, edit, content, mode)
    }

    fn fresh(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        content: &BString,
        mode: Mode,
    ) -> Result<Result1, Reason> {
        if mode == Mode::Gitlink {
            return Err(Reason::ForbiddenPath(PathTrouble::Submodule));
        }
        if edit.post.is_none() {
            whole::check_placeholders(content, None)?;
        }
        let after = After {
            content: content.clone(),
            mode,
        };
        self.result(
            batch,
            edit,
            after,
            Vec::new(),
            self.policy_file(&batch.path),
            &[edit],
        )
    }

    fn write(&self, batch: &Batch<'_>, edit: &Edit, content: &BString) -> Result<Result1, Reason> {
        let named = self.named(&batch.path);
        let proof = self.base(&batch.path, edit, named.as_ref(), None);
        let (before, mode) = match self.existing(&batch.path) {
            Ok(existing) => existing,
            Err(Reason::MissingFile) if matches!(proof, BaseProof::None) => {
                return self.fresh(batch, edit, content, Mode::Regular);
            }
            Err(reason) => return Err(reason),
        };
        self.check_replaceable(&batch.path, proof, Unanchored::WholeFile)?;
        let mode = self.mode_after(edit, mode)?;
        whole::check_placeholders(content, Some(before))?;
        let content = whole::with_endings_of(before, content);
        if content == before {
            return Err(Reason::NoChange);
        }
        let after = After { content, mode };
        self.result(
            batch,
            edit,
            after,
            Vec::new(),
            self.policy_file(&batch.path),
            &[],
        )
    }

    /// Whole content goes only where the author is known to have seen it, or git gives it back.
    fn check_replaceable(
        &self,
        path: &RepoPath,
        proof: BaseProof<'_>,
        why: Unanchored,
    ) -> Result<(), Reason> {
        match proof {
            BaseProof::Current(_) => Ok(()),
            BaseProof::Other { wanted, found, .. } => {
                let why = Stale::Id {
                    wanted: wanted.clone(),
                    found,
                };
                Err(Reason::Stale {
                    why,
                    candidates: Vec::new(),
                })
            }
            BaseProof::None if self.policy.needs_base => Err(Reason::Unanchored {
                why: Unanchored::NoBase,
                place: Vec::new(),
            }),
            BaseProof::None => {
                let recoverable = !self.tree.is_changed(path)
                    && self
                        .tree
                        .preimage(path)
                        .is_some_and(|preimage| preimage.recoverable);
                let refused = Reason::Unanchored {
                    why,
                    place: Vec::new(),
                };
                if recoverable { Ok(()) } else { Err(refused) }
            }
        }
    }

    fn check_delete(
        &self,
        path: &RepoPath,
        edit: &Edit,
        shown: Option<&BString>,
    ) -> Result<(), Reason> {
        let (content, mode) = self.existing(path)?;
        if edit
            .mode
            .is_some_and(|change| (change.new == Mode::Symlink) != (mode == Mode::Symlink))
        {
            return Err(Reason::Stale {
                why: Stale::Mode,
                candidates: Vec::new(),
            });
        }
        let named = self.named(path);
        let proof = self.base(path, edit, named.as_ref(), None);
        match shown {
            Some(_) if proof.is_current() => Ok(()),
            Some(shown) if whole::is_same_text(shown, content) => Ok(()),
            Some(_) => Err(Reason::Stale {
                why: Stale::Content,
                candidates: Vec::new(),
            }),
            None => self.check_replaceable(path, proof, Unanchored::Delete),
        }
    }

    fn delete(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        shown: Option<&BString>,
    ) -> Result<Result1, Reason> {
        self.check_delete(&batch.path, edit, shown)?;
        let before = self.tree.blob(&batch.path);
        let plan = FilePlan {
            path: batch.path.clone(),
            from: None,
            action: Action::Delete,
            before,
            after: None,
            hunks: Vec::new(),
        };
        Ok(Result1 {
            plan,
            after: None,
            warnings: self.policy_file(&batch.path),
        })
    }

    /// A file deleted and made anew under the same name: how git writes a change of kind.
    fn replace(
        &self,
        batch: &Batch<'_>,
        delete: &Edit,
        shown: Option<&BString>,
        create: &Edit,
    ) -> Result<Result1, Vec<Refusal>> {
        let Change::Create { content, .. } = &create.change else {
            return Err(vec![refusal(create, None, twice())]);
        };
        self.check_delete(&batch.path, delete, shown)
            .map_err(|reason| vec![refusal(delete, None, reason)])?;
        let mode = create.mode.map_or(Mode::Regular, |change| change.new);
        self.fresh(batch, create, content, mode)
            .map_err(|reason| vec![refusal(create, None, reason)])
    }

    fn binary(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        forward: &BinaryPatch,
    ) -> Result<Result1, Reason> {
        let unsupported = Reason::Unsupported(Unsupported::Binary);
        let creates = edit.mode.is_some_and(|change| change.old.is_none())
            && edit.base.is_none()
            && matches!(self.tree.there(&batch.path)?, There::Absent);
        if !edit.post.as_ref().is_some_and(IdPrefix::is_full) {
            return Err(unsupported);
        }
        if creates {
            let BinaryPatch::Literal(content) = forward else {
                return Err(unsupported);
            };
            let mode = edit.mode.map_or(Mode::Regular, |change| change.new);
            return self.fresh(batch, edit, content, mode);
        }
        let (before, mode) = self.existing(&batch.path)?;
        let mode = self.mode_after(edit, mode)?;
        if let Some(done) = self.at_post_among_others(batch, edit, mode) {
            return Ok(done);
        }
        let base = edit
            .base
            .as_ref()
            .map(Base::blob)
            .filter(|base| base.is_full());
        let found = self.tree.blob(&batch.path);
        let Some(wanted) = base else {
            return Err(unsupported);
        };
        if !found.is_some_and(|id| wanted.matches(&id)) {
            let why = Stale::Id {
                wanted: wanted.clone(),
                found,
            };
            return Err(Reason::Stale {
                why,
                candidates: Vec::new(),
            });
        }
        let content: BString = binary::apply(forward, before).ok_or(unsupported)?.into();
        let after = After { content, mode };
        self.result(
            batch,
            edit,
            after,
            Vec::new(),
            self.policy_file(&batch.path),
            &[edit],
        )
    }

    /// Brings a batch to its end; the result must have the id that each of `stated` says.
    fn result(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        after: After,
        hunks: Vec<Placed>,
        warnings: Vec<Warning>,
        stated: &[&Edit],
    ) -> Result<Result1, Reason> {
        let path = self.destination(edit)?;
        let before = self.tree.blob(&batch.path);
        let was = match self.tree.there(&batch.path)? {
            There::File { content, mode } => Some((content, mode)),
            _ => None,
        };
        let action = match (&edit.destination, was) {
            (Destination::Rename(_), _) => Action::Rename,
            (Destination::Copy(_), _) => Action::Copy,
            (Destination::Same, None) => Action::Create,
            (Destination::Same, Some((content, _))) if after.content == content => Action::Mode,
            (Destination::Same, Some(_)) => Action::Modify,
        };
        if matches!(action, Action::Create | Action::Rename | Action::Copy) {
            path.check_creatable(after.mode == Mode::Symlink)
                .map_err(|error| Reason::ForbiddenPath(PathTrouble::Name(error)))?;
        }
        let id = self.tree.blob_of(&path, &after.content, after.mode);
        for edit in stated {
            check_post(edit, id)?;
        }
        let from = (path != batch.path).then(|| batch.path.clone());
        let plan = FilePlan {
            path,
            from,
            action,
            before,
            after: id,
            hunks,
        };
        Ok(Result1 {
            plan,
            after: Some(after),
            warnings,
        })
    }

    fn policy_file(&self, path: &RepoPath) -> Vec<Warning> {
        whole::policy_file(path).into_iter().collect()
    }

    /// Brings the batches together: no two may write one path, none over a file that stays.
    fn meet(&self, results: Vec<(&Batch<'_>, Result1)>) -> Result<StepPlan, Vec<Refusal>> {
        let mut step = StepPlan::default();
        let mut refusals = Vec::new();
        let leaves = |result: &Result1| match result.plan.action {
            Action::Rename => result.plan.from.clone(),
            Action::Delete => Some(result.plan.path.clone()),
            _ => None,
        };
        let gone: std::collections::BTreeSet<RepoPath> = results
            .iter()
            .filter_map(|(_, result)| leaves(result))
            .collect();
        for path in &gone {
            step.outputs.insert(path.clone(), None);
        }
        for (
            batch,
            Result1 {
                plan,
                after,
                warnings,
            },
        ) in results
        {
            let edit = batch.edits[0];
            step.warnings.extend(warnings);
            if let (Some(after), true) = (after, plan.action != Action::None) {
                let fresh = matches!(plan.action, Action::Rename | Action::Copy);
                let blocked = match self.tree.there(&plan.path) {
                    Err(reason) => Some(reason),
                    Ok(There::Absent) => None,
                    Ok(_) if fresh && !gone.contains(&plan.path) => Some(Reason::Exists),
                    Ok(_) => None,
                };
                let rival = matches!(step.outputs.get(&plan.path), Some(Some(_)));
                if let Some(reason) = blocked.or_else(|| rival.then(twice)) {
                    refusals.push(refusal(edit, None, reason));
                    continue;
                }
                step.outputs.insert(plan.path.clone(), Some(after));
            }
            step.files.push(plan);
        }
        refusals.extend(self.collisions(&step));
        if refusals.is_empty() {
            Ok(step)
        } else {
            Err(refusals)
        }
    }

    /// Refuses paths below a file or link that stays or comes, and names equal but for case.
    fn collisions(&self, step: &StepPlan) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let mut folded: BTreeMap<String, &RepoPath> = BTreeMap::new();
        for (path, after) in &step.outputs {
            let Some(_) = after else { continue };
            let mut above = path.parent();
            while let Some(folder) = above {
                let trouble = match step.outputs.get(&folder) {
                    Some(Some(After {
                        mode: Mode::Symlink,
                        ..
                    })) => Some(PathTrouble::Symlink),
                    Some(Some(_)) => Some(PathTrouble::NotFolder),
                    Some(None) => None,
                    None => match self.tree.there(&folder) {
                        Ok(There::File {
                            mode: Mode::Symlink,
                            ..
                        }) => Some(PathTrouble::Symlink),
                        Ok(There::File { .. }) => Some(PathTrouble::NotFolder),
                        Ok(There::Gitlink) => Some(PathTrouble::Submodule),
                        _ => None,
                    },
                };
                if let Some(trouble) = trouble {
                    let reason = Reason::ForbiddenPath(trouble);
                    refusals.push(Refusal::of_path(path.as_bstr(), reason));
                    break;
                }
                above = folder.parent();
            }
            if self.tree.preimages().fold_case() {
                let name = String::from_utf8_lossy(path.as_bstr()).to_lowercase();
                if folded.insert(name, path).is_some() {
                    let reason = Reason::ForbiddenPath(PathTrouble::Case);
                    refusals.push(Refusal::of_path(path.as_bstr(), reason));
                }
            }
        }
        refusals
    }
}

/// How sure it is that a file is what an edit makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtPost {
    /// Its id says so.
    Proven,
    /// Nothing speaks against it, and there is no id.
    Consistent,
}

/// Tells whether `edit` may join the edits that `batch` has of the same path.
fn joins(batch: &Batch<'_>, edit: &Edit) -> bool {
    let modifies = |edit: &Edit| {
        matches!(edit.change, Change::Modify { .. })
            && edit.destination == Destination::Same
            && edit.mode.is_none_or(|change| change.old.is_none())
    };
    let replaces = matches!(
        (&batch.edits[..], &edit.change),
        (
            [Edit {
                change: Change::Delete { .. },
                ..
            }],
            Change::Create { .. }
        )
    );
    replaces || (modifies(edit) && batch.edits.iter().all(|edit| modifies(edit)))
}

fn twice() -> Reason {
    let message = "two edits of one path, which do not go together".into();
    Reason::Malformed {
        message,
        readings: Vec::new(),
    }
}

fn untouched(path: RepoPath, id: Option<BlobId>) -> FilePlan {
    FilePlan {
        path,
        from: None,
        action: Action::None,
        before: id,
        after: id,
        hunks: Vec::new(),
    }
}

fn check_post(edit: &Edit, id: Option<BlobId>) -> Result<(), Reason> {
    match &edit.post {
        Some(post) if !id.is_some_and(|id| post.agrees(&id)) => Err(Reason::PostMismatch {
            wanted: post.clone(),
            found: id,
        }),
        _ => Ok(()),
    }
}

fn refusal(edit: &Edit, hunk: Option<usize>, reason: Reason) -> Refusal {
    let path = Some(edit.path.text.clone());
    Refusal {
        path,
        hunk,
        span: Some(edit.span),
        reason,
        step: None,
        repair: None,
    }
}

/// Returns the refusal of hunk `number` of a file's whole batch.
fn hunk_refusal(batch: &Batch<'_>, number: usize, reason: Reason) -> Refusal {
    let mut before = 0;
    for edit in &batch.edits {
        let Change::Modify { hunks, .. } = &edit.change else {
            continue;
        };
        if let Some(hunk) = number.checked_sub(before + 1).and_then(|at| hunks.get(at)) {
            let repair = super::repair::of(edit, hunk, &reason).map(Box::new);
            let span = Some(Hunk::span(hunk));
            return Refusal {
                span,
                repair,
                ..refusal(edit, Some(number), reason)
            };
        }
        before += hunks.len();
    }
    refusal(batch.edits[0], Some(number), reason)
}

fn moved_message(number: usize, was: &BString, is: &BString) -> String {
    use crate::outcome::Quoted;
    use bstr::ByteSlice as _;
    let (was, is) = (Quoted(was.as_bstr()), Quoted(is.as_bstr()));
    format!("hunk {number}: the place stood under `{was}`, and stands under `{is}` now")
}
