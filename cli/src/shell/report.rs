//! The verdict on a command, as JSON has it.

use bstr::{BStr, BString};
use schemars::JsonSchema;
use serde::Serialize;
use std::os::unix::ffi::OsStrExt as _;
use surefoot_engine::verify::Verdict;
use surefoot_shell::{Finding, Level, Report as Known, Span, Tier};

use crate::report::{path_text, safe_text};

/// The verdict on one command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The version of this report's form.
    pub(crate) version: u32,
    /// What was decided.
    pub(crate) verdict: Decision,
    /// Its simple commands.
    pub(crate) commands: Vec<CommandReport>,
    /// What is wrong, in order.
    pub(crate) findings: Vec<FindingReport>,
    /// What was not checked.
    pub(crate) abstained: Vec<AbstainedReport>,
}

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Decision {
    /// It can be carried out as written, as far as was checked.
    Admit,
    /// It can be run, and is probably a mistake.
    Warn,
    /// It cannot be carried out as written.
    Block,
    /// Nothing could be checked.
    Abstain,
}

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct CommandReport {
    /// Where it stands, in bytes from 0.
    pub(crate) span: [usize; 2],
    /// The program that it runs.
    pub(crate) tool: Option<String>,
    /// Its subcommand, a word for each level.
    pub(crate) subcommand: Vec<String>,
    /// How much is known of its flags: closed, open or none.
    pub(crate) evidence: &'static str,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct FindingReport {
    /// What is wrong, in stable words.
    pub(crate) code: &'static str,
    /// How it is known: exact, closed or open.
    pub(crate) tier: &'static str,
    /// Where it stands, in bytes from 0.
    pub(crate) span: [usize; 2],
    /// The word or flag at fault.
    pub(crate) token: String,
    /// What to tell the author.
    pub(crate) message: String,
    /// What may have been meant, likeliest first.
    pub(crate) suggestions: Vec<String>,
    /// What it rests on.
    pub(crate) evidence: Vec<SourceReport>,
}

/// Where flags are known from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct SourceReport {
    /// Its kind.
    pub(crate) source: &'static str,
    /// The file; null for what is built in.
    pub(crate) path: Option<String>,
}

/// What was not checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct AbstainedReport {
    /// Where it stands, in bytes from 0.
    pub(crate) span: [usize; 2],
    /// Why.
    pub(crate) why: String,
}

impl Report {
    /// Returns the report of a verdict.
    pub(crate) fn of(verdict: &Verdict<Known, Finding, Known, Known>) -> Self {
        let (verdict, known) = match verdict {
            Verdict::Admit(known) => (Decision::Admit, known),
            Verdict::Warn(known, _) => (Decision::Warn, known),
            Verdict::Refuse(known) => (Decision::Block, known),
            Verdict::Abstain(known) => (Decision::Abstain, known),
        };
        Self {
            version: 1,
            verdict,
            commands: known.commands.iter().map(command).collect(),
            findings: known.findings.iter().map(finding).collect(),
            abstained: known
                .abstained
                .iter()
                .map(|one| AbstainedReport {
                    span: span(one.span),
                    why: text(one.why.as_ref()),
                })
                .collect(),
        }
    }
}

fn span(span: Span) -> [usize; 2] {
    [span.start, span.end]
}

fn text(bytes: &BStr) -> String {
    safe_text(bytes)
}

fn texts(all: &[BString]) -> Vec<String> {
    all.iter().map(|one| text(one.as_ref())).collect()
}

fn command(command: &surefoot_shell::Checked) -> CommandReport {
    CommandReport {
        span: span(command.span),
        tool: command
            .tool
            .as_ref()
            .map(|tool| path_text(tool.as_os_str().as_bytes())),
        subcommand: texts(&command.subcommand),
        evidence: match command.evidence {
            Level::None => "none",
            Level::Open => "open",
            Level::Closed => "closed",
        },
    }
}

fn finding(finding: &Finding) -> FindingReport {
    FindingReport {
        code: finding.code.name(),
        tier: match finding.tier {
            Tier::Exact => "exact",
            Tier::Closed => "closed",
            Tier::Open => "open",
        },
        span: span(finding.span),
        token: text(finding.token.as_ref()),
        message: text(finding.message.as_ref()),
        suggestions: texts(&finding.suggestions),
        evidence: finding
            .evidence
            .iter()
            .map(|source| SourceReport {
                source: source.kind.name(),
                path: Some(source.path.as_os_str())
                    .filter(|path| !path.is_empty())
                    .map(|path| path_text(path.as_bytes())),
            })
            .collect(),
    }
}
