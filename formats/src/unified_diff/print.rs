//! The inverse of parsing: edits as git would write them.

use bstr::{BStr, BString, ByteSlice as _};
use surefoot_engine::lines::{self, LineNo};
use surefoot_engine::patch::{
    Base, Change, Destination, Edit, Existing, Hunk, Line, LineHunk, Mode, Order, Patch, Span,
};
use surefoot_engine::path::{PathSpec, RelativeTo};

use super::{binary, names};
use crate::PrintError;

/// Writes `patch` as one diff.
pub(super) fn patch(patch: &Patch) -> Result<BString, PrintError> {
    let mut out = Vec::new();
    for edit in &patch.edits {
        section(&mut out, edit)?;
    }
    Ok(out.into())
}

/// Sets every span to nothing, so that patches from different texts compare.
pub(super) fn forget_spans(patch: &mut Patch) {
    for edit in &mut patch.edits {
        edit.span = Span::default();
        if let Change::Modify { hunks, .. } = &mut edit.change {
            for hunk in hunks {
                match hunk {
                    Hunk::Lines(hunk) => hunk.span = Span::default(),
                    Hunk::Text(hunk) => hunk.span = Span::default(),
                    Hunk::Range(hunk) => hunk.span = Span::default(),
                }
            }
        }
    }
}

/// The two names of a section, with prefixes and quoted.
#[derive(Debug)]
struct Names {
    old: BString,
    new: BString,
}

impl Names {
    fn of(edit: &Edit) -> Result<Self, PrintError> {
        let to = match &edit.destination {
            Destination::Same => &edit.path,
            Destination::Rename(to) | Destination::Copy(to) => to,
        };
        for spec in [&edit.path, to] {
            if spec.relative_to != RelativeTo::Root {
                return Err(PrintError("a path that counts from the caller's folder"));
            }
        }
        let (old, new, always) = match &edit.path.or {
            None => (prefixed(b"a/", &edit.path), prefixed(b"b/", to), false),
            // One side carries the prefix that may be a folder, the other does not.
            Some(or) => (
                or.clone(),
                edit.path.text.clone(),
                edit.path.text.contains(&b' '),
            ),
        };
        Ok(Self {
            old: names::quote(&old, always),
            new: names::quote(&new, always),
        })
    }
}

fn prefixed(prefix: &[u8], spec: &PathSpec) -> BString {
    let mut name = BString::from(prefix);
    name.extend_from_slice(&spec.text);
    name
}

fn section(out: &mut Vec<u8>, edit: &Edit) -> Result<(), PrintError> {
    let names = Names::of(edit)?;
    line(out, &[b"diff --git ", &names.old, b" ", &names.new]);
    modes(out, edit)?;
    moved(out, edit);
    index(out, edit)?;
    match &edit.change {
        Change::Keep => Ok(()),
        Change::Modify {
            hunks,
            order: Order::File,
        } => {
            sides(out, &names.old, &names.new);
            hunks.iter().try_for_each(|hunk| match hunk {
                Hunk::Lines(hunk) => print_hunk(out, hunk),
                Hunk::Text(_) | Hunk::Range(_) => Err(PrintError(
                    "a hunk without context, as text or as line numbers",
                )),
            })
        }
        Change::Create {
            content,
            existing: Existing::Exists,
        } => {
            if !(content.is_empty() && edit.post.is_some()) {
                sides(out, b"/dev/null", &names.new);
                whole(out, content, b'+');
            }
            Ok(())
        }
        Change::Delete { shown: Some(shown) } => {
            sides(out, &names.old, b"/dev/null");
            whole(out, shown, b'-');
            Ok(())
        }
        Change::Delete { shown: None } => Ok(()),
        Change::Binary { forward, reverse } => {
            line(out, &[b"GIT binary patch"]);
            binary::print(out, forward);
            if let Some(reverse) = reverse {
                binary::print(out, reverse);
            }
            Ok(())
        }
        Change::Modify {
            order: Order::Any, ..
        } => Err(PrintError("hunks in any order")),
        Change::Write { .. } => Err(PrintError("a whole file, whatever it was before")),
        Change::Create {
            existing: Existing::Malformed,
            ..
        } => Err(PrintError("a creation by an empty search")),
    }
}

fn line(out: &mut Vec<u8>, parts: &[&[u8]]) {
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out.push(b'\n');
}

fn modes(out: &mut Vec<u8>, edit: &Edit) -> Result<(), PrintError> {
    let Some(mode) = edit.mode else { return Ok(()) };
    let new = mode.new.octal().as_bytes();
    match (&edit.change, mode.old) {
        (Change::Create { .. }, None) => line(out, &[b"new file mode ", new]),
        (Change::Delete { .. }, Some(_)) => line(out, &[b"deleted file mode ", new]),
        (Change::Create { .. } | Change::Delete { .. }, _) | (_, None) => {
            return Err(PrintError("a mode without the one before it"));
        }
        (_, Some(_)) if kept_link(edit).is_some() => {}
        (_, Some(old)) => {
            line(out, &[b"old mode ", old.octal().as_bytes()]);
            line(out, &[b"new mode ", new]);
        }
    }
    Ok(())
}

/// Returns the mode of a link that stays one, which the index line says.
fn kept_link(edit: &Edit) -> Option<Mode> {
    let mode = edit.mode?;
    let link = matches!(mode.new, Mode::Symlink | Mode::Gitlink) && mode.old == Some(mode.new);
    let ids = edit.base.is_some() || edit.post.is_some();
    let stays = !matches!(edit.change, Change::Create { .. } | Change::Delete { .. });
    (link && ids && stays).then_some(mode.new)
}

fn moved(out: &mut Vec<u8>, edit: &Edit) {
    let (word, to): (&[u8], _) = match &edit.destination {
        Destination::Same => return,
        Destination::Rename(to) => (b"rename", to),
        Destination::Copy(to) => (b"copy", to),
    };
    line(
        out,
        &[word, b" from ", &names::quote(&edit.path.text, false)],
    );
    line(out, &[word, b" to ", &names::quote(&to.text, false)]);
}

fn index(out: &mut Vec<u8>, edit: &Edit) -> Result<(), PrintError> {
    let base = match &edit.base {
        None => None,
        Some(Base::Blob(blob)) => Some(blob.as_str()),
        Some(Base::Receipt { .. }) => return Err(PrintError("a receipt as the base")),
    };
    let post = edit.post.as_ref().map(|id| id.as_str());
    let width = base.or(post).map_or(0, str::len);
    if width == 0 {
        return Ok(());
    }
    let zeros = "0".repeat(width);
    let (base, post) = (base.unwrap_or(&zeros), post.unwrap_or(&zeros));
    match kept_link(edit) {
        Some(mode) => line(
            out,
            &[format!("index {base}..{post} {}", mode.octal()).as_bytes()],
        ),
        None => line(out, &[format!("index {base}..{post}").as_bytes()]),
    }
    Ok(())
}

fn sides(out: &mut Vec<u8>, old: &[u8], new: &[u8]) {
    for (sign, name) in [(b"--- ", old), (b"+++ ", new)] {
        // The tab ends a name that holds blanks.
        let tab: &[u8] = if name.contains(&b' ') { b"\t" } else { b"" };
        line(out, &[sign, name, tab]);
    }
}

/// Writes all of `content` as lines of one sign.
fn whole(out: &mut Vec<u8>, content: &[u8], sign: u8) {
    let count = lines::split(content).count();
    let start = usize::from(count > 0);
    let ranges = match sign {
        b'+' => format!("@@ -0,0 +{start},{count} @@"),
        _ => format!("@@ -{start},{count} +0,0 @@"),
    };
    line(out, &[ranges.as_bytes()]);
    lines::split(content).for_each(|text| body_line(out, sign, text));
}

fn print_hunk(out: &mut Vec<u8>, hunk: &LineHunk) -> Result<(), PrintError> {
    if !hunk.scopes.is_empty() || hunk.at_end {
        return Err(PrintError("a scope, or a mark of the file's end"));
    }
    let old = range(hunk.old_start, hunk.old().count());
    let new = range(hunk.new_start, hunk.new_lines().count());
    let ranges = match (old, new) {
        (Some(old), Some(new)) => format!("-{old} +{new}"),
        (Some(old), None) => format!("-{old}"),
        (None, _) => "...".to_owned(),
    };
    let heading = hunk
        .heading
        .as_ref()
        .map_or(BStr::new(b""), |heading| heading.as_bstr());
    let gap: &[u8] = if heading.is_empty() { b"" } else { b" " };
    line(out, &[b"@@ ", ranges.as_bytes(), b" @@", gap, heading]);
    for text in &hunk.lines {
        match text {
            Line::Context(text) => body_line(out, b' ', text),
            Line::Delete(text) => body_line(out, b'-', text),
            Line::Insert(text) => body_line(out, b'+', text),
        }
    }
    Ok(())
}

/// Returns a side's range; 0 stands for an unknown start. `None` where it cannot be written.
fn range(start: Option<LineNo>, count: usize) -> Option<String> {
    match (start, count) {
        (Some(start), 0) => Some(format!("{},0", start.0)),
        (None, 0) => None,
        (start, count) => Some(format!("{},{count}", start.map_or(0, LineNo::one_based))),
    }
}

fn body_line(out: &mut Vec<u8>, sign: u8, text: &[u8]) {
    out.push(sign);
    out.extend_from_slice(text);
    if text.last() != Some(&b'\n') {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}
