//! One summary for other programs.

use serde::Serialize;

use super::outcomes::{Cell, Column, Outcomes};

/// The counts of several sets.
#[derive(Debug, Serialize)]
pub(crate) struct Summary<'s> {
    cells: Vec<Counts<'s>>,
    /// The digest of the six baselines, where the grid itself was run with all of them.
    digest: Option<String>,
}

#[derive(Debug, Serialize)]
struct Counts<'s> {
    set: &'s str,
    applier: &'s str,
    condition: &'s str,
    evidence: &'s str,
    #[serde(flatten)]
    cell: Cell,
}

impl<'s> Summary<'s> {
    /// Sums `sets` up. Of the harsh drifts, those that the grid has too are its own.
    pub(crate) fn of(sets: &'s [Outcomes]) -> Self {
        let grid = sets.iter().find(|set| set.set == "grid");
        let mut cells = Vec::new();
        for set in sets {
            for (at, condition) in set.conditions.iter().enumerate() {
                let told =
                    |grid: &Outcomes| set.set == "harsh" && grid.conditions.contains(condition);
                if grid.is_some_and(told) {
                    continue;
                }
                for (column, Column { applier, evidence }) in set.columns.iter().enumerate() {
                    cells.push(Counts {
                        set: &set.set,
                        applier,
                        condition,
                        evidence,
                        cell: set.cell(at, column),
                    });
                }
            }
        }
        Self {
            cells,
            digest: grid.and_then(Outcomes::baselines),
        }
    }
}
