//! What became of every trial of a set, and the counts of it.

use serde::{Deserialize, Serialize};

use crate::stats::Verdict;
use crate::stats::bootstrap::Cluster;
use crate::stats::digest::Digest;

/// The appliers whose outcomes the grid's digest is over, in the construction's order.
const BASELINES: [&str; 6] = ["sr-exact", "sr-ws", "sr-fuzzy", "udiff-f2", "line", "func"];

/// An applier, and what it knows beside the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) applier: String,
    pub(crate) evidence: String,
}

impl Column {
    fn is_ours(&self) -> bool {
        self.applier.starts_with("surefoot-")
    }
}

/// The outcomes of one edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Of {
    /// The edit's number.
    pub(crate) id: usize,
    /// The file that it is for.
    pub(crate) path: String,
    /// By condition, and for each by column. `None` where the condition does not fit the edit.
    pub(crate) verdicts: Vec<Option<Verdict>>,
}

/// The outcomes of a set of trials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcomes {
    /// The set's name.
    pub(crate) set: String,
    pub(crate) conditions: Vec<String>,
    pub(crate) columns: Vec<Column>,
    /// By id.
    pub(crate) edits: Vec<Of>,
}

/// How many trials ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Cell {
    pub(crate) success: u64,
    pub(crate) clean: u64,
    pub(crate) silent: u64,
    pub(crate) flagged: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) crashed: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) timed_out: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Cell {
    fn counter(&mut self, verdict: Verdict) -> &mut u64 {
        match verdict {
            Verdict::Success => &mut self.success,
            Verdict::Clean => &mut self.clean,
            Verdict::Silent => &mut self.silent,
            Verdict::Flagged => &mut self.flagged,
            Verdict::Crashed => &mut self.crashed,
            Verdict::TimedOut => &mut self.timed_out,
        }
    }

    pub(crate) fn of(mut self, verdict: Verdict) -> u64 {
        *self.counter(verdict)
    }

    pub(crate) fn trials(self) -> u64 {
        Verdict::ALL.map(|verdict| self.of(verdict)).iter().sum()
    }
}

impl Outcomes {
    /// Returns the outcomes of `of` under a condition, by column.
    pub(crate) fn under<'o>(&self, of: &'o Of, condition: usize) -> &'o [Option<Verdict>] {
        let width = self.columns.len();
        let cells = condition * width..(condition + 1) * width;
        of.verdicts.get(cells).unwrap_or_default()
    }

    fn verdict(&self, of: &Of, condition: usize, column: usize) -> Option<Verdict> {
        self.under(of, condition).get(column).copied().flatten()
    }

    /// Counts one applier's outcomes under one condition.
    pub(crate) fn cell(&self, condition: usize, column: usize) -> Cell {
        let mut cell = Cell::default();
        let all = self.edits.iter();
        all.filter_map(|of| self.verdict(of, condition, column))
            .for_each(|verdict| *cell.counter(verdict) += 1);
        cell
    }

    /// Counts one applier's outcomes under some conditions.
    pub(crate) fn sum(&self, conditions: &[usize], column: usize) -> Cell {
        let mut cell = Cell::default();
        for condition in conditions {
            let of = self.cell(*condition, column);
            for verdict in Verdict::ALL {
                *cell.counter(verdict) += of.of(verdict);
            }
        }
        cell
    }

    /// Counts by file how many of one applier's trials ended so.
    pub(crate) fn clusters(
        &self,
        conditions: &[usize],
        column: usize,
        wanted: Verdict,
    ) -> Vec<Cluster> {
        let mut files: std::collections::BTreeMap<&str, Cluster> = Default::default();
        for of in &self.edits {
            let none = Cluster { hits: 0, trials: 0 };
            let file = files.entry(&of.path).or_insert(none);
            for condition in conditions {
                let Some(verdict) = self.verdict(of, *condition, column) else {
                    continue;
                };
                file.trials += 1;
                file.hits += u64::from(verdict == wanted);
            }
        }
        files.into_values().collect()
    }

    /// Counts the trials that only the one applier landed wrong without a word, and those that only
    /// the other did.
    pub(crate) fn only_silent(&self, one: usize, other: usize) -> (u64, u64) {
        let mut only = (0, 0);
        for of in &self.edits {
            for condition in 0..self.conditions.len() {
                let silent = |column| self.verdict(of, condition, column) == Some(Verdict::Silent);
                match (silent(one), silent(other)) {
                    (true, false) => only.0 += 1,
                    (false, true) => only.1 += 1,
                    _ => {}
                }
            }
        }
        only
    }

    /// Returns every trial that surefoot landed wrong: edit, condition and column.
    pub(crate) fn wrong(&self) -> Vec<(&Of, usize, usize, Verdict)> {
        let mut all = Vec::new();
        for (column, by) in self.columns.iter().enumerate() {
            if !by.is_ours() {
                continue;
            }
            for condition in 0..self.conditions.len() {
                for of in &self.edits {
                    let verdict = self.verdict(of, condition, column);
                    if let Some(verdict @ (Verdict::Silent | Verdict::Flagged)) = verdict {
                        all.push((of, condition, column, verdict));
                    }
                }
            }
        }
        all
    }

    /// Returns the SHA-256 of every outcome of the columns that `counts`.
    fn digest_of(&self, counts: impl Fn(&Column) -> Option<String>) -> String {
        let names: Vec<Option<String>> = self.columns.iter().map(counts).collect();
        let mut digest = Digest::default();
        for of in &self.edits {
            for (at, condition) in self.conditions.iter().enumerate() {
                for (name, verdict) in names.iter().zip(self.under(of, at)) {
                    if let (Some(name), Some(verdict)) = (name, verdict) {
                        digest.put(of.id, condition, name, *verdict);
                    }
                }
            }
        }
        digest.finish()
    }

    /// Returns the digest of the six baselines, as the grid's construction defines it; `None` where
    /// one of them has not been run.
    pub(crate) fn baselines(&self) -> Option<String> {
        let has = |name: &&str| self.columns.iter().any(|column| column.applier == *name);
        let named = |column: &Column| {
            let name = &column.applier;
            BASELINES.contains(&name.as_str()).then(|| name.clone())
        };
        BASELINES.iter().all(has).then(|| self.digest_of(named))
    }

    /// Returns the digest of all outcomes.
    pub(crate) fn digest(&self) -> String {
        self.digest_of(|Column { applier, evidence }| Some(format!("{applier} {evidence}")))
    }

    /// Returns one letter a trial, a line an edit: a group for each condition, and in it a letter for
    /// each applier, `-` where there is no trial.
    #[cfg(test)]
    pub(crate) fn letters(&self) -> String {
        let named = |column: &Column| format!("  {} {}", column.applier, column.evidence);
        let mut lines = vec![
            format!("groups: {}", self.conditions.join(", ")),
            "letters of a group:".to_owned(),
        ];
        lines.extend(self.columns.iter().map(named));
        for of in &self.edits {
            let group = |condition| -> String {
                let verdicts = self.under(of, condition).iter();
                let letters = verdicts.map(|verdict| verdict.map_or('-', Verdict::letter));
                letters.collect()
            };
            let groups: Vec<String> = (0..self.conditions.len()).map(group).collect();
            lines.push(format!("{:03} {} {}", of.id, groups.join(" "), of.path));
        }
        lines.join("\n")
    }
}
