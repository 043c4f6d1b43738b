//! The report: one value made from an outcome, printed as JSON or as text.
//!
//! Field names and codes are relied on by other programs. Strings come from untrusted bytes: a path
//! that is no UTF-8 is quoted as git quotes it, so that no two paths print alike; other text has
//! its stray bytes as `\xNN`.

mod bytes;
mod hint;
mod make;
mod text;

use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use bytes::{path as path_text, put, quoted as quoted_path, safe_text};
pub(crate) use make::{Input, Unread, applied, refused, unread};
pub(crate) use text::text;

/// What became of the edits: applied, or refused with every reason.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The version of this report's form.
    pub(crate) version: u32,
    /// What was decided.
    pub(crate) outcome: Decision,
    /// Whether anything was written. False for a check, a refusal, and where all was there already.
    pub(crate) written: bool,
    /// The transaction's id, where one was kept.
    pub(crate) transaction: Option<String>,
    /// The edits' format; several inputs' formats are joined by `, `; null where it was not to be
    /// told.
    pub(crate) format: Option<String>,
    /// The policy that the dials began as.
    pub(crate) policy: String,
    /// What becomes of each file. Empty for a refusal.
    pub(crate) files: Vec<FileReport>,
    /// What was tolerated in the input.
    pub(crate) recoveries: Vec<String>,
    /// What the author should know, and what kept nothing from landing.
    pub(crate) warnings: Vec<WarningReport>,
    /// Everything that stands in the way, in input order. Empty where the edits are applied.
    pub(crate) refusals: Vec<RefusalReport>,
}

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Decision {
    /// Every file is, or would be, what the edits ask for.
    Applied,
    /// Nothing changed.
    Refused,
}

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FileReport {
    /// The path after, from the working tree's root; for a deletion the path before.
    pub(crate) path: String,
    /// What happens.
    pub(crate) action: Deed,
    /// The path before, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// The id of the content before, as git computes it.
    pub(crate) before: Option<String>,
    /// The id of the content after, as git computes it.
    pub(crate) after: Option<String>,
    /// Where each hunk landed.
    pub(crate) hunks: Vec<HunkReport>,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Deed {
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

/// Where a hunk landed, and what that rests on.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HunkReport {
    /// The hunk within its file, counted from 1.
    pub(crate) hunk: usize,
    /// What placed it.
    pub(crate) tier: TierName,
    /// What that rests on.
    pub(crate) evidence: EvidenceName,
    /// The first and the last line in the file before, counted from 1. `[n, n - 1]` is the place
    /// before line n.
    pub(crate) lines: [u64; 2],
    /// Lines from the stated place to this one; null where none was stated.
    pub(crate) offset: Option<i64>,
    /// How like the anchor the place is, from 0 to 1.
    pub(crate) similarity: f64,
    /// How like the next best place is, where one was scored.
    pub(crate) runner_up: Option<f64>,
    /// Columns by which inserted lines were shifted.
    pub(crate) reindent: i64,
    /// The innermost line that encloses the place.
    pub(crate) scope: Option<String>,
}

/// What placed a hunk, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TierName {
    /// The file is still what the author saw.
    Base,
    /// Carried over from what the author saw.
    Mapped,
    /// The text occurs once.
    Exact,
    /// The name fits one definition.
    Symbol,
    /// The text occurs once when white space is set aside.
    Whitespace,
    /// The most similar place, by a stated lead.
    Fuzzy,
}

/// What a placement rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EvidenceName {
    /// The file's present text alone.
    Text,
    /// An older state of the file agrees.
    Witness,
    /// A receipt of what the author read.
    Receipt,
    /// The base that the edit names.
    Base,
}

/// Something that the author should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct WarningReport {
    /// A stable word for it.
    pub(crate) code: String,
    /// The file, where one is meant.
    pub(crate) path: Option<String>,
    /// In words.
    pub(crate) message: String,
}

/// One thing that stands in the way.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RefusalReport {
    /// The reason's stable word.
    pub(crate) code: String,
    /// The file, as the edit spells it; null where the whole input is meant.
    pub(crate) path: Option<String>,
    /// The hunk within its file, counted from 1.
    pub(crate) hunk: Option<usize>,
    /// What was wanted and what was found.
    pub(crate) message: String,
    /// The places that may have been meant, best first.
    pub(crate) candidates: Vec<CandidateReport>,
    /// A corrected edit in the format it came in, where there is one. Never applied by itself.
    pub(crate) fix: Option<String>,
    /// What to do about it, for people.
    #[serde(skip)]
    pub(crate) hint: Option<String>,
}

/// A place that may have been meant.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CandidateReport {
    /// The first and the last line, counted from 1.
    pub(crate) lines: [u64; 2],
    /// How like the anchor it is, from 0 to 1.
    pub(crate) similarity: f64,
    /// The text there, its first few lines.
    pub(crate) text: String,
    /// The innermost line that encloses it.
    pub(crate) scope: Option<String>,
    /// The first line where anchor and place differ.
    pub(crate) first_difference: Option<DifferenceReport>,
    /// Lines to quote beside the anchor, in file order, so that it fits this place alone.
    pub(crate) distinguish: Vec<String>,
    /// Where those lines stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) distinguish_side: Option<Side>,
}

/// Where lines stand, seen from an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// Right above it.
    Above,
    /// Right below it.
    Below,
}

/// A line that is not as the edit quotes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct DifferenceReport {
    /// The file's line, counted from 1.
    pub(crate) line: u64,
    /// What the edit quotes.
    pub(crate) wanted: String,
    /// What the file has.
    pub(crate) found: String,
}

#[cfg(test)]
mod tests;
