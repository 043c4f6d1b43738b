//! One patch on one tree: what becomes of each file, or every reason why not.

mod content;
mod meet;
mod modify;

use std::collections::BTreeMap;

use super::tree::{There, Tree};
use super::{Action, After, FilePlan, Placed, whole};
use crate::blob::{BlobId, BlobIds};
use crate::locate::budget::Budget;
use crate::outcome::{PathTrouble, Reason, Refusal, Warning};
use crate::patch::{Change, Destination, Edit, Hunk, Mode, Patch};
use crate::path::RepoPath;
use crate::policy::Policy;

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
struct Fate {
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

    fn batch(&self, batch: &Batch<'_>) -> Result<Fate, Vec<Refusal>> {
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

    /// Brings a batch to its end; the result must have the id that each of `stated` says.
    fn result(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        after: After,
        hunks: Vec<Placed>,
        warnings: Vec<Warning>,
        stated: &[&Edit],
    ) -> Result<Fate, Reason> {
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
        Ok(Fate {
            plan,
            after: Some(after),
            warnings,
        })
    }

    fn policy_file(&self, path: &RepoPath) -> Vec<Warning> {
        whole::policy_file(path).into_iter().collect()
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
