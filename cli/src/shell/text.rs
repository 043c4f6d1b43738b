//! The verdict on a command, for people.

use surefoot_shell::Level;

use super::report::{Decision, FindingReport, Report};
use crate::report::{put, safe_text};
use crate::terminal::{Colour, Style};

/// The most bytes of a command that are quoted.
const MOST: usize = 160;

/// Returns the verdict on `command` as lines of text.
pub(crate) fn page(report: &Report, command: &[u8], colour: Colour) -> String {
    let (style, word) = match report.verdict {
        Decision::Admit => (Style::Good, "admitted"),
        Decision::Warn => (Style::Hint, "warned"),
        Decision::Block => (Style::Bad, "blocked"),
        Decision::Abstain => (Style::Hint, "abstained"),
    };
    let mut out = colour.paint(style, word);
    let count = match report.commands.len() {
        0 => String::new(),
        1 => ": 1 command".to_owned(),
        several => format!(": {several} commands"),
    };
    out.push_str(&count);
    out.push('\n');
    for one in &report.findings {
        finding(one, command, &mut out);
    }
    for one in &report.abstained {
        let [start, end] = one.span;
        put(
            &mut out,
            format_args!(
                "  not checked: `{}`: {}\n",
                quote(command, start, end),
                one.why
            ),
        );
    }
    for suggestion in report.findings.iter().filter_map(hint) {
        put(
            &mut out,
            format_args!("{} {suggestion}\n", colour.paint(Style::Hint, "hint:")),
        );
    }
    out
}

fn finding(finding: &FindingReport, command: &[u8], out: &mut String) {
    let [start, end] = finding.span;
    put(
        out,
        format_args!(
            "  {} ({}): `{}`: {}\n",
            finding.code,
            finding.tier,
            quote(command, start, end),
            finding.message
        ),
    );
    // The page of the subcommand, which comes last, says more than the tool's own.
    let manual = finding
        .evidence
        .iter()
        .rfind(|source| source.source == "manual");
    let source = manual.or(finding.evidence.first());
    if let Some(source) = source.and_then(|source| source.path.as_ref()) {
        let more = finding.evidence.len() - 1;
        let others = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        put(out, format_args!("    by {source}{others}\n"));
    }
}

fn hint(finding: &FindingReport) -> Option<String> {
    if finding.suggestions.is_empty() {
        return None;
    }
    Some(match finding.code {
        "substitution-in-text" => format!("{} where text is meant", finding.suggestions.join(", ")),
        _ => format!(
            "instead of `{}`: {}",
            finding.token,
            finding.suggestions.join(", ")
        ),
    })
}

fn quote(command: &[u8], start: usize, end: usize) -> String {
    let part = command
        .get(start..end.min(command.len()))
        .unwrap_or_default();
    let shown = part.get(..MOST).unwrap_or(part);
    let line = safe_text(shown).replace('\t', " ");
    if shown.len() < part.len() {
        format!("{line}…")
    } else {
        line
    }
}

/// Returns what `level` means.
pub(crate) fn level(level: Level) -> &'static str {
    match level {
        Level::None => "too little is known of its flags",
        Level::Open => "most of its flags are known",
        Level::Closed => "all of its flags are known",
    }
}
