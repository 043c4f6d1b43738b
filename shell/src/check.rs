//! Judges a command line: does it parse, do its programs exist, do they take their flags.

mod command;
mod finding;

use bstr::BString;
use surefoot_engine::verify::{Verdict, Verifier};

use crate::bash::{self, Answer};
use crate::machine::Machine;
use crate::span::Span;
use crate::syntax::{self, Script, Stop};
use crate::verdict::{Abstained, Code, Finding, Report, Tier};
use command::Scene;

/// How deep commands may hold others as words: `sudo env bash -c '…'`.
const MAX_DEPTH: usize = 16;

/// Judges command lines against the machine that they are to run on: the second of the verifiers.
///
/// It says whether a command can be carried out as written, never whether it is wise.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShellVerifier;

impl Verifier for ShellVerifier {
    type Action = [u8];
    type State = Machine;
    type Admitted = Report;
    type Warning = Finding;
    type Refusal = Report;
    type Unknown = Report;

    fn verify(&self, action: &[u8], state: &Machine) -> Verdict<Report, Finding, Report, Report> {
        let report = check(action, state);
        if report
            .findings
            .iter()
            .any(|finding| finding.tier == Tier::Exact)
        {
            return Verdict::Refuse(report);
        }
        if !report.findings.is_empty() {
            let findings = report.findings.clone();
            return Verdict::Warn(report, findings);
        }
        if report.commands.is_empty() && !report.abstained.is_empty() {
            return Verdict::Abstain(report);
        }
        Verdict::Admit(report)
    }
}

/// Finds out all that can be known of `text`.
fn check(text: &[u8], machine: &Machine) -> Report {
    let mut checker = Checker {
        machine,
        report: Report::default(),
        place: Place::At(0),
        depth: 0,
        scene: Scene::default(),
    };
    checker.script(text);
    let mut report = checker.report;
    report.findings.sort_by_key(|finding| finding.span);
    report.findings.dedup();
    report.commands.sort_by_key(|command| command.span);
    report
}

/// Where a text stands in the command line.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Byte for byte from here on.
    At(usize),
    /// Somewhere in here, with quotes or escapes between.
    Within(Span),
}

impl Place {
    fn of(self, span: Span) -> Span {
        match self {
            Self::At(start) => Span::new(start + span.start, start + span.end),
            Self::Within(whole) => whole,
        }
    }
}

#[derive(Debug)]
struct Checker<'a> {
    machine: &'a Machine,
    report: Report,
    place: Place,
    depth: usize,
    scene: Scene,
}

impl Checker<'_> {
    /// Judges a text that a shell is to read.
    fn script(&mut self, text: &[u8]) {
        let whole = Span::new(0, text.len());
        if self.depth >= MAX_DEPTH {
            self.abstain(whole, "commands are wrapped too deep");
            return;
        }
        self.depth += 1;
        if let Some(script) = self.parsed(text) {
            self.scene
                .functions
                .extend(script.functions.iter().cloned());
            self.texts(&script);
            for command in &script.commands {
                self.simple(command);
            }
        }
        self.depth -= 1;
    }

    /// Returns what `text` holds, if that is known; says what is wrong with it.
    fn parsed(&mut self, text: &[u8]) -> Option<Script> {
        let whole = Span::new(0, text.len());
        let parsed = syntax::parse(text);
        if let Ok(script) = &parsed
            && script.doubts.is_empty()
            && !text.contains(&0)
        {
            return parsed.ok();
        }
        let bash = self.machine.find(b"bash");
        match bash::ask(bash.as_ref(), text) {
            Answer::Rejects(said) => {
                self.syntax_error(text, parsed.as_ref().err(), &said);
                return None;
            }
            Answer::OpenHereDocument => {
                let message = "the end of the text ends a here-document whose delimiter is missing";
                self.find(Finding {
                    code: Code::UnterminatedHeredoc,
                    tier: Tier::Closed,
                    span: self.place.of(whole),
                    token: BString::default(),
                    message: message.into(),
                    suggestions: Vec::new(),
                    evidence: Vec::new(),
                });
            }
            Answer::Parses => {}
            Answer::Unknown(why) => {
                self.abstain(whole, &format!("whether it parses is not known: {why}"));
            }
        }
        if parsed.is_err() {
            self.abstain(
                whole,
                "its commands are not known: surefoot cannot take it apart",
            );
        }
        parsed.ok()
    }

    fn syntax_error(&mut self, text: &[u8], stop: Option<&Stop>, said: &BString) {
        let (start, end) = match stop {
            Some(Stop::Unexpected { at }) => (*at, at + 1),
            Some(Stop::Unclosed { at }) => (*at, text.len()),
            _ => (0, text.len()),
        };
        let span = Span::new(start.min(text.len()), end.min(text.len()));
        let mut message = b"bash cannot parse it: ".to_vec();
        message.extend(said.iter());
        self.find(Finding {
            code: Code::SyntaxError,
            tier: Tier::Exact,
            token: text
                .get(span.range())
                .unwrap_or_default()
                .iter()
                .copied()
                .take(80)
                .collect::<Vec<u8>>()
                .into(),
            span: self.place.of(span),
            message: message.into(),
            suggestions: Vec::new(),
            evidence: Vec::new(),
        });
    }

    fn find(&mut self, finding: Finding) {
        self.report.findings.push(finding);
    }

    fn abstain(&mut self, span: Span, why: &str) {
        self.report.abstained.push(Abstained {
            span: self.place.of(span),
            why: why.into(),
        });
    }
}
