//! The names under which agents' tools send the parts of an edit.

use bstr::BString;

use super::value::{Kind, Value};
use crate::error::{ParseError, ParseErrorKind};
use crate::input::{malformed, quoted};

/// A part of an edit document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Path,
    Old,
    New,
    /// Whether every place is meant.
    All,
    /// How many places are meant.
    Places,
    Lines,
    Start,
    End,
    /// The line that the new text comes after.
    After,
    Expect,
    Digest,
    Base,
    Content,
    Delete,
    Symbol,
    Command,
    /// The tool's name.
    Name,
    /// A list of edits, or of calls.
    Edits,
    /// The call's arguments.
    Wrapper,
    /// The folder that paths count from.
    Dir,
    DryRun,
    /// A patch in another format, which goes with nothing else.
    Patch,
    /// Says nothing about what is to change.
    Harmless,
}

/// Names by which a field goes, the one for messages first. Case, `_` and `-` do not count.
const NAMES: &[(Field, &[&str])] = &[
    (
        Field::Path,
        &[
            "path",
            "filepath",
            "filename",
            "file",
            "targetfile",
            "relativepath",
            "relativeworkspacepath",
        ],
    ),
    (
        Field::Old,
        &[
            "old",
            "oldstring",
            "oldstr",
            "oldtext",
            "search",
            "before",
            "find",
            "original",
            "oldcontent",
        ],
    ),
    (
        Field::New,
        &[
            "new",
            "newstring",
            "newstr",
            "newtext",
            "after",
            "replace",
            "replacement",
            "replacementtext",
            "newcontent",
            "inserttext",
            "text",
        ],
    ),
    (Field::All, &["replace_all", "allow_multiple"]),
    (Field::Places, &["expected_replacements"]),
    (Field::Lines, &["lines", "linerange"]),
    (Field::Start, &["start_line", "linestart"]),
    (Field::End, &["end_line", "lineend"]),
    (Field::After, &["insert_after", "insert_line"]),
    (Field::Expect, &["expect", "expected"]),
    (Field::Digest, &["digest"]),
    (Field::Base, &["base"]),
    (
        Field::Content,
        &["content", "filetext", "contents", "filecontent"],
    ),
    (Field::Delete, &["delete"]),
    (Field::Symbol, &["symbol", "signature"]),
    (Field::Command, &["command"]),
    (Field::Name, &["name", "toolname", "tool"]),
    (Field::Edits, &["edits", "toolcalls", "calls"]),
    (
        Field::Wrapper,
        &[
            "input",
            "toolinput",
            "arguments",
            "args",
            "parameters",
            "params",
            "function",
        ],
    ),
    (Field::Dir, &["cwd", "workdir", "workingdirectory"]),
    (Field::DryRun, &["dry_run"]),
    (Field::Patch, &["patch", "diff", "patchtext"]),
    (
        Field::Harmless,
        &[
            "description",
            "explanation",
            "instruction",
            "instructions",
            "id",
            "type",
            "thinking",
            "reason",
            "reasoning",
            "comment",
            "title",
            "language",
            "callid",
            "tooluseid",
            "toolcallid",
            "index",
            "sessionid",
            "transcriptpath",
            "hookeventname",
            "permissionmode",
            "timeout",
            "timeoutms",
            "status",
            "role",
            "jsonrpc",
            "method",
            "meta",
            "cachecontrol",
            "userfacingdescription",
            "aiproposedcontent",
            "securityrisk",
            "justification",
        ],
    ),
];

/// The fields of one object, each at most once.
#[derive(Debug)]
pub(super) struct Fields<'v> {
    known: Vec<(Field, &'v Value)>,
    /// Names that mean nothing here.
    pub(super) unknown: Vec<&'v BString>,
}

impl<'v> Fields<'v> {
    /// Sorts an object's fields. A field that is null is as good as absent.
    ///
    /// # Errors
    ///
    /// Where two names mean the same.
    pub(super) fn of(object: &'v [(BString, Value)]) -> Result<Self, ParseError> {
        let mut known: Vec<(Field, &Value)> = Vec::new();
        let mut unknown = Vec::new();
        for (name, value) in object {
            match field(name) {
                None => unknown.push(name),
                Some(_) if value.kind == Kind::Null => {}
                Some(Field::Harmless) => {}
                // `tool` and `name` are often both there, and neither says what to change.
                Some(Field::Name) => known.push((Field::Name, value)),
                // An open schema: `symbol` with its `signature`.
                Some(Field::Symbol) => known.push((Field::Symbol, value)),
                Some(field) if known.iter().any(|(have, _)| *have == field) => {
                    let message = format!("two keys say the same, {} the second", quoted(name));
                    return Err(at(value, malformed(message)));
                }
                Some(field) => known.push((field, value)),
            }
        }
        Ok(Self { known, unknown })
    }

    pub(super) fn get(&self, field: Field) -> Option<&'v Value> {
        self.known
            .iter()
            .find(|(have, _)| *have == field)
            .map(|(_, value)| *value)
    }

    pub(super) fn has(&self, field: Field) -> bool {
        self.get(field).is_some()
    }

    /// Returns the first field that is not one of `allowed`.
    pub(super) fn beside(&self, allowed: &[Field]) -> Option<(Field, &'v Value)> {
        self.known
            .iter()
            .copied()
            .find(|(field, _)| !allowed.contains(field))
    }

    /// Returns a string field.
    pub(super) fn text(&self, field: Field) -> Result<Option<&'v BString>, ParseError> {
        match self.get(field) {
            None => Ok(None),
            Some(Value {
                kind: Kind::String(text),
                ..
            }) => Ok(Some(text)),
            Some(value) => Err(wrong(field, "a string", value)),
        }
    }

    /// Returns a truth value; models also write it as a string.
    pub(super) fn flag(&self, field: Field) -> Result<Option<bool>, ParseError> {
        match self.get(field) {
            None => Ok(None),
            Some(Value {
                kind: Kind::Bool(flag),
                ..
            }) => Ok(Some(*flag)),
            Some(value) => match &value.kind {
                Kind::String(text) if text.eq_ignore_ascii_case(b"true") => Ok(Some(true)),
                Kind::String(text) if text.eq_ignore_ascii_case(b"false") => Ok(Some(false)),
                _ => Err(wrong(field, "true or false", value)),
            },
        }
    }

    /// Returns a count or line number.
    pub(super) fn number(&self, field: Field) -> Result<Option<u64>, ParseError> {
        self.get(field)
            .map(|value| number(field, value))
            .transpose()
    }
}

/// Returns the whole number that `value` is; models also write it as a string.
pub(super) fn number(field: Field, value: &Value) -> Result<u64, ParseError> {
    let (Kind::Number(digits) | Kind::String(digits)) = &value.kind else {
        return Err(wrong(field, "a whole number", value));
    };
    let plain = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let parsed = plain.then(|| digits.to_string().parse().ok()).flatten();
    parsed.ok_or_else(|| wrong(field, "a whole number", value))
}

/// Returns the field that a tool calls `name`.
pub(super) fn field(name: &[u8]) -> Option<Field> {
    let named = |names: &[&str]| names.iter().any(|known| same(known.as_bytes(), name));
    let (field, _) = NAMES.iter().find(|(_, names)| named(names))?;
    Some(*field)
}

/// Tells whether two names differ in case and in `_` and `-` only.
fn same(known: &[u8], name: &[u8]) -> bool {
    let letter = |b: &&u8| !matches!(b, b'_' | b'-');
    let known = known.iter().filter(letter).map(u8::to_ascii_lowercase);
    known.eq(name.iter().filter(letter).map(u8::to_ascii_lowercase))
}

/// Returns what a field is called in messages.
fn word(field: Field) -> &'static str {
    let names = NAMES
        .iter()
        .find(|(have, _)| *have == field)
        .map(|(_, names)| *names);
    names.and_then(<[&str]>::first).copied().unwrap_or("field")
}

/// Returns the error that `value` is not what `field` asks for.
pub(super) fn wrong(field: Field, wanted: &str, value: &Value) -> ParseError {
    let message = format!(
        "`{}` is to be {wanted} and is {}",
        word(field),
        value.noun()
    );
    at(value, malformed(message))
}

/// Returns the error that `field` does not go with `with`.
pub(super) fn contradiction(field: Field, value: &Value, with: &str) -> ParseError {
    at(
        value,
        malformed(format!("`{}` does not go with {with}", word(field))),
    )
}

/// Returns `error`, placed at `value`.
pub(super) fn at(value: &Value, error: ParseError) -> ParseError {
    ParseError {
        span: value.span,
        ..error
    }
}

/// Returns the error that what `value` asks for is not done here.
pub(super) fn unsupported(value: &Value, message: impl Into<String>) -> ParseError {
    let error = malformed(message);
    ParseError {
        kind: ParseErrorKind::Unsupported,
        span: value.span,
        ..error
    }
}
