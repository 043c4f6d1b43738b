//! Writing a patch as V4A.

use bstr::BString;
use surefoot_engine::lines;
use surefoot_engine::patch::{
    Change, Destination, Edit, Existing, Hunk, Line, LineHunk, Order, Patch,
};
use surefoot_engine::path::{PathSpec, RelativeTo};

use super::header::Header;
use super::ops::is_plain;
use crate::error::PrintError;

/// Writes `patch`.
///
/// # Errors
///
/// For what the format has no words for.
pub(super) fn print(patch: &Patch) -> Result<BString, PrintError> {
    let mut out = BString::from("*** Begin Patch\n");
    if patch.edits.is_empty() {
        return Err(PrintError("a patch without edits"));
    }
    for edit in &patch.edits {
        print_edit(edit, &mut out)?;
    }
    out.extend_from_slice(b"*** End Patch\n");
    Ok(out)
}

fn path(path: &PathSpec) -> Result<&BString, PrintError> {
    let plain = path.or.is_none() && path.relative_to == RelativeTo::Root && is_plain(&path.text);
    if plain {
        Ok(&path.text)
    } else {
        Err(PrintError("such a path"))
    }
}

fn marker(words: &str, path: &BString, out: &mut BString) {
    let parts: [&[u8]; 5] = [b"*** ", words.as_bytes(), b": ", path, b"\n"];
    out.extend_from_slice(&parts.concat());
}

fn print_edit(edit: &Edit, out: &mut BString) -> Result<(), PrintError> {
    if edit.mode.is_some() || edit.base.is_some() || edit.post.is_some() {
        return Err(PrintError("a file mode, base or result id"));
    }
    let name = path(&edit.path)?;
    let moved = match &edit.destination {
        Destination::Same => None,
        Destination::Rename(to) => Some(path(to)?),
        Destination::Copy(_) => return Err(PrintError("a copy")),
    };
    match (&edit.change, moved) {
        (
            Change::Create {
                content,
                existing: Existing::Exists,
            },
            None,
        ) => {
            marker("Add File", name, out);
            print_new(content, out)
        }
        (Change::Delete { shown: None }, None) => {
            marker("Delete File", name, out);
            Ok(())
        }
        (Change::Keep, Some(to)) => {
            marker("Update File", name, out);
            marker("Move to", to, out);
            Ok(())
        }
        (
            Change::Modify {
                hunks,
                order: Order::File,
            },
            moved,
        ) if !hunks.is_empty() => {
            marker("Update File", name, out);
            if let Some(to) = moved {
                marker("Move to", to, out);
            }
            hunks.iter().try_for_each(|hunk| print_hunk(hunk, out))
        }
        _ => Err(PrintError("such a change")),
    }
}

fn print_new(content: &[u8], out: &mut BString) -> Result<(), PrintError> {
    for line in lines::split(content) {
        if !line.ends_with(b"\n") {
            return Err(PrintError("a new file without final newline"));
        }
        out.push(b'+');
        out.extend_from_slice(line);
    }
    Ok(())
}

fn print_hunk(hunk: &Hunk, out: &mut BString) -> Result<(), PrintError> {
    let Hunk::Lines(hunk) = hunk else {
        return Err(PrintError("a hunk that is not made of lines"));
    };
    if hunk.lines.is_empty() {
        return Err(PrintError("a hunk without lines"));
    }
    print_headers(hunk, out)?;
    for line in &hunk.lines {
        let (sign, text) = match line {
            Line::Context(text) => (b' ', text),
            Line::Delete(text) => (b'-', text),
            Line::Insert(text) => (b'+', text),
        };
        let one_line = text.ends_with(b"\n") && lines::split(text).count() == 1;
        if !one_line {
            return Err(PrintError("a last line without its newline"));
        }
        out.push(sign);
        out.extend_from_slice(text);
    }
    if hunk.at_end {
        out.extend_from_slice(b"*** End of File\n");
    }
    Ok(())
}

fn print_headers(hunk: &LineHunk, out: &mut BString) -> Result<(), PrintError> {
    for scope in &hunk.scopes {
        let line = [b"@@ ", scope.as_slice()].concat();
        if Header::of(&line) != Some(Header::Scope(scope.clone())) || line.contains(&b'\n') {
            return Err(PrintError("such a scope"));
        }
        out.extend_from_slice(&line);
        out.push(b'\n');
    }
    match (hunk.old_start, hunk.new_start) {
        (Some(old), Some(new)) => {
            let place = |at: lines::LineNo, count: usize| match count {
                0 => format!("{},0", at.0),
                _ => format!("{at},{count}"),
            };
            let (old_len, new_len) = (hunk.old().count(), hunk.new_lines().count());
            let numbers = format!("@@ -{} +{} @@", place(old, old_len), place(new, new_len));
            let heading = hunk.heading.clone().unwrap_or_default();
            let blank: &[u8] = if heading.is_empty() { b"" } else { b" " };
            let line = [numbers.as_bytes(), blank, &heading].concat();
            let same = Header::Numbers {
                old,
                new,
                heading: hunk.heading.clone(),
            };
            if Header::of(&line) != Some(same) || line.contains(&b'\n') {
                return Err(PrintError("such a heading"));
            }
            out.extend_from_slice(&line);
            out.push(b'\n');
        }
        (None, None) if hunk.heading.is_none() => {
            if hunk.scopes.is_empty() {
                out.extend_from_slice(b"@@\n");
            }
        }
        _ => {
            return Err(PrintError(
                "a heading without line numbers, or one of two of them",
            ));
        }
    }
    Ok(())
}
