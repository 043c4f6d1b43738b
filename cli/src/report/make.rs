//! Makes the report from what the engine and the formats say.

use bstr::{BStr, BString};
use surefoot_engine::lines::LineRange;
use surefoot_engine::outcome::{Applied, Candidate, Quoted, Refusal, Refused, Warning};
use surefoot_engine::patch::{Edit, Patch, Recovery};
use surefoot_engine::plan::{Action, FilePlan, Placed};
use surefoot_engine::policy::{Evidence, Score, Tier};
use surefoot_formats::{ParseError, ParseErrorKind};

use super::{
    CandidateReport, Decision, Deed, DifferenceReport, EvidenceName, FileReport, HunkReport,
    RefusalReport, Report, Side, TierName, WarningReport, bytes, hint,
};

/// What is known of one input that was read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// What it is called, for people.
    pub(crate) name: String,
    /// Its format.
    pub(crate) format: &'static str,
    /// What was tolerated in it.
    pub(crate) recoveries: Vec<Recovery>,
}

/// An input that is no edit.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    /// What it is called, for people.
    pub(crate) name: String,
    /// Why.
    pub(crate) error: ParseError,
}

/// Returns the report of edits that landed, or that would.
pub(crate) fn applied(inputs: &[Input], policy: &str, applied: &Applied) -> Report {
    let plan = &applied.plan;
    let mut report = Report {
        written: applied.written,
        transaction: applied.transaction.clone(),
        files: plan.files().iter().map(file).collect(),
        warnings: plan.warnings().iter().map(warning).collect(),
        ..empty(inputs, policy, Decision::Applied)
    };
    report.recoveries.extend(
        plan.recoveries()
            .iter()
            .map(|recovery| recovered("", recovery)),
    );
    report
}

/// Returns the report of edits that have no place, or not one.
pub(crate) fn refused(inputs: &[Input], policy: &str, refused: &Refused) -> Report {
    let format = one_format(inputs);
    Report {
        refusals: refused
            .refusals()
            .iter()
            .map(|refusal| refusal_report(refusal, format))
            .collect(),
        ..empty(inputs, policy, Decision::Refused)
    }
}

/// Returns the report of a call with inputs that are no edits. `format` is the one asked for.
pub(crate) fn unread(
    inputs: &[Input],
    unread: &[Unread],
    policy: &str,
    format: Option<&str>,
) -> Report {
    let mut report = empty(inputs, policy, Decision::Refused);
    report.format = report.format.or_else(|| format.map(str::to_owned));
    let unknown = format.is_some_and(|name| surefoot_formats::by_name(name).is_none());
    let hint = unknown.then(|| "`surefoot formats` lists the formats".to_owned());
    report.refusals = unread
        .iter()
        .map(|unread| RefusalReport {
            hint: hint.clone(),
            ..unread_report(unread)
        })
        .collect();
    report
}

fn empty(inputs: &[Input], policy: &str, outcome: Decision) -> Report {
    let mut formats: Vec<&str> = Vec::new();
    for input in inputs {
        if !formats.contains(&input.format) {
            formats.push(input.format);
        }
    }
    let several = inputs.len() > 1;
    let recoveries = inputs.iter().flat_map(|input| {
        let name = if several { input.name.as_str() } else { "" };
        input
            .recoveries
            .iter()
            .map(move |recovery| recovered(name, recovery))
    });
    Report {
        version: 1,
        outcome,
        written: false,
        transaction: None,
        format: (!formats.is_empty()).then(|| formats.join(", ")),
        policy: policy.to_owned(),
        files: Vec::new(),
        recoveries: recoveries.collect(),
        warnings: Vec::new(),
        refusals: Vec::new(),
    }
}

/// Returns the format of all `inputs`, or `None` where they have several.
fn one_format(inputs: &[Input]) -> Option<&'static str> {
    let first = inputs.first()?.format;
    inputs
        .iter()
        .all(|input| input.format == first)
        .then_some(first)
}

fn recovered(name: &str, recovery: &Recovery) -> String {
    let colon = if name.is_empty() { "" } else { ": " };
    if recovery.line == 0 {
        format!("{name}{colon}{}", recovery.message)
    } else {
        format!("{name}{colon}line {}: {}", recovery.line, recovery.message)
    }
}

fn file(plan: &FilePlan) -> FileReport {
    FileReport {
        path: bytes::path(plan.path.as_bstr()),
        action: match plan.action {
            Action::Modify => Deed::Modify,
            Action::Create => Deed::Create,
            Action::Delete => Deed::Delete,
            Action::Rename => Deed::Rename,
            Action::Copy => Deed::Copy,
            Action::Mode => Deed::Mode,
            Action::None => Deed::None,
        },
        from: plan.from.as_ref().map(|from| bytes::path(from.as_bstr())),
        before: plan.before.map(|id| id.to_string()),
        after: plan.after.map(|id| id.to_string()),
        hunks: plan.hunks.iter().map(hunk).collect(),
    }
}

fn hunk(placed: &Placed) -> HunkReport {
    HunkReport {
        hunk: placed.hunk,
        tier: match placed.tier {
            Tier::Base => TierName::Base,
            Tier::Mapped => TierName::Mapped,
            Tier::Exact => TierName::Exact,
            Tier::Symbol => TierName::Symbol,
            Tier::Whitespace => TierName::Whitespace,
            Tier::Fuzzy => TierName::Fuzzy,
        },
        evidence: match placed.evidence {
            Evidence::Text => EvidenceName::Text,
            Evidence::Witness => EvidenceName::Witness,
            Evidence::Receipt => EvidenceName::Receipt,
            Evidence::Base => EvidenceName::Base,
        },
        lines: lines(placed.lines),
        offset: placed.offset,
        similarity: fraction(placed.similarity),
        runner_up: placed.runner_up.map(fraction),
        reindent: placed.reindent,
        scope: placed.scope.as_ref().map(|scope| bytes::text(scope)),
    }
}

fn warning(warning: &Warning) -> WarningReport {
    WarningReport {
        code: warning.code.to_owned(),
        path: warning
            .path
            .as_ref()
            .map(|path| bytes::path(path.as_bstr())),
        message: warning.message.clone(),
    }
}

fn refusal_report(refusal: &Refusal, format: Option<&'static str>) -> RefusalReport {
    let repair = refusal.repair.as_deref().zip(format);
    RefusalReport {
        code: refusal.reason.code().to_owned(),
        path: refusal.path.as_ref().map(|path| bytes::path(path)),
        hunk: refusal.hunk,
        message: message(refusal),
        candidates: refusal.reason.candidates().iter().map(candidate).collect(),
        fix: repair.and_then(|(edit, format)| fix(edit, format)),
        hint: hint::of(&refusal.reason),
    }
}

/// Says why, and where it is one of several which part of the series is meant.
fn message(refusal: &Refusal) -> String {
    let Some(step) = &refusal.step else {
        return refusal.reason.to_string();
    };
    let label = step.label.as_ref();
    let label = label.map_or_else(String::new, |label| {
        format!(" (`{}`)", Quoted(BStr::new(label)))
    });
    format!("part {}{label}: {}", step.number, refusal.reason)
}

/// Writes `edit` in `format`. One that is no UTF-8 cannot stand in the report as it is, and in any
/// other form would be another edit.
fn fix(edit: &Edit, format: &str) -> Option<String> {
    let format = surefoot_formats::by_name(format)?;
    let printed: BString = format
        .print(&Patch {
            edits: vec![edit.clone()],
        })
        .ok()?;
    String::from_utf8(printed.into()).ok()
}

fn unread_report(unread: &Unread) -> RefusalReport {
    let error = &unread.error;
    let code = match error.kind {
        ParseErrorKind::Malformed => "malformed",
        ParseErrorKind::Unsupported | ParseErrorKind::Binary => "unsupported",
        ParseErrorKind::Unanchored => "unanchored",
        ParseErrorKind::NoChange => "no-change",
        ParseErrorKind::TooCostly => "too-costly",
    };
    let line = if error.line == 0 {
        String::new()
    } else {
        format!(":{}", error.line)
    };
    RefusalReport {
        code: code.to_owned(),
        path: error.path.as_ref().map(|path| bytes::path(path)),
        hunk: None,
        message: format!(
            "{}{line}: {}",
            Quoted(BStr::new(&unread.name)),
            error.message
        ),
        candidates: Vec::new(),
        fix: None,
        hint: None,
    }
}

fn candidate(candidate: &Candidate) -> CandidateReport {
    let distinguish = candidate.distinguish.as_ref();
    CandidateReport {
        lines: lines(candidate.lines),
        similarity: fraction(candidate.similarity),
        text: bytes::text(&candidate.text),
        scope: candidate.scope.as_ref().map(|scope| bytes::text(scope)),
        first_difference: candidate
            .first_difference
            .as_ref()
            .map(|difference| DifferenceReport {
                line: difference.line.one_based(),
                wanted: bytes::text(&difference.wanted),
                found: bytes::text(&difference.found),
            }),
        distinguish: distinguish
            .map(|those| those.lines.iter().map(|line| bytes::text(line)).collect())
            .unwrap_or_default(),
        distinguish_side: distinguish.map(|those| {
            if those.above {
                Side::Above
            } else {
                Side::Below
            }
        }),
    }
}

/// Returns the first and the last line, counted from 1; `[n, n - 1]` before line n.
fn lines(range: LineRange) -> [u64; 2] {
    [range.start.one_based(), range.end.0 as u64]
}

fn fraction(score: Score) -> f64 {
    f64::from(score.0) / 1000.0
}
