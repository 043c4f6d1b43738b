//! The report for people.
//!
//! A refusal stays under [`MOST`] characters: quoted text is cut to fit, the code and the places
//! never are. Everything untrusted is printed so that it cannot move the cursor or reorder a line.

use super::bytes;
use super::{CandidateReport, Decision, Deed, FileReport, HunkReport, RefusalReport, Report, Side};
use crate::terminal::{Colour, Style};

/// The most characters that a refusal takes.
const MOST: usize = 600;

/// The lengths to which quoted text is cut, tried in this order until a refusal fits.
const WIDTHS: [usize; 8] = [160, 100, 72, 48, 32, 20, 12, 0];

/// The most lines of one quote.
const MOST_LINES: usize = 3;

/// The most hunks whose places are listed for one file.
const MOST_HUNKS: usize = 8;

/// Returns the report in words, each line ended. `check`: nothing was to be written.
pub(crate) fn text(report: &Report, check: bool, colour: Colour) -> String {
    let mut out = String::new();
    for recovery in &report.recoveries {
        line(
            &mut out,
            &format!("tolerated: {}", bytes::safe(recovery, 300)),
        );
    }
    for warning in &report.warnings {
        let path = warning
            .path
            .as_ref()
            .map_or_else(String::new, |path| format!("{}: ", quote(path)));
        let message = bytes::safe(&warning.message, 300);
        line(
            &mut out,
            &format!("warning ({}): {path}{message}", warning.code),
        );
    }
    match report.outcome {
        Decision::Applied => applied(&mut out, report, check, colour),
        Decision::Refused => {
            for refusal in &report.refusals {
                out.push_str(&refused(refusal, colour));
            }
            line(&mut out, "nothing was written");
        }
    }
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn quote(path: &str) -> String {
    format!("`{}`", bytes::safe(path, 200))
}

fn applied(out: &mut String, report: &Report, check: bool, colour: Colour) {
    let word = if check { "would apply" } else { "applied" };
    for file in &report.files {
        let deed = deed(file, check);
        let places = places(&file.hunks);
        line(
            out,
            &format!("{}: {deed}{places}", colour.paint(Style::Good, word)),
        );
    }
    if check || !report.written {
        line(out, "nothing was written");
    }
}

fn deed(file: &FileReport, check: bool) -> String {
    let path = quote(&file.path);
    let from = file.from.as_deref().map(quote).unwrap_or_default();
    let (done, to_do) = match file.action {
        Deed::Modify => (format!("{path} modified"), format!("modify {path}")),
        Deed::Create => (format!("{path} created"), format!("create {path}")),
        Deed::Delete => (format!("{path} deleted"), format!("delete {path}")),
        Deed::Rename => (
            format!("{from} renamed to {path}"),
            format!("rename {from} to {path}"),
        ),
        Deed::Copy => (
            format!("{from} copied to {path}"),
            format!("copy {from} to {path}"),
        ),
        Deed::Mode => (
            format!("{path} has a new mode"),
            format!("change the mode of {path}"),
        ),
        Deed::None => (
            format!("{path} is as asked for already"),
            format!("{path} is as asked for already"),
        ),
    };
    if check { to_do } else { done }
}

/// Says where each hunk landed and why, as in ", 2 hunks: line 3 (exact), lines 9-12 (base)".
fn places(hunks: &[HunkReport]) -> String {
    let count = match hunks.len() {
        0 => return String::new(),
        1 => String::new(),
        n => format!(", {n} hunks"),
    };
    let mut places: Vec<String> = hunks.iter().take(MOST_HUNKS).map(place).collect();
    if hunks.len() > MOST_HUNKS {
        places.push(format!("and {} more", hunks.len() - MOST_HUNKS));
    }
    format!("{count}: {}", places.join(", "))
}

fn place(hunk: &HunkReport) -> String {
    let tier = format!("{:?}", hunk.tier).to_lowercase();
    let offset = match hunk.offset {
        None | Some(0) => String::new(),
        Some(offset) => format!(", {offset:+} lines"),
    };
    format!("{} ({tier}{offset})", range(hunk.lines))
}

/// Returns a range of lines, first and last, in words.
fn range([first, last]: [u64; 2]) -> String {
    if last < first {
        format!("before line {first}")
    } else if last == first {
        format!("line {first}")
    } else {
        format!("lines {first}-{last}")
    }
}

/// Returns a refusal in words, in at most [`MOST`] characters.
fn refused(refusal: &RefusalReport, colour: Colour) -> String {
    let fitting = WIDTHS
        .iter()
        .map(|width| layout(refusal, *width))
        .find(|text| fits(text));
    let mut text = fitting.unwrap_or_else(|| layout(refusal, 0));
    if let Some(fix) = &refusal.fix {
        let with_fix = format!("{text}a corrected edit:\n{}", verbatim(fix));
        if fits(&with_fix) {
            text = with_fix;
        }
    }
    paint(&text, colour)
}

fn fits(text: &str) -> bool {
    bytes::len(text) <= MOST
}

/// Colours the words that a refusal's lines begin with.
fn paint(text: &str, colour: Colour) -> String {
    let paint_line = |line: &str| {
        for (word, style) in [("refused", Style::Bad), ("hint", Style::Hint)] {
            if let Some(rest) = line.strip_prefix(word) {
                return format!("{}{rest}\n", colour.paint(style, word));
            }
        }
        format!("{line}\n")
    };
    text.lines().map(paint_line).collect()
}

/// Returns a corrected edit for a terminal: its lines as they are, control characters escaped.
fn verbatim(fix: &str) -> String {
    let lines = fix
        .split_inclusive('\n')
        .map(|line| line.strip_suffix('\n').unwrap_or(line));
    lines
        .map(|line| format!("  {}\n", bytes::safe(line, MOST)))
        .collect()
}

/// Returns a refusal with every quoted text cut to `width` characters.
fn layout(refusal: &RefusalReport, width: usize) -> String {
    let place = match (&refusal.path, refusal.hunk) {
        (Some(path), Some(hunk)) => format!("`{}`, hunk {hunk}: ", bytes::safe(path, 40 + width)),
        (Some(path), None) => format!("`{}`: ", bytes::safe(path, 40 + width)),
        (None, _) => String::new(),
    };
    // A message that is long is one that quotes untrusted text.
    let message = bytes::safe(&refusal.message, 120 + 2 * width);
    let mut out = format!("refused ({}): {place}{message}\n", refusal.code);
    for candidate in &refusal.candidates {
        layout_candidate(&mut out, candidate, width);
    }
    if let Some(hint) = refusal.hint.as_ref().filter(|_| width > 0) {
        line(&mut out, &format!("hint: {hint}"));
    }
    out
}

fn layout_candidate(out: &mut String, candidate: &CandidateReport, width: usize) {
    let places = range(candidate.lines);
    let text = bytes::safe(
        candidate.text.lines().next().unwrap_or_default().trim(),
        width,
    );
    let row = format!("  {places:<12}  {text}");
    line(out, row.trim_end());
    if let Some(difference) = candidate.first_difference.as_ref().filter(|_| width > 0) {
        let (wanted, found) = bytes::visible(&difference.wanted, &difference.found, width);
        let has = format!("line {} has", difference.line);
        line(out, &format!("    {has:<14}  {found}"));
        line(out, &format!("    not, as quoted  {wanted}"));
    }
    if let Some(side) = candidate.distinguish_side.filter(|_| width > 0) {
        let side = if side == Side::Above {
            "above"
        } else {
            "below"
        };
        line(
            out,
            &format!(
                "    quote {side} it  {}",
                quoted_lines(&candidate.distinguish, width)
            ),
        );
    }
}

/// Returns up to [`MOST_LINES`] lines as one; of more, the two ends.
fn quoted_lines(lines: &[String], width: usize) -> String {
    let shown = |line: &String| {
        if line.trim().is_empty() {
            "(a blank line)".to_owned()
        } else {
            bytes::safe(line, width)
        }
    };
    match lines {
        [first, .., last] if lines.len() > MOST_LINES => {
            let between = lines.len() - 2;
            format!(
                "{} ⏎ ({between} lines, in the JSON report) ⏎ {}",
                shown(first),
                shown(last)
            )
        }
        _ => lines.iter().map(shown).collect::<Vec<_>>().join(" ⏎ "),
    }
}
