//! What each form means, said in one line an edit, and the properties that hold for all of them.

mod files;
mod forms;
mod hunks;
mod mails;
mod print;
mod properties;

use std::fmt::Write as _;

use bstr::{BStr, ByteSlice as _};
use surefoot_engine::patch::{
    BinaryPatch, Change, Destination, Edit, Hunk, Line, LineHunk, Parsed,
};
use surefoot_engine::path::PathSpec;

use super::UnifiedDiff;
use crate::{Format as _, ParseError, ParseOptions};

fn parse(input: &[u8]) -> Result<Parsed, ParseError> {
    UnifiedDiff.parse(BStr::new(input), &ParseOptions::default())
}

/// Parses `input` and compares what it says with `expected`: a line an edit (see [`describe`]), or
/// `! kind words`, where the message must hold the words.
#[track_caller]
fn check(input: impl AsRef<[u8]>, expected: &str) {
    check_with(&ParseOptions::default(), input, expected);
}

#[track_caller]
fn check_with(options: &ParseOptions, input: impl AsRef<[u8]>, expected: &str) {
    let input = BStr::new(input.as_ref());
    let parsed = UnifiedDiff.parse(input, options);
    let Some(words) = expected.strip_prefix("! ") else {
        let found = parsed.as_ref().map(describe);
        let found = found.unwrap_or_else(|error| format!("! {:?} {error}", error.kind));
        assert_eq!(found, expected, "for the input\n{input}");
        return;
    };
    let (kind, words) = words.split_once(' ').unwrap();
    match parsed {
        Ok(parsed) => panic!("parsed as\n{}\nfor the input\n{input}", describe(&parsed)),
        Err(error) => {
            let found = format!("{:?}", error.kind).to_lowercase();
            assert_eq!(found, kind, "{error} for the input\n{input}");
            assert!(
                error.message.contains(words),
                "{error} for the input\n{input}"
            );
        }
    }
}

/// Returns what was tolerated in `input`, joined by `; `.
#[track_caller]
fn recoveries(input: &str) -> String {
    let parsed = parse(input.as_bytes()).unwrap();
    let messages: Vec<_> = parsed
        .recoveries
        .iter()
        .map(|r| r.message.as_str())
        .collect();
    messages.join("; ")
}

/// Says what was read: a line an edit, `or` between readings, `== label` before a step of a series.
///
/// An edit is its kind and path, what its header states, and its hunks: `@old,new heading` and the
/// lines, each with its sign; `$` stands for LF, `%` for CR LF, and `|` stands between lines.
fn describe(parsed: &Parsed) -> String {
    let mut parts = Vec::new();
    for step in &parsed.steps {
        parts.extend(step.label.as_ref().map(|label| format!("== {label}")));
        for (n, reading) in step.readings.iter().enumerate() {
            if n > 0 {
                parts.push("or".to_owned());
            }
            parts.extend(reading.patch.edits.iter().map(edit));
        }
    }
    parts.join("\n")
}

fn edit(edit: &Edit) -> String {
    let (kind, content) = change(&edit.change);
    let mut out = format!("{kind} {}", path(&edit.path));
    match &edit.destination {
        Destination::Same => {}
        Destination::Rename(to) => write!(out, " renamed {}", path(to)).unwrap(),
        Destination::Copy(to) => write!(out, " copied {}", path(to)).unwrap(),
    }
    if let Some(mode) = edit.mode {
        let old = mode.old.map_or("", |mode| mode.octal());
        write!(out, " {old}>{}", mode.new.octal()).unwrap();
    }
    if let Some(base) = &edit.base {
        write!(out, " base {}", base.blob()).unwrap();
    }
    if let Some(post) = &edit.post {
        write!(out, " post {post}").unwrap();
    }
    out + &content
}

fn path(spec: &PathSpec) -> String {
    match &spec.or {
        Some(or) => format!("{}~{or}", spec.text),
        None => spec.text.to_string(),
    }
}

fn change(change: &Change) -> (&'static str, String) {
    match change {
        Change::Keep => ("keep", String::new()),
        Change::Modify { hunks, .. } => ("modify", hunks.iter().map(hunk).collect()),
        Change::Create { content, .. } => ("create", format!(" [{}]", visible(content))),
        Change::Write { content } => ("write", format!(" [{}]", visible(content))),
        Change::Delete { shown: Some(shown) } => ("delete", format!(" [{}]", visible(shown))),
        Change::Delete { shown: None } => ("delete", String::new()),
        Change::Binary { forward, reverse } => {
            let reverse = reverse.as_ref().map_or(String::new(), binary);
            ("binary", format!("{}{reverse}", binary(forward)))
        }
    }
}

fn binary(patch: &BinaryPatch) -> String {
    match patch {
        BinaryPatch::Literal(content) => format!(" literal {}", content.escape_bytes()),
        BinaryPatch::Delta(content) => format!(" delta {}", content.escape_bytes()),
    }
}

fn hunk(hunk: &Hunk) -> String {
    let Hunk::Lines(LineHunk {
        heading,
        old_start,
        new_start,
        lines,
        ..
    }) = hunk
    else {
        panic!("a diff has hunks of lines only");
    };
    let start = |start: &Option<_>| start.map_or("?".to_owned(), |line| format!("{line}"));
    let heading = heading
        .as_ref()
        .map_or(String::new(), |heading| format!(" {heading}"));
    let lines: Vec<_> = lines
        .iter()
        .map(|line| match line {
            Line::Context(text) => format!(" {}", visible(text)),
            Line::Delete(text) => format!("-{}", visible(text)),
            Line::Insert(text) => format!("+{}", visible(text)),
        })
        .collect();
    format!(
        " @{},{}{heading} [{}]",
        start(old_start),
        start(new_start),
        lines.join("|")
    )
}

fn visible(text: &[u8]) -> String {
    text.as_bstr()
        .to_string()
        .replace("\r\n", "%")
        .replace('\n', "$")
}
