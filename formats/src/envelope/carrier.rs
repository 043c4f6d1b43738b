//! JSON tool calls that carry a patch in another format as a string.

use bstr::{BString, ByteSlice as _};
use surefoot_engine::patch::Span;

use super::{End, Payload};
use crate::error::ParseError;
use crate::input::{line_at, malformed};
use crate::json::{Kind, Value, read};

/// A patch found in a call.
pub(super) struct Carried {
    text: BString,
    span: Span,
    dir: Option<BString>,
    path: Option<BString>,
    line: usize,
}

impl Carried {
    pub(super) fn put_into(self, payload: &mut Payload) {
        payload.text = self.text;
        payload.end = End::Closed;
        payload.map.push_whole(self.span);
        payload.dir = self.dir.or(payload.dir.take());
        payload.path = self.path.or(payload.path.take());
        payload.note(self.line, "the edit was taken out of a tool call");
    }
}

/// Keys that hold a patch.
const PATCHES: [&str; 7] = [
    "input",
    "patch",
    "diff",
    "patchText",
    "patch_text",
    "command",
    "cmd",
];
/// Keys that hold the call's arguments.
const WRAPPERS: [&str; 7] = [
    "input",
    "tool_input",
    "arguments",
    "args",
    "parameters",
    "params",
    "function",
];
const DIRS: [&str; 4] = ["workdir", "cwd", "working_directory", "workingDirectory"];
const PATHS: [&str; 5] = ["path", "file_path", "filePath", "filename", "target_file"];

/// Returns the patch that `input`, if it is a call, carries.
///
/// # Errors
///
/// Where the call carries two.
pub(super) fn carried(input: &[u8]) -> Result<Option<Carried>, ParseError> {
    if !matches!(input.trim_ascii().first(), Some(b'{' | b'[')) {
        return Ok(None);
    }
    let Ok((value, end)) = read(input, 0) else {
        return Ok(None);
    };
    let alone = input
        .get(end..)
        .is_some_and(|rest| rest.trim_ascii().is_empty());
    let value = match &value.kind {
        Kind::Array(items) => match items.as_slice() {
            [one] => one,
            _ => return Ok(None),
        },
        _ => &value,
    };
    let Some(mut found) = search(value, value.span, 0)? else {
        return Ok(None);
    };
    if !alone {
        return Err(malformed("several tool calls stand in one input"));
    }
    found.line = line_at(input, found.span.start);
    Ok(Some(found))
}

fn search(value: &Value, at: Span, depth: usize) -> Result<Option<Carried>, ParseError> {
    let Kind::Object(fields) = &value.kind else {
        return Ok(None);
    };
    let get = |names: &[&str]| {
        let named = |name: &BString| names.iter().any(|n| n.as_bytes() == name.as_slice());
        fields
            .iter()
            .filter(move |(name, _)| named(name))
            .map(|(_, value)| value)
            .collect::<Vec<_>>()
    };
    let text = |names: &[&str]| get(names).into_iter().find_map(string).cloned();
    if fields
        .iter()
        .any(|(name, value)| crate::json::is_change(name) && value.kind != Kind::Null)
    {
        return Ok(None);
    }
    let found: Vec<(BString, Span)> = get(&PATCHES)
        .into_iter()
        .filter_map(|value| Some((patch(value)?, if depth == 0 { value.span } else { at })))
        .collect();
    let (dir, path) = (text(&DIRS), text(&PATHS));
    match found.as_slice() {
        [] => {}
        [(text, span)] => {
            return Ok(Some(Carried {
                text: text.clone(),
                span: *span,
                dir,
                path,
                line: 0,
            }));
        }
        _ => return Err(malformed("the tool call carries two patches")),
    }
    if depth > 4 {
        return Ok(None);
    }
    for wrapped in get(&WRAPPERS) {
        let inner = match &wrapped.kind {
            Kind::String(text) => match read(text, 0) {
                Ok((value, _)) => search(&value, wrapped.span, depth + 1)?,
                Err(_) => None,
            },
            _ => search(wrapped, wrapped.span, depth + 1)?,
        };
        if let Some(inner) = inner {
            let (dir, path) = (inner.dir.or(dir), inner.path.or(path));
            return Ok(Some(Carried { dir, path, ..inner }));
        }
    }
    Ok(None)
}

fn string(value: &Value) -> Option<&BString> {
    match &value.kind {
        Kind::String(text) => Some(text),
        _ => None,
    }
}

/// Returns the patch that a value is: a text that is no word, no JSON, or a command line with one.
fn patch(value: &Value) -> Option<BString> {
    match &value.kind {
        Kind::String(text) => {
            let lines = text.contains_str("\n") || text.contains_str("\\n");
            let json = matches!(text.trim_ascii().first(), Some(b'{' | b'['));
            (lines && !json).then(|| text.clone())
        }
        Kind::Array(items) => {
            let words: Option<Vec<&BString>> = items.iter().map(string).collect();
            let words = words?;
            let (last, head) = words.split_last()?;
            let command = head.first()?;
            let applies = matches!(command.as_slice(), b"apply_patch" | b"applypatch");
            let shell = matches!(
                command.as_slice(),
                b"bash" | b"sh" | b"zsh" | b"/bin/bash" | b"/bin/sh"
            ) && head
                .get(1)
                .is_some_and(|flag| flag.starts_with(b"-") && flag.ends_with(b"c"));
            ((applies && head.len() == 1) || (shell && head.len() == 2)).then(|| (*last).clone())
        }
        _ => None,
    }
}
