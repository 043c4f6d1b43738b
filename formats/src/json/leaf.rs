//! One JSON object that asks for one change.

use bstr::{BString, ByteSlice as _};
use surefoot_engine::blob::IdPrefix;
use surefoot_engine::lines::{LineNo, LineRange};
use surefoot_engine::patch::{
    Base, Change, Count, Existing, Expect, Hunk, RangeHunk, Span, TextHunk,
};

use super::fields::{Field, Fields, at, contradiction, number, unsupported, wrong};
use super::value::{Kind, Value};
use crate::error::ParseError;
use crate::input::{malformed, quoted};

/// What one object asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Hunk(Hunk),
    Change(Change),
}

/// The form of an edit, by the fields that only it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Pair,
    Range,
    Insert,
    Content,
    Delete,
}

/// Fields that go with every shape.
const COMMON: [Field; 6] = [
    Field::Path,
    Field::Base,
    Field::Dir,
    Field::Command,
    Field::Name,
    Field::DryRun,
];

/// Reads the change that `value`, an object with `fields`, asks for.
///
/// # Errors
///
/// Where it asks for none, for two, or for half of one.
pub(super) fn read(value: &Value, fields: &Fields<'_>) -> Result<What, ParseError> {
    if let Some(symbol) = fields.get(Field::Symbol) {
        return Err(unsupported(
            symbol,
            "edits of a whole function by name are not read yet",
        ));
    }
    check_known(value, fields)?;
    let shape = shape(value, fields)?;
    check_command(shape, value, fields)?;
    check_fields(shape, fields)?;
    match shape {
        Shape::Pair => pair(value, fields),
        Shape::Range => range(value, fields),
        Shape::Insert => insert(value, fields),
        Shape::Content => content(value, fields),
        Shape::Delete => Ok(What::Change(Change::Delete { shown: None })),
    }
}

fn shape(value: &Value, fields: &Fields<'_>) -> Result<Shape, ParseError> {
    let ranged = [Field::Lines, Field::Start, Field::End]
        .iter()
        .any(|f| fields.has(*f));
    let inserts = fields.has(Field::After);
    let deletes = fields.flag(Field::Delete)? == Some(true);
    // `content` may also be what the other two forms insert.
    let content = fields.has(Field::Content) && !(ranged || inserts);
    let shapes = [
        (fields.has(Field::Old), Shape::Pair),
        (ranged, Shape::Range),
        (inserts, Shape::Insert),
        (content, Shape::Content),
        (deletes, Shape::Delete),
    ];
    let mut named = shapes.iter().filter(|(is, _)| *is).map(|(_, shape)| *shape);
    match (named.next(), named.next()) {
        (Some(shape), None) => Ok(shape),
        (None, _) => Err(at(
            value,
            malformed("the object names no change: no old text, lines or content"),
        )),
        _ => Err(at(
            value,
            malformed("the object names two kinds of change at once"),
        )),
    }
}

fn check_known(value: &Value, fields: &Fields<'_>) -> Result<(), ParseError> {
    const KNOWN: [&[u8]; 7] = [
        b"str_replace",
        b"replace",
        b"edit",
        b"insert",
        b"create",
        b"write",
        b"delete",
    ];
    match fields.text(Field::Command)? {
        Some(command) if !KNOWN.contains(&command.as_slice()) => {
            let message = format!(
                "the command {} is none that changes a file",
                quoted(command)
            );
            Err(unsupported(value, message))
        }
        _ => Ok(()),
    }
}

fn check_command(shape: Shape, value: &Value, fields: &Fields<'_>) -> Result<(), ParseError> {
    let Some(command) = fields.text(Field::Command)? else {
        return Ok(());
    };
    let fits = match command.as_slice() {
        b"str_replace" | b"replace" | b"edit" => shape == Shape::Pair,
        b"insert" => shape == Shape::Insert,
        b"create" | b"write" => shape == Shape::Content,
        _ => shape == Shape::Delete,
    };
    if fits {
        return Ok(());
    }
    Err(at(
        value,
        malformed(format!(
            "the command {} does not go with the other keys",
            quoted(command)
        )),
    ))
}

fn check_fields(shape: Shape, fields: &Fields<'_>) -> Result<(), ParseError> {
    let (own, words): (&[Field], _) = match shape {
        Shape::Pair => (
            &[Field::Old, Field::New, Field::All, Field::Places],
            "a pair of texts",
        ),
        Shape::Range => (
            &[
                Field::Lines,
                Field::Start,
                Field::End,
                Field::New,
                Field::Content,
                Field::Expect,
                Field::Digest,
            ],
            "a range of lines",
        ),
        Shape::Insert => (
            &[
                Field::After,
                Field::New,
                Field::Content,
                Field::Expect,
                Field::Digest,
            ],
            "an insertion",
        ),
        Shape::Content => (&[Field::Content], "a whole content"),
        Shape::Delete => (&[], "a deletion"),
    };
    let allowed: Vec<Field> = COMMON
        .iter()
        .chain(own)
        .copied()
        .chain([Field::Delete])
        .collect();
    match fields.beside(&allowed) {
        // `replace_all: false` says nothing.
        Some((Field::All, _)) if fields.flag(Field::All)? == Some(false) => Ok(()),
        Some((field, value)) => Err(contradiction(field, value, words)),
        None => Ok(()),
    }
}

fn required<'v>(
    field: Field,
    words: &str,
    value: &Value,
    fields: &Fields<'v>,
) -> Result<&'v BString, ParseError> {
    let missing = || at(value, malformed(format!("the {words} is missing")));
    fields.text(field)?.ok_or_else(missing)
}

fn pair(value: &Value, fields: &Fields<'_>) -> Result<What, ParseError> {
    let old = required(Field::Old, "old text", value, fields)?;
    let nothing = BString::default();
    let new = match fields.text(Field::New)? {
        // That tool's own contract: to leave the new text out is to delete the old one. From any
        // other a missing text is a cut-off or forgotten one.
        None if is_str_replace(fields)? => &nothing,
        _ => required(Field::New, "new text", value, fields)?,
    };
    let all = fields.flag(Field::All)?;
    let places = fields.number(Field::Places)?;
    if old.is_empty() {
        if all == Some(true) || places.is_some_and(|n| n != 1) {
            return Err(at(
                value,
                malformed(
                    "an empty old text stands everywhere; it cannot be replaced at all places",
                ),
            ));
        }
        if new.is_empty() {
            return Err(at(value, malformed("old and new text are both empty")));
        }
        let change = Change::Create {
            content: new.clone(),
            existing: Existing::Malformed,
        };
        return Ok(What::Change(change));
    }
    let count = match (places, all) {
        (Some(0), _) => {
            return Err(at(
                value,
                malformed("0 replacements are expected, so there is nothing to do"),
            ));
        }
        (Some(2..), Some(false)) => {
            return Err(at(
                value,
                malformed("several replacements are expected, and only one is allowed"),
            ));
        }
        (Some(1), _) => Count::One,
        (Some(n), _) => Count::Exactly(n),
        (None, Some(true)) => Count::All,
        (None, _) => Count::One,
    };
    let hunk = TextHunk {
        old: old.clone(),
        new: new.clone(),
        count,
        span: value.span,
    };
    Ok(What::Hunk(Hunk::Text(hunk)))
}

fn is_str_replace(fields: &Fields<'_>) -> Result<bool, ParseError> {
    Ok(fields
        .text(Field::Command)?
        .is_some_and(|command| command == "str_replace"))
}

fn new_text(value: &Value, fields: &Fields<'_>) -> Result<BString, ParseError> {
    match (fields.text(Field::New)?, fields.text(Field::Content)?) {
        (Some(text), None) | (None, Some(text)) => Ok(text.clone()),
        (Some(_), Some(_)) => Err(at(value, malformed("two keys give the new text"))),
        (None, None) => Err(at(value, malformed("the new text is missing"))),
    }
}

fn range(value: &Value, fields: &Fields<'_>) -> Result<What, ParseError> {
    let (first, last) = match fields.get(Field::Lines) {
        Some(lines) => {
            let split = [Field::Start, Field::End]
                .into_iter()
                .find_map(|f| Some((f, fields.get(f)?)));
            if let Some((field, other)) = split {
                return Err(contradiction(field, other, "`lines`"));
            }
            two_numbers(lines)?
        }
        None => match (fields.number(Field::Start)?, fields.number(Field::End)?) {
            (Some(first), Some(last)) => (first, last),
            _ => {
                return Err(at(
                    value,
                    malformed("a range needs its first and its last line"),
                ));
            }
        },
    };
    let lines = lines_between(first, last).map_err(|error| at(value, error))?;
    let new = new_text(value, fields)?;
    Ok(range_hunk(lines, new, expect(value, fields)?, value.span))
}

fn two_numbers(value: &Value) -> Result<(u64, u64), ParseError> {
    let Kind::Array(items) = &value.kind else {
        return Err(wrong(
            Field::Lines,
            "an array of first and last line",
            value,
        ));
    };
    let [first, last] = items.as_slice() else {
        return Err(wrong(
            Field::Lines,
            "an array of two lines, the first and the last",
            value,
        ));
    };
    Ok((number(Field::Lines, first)?, number(Field::Lines, last)?))
}

/// Returns the lines from `first` to `last`, both counted from 1 and both meant.
///
/// # Errors
///
/// For line 0, and where the last is before the first.
pub(crate) fn lines_between(first: u64, last: u64) -> Result<LineRange, ParseError> {
    let (Some(start), Some(end)) = (LineNo::from_one_based(first), LineNo::from_one_based(last))
    else {
        return Err(malformed("lines are counted from 1, and line 0 is named"));
    };
    let after = end.0.checked_add(1).filter(|_| start <= end);
    let Some(after) = after else {
        return Err(malformed(format!(
            "the last line, {last}, is before the first, {first}"
        )));
    };
    Ok(LineRange::new(start.0, after))
}

fn insert(value: &Value, fields: &Fields<'_>) -> Result<What, ParseError> {
    let after = fields.number(Field::After)?.unwrap_or_default();
    let Ok(place) = usize::try_from(after) else {
        return Err(at(
            value,
            malformed(format!("line {after} is beyond every file")),
        ));
    };
    let new = new_text(value, fields)?;
    if new.is_empty() {
        return Err(at(value, malformed("the text to insert is empty")));
    }
    Ok(range_hunk(
        LineRange::new(place, place),
        new,
        expect(value, fields)?,
        value.span,
    ))
}

fn range_hunk(lines: LineRange, new: BString, expect: Option<Expect>, span: Span) -> What {
    What::Hunk(Hunk::Range(RangeHunk {
        lines,
        new,
        expect,
        span,
    }))
}

fn expect(value: &Value, fields: &Fields<'_>) -> Result<Option<Expect>, ParseError> {
    match (fields.text(Field::Expect)?, fields.text(Field::Digest)?) {
        (None, None) => Ok(None),
        (Some(text), None) => Ok(Some(Expect::Text(text.clone()))),
        (None, Some(digest)) => match digest_bytes(digest) {
            Some(bytes) => Ok(Some(Expect::Digest(bytes))),
            None => Err(at(
                value,
                malformed("a digest is `sha256:` and 64 hex digits"),
            )),
        },
        (Some(_), Some(_)) => Err(at(
            value,
            malformed("both `expect` and `digest` are given: leave one out"),
        )),
    }
}

fn digest_bytes(digest: &[u8]) -> Option<[u8; 32]> {
    let hex = digest
        .strip_prefix(b"sha256:")
        .filter(|hex| hex.len() == 64)?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
        for digit in pair {
            let value = char::from(*digit)
                .to_digit(16)
                .and_then(|d| u8::try_from(d).ok())?;
            *byte = *byte << 4 | value;
        }
    }
    Some(bytes)
}

fn content(value: &Value, fields: &Fields<'_>) -> Result<What, ParseError> {
    let content = required(Field::Content, "content", value, fields)?.clone();
    let creates = fields
        .text(Field::Command)?
        .is_some_and(|command| command == "create")
        || fields.text(Field::Name)?.is_some_and(|name| creates(name));
    Ok(What::Change(if creates {
        Change::Create {
            content,
            existing: Existing::Exists,
        }
    } else {
        Change::Write { content }
    }))
}

/// Tells whether a tool of this name makes new files only.
pub(super) fn creates(name: &[u8]) -> bool {
    let plain: Vec<u8> = name
        .iter()
        .filter(|b| b.is_ascii_alphabetic())
        .map(u8::to_ascii_lowercase)
        .collect();
    matches!(
        plain.as_slice(),
        b"create" | b"createfile" | b"createnewfile"
    )
}

/// Reads a base: a blob id of 7 digits or more, or a receipt `r:<hex>:A-B`.
pub(super) fn base(value: &Value) -> Result<Base, ParseError> {
    let Kind::String(text) = &value.kind else {
        return Err(wrong(Field::Base, "a string", value));
    };
    base_of(text).ok_or_else(|| {
        let message = format!(
            "the base {} is neither a blob id of 7 digits or more nor a receipt",
            quoted(text)
        );
        at(value, malformed(message))
    })
}

fn base_of(text: &[u8]) -> Option<Base> {
    let Some(receipt) = text.strip_prefix(b"r:") else {
        return IdPrefix::new(text)
            .filter(|id| (7..=64).contains(&id.as_str().len()))
            .map(Base::Blob);
    };
    let (hex, lines) = receipt.split_once_str(b":")?;
    let blob = IdPrefix::new(hex).filter(|id| (8..=64).contains(&id.as_str().len()))?;
    let (first, last) = lines.split_once_str(b"-")?;
    let shown = lines_between(line_number(first)?, line_number(last)?).ok()?;
    Some(Base::Receipt {
        blob,
        shown: Some(shown),
    })
}

/// Returns the number that `digits` are, at most 18 of them.
pub(crate) fn line_number(digits: &[u8]) -> Option<u64> {
    let fits = (1..=18).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    fits.then(|| digits.iter().fold(0, |n, d| n * 10 + u64::from(d - b'0')))
}
