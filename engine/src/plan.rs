//! A patch and its preimages: a [`Plan`], or a [`Refused`]. Pure.

use std::collections::BTreeMap;

use bstr::BString;

use crate::blob::{BlobId, BlobIds};
use crate::lines::LineRange;
use crate::outcome::{Refused, Warning};
use crate::patch::{Mode, Recovery, Step};
use crate::path::RepoPath;
use crate::policy::{Evidence, Policy, Score, Tier};
use crate::preimage::Preimages;

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
/// # Errors
///
/// Refuses everything if anything cannot be placed, and lists every such thing.
pub fn plan(
    _steps: &[Step],
    _preimages: &Preimages,
    _ids: &impl BlobIds,
    _policy: &Policy,
) -> Result<Plan, Refused> {
    Ok(Plan::default())
}
