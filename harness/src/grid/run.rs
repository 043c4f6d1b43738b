//! Runs trials on every core. What comes out does not depend on how many there are.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use surefoot_corpus::grid::{Condition, Edit, Trial};

use super::contender::Contender;
use super::outcomes::{Column, Of, Outcomes};
use super::shard::Shard;
use crate::Trouble;
use crate::stats::Verdict;

/// What is to be run.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The set's name.
    pub(crate) set: String,
    pub(crate) edits: Vec<Edit>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) contenders: Vec<Contender>,
    /// The part of the edits that this run takes.
    pub(crate) shard: Shard,
}

/// Runs every contender on every edit of the shard under every condition, on `jobs` threads.
///
/// # Errors
///
/// Where an applier cannot be run at all: no trial is counted without having been made.
pub(crate) fn run(plan: &Plan, jobs: usize) -> Result<Outcomes, Trouble> {
    for contender in &plan.contenders {
        contender.check()?;
    }
    let edits = plan.edits.iter().filter(|edit| plan.shard.has(edit.row.id));
    let edits: Vec<&Edit> = edits.collect();
    let bar = bar(plan.set.clone(), edits.len());
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Of>> = Mutex::default();
    let work = || -> Result<(), Trouble> {
        while let Some(edit) = edits.get(next.fetch_add(1, Ordering::Relaxed)) {
            let of = outcomes_of(edit, &plan.conditions, &plan.contenders).inspect_err(|_| {
                next.store(edits.len(), Ordering::Relaxed);
            })?;
            bar.inc(1);
            done.lock().map_err(|_| "a thread panicked")?.push(of);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<(), Trouble>>| {
            thread.join().map_err(|_| "a thread of the grid panicked")?
        };
        threads.into_iter().try_for_each(join)
    })?;
    bar.finish_and_clear();
    let mut edits = done.into_inner().map_err(|_| "a thread panicked")?;
    edits.sort_by_key(|of| of.id);
    let column = |contender: &Contender| Column {
        applier: contender.name().to_owned(),
        evidence: contender.evidence().name().to_owned(),
    };
    let names = plan.conditions.iter().map(|it| it.name().to_owned());
    Ok(Outcomes {
        set: plan.set.clone(),
        conditions: names.collect(),
        columns: plan.contenders.iter().map(column).collect(),
        edits,
    })
}

fn outcomes_of(
    edit: &Edit,
    conditions: &[Condition],
    contenders: &[Contender],
) -> Result<Of, Trouble> {
    let mut verdicts: Vec<Option<Verdict>> = Vec::new();
    for condition in conditions {
        if !condition.fits(edit) {
            verdicts.extend(contenders.iter().map(|_| None));
            continue;
        }
        let trial = Trial::new(edit, *condition);
        for contender in contenders {
            let verdict = contender.run(&trial).map_err(|trouble| {
                let (name, condition) = (contender.name(), condition.name());
                format!(
                    "{name} on edit {} under {condition}: {trouble}",
                    edit.row.id
                )
            })?;
            verdicts.push(Some(verdict));
        }
    }
    Ok(Of {
        id: edit.row.id,
        path: edit.row.path.clone(),
        verdicts,
    })
}

/// Returns a bar on standard error, where that is a terminal.
fn bar(set: String, len: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{prefix} {wide_bar} {pos} of {len} edits, {eta} left");
    ProgressBar::new(len as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_prefix(set)
}
