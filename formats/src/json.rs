//! JSON edit documents: one object, an array, `{"edits": [...]}` or one object a line, in the
//! shapes that agents' tools send.
//!
//! The formats str-replace, line-range and whole-file share this reader, since one document may mix
//! them; it goes by the name of what its first object asks for. Keys that cannot change what is
//! meant are left aside, and said so; shapes that contradict themselves are refused.

mod fields;
mod leaf;
mod print;
mod readings;
mod value;
mod write;

use bstr::BString;
use surefoot_engine::lines;
use surefoot_engine::patch::{Base, Parsed, Recovery, Span, Step};
use surefoot_engine::path::PathSpec;

pub(crate) use leaf::{line_number, lines_between};
pub(crate) use value::{Kind, Value, read};
pub(crate) use write::print;

use self::fields::{Field, Fields, at, contradiction, field, unsupported, wrong};
use self::leaf::What;
use self::readings::Piece;
use crate::ParseOptions;
use crate::error::ParseError;
use crate::input::{InputLine, each_line, line_at, malformed, quoted};

/// Names of the formats that a document may be.
pub(crate) const STR_REPLACE: &str = "str-replace";
pub(crate) const LINE_RANGE: &str = "line-range";
pub(crate) const WHOLE_FILE: &str = "whole-file";

/// Tells whether `input` looks like an edit document, and of which format.
pub(crate) fn claimed(input: &[u8]) -> Option<&'static str> {
    let begins = matches!(input.trim_ascii_start().first(), Some(b'{' | b'['));
    if !begins && !names_a_path(input) {
        return None;
    }
    // The first value is enough to tell; where it is none, a text that begins so is JSON cut off.
    let first = each_line(input).find(opens_value)?;
    let kind = read(input, first.start)
        .ok()
        .and_then(|(value, _)| kind(&value, 0));
    kind.or(begins.then_some(STR_REPLACE))
}

/// Tells whether the name of a path field stands in `input` as a JSON key.
fn names_a_path(input: &[u8]) -> bool {
    let keys = [
        "\"path\"",
        "\"file_path\"",
        "\"filePath\"",
        "\"filename\"",
        "\"file\"",
        "\"edits\"",
    ];
    keys.iter()
        .any(|key| memchr::memmem::find(input, key.as_bytes()).is_some())
}

/// Returns the format of the first change in `value`.
fn kind(value: &Value, depth: usize) -> Option<&'static str> {
    let inner = |value: &Value| kind(value, depth + 1);
    match &value.kind {
        Kind::Array(items) => items.iter().find_map(inner),
        Kind::Object(object) => {
            let get = |wanted: Field| {
                object
                    .iter()
                    .find(|(name, _)| field(name) == Some(wanted))
                    .map(|(_, value)| value)
            };
            let has = |wanted: Field| get(wanted).is_some_and(|value| value.kind != Kind::Null);
            if let Some(value) = get(Field::Edits).or_else(|| get(Field::Wrapper)) {
                return inner(value);
            }
            if has(Field::Old) || has(Field::Symbol) {
                Some(STR_REPLACE)
            } else if has(Field::Lines) || has(Field::Start) {
                Some(LINE_RANGE)
            } else if has(Field::After) {
                Some(if has(Field::Command) {
                    STR_REPLACE
                } else {
                    LINE_RANGE
                })
            } else if has(Field::Content) {
                Some(if has(Field::Command) {
                    STR_REPLACE
                } else {
                    WHOLE_FILE
                })
            } else {
                has(Field::Delete).then_some(WHOLE_FILE)
            }
        }
        Kind::String(text) if depth < 8 => inner(&read(text, 0).ok()?.0),
        _ => None,
    }
}

/// Tells whether a key says by itself what is to change.
pub(crate) fn is_change(name: &[u8]) -> bool {
    use Field::{After, Content, Delete, Edits, Lines, New, Old, Start, Symbol};
    field(name).is_some_and(|field| {
        [
            After, Content, Delete, Edits, Lines, New, Old, Start, Symbol,
        ]
        .contains(&field)
    })
}

/// Tells whether a JSON value may begin on `line`.
fn opens_value(line: &InputLine<'_>) -> bool {
    match line.trimmed() {
        [b'{' | b'['] | [b'{', b'"' | b' ' | b'\t' | b'}', ..] => true,
        [b'[', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'{' | b']')),
        _ => false,
    }
}

/// Returns the values in `input`, each beginning on a line of its own or behind another one.
/// What stands between is prose.
fn values(input: &[u8]) -> Result<Vec<Value>, ParseError> {
    let mut values = Vec::new();
    let mut end = 0;
    for line in each_line(input) {
        if line.start < end || !opens_value(&line) {
            continue;
        }
        end = line.start;
        loop {
            let (value, behind) = read(input, end)?;
            values.push(value);
            end = behind;
            let tail = lines::split(input.get(end..).unwrap_or_default()).next();
            let tail = tail.unwrap_or_default().trim_ascii();
            if !matches!(tail.first(), Some(b'{' | b'[')) {
                check_tail(input, end, tail)?;
                break;
            }
        }
    }
    Ok(values)
}

/// Refuses text behind a value on its line, other than what closes a list, a fence or a tag.
fn check_tail(input: &[u8], at: usize, tail: &[u8]) -> Result<(), ParseError> {
    let closes = tail.starts_with(b"```") || tail.starts_with(b"</");
    if closes || matches!(tail, b"," | b";" | b"") {
        return Ok(());
    }
    let message = format!("{} follows the JSON on its last line", quoted(tail));
    let span = Span {
        start: at,
        end: at.saturating_add(tail.len()),
    };
    Err(ParseError {
        line: line_at(input, at),
        span,
        ..malformed(message)
    })
}

/// Reads an edit document.
///
/// # Errors
///
/// Where it is no JSON, is cut off, repeats a key, or asks for nothing that can be told.
pub(crate) fn parse(input: &[u8], options: &ParseOptions) -> Result<Parsed, ParseError> {
    let values = values(input)?;
    let mut document = Document {
        input,
        counted: (0, 1),
        pieces: Vec::new(),
        recoveries: Vec::new(),
    };
    for value in &values {
        let fallback = options.path.clone().map(PathSpec::from_caller);
        let outer = Outer {
            fallback,
            ..Outer::default()
        };
        document
            .read(value, &outer, 0)
            .map_err(|error| document.placed(error))?;
    }
    if document.pieces.is_empty() {
        return Err(malformed("the JSON holds no edit"));
    }
    let format = values
        .iter()
        .find_map(|value| kind(value, 0))
        .unwrap_or(STR_REPLACE);
    let Document {
        pieces, recoveries, ..
    } = document;
    let steps = vec![Step {
        label: None,
        readings: readings::readings(&pieces),
    }];
    Ok(Parsed {
        format,
        steps,
        recoveries,
    })
}

/// What an object inherits from those around it.
#[derive(Clone, Debug, Default)]
struct Outer {
    path: Option<PathSpec>,
    /// The path of the caller's options, which any path in the text goes before.
    fallback: Option<PathSpec>,
    base: Option<Base>,
    dir: Option<BString>,
    creates: bool,
}

struct Document<'a> {
    input: &'a [u8],
    /// An offset and its line, from which the next one is counted.
    counted: (usize, usize),
    pieces: Vec<Piece>,
    recoveries: Vec<Recovery>,
}

impl Document<'_> {
    /// Gives `error` its line, and the path where the caller named it.
    fn placed(&self, error: ParseError) -> ParseError {
        if error.line > 0 || error.span == Span::default() {
            return error;
        }
        ParseError {
            line: line_at(self.input, error.span.start),
            ..error
        }
    }

    /// Returns the line of an offset; cheap for offsets that go up.
    fn line_of(&mut self, offset: usize) -> usize {
        let (at, line) = self.counted;
        let between = self.input.get(at..offset);
        let line = match between {
            Some(text) => line + memchr::memchr_iter(b'\n', text).count(),
            None => line_at(self.input, offset),
        };
        self.counted = (offset, line);
        line
    }

    fn read(&mut self, value: &Value, outer: &Outer, depth: usize) -> Result<(), ParseError> {
        match &value.kind {
            Kind::Array(items) => items
                .iter()
                .try_for_each(|item| self.read(item, outer, depth)),
            Kind::Object(object) => self.object(value, object, outer, depth),
            _ => Err(at(
                value,
                malformed(format!("{} stands where an edit is expected", value.noun())),
            )),
        }
    }

    fn object(
        &mut self,
        value: &Value,
        object: &[(BString, Value)],
        outer: &Outer,
        depth: usize,
    ) -> Result<(), ParseError> {
        let fields = Fields::of(object)?;
        let line = self.line_of(value.span.start);
        for name in &fields.unknown {
            let message = format!("the key {} was left aside", quoted(name));
            self.recoveries.push(Recovery { line, message });
        }
        if fields.flag(Field::DryRun)? == Some(true) {
            return Err(unsupported(
                value,
                "a dry run is asked for inside of the edit; use `--check`",
            ));
        }
        let inner = outer.with(&fields)?;
        if let Some(wrapped) = fields.get(Field::Wrapper) {
            return self.wrapped(wrapped, &fields, &inner, depth);
        }
        if let Some(edits) = fields.get(Field::Edits) {
            return self.edits(edits, &fields, &inner, depth);
        }
        let mut what = leaf::read(value, &fields).map_err(|error| named(error, &inner))?;
        if let (true, What::Change(change)) = (inner.creates, &mut what) {
            creating(change);
        }
        let Some(path) = inner.path.or(inner.fallback) else {
            return Err(at(value, malformed("the edit names no file")));
        };
        self.pieces.push(Piece {
            path,
            base: inner.base,
            what,
            span: value.span,
        });
        Ok(())
    }

    fn wrapped(
        &mut self,
        wrapped: &Value,
        fields: &Fields<'_>,
        inner: &Outer,
        depth: usize,
    ) -> Result<(), ParseError> {
        let allowed = [
            Field::Wrapper,
            Field::Name,
            Field::Dir,
            Field::Command,
            Field::Path,
            Field::Base,
        ];
        if let Some((field, value)) = fields.beside(&allowed) {
            return Err(contradiction(field, value, "a call's arguments"));
        }
        let Kind::String(text) = &wrapped.kind else {
            return self.read(wrapped, inner, depth);
        };
        if depth > 4 {
            return Err(at(wrapped, malformed("strings of JSON nest too deep")));
        }
        let inside = |error: ParseError| ParseError {
            line: 0,
            span: wrapped.span,
            ..error
        };
        let (mut value, end) = read(text, 0).map_err(inside)?;
        if text
            .get(end..)
            .is_some_and(|rest| !rest.trim_ascii().is_empty())
        {
            return Err(at(
                wrapped,
                malformed("text follows the JSON in a call's arguments"),
            ));
        }
        spread(&mut value, wrapped.span);
        self.read(&value, inner, depth + 1)
    }

    fn edits(
        &mut self,
        edits: &Value,
        fields: &Fields<'_>,
        inner: &Outer,
        depth: usize,
    ) -> Result<(), ParseError> {
        let allowed = [
            Field::Edits,
            Field::Path,
            Field::Base,
            Field::Dir,
            Field::Name,
            Field::Command,
            Field::DryRun,
        ];
        if let Some((field, value)) = fields.beside(&allowed) {
            return Err(contradiction(field, value, "a list of edits"));
        }
        match &edits.kind {
            Kind::Array(items) if !items.is_empty() => self.read(edits, inner, depth),
            Kind::Array(_) => Err(at(edits, malformed("the list of edits is empty"))),
            _ => Err(wrong(Field::Edits, "an array", edits)),
        }
    }
}

impl Outer {
    /// Returns what an object with `fields` adds to this.
    fn with(&self, fields: &Fields<'_>) -> Result<Self, ParseError> {
        let mut inner = self.clone();
        if let Some(dir) = fields.text(Field::Dir)? {
            inner.dir = Some(dir.clone());
        }
        if let Some(base) = fields.get(Field::Base) {
            inner.base = Some(leaf::base(base)?);
        }
        if let Some(name) = fields.text(Field::Name)? {
            inner.creates |= leaf::creates(name);
        }
        let Some(text) = fields.text(Field::Path)? else {
            return Ok(inner);
        };
        let path = PathSpec::from_caller(joined(inner.dir.as_ref(), text));
        if self.path.as_ref().is_some_and(|outer| *outer != path) {
            let message = format!(
                "the edit is for {} inside of a list for another file",
                quoted(text)
            );
            return Err(fields.get(Field::Path).map_or_else(
                || malformed(&*message),
                |value| at(value, malformed(&*message)),
            ));
        }
        inner.path = Some(path);
        Ok(inner)
    }
}

/// Returns `path` as it is called from where `dir` is.
pub(crate) fn joined(dir: Option<&BString>, path: &BString) -> BString {
    match dir {
        Some(dir) if !path.starts_with(b"/") && !dir.is_empty() && dir != "." => {
            let dir = dir.strip_suffix(b"/").unwrap_or(dir);
            [dir, b"/", path].concat().into()
        }
        _ => path.clone(),
    }
}

fn named(error: ParseError, outer: &Outer) -> ParseError {
    let path = outer.path.as_ref().map(|path| path.text.clone());
    ParseError {
        path: error.path.or(path),
        ..error
    }
}

fn creating(change: &mut surefoot_engine::patch::Change) {
    use surefoot_engine::patch::{Change, Existing};
    if let Change::Write { content } = change {
        let content = std::mem::take(content);
        *change = Change::Create {
            content,
            existing: Existing::Exists,
        };
    }
}

/// Gives `value` and all within the place `span`.
fn spread(value: &mut Value, span: Span) {
    value.span = span;
    match &mut value.kind {
        Kind::Array(items) => items.iter_mut().for_each(|item| spread(item, span)),
        Kind::Object(fields) => fields.iter_mut().for_each(|(_, value)| spread(value, span)),
        _ => {}
    }
}
