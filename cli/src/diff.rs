//! `--diff`: a landed plan as a unified diff that `git apply` takes, or in colour for people.

use std::time::Duration;

use bstr::{BStr, ByteSlice as _};
use similar::{ChangeTag, DiffOp, TextDiff};
use surefoot_engine::lines;
use surefoot_engine::outcome::Applied;
use surefoot_engine::patch::Mode;
use surefoot_engine::plan::{Action, After, FilePlan};
use surefoot_engine::preimage::State;

use crate::report::{put, quoted_path};
use crate::terminal::{Colour, Style};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// The longest that lining two texts up may take. What is not lined up by then is shown as
/// replaced, which is as right and only longer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many bytes at a file's start decide whether it is binary, as git does it.
const BINARY: usize = 8000;

/// Returns the change to every file, in the plan's order.
///
/// In colour the text is for people: control characters are escaped, and what changed inside a line
/// is set off. Without, it is for programs, byte for byte.
pub(crate) fn of(applied: &Applied, colour: Colour) -> Vec<u8> {
    let mut out = Vec::new();
    for file in applied
        .plan
        .files()
        .iter()
        .filter(|file| file.action != Action::None)
    {
        let old_path = file.from.as_ref().unwrap_or(&file.path);
        let old = match applied
            .preimages
            .get(old_path)
            .map(|preimage| &preimage.state)
        {
            Some(State::File { content, mode }) if file.action != Action::Create => Some(Image {
                content: content.as_slice(),
                mode: *mode,
            }),
            _ => None,
        };
        let after = applied
            .plan
            .outputs()
            .get(&file.path)
            .and_then(Option::as_ref);
        let new = match (file.action, after) {
            (Action::Delete, _) => None,
            (_, Some(After { content, mode })) => Some(Image {
                content,
                mode: *mode,
            }),
            // A path whose state stays has none in the plan.
            (_, None) => old,
        };
        write_file(&mut out, file, old, new, colour);
    }
    out
}

/// A file's state on one side.
#[derive(Clone, Copy)]
struct Image<'a> {
    content: &'a [u8],
    mode: Mode,
}

fn write_file(
    out: &mut Vec<u8>,
    file: &FilePlan,
    old: Option<Image<'_>>,
    new: Option<Image<'_>>,
    colour: Colour,
) {
    let new_path = file.path.as_bstr();
    let old_path = file.from.as_ref().map_or(new_path, |from| from.as_bstr());
    let (a, b) = (side("a/", old_path), side("b/", new_path));
    let mut head = format!("diff --git {a} {b}\n");
    write_modes(&mut head, old, new);
    if let (Some(from), Action::Rename | Action::Copy) = (&file.from, file.action) {
        let word = if file.action == Action::Rename {
            "rename"
        } else {
            "copy"
        };
        let (from, to) = (side("", from.as_bstr()), side("", new_path));
        put(
            &mut head,
            format_args!("{word} from {from}\n{word} to {to}\n"),
        );
    }
    let (old_text, new_text) = (content(old), content(new));
    if old_text == new_text && old.is_some() == new.is_some() {
        return put_head(out, &head, colour);
    }
    write_ids(&mut head, file, old, new);
    if is_binary(old_text) || is_binary(new_text) {
        put(&mut head, format_args!("Binary files {a} and {b} differ\n"));
        return put_head(out, &head, colour);
    }
    if !(old_text.is_empty() && new_text.is_empty()) {
        let a = if old.is_some() {
            a
        } else {
            "/dev/null".to_owned()
        };
        let b = if new.is_some() {
            b
        } else {
            "/dev/null".to_owned()
        };
        // git ends a name with blanks by a tab, so that it can be told where the name ends.
        let end = |name: &str| {
            if name.contains(' ') && !name.starts_with('"') {
                "\t"
            } else {
                ""
            }
        };
        put(
            &mut head,
            format_args!("--- {a}{}\n+++ {b}{}\n", end(&a), end(&b)),
        );
    }
    put_head(out, &head, colour);
    write_hunks(out, old_text, new_text, colour);
}

fn content(image: Option<Image<'_>>) -> &[u8] {
    image.map(|image| image.content).unwrap_or_default()
}

fn is_binary(text: &[u8]) -> bool {
    text.iter().take(BINARY).any(|byte| *byte == 0)
}

/// Returns a name as git's headers have it: quoted where it holds anything unusual.
fn side(prefix: &str, path: &BStr) -> String {
    let plain = |b: &u8| (b' '..=b'~').contains(b) && !matches!(b, b'"' | b'\\');
    let name: Vec<u8> = [prefix.as_bytes(), path.as_bytes()].concat();
    match std::str::from_utf8(&name) {
        Ok(name) if name.bytes().all(|b| plain(&b)) => name.to_owned(),
        _ => quoted_path(&name),
    }
}

fn write_modes(head: &mut String, old: Option<Image<'_>>, new: Option<Image<'_>>) {
    match (old, new) {
        (None, Some(new)) => put(head, format_args!("new file mode {}\n", new.mode.octal())),
        (Some(old), None) => put(
            head,
            format_args!("deleted file mode {}\n", old.mode.octal()),
        ),
        (Some(old), Some(new)) if old.mode != new.mode => {
            let (old, new) = (old.mode.octal(), new.mode.octal());
            put(head, format_args!("old mode {old}\nnew mode {new}\n"));
        }
        _ => {}
    }
}

/// Writes the `index` line, unless an id is not known.
fn write_ids(head: &mut String, file: &FilePlan, old: Option<Image<'_>>, new: Option<Image<'_>>) {
    let null = |id: &String| "0".repeat(id.len());
    let (before, after) = (
        file.before.map(|id| id.to_string()),
        file.after.map(|id| id.to_string()),
    );
    let (before, after) = match (old, new) {
        (None, _) => (after.as_ref().map(null), after),
        (_, None) => (before.clone(), before.as_ref().map(null)),
        _ => (before, after),
    };
    if let (Some(before), Some(after)) = (before, after) {
        let mode = match (old, new) {
            (Some(old), Some(new)) if old.mode == new.mode => format!(" {}", old.mode.octal()),
            _ => String::new(),
        };
        put(head, format_args!("index {before}..{after}{mode}\n"));
    }
}

fn put_head(out: &mut Vec<u8>, head: &str, colour: Colour) {
    for line in head.lines() {
        out.extend_from_slice(colour.paint(Style::Head, line).as_bytes());
        out.push(b'\n');
    }
}

fn write_hunks(out: &mut Vec<u8>, old: &[u8], new: &[u8], colour: Colour) {
    let old: Vec<&[u8]> = lines::split(old).collect();
    let new: Vec<&[u8]> = lines::split(new).collect();
    let diff = TextDiff::configure()
        .timeout(PATIENCE)
        .diff_slices(&old, &new);
    for group in diff.grouped_ops(CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let old_range = span(first.old_range().start, last.old_range().end);
        let new_range = span(first.new_range().start, last.new_range().end);
        out.extend_from_slice(format!("@@ -{old_range} +{new_range} @@\n").as_bytes());
        for op in &group {
            match colour {
                Colour::Off => write_plain(out, &diff, op),
                Colour::On => write_coloured(out, &diff, op, colour),
            }
        }
    }
}

/// Returns a range of a hunk header: the first line from 1 and the number of lines; with none, the
/// line before.
fn span(start: usize, end: usize) -> String {
    match end.saturating_sub(start) {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        len => format!("{},{len}", start + 1),
    }
}

fn write_plain(out: &mut Vec<u8>, diff: &TextDiff<'_, '_, [u8]>, op: &DiffOp) {
    for change in diff.iter_changes(op) {
        out.push(match change.tag() {
            ChangeTag::Equal => b' ',
            ChangeTag::Delete => b'-',
            ChangeTag::Insert => b'+',
        });
        out.extend_from_slice(change.value());
        if !change.value().ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

fn write_coloured(out: &mut Vec<u8>, diff: &TextDiff<'_, '_, [u8]>, op: &DiffOp, colour: Colour) {
    for change in diff.iter_inline_changes(op) {
        let (sign, styles) = match change.tag() {
            ChangeTag::Equal => (" ", None),
            ChangeTag::Delete => ("-", Some((Style::Delete, Style::DeletePart))),
            ChangeTag::Insert => ("+", Some((Style::Insert, Style::InsertPart))),
        };
        let paint = |part: bool, text: &str| match styles {
            Some((_, style)) if part => colour.paint(style, text),
            Some((style, _)) => colour.paint(style, text),
            None => text.to_owned(),
        };
        out.extend_from_slice(paint(false, sign).as_bytes());
        for (part, text) in change.values() {
            let (text, _) = lines::split_ending(text);
            if text.is_empty() {
                continue;
            }
            out.extend_from_slice(paint(*part, &crate::report::safe_text(text)).as_bytes());
        }
        out.push(b'\n');
        if change.missing_newline() {
            out.extend_from_slice(b"\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests;
