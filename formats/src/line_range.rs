//! Lines by their numbers, in JSON or as `edit 10:14`, the new text, `end_of_edit`.
//!
//! The JSON form is shared with the other JSON formats, in [`json`](crate::json). A range may come
//! without anything that proves its place; refusing it is planning's to do.

use bstr::{BStr, BString, ByteSlice as _};
use surefoot_engine::patch::{
    Change, Edit, Hunk, Order, Parsed, Patch, RangeHunk, Reading, Recovery, Span, Step,
};
use surefoot_engine::path::PathSpec;

use crate::error::{ParseError, PrintError};
use crate::input::{InputLine, each_line, input_lines, malformed};
use crate::path_hint::{Sureness, path_of};
use crate::{Ends, Format, ParseOptions, json};

/// The format `line-range`.
#[derive(Clone, Copy, Debug)]
pub struct LineRange;

impl Format for LineRange {
    fn name(&self) -> &'static str {
        json::LINE_RANGE
    }

    fn summary(&self) -> &'static str {
        "JSON or text: first and last line and the new text, with expected text, digest or base"
    }

    fn claims(&self, input: &BStr) -> bool {
        json::claimed(input) == Some(self.name()) || has_command(input)
    }

    fn ends(&self) -> Ends {
        Ends::Itself
    }

    fn parse(&self, input: &BStr, options: &ParseOptions) -> Result<Parsed, ParseError> {
        if has_command(input) {
            return commands(&input_lines(input), options);
        }
        json::parse(input, options)
    }

    fn print(&self, patch: &Patch) -> Result<BString, PrintError> {
        json::print(patch)
    }
}

/// Tells whether a line of `input` is a command.
fn has_command(input: &[u8]) -> bool {
    each_line(input).any(|line| command(line.text()).is_some())
}

/// Reads `edit 10:14`.
fn command(line: &[u8]) -> Option<(u64, u64)> {
    let range = line.strip_prefix(b"edit ")?.trim_ascii();
    let (first, last) = range.split_once_str(b":")?;
    Some((json::line_number(first)?, json::line_number(last)?))
}

fn commands(lines: &[InputLine<'_>], options: &ParseOptions) -> Result<Parsed, ParseError> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut recoveries = Vec::new();
    let mut path: Option<PathSpec> = options.path.clone().map(PathSpec::from_caller);
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some((first, last)) = command(line.text()) else {
            if let Some((text, Sureness::Path)) = path_of(line.text()) {
                path = Some(PathSpec::from_root(text));
            } else if !line.is_blank() {
                recoveries.push(outside(line));
            }
            continue;
        };
        let rest = lines.get(at..).unwrap_or_default();
        let Some(len) = rest
            .iter()
            .position(|line| line.text().trim_ascii_end() == b"end_of_edit")
        else {
            return Err(line.malformed("`end_of_edit` is missing: the edit is cut off"));
        };
        let body = rest.get(..len).unwrap_or_default();
        if let Some(inner) = body.iter().find(|line| command(line.text()).is_some()) {
            return Err(inner.malformed("an edit begins before the one above ends"));
        }
        let Some(path) = path.clone() else {
            return Err(line.malformed("the edit names no file"));
        };
        let numbers = json::lines_between(first, last);
        let range = numbers.map_err(|error| line.malformed(error.message))?;
        let end = rest
            .get(len)
            .map_or(line.span().end, |line| line.span().end);
        let span = Span {
            start: line.start,
            end,
        };
        let new = body
            .iter()
            .map(|line| line.raw)
            .collect::<Vec<_>>()
            .concat()
            .into();
        push(
            &mut edits,
            path,
            RangeHunk {
                lines: range,
                new,
                expect: None,
                span,
            },
        );
        at += len + 1;
    }
    if edits.is_empty() {
        return Err(malformed("there is no edit"));
    }
    let reading = Reading {
        patch: Patch { edits },
        assumption: String::new(),
        fallback: false,
    };
    let steps = vec![Step {
        label: None,
        readings: vec![reading],
    }];
    Ok(Parsed {
        format: json::LINE_RANGE,
        steps,
        recoveries,
    })
}

fn outside(line: &InputLine<'_>) -> Recovery {
    line.recovery("text outside of the edits was left aside")
}

fn push(edits: &mut Vec<Edit>, path: PathSpec, hunk: RangeHunk) {
    let span = hunk.span;
    match edits.last_mut() {
        Some(Edit {
            path: last,
            change: Change::Modify { hunks, .. },
            span: whole,
            ..
        }) if *last == path => {
            hunks.push(Hunk::Range(hunk));
            whole.end = span.end;
        }
        _ => {
            let change = Change::Modify {
                hunks: vec![Hunk::Range(hunk)],
                order: Order::Any,
            };
            edits.push(Edit::new(path, change, span));
        }
    }
}

#[cfg(test)]
mod tests;
