//! Which format an input is in, and its parse with the wrapping taken off.
//!
//! The format whose first sign stands first in the text owns it: what looks like another format
//! further down may be what the edit changes. But no sign of another may stand outside of the
//! edits found; then the input holds two, and is refused with both names.

use std::borrow::Cow;

use bstr::{BStr, BString, ByteSlice as _};
use surefoot_engine::patch::{
    Change, Destination, Edit, Hunk, Order, Parsed, Patch, Reading, Recovery, Span,
};
use surefoot_engine::path::PathSpec;

use crate::envelope::{self, End, Map, Payload, outside_of_fences};
use crate::error::{ParseError, ParseErrorKind};
use crate::input::{LineStarts, each_line, line_at, malformed};
use crate::{Ends, FORMATS, Format, ParseOptions, json};

/// Returns the format called `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().find(|format| format.name() == name).copied()
}

/// Reads `input` in the format called `format`, or in the one that it looks like.
///
/// What the edit is wrapped in is taken off first, and said in the recoveries. Places are those in
/// `input`.
///
/// # Errors
///
/// Where there is no such format, no format is recognised or two are, or the one that is finds the
/// input cut off, contradictory or empty.
pub fn parse(
    input: &BStr,
    format: Option<&str>,
    options: &ParseOptions,
) -> Result<Parsed, ParseError> {
    let named = match format {
        None => None,
        Some(name) => match by_name(name) {
            Some(format) => Some(format),
            None => {
                let message = format!("there is no format `{name}`");
                let kind = ParseErrorKind::Unsupported;
                return Err(ParseError {
                    kind,
                    ..malformed(message)
                });
            }
        },
    };
    let payloads = envelope::open(input)?;
    let claims = |format: &dyn Format, payload: &Payload| format.claims(payload.text.as_bstr());
    let (format, payload) = match named {
        Some(format) => {
            let payload = payloads.iter().find(|payload| claims(format, payload));
            (format, payload.or(payloads.first()))
        }
        None => {
            let mut found = payloads
                .iter()
                .map(|payload| (owner(&payload.text), payload));
            match found.find_map(|(format, payload)| Some((format?, payload))) {
                Some((format, payload)) => (format, Some(payload)),
                None => return Err(malformed("the input looks like no edit format")),
            }
        }
    };
    let Some(payload) = payload else {
        return Err(malformed("the input is empty"));
    };
    let mut parsed = unwrapped(format, payload, options, input)?;
    if named.is_none() {
        check_alone(format, payload, &parsed)?;
    }
    if let Some(dir) = &payload.dir {
        move_into(&mut parsed, dir);
    }
    Ok(parsed)
}

/// Returns the format whose sign comes first.
fn owner(text: &[u8]) -> Option<&'static dyn Format> {
    let claiming = FORMATS
        .iter()
        .copied()
        .filter(|format| format.claims(text.as_bstr()));
    let mut claiming: Vec<&dyn Format> = claiming.collect();
    if claiming.len() > 1 {
        let ends: Vec<usize> = each_line(text).map(|line| line.span().end).collect();
        claiming.sort_by_cached_key(|format| first_sign(*format, text, &ends));
    }
    claiming.first().copied()
}

/// Returns how many lines of `text` it takes before `format` claims them.
fn first_sign(format: &dyn Format, text: &[u8], ends: &[usize]) -> usize {
    // JSON is known by its first byte, and a piece of it is none.
    if json::claimed(text).is_some_and(|name| name == format.name()) {
        let opens =
            |line: crate::input::InputLine<'_>| matches!(line.trimmed().first(), Some(b'{' | b'['));
        return each_line(text).position(opens).unwrap_or(0);
    }
    ends.partition_point(|end| !format.claims(text.get(..*end).unwrap_or_default().as_bstr()))
}

/// Refuses where another format claims what is left beside the edits of `parsed`.
fn check_alone(format: &dyn Format, payload: &Payload, parsed: &Parsed) -> Result<(), ParseError> {
    let others: Vec<&dyn Format> = FORMATS
        .iter()
        .copied()
        .filter(|other| other.name() != format.name() && other.claims(payload.text.as_bstr()))
        .collect();
    if others.is_empty() {
        return Ok(());
    }
    let rest = without(&payload.text, &places(parsed), &payload.map);
    let Some(other) = others.iter().find(|other| other.claims(rest.as_bstr())) else {
        return Ok(());
    };
    Err(malformed(format!(
        "the input holds both {} and {}; name one with `--format`",
        format.name(),
        other.name()
    )))
}

/// Returns where the edits of `parsed` stand, in order, none over another.
fn places(parsed: &Parsed) -> Vec<Span> {
    let readings = parsed.steps.iter().flat_map(|step| &step.readings);
    let mut spans: Vec<Span> = Vec::new();
    for edit in readings.flat_map(|reading| &reading.patch.edits) {
        match &edit.change {
            // Blocks for one file are one edit, with other text between them.
            Change::Modify {
                hunks,
                order: Order::Any,
            } => spans.extend(hunks.iter().map(Hunk::span)),
            _ => spans.push(edit.span),
        }
    }
    spans.sort_by_key(|span| (span.start, span.end));
    spans.dedup_by(|next, last| {
        let joins = next.start < last.end;
        if joins {
            last.end = last.end.max(next.end);
        }
        joins
    });
    spans
}

/// Returns the lines of `text` that begin outside of `spans`, which are places in the input.
fn without(text: &[u8], spans: &[Span], map: &Map) -> BString {
    let mut out = BString::default();
    for line in each_line(text) {
        let at = map.offset(line.start);
        let after = spans.partition_point(|span| span.start <= at);
        let last = after.checked_sub(1).and_then(|n| spans.get(n));
        if last.is_none_or(|span| at >= span.end) {
            out.extend_from_slice(line.raw);
        }
    }
    out
}

/// Parses both texts that `payload` allows, and gives all places as places in `input`.
fn unwrapped(
    format: &dyn Format,
    payload: &Payload,
    options: &ParseOptions,
    input: &[u8],
) -> Result<Parsed, ParseError> {
    let mut inside = options.clone();
    if let Some(path) = &payload.path {
        inside.path = Some(path.clone());
    }
    let literal = one(format, &payload.text, payload, &inside, input);
    let Some((rival, assumption)) = &payload.rival else {
        return literal;
    };
    let other = one(format, rival, payload, &inside, input);
    match (literal, other) {
        (Ok(literal), Ok(other)) => Ok(joined(literal, other, assumption)),
        (Ok(parsed), Err(_)) | (Err(_), Ok(parsed)) => Ok(parsed),
        (Err(error), Err(_)) => Err(error),
    }
}

fn one(
    format: &dyn Format,
    text: &[u8],
    payload: &Payload,
    options: &ParseOptions,
    input: &[u8],
) -> Result<Parsed, ParseError> {
    let mut map = payload.map.clone();
    let mut recoveries = payload.recoveries.clone();
    let mut text = Cow::Borrowed(text);
    let mut end = payload.end;
    if format.ends() == Ends::WithInput
        && let Some(view) = outside_of_fences(&text, |text| format.claims(text.as_bstr()))
    {
        let at = map.offset(LineStarts::new(&text).start(view.line));
        let line = line_at(input, at);
        recoveries.push(Recovery {
            line,
            message: "the code fence was taken off".into(),
        });
        map.push_pieces(view.pieces);
        end = view.end;
        text = Cow::Owned(view.text.into());
    }
    if end == End::Missing && format.ends() == Ends::WithInput {
        return Err(envelope::cut_off());
    }
    let complete = options.complete || end == End::Closed;
    let options = ParseOptions {
        complete,
        ..options.clone()
    };
    let mut parsed = format
        .parse(text.as_ref().as_bstr(), &options)
        .map_err(|error| outer_error(error, &map, input))?;
    if !map.is_identity() {
        place(&mut parsed, &text, &map, input);
    }
    recoveries.append(&mut parsed.recoveries);
    Ok(Parsed {
        recoveries,
        ..parsed
    })
}

/// Gives every place in `parsed` as one in `input`.
fn place(parsed: &mut Parsed, text: &[u8], map: &Map, input: &[u8]) {
    let placed = |recovery: &&mut Recovery| recovery.line > 0;
    let mut recoveries = parsed.recoveries.iter_mut().filter(placed).peekable();
    if recoveries.peek().is_some() {
        let (inner, outer) = (LineStarts::new(text), LineStarts::new(input));
        for recovery in recoveries {
            recovery.line = outer.line_at(map.offset(inner.start(recovery.line)));
        }
    }
    for edit in edits(parsed) {
        edit.span = map.span(edit.span);
        let Change::Modify { hunks, .. } = &mut edit.change else {
            continue;
        };
        for hunk in hunks {
            let span = match hunk {
                Hunk::Lines(hunk) => &mut hunk.span,
                Hunk::Text(hunk) => &mut hunk.span,
                Hunk::Range(hunk) => &mut hunk.span,
            };
            *span = map.span(*span);
        }
    }
}

fn edits(parsed: &mut Parsed) -> impl Iterator<Item = &mut Edit> {
    let readings = parsed.steps.iter_mut().flat_map(|step| &mut step.readings);
    readings.flat_map(|reading| &mut reading.patch.edits)
}

/// Gives the place of an error as one in `input`.
fn outer_error(error: ParseError, map: &Map, input: &[u8]) -> ParseError {
    if map.is_identity() || error.span == Span::default() {
        return error;
    }
    let span = map.span(error.span);
    let line = if error.line > 0 {
        line_at(input, span.start)
    } else {
        0
    };
    ParseError {
        line,
        span,
        ..error
    }
}

/// Puts the readings of two texts side by side.
fn joined(literal: Parsed, other: Parsed, assumption: &str) -> Parsed {
    if literal.steps.len() != other.steps.len() || same(&literal, &other) {
        return literal;
    }
    let mut literal = literal;
    let others = other.steps.into_iter().flat_map(|step| step.readings);
    let others = others.map(|reading| Reading {
        assumption: assumption.into(),
        ..reading
    });
    if let [step] = literal.steps.as_mut_slice() {
        step.readings.extend(others);
        for reading in &mut step.readings {
            if reading.assumption.is_empty() {
                reading.assumption = "the text is meant as it stands".into();
            }
        }
    }
    literal
}

fn same(one: &Parsed, other: &Parsed) -> bool {
    let patches = |parsed: &Parsed| -> Vec<Patch> {
        parsed
            .steps
            .iter()
            .flat_map(|step| step.readings.iter().map(|r| r.patch.clone()))
            .collect()
    };
    patches(one) == patches(other)
}

/// Makes every path count from `dir`, to which the wrapping changes.
fn move_into(parsed: &mut Parsed, dir: &BString) {
    let moved = |path: &PathSpec| PathSpec {
        or: path.or.as_ref().map(|or| json::joined(Some(dir), or)),
        ..PathSpec::from_caller(json::joined(Some(dir), &path.text))
    };
    for edit in edits(parsed) {
        edit.path = moved(&edit.path);
        match &mut edit.destination {
            Destination::Same => {}
            Destination::Rename(path) | Destination::Copy(path) => *path = moved(path),
        }
    }
}

#[cfg(test)]
mod tests;
