//! A patch and its preimages: a [`Plan`], or a [`Refused`]. Pure.

mod bases;
mod binary;
mod carry;
mod chain;
mod choose;
mod commit;
mod edits;
mod file;
mod order;
mod repair;
mod sequence;
mod tree;
mod whole;

use std::collections::BTreeMap;

use bstr::BString;

use self::edits::{Planner, StepPlan};
use self::tree::Tree;
use crate::blob::{BlobId, BlobIds};
use crate::lines::LineRange;
use crate::locate::budget::Budget;
use crate::outcome::{Reason, Refusal, Refused, StepName, Warning};
use crate::patch::{Mode, Reading, Recovery, Step};
use crate::path::RepoPath;
use crate::policy::{Evidence, Policy, Score, Tier};
use crate::preimage::{Preimages, State};

/// What each file is to become. One exists only where nothing is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    files: Vec<FilePlan>,
    outputs: BTreeMap<RepoPath, Option<After>>,
    warnings: Vec<Warning>,
    recoveries: Vec<Recovery>,
}

impl Plan {
    /// Returns what becomes of each file that the patch names, by path.
    #[must_use]
    pub fn files(&self) -> &[FilePlan] {
        &self.files
    }

    /// Returns every path whose state changes, with its state after; `None`: nothing is there.
    #[must_use]
    pub fn outputs(&self) -> &BTreeMap<RepoPath, Option<After>> {
        &self.outputs
    }

    /// Returns what the author should know.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Adds something that the author should know, found where the plan lands.
    #[cfg(feature = "git")]
    pub(crate) fn warn(&mut self, warning: Warning) {
        self.warnings.push(warning);
    }

    /// Returns what planning chose between two readings.
    #[must_use]
    pub fn recoveries(&self) -> &[Recovery] {
        &self.recoveries
    }
}

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePlan {
    /// The path after; for a deletion the path before.
    pub path: RepoPath,
    /// The path before, where it is another.
    pub from: Option<RepoPath>,
    /// What happens.
    pub action: Action,
    /// The id of the content before; `None` where there is none or it cannot be known.
    pub before: Option<BlobId>,
    /// The id of the content after; `None` as for `before`.
    pub after: Option<BlobId>,
    /// Where each hunk landed.
    pub hunks: Vec<Placed>,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Its content changes.
    Modify,
    /// It comes into being.
    Create,
    /// It goes away.
    Delete,
    /// It gets another path.
    Rename,
    /// A second one comes into being.
    Copy,
    /// Only its mode changes.
    Mode,
    /// It is as asked for already.
    None,
}

/// A path's state after a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// The bytes of the file, or the target of the link.
    pub content: BString,
    /// What it is.
    pub mode: Mode,
}

/// Where a hunk landed, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The hunk within its file, counted from 1.
    pub hunk: usize,
    /// What placed it.
    pub tier: Tier,
    /// What that rests on.
    pub evidence: Evidence,
    /// The old lines' place in the file before.
    pub lines: LineRange,
    /// Lines from the stated place to this one; `None` where none was stated.
    pub offset: Option<i64>,
    /// How like the anchor the place is.
    pub similarity: Score,
    /// How like the next best place is, where one was scored.
    pub runner_up: Option<Score>,
    /// Columns by which inserted lines were shifted.
    pub reindent: i64,
    /// The innermost line that encloses the place, trimmed.
    pub scope: Option<BString>,
}

/// Decides what every file is to become, without touching the disk.
///
/// Each step is planned on the result of the one before. Where a step allows several readings, all
/// are planned: one that fits alone is taken, and so are several that give the same bytes. Equal
/// arguments give equal plans.
///
/// # Errors
///
/// Refuses everything if anything cannot be placed, and lists every such thing of the first step
/// that fails.
///
/// # Complexity
///
/// Linear in the files and the patch for what is usual; past a budget of operations the answer is
/// `too-costly`.
pub fn plan(
    steps: &[Step],
    preimages: &Preimages,
    ids: &impl BlobIds,
    policy: &Policy,
) -> Result<Plan, Refused> {
    let budget = Budget::for_bytes(size(steps, preimages));
    let mut tree = Tree::new(preimages, ids);
    let mut plan = Plan::default();
    for (n, step) in steps.iter().enumerate() {
        let planner = Planner {
            tree: &tree,
            policy,
            budget: &budget,
        };
        let (step, recovery) = read(step, &planner).map_err(|refusals| {
            let refusals = if steps.len() > 1 {
                labelled(refusals, n, step)
            } else {
                refusals
            };
            Refused::from_all(refusals).unwrap_or_else(|| Refused::one(nothing()))
        })?;
        plan.recoveries.extend(recovery);
        plan.warnings.extend(step.warnings);
        // Within one step every file is read as it was before: only earlier steps are added to.
        let before = plan.files.len();
        for file in step.files {
            merge(&mut plan.files, before, file);
        }
        tree.advance(step.outputs);
    }
    if plan.files.is_empty() {
        return Err(Refused::one(nothing()));
    }
    plan.files.sort_by(|a, b| a.path.cmp(&b.path));
    plan.outputs = tree.into_outputs();
    Ok(plan)
}

fn nothing() -> Refusal {
    let message = "the input asks for nothing".into();
    Refusal::of_input(Reason::Malformed {
        message,
        readings: Vec::new(),
    })
}

/// Returns the bytes that the budget is measured by.
fn size(steps: &[Step], preimages: &Preimages) -> usize {
    let files = preimages.iter().map(|(_, preimage)| match &preimage.state {
        State::File { content, .. } => content.len(),
        _ => 0,
    });
    let spans = steps
        .iter()
        .flat_map(|step| &step.readings)
        .flat_map(|reading| {
            reading
                .patch
                .edits
                .iter()
                .map(|edit| edit.span.end.saturating_sub(edit.span.start))
        });
    files.chain(spans).fold(0, usize::saturating_add)
}

/// Plans every reading of a step, and takes the one that they leave.
fn read<I: BlobIds>(
    step: &Step,
    planner: &Planner<'_, I>,
) -> Result<(StepPlan, Option<Recovery>), Vec<Refusal>> {
    let mut fitting: Vec<(&Reading, StepPlan)> = Vec::new();
    let mut refused: Vec<(&Reading, Vec<Refusal>)> = Vec::new();
    for reading in &step.readings {
        if reading.fallback && (!fitting.is_empty() || refused.iter().any(stands)) {
            continue;
        }
        match planner.plan(&reading.patch) {
            Ok(plan) => fitting.push((reading, plan)),
            Err(refusals) => refused.push((reading, refusals)),
        }
    }
    let mut fitting = fitting.into_iter();
    let Some((reading, plan)) = fitting.next() else {
        return Err(refused
            .into_iter()
            .next()
            .map(|(_, refusals)| refusals)
            .unwrap_or_default());
    };
    let others: Vec<&Reading> = fitting
        .filter(|(_, other)| other.outputs != plan.outputs)
        .map(|(reading, _)| reading)
        .chain(
            refused
                .iter()
                .filter(|one| stands(one))
                .map(|(reading, _)| *reading),
        )
        .collect();
    if !others.is_empty() {
        let readings = std::iter::once(reading)
            .chain(others)
            .map(|one| one.assumption.clone())
            .collect();
        let message = "the input can be read in more than one way".into();
        return Err(vec![Refusal::of_input(Reason::Malformed {
            message,
            readings,
        })]);
    }
    let recovery = (step.readings.len() > 1).then(|| Recovery {
        line: 0,
        message: format!("read so: {}", reading.assumption),
    });
    Ok((plan, recovery))
}

/// Tells whether the text of a refused reading does stand in the files: then the reading is a
/// rival, though it cannot land.
fn stands((_, refusals): &(&Reading, Vec<Refusal>)) -> bool {
    refusals.iter().all(|refusal| is_alive(&refusal.reason))
}

/// Tells whether a reading that is refused for `reason` speaks of text that the file has.
fn is_alive(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::Ambiguous { .. }
            | Reason::AlreadyApplied { .. }
            | Reason::AnchorTooSmall { .. }
            | Reason::NoChange
    )
}

/// Says which part of a series is refused.
fn labelled(refusals: Vec<Refusal>, at: usize, step: &Step) -> Vec<Refusal> {
    let mut refusals = refusals;
    for refusal in &mut refusals {
        refusal.step = Some(StepName {
            number: at + 1,
            label: step.label.clone(),
        });
    }
    refusals
}

/// Adds what a step makes of a file to what earlier ones, the first `before` of `files`, made of it.
fn merge(files: &mut Vec<FilePlan>, before: usize, file: FilePlan) {
    let source = file.from.as_ref().unwrap_or(&file.path);
    match files
        .iter_mut()
        .take(before)
        .find(|earlier| earlier.path == *source && file.action != Action::Copy)
    {
        Some(earlier) => {
            earlier.after = file.after;
            earlier.from = earlier.from.take().or(file.from);
            earlier.path = file.path;
            earlier.hunks.extend(file.hunks);
            earlier.action = match (earlier.action, file.action) {
                (before, Action::None) => before,
                (Action::None | Action::Modify | Action::Mode, now) => now,
                (before, _) => before,
            };
        }
        None => files.push(file),
    }
}

#[cfg(test)]
mod tests;
