//! Writing a patch as JSON edit documents, one a line.

use bstr::BString;
use surefoot_engine::lines::LineRange;
use surefoot_engine::patch::{
    Base, Change, Count, Destination, Edit, Existing, Expect, Hunk, Order, Patch, RangeHunk,
    TextHunk,
};
use surefoot_engine::path::RelativeTo;

use super::print::Out;
use crate::error::PrintError;

/// Writes `patch`, one object an edit and a line.
///
/// # Errors
///
/// For what JSON edits have no words for: hunks with context lines, renames, modes, ids of the
/// result, text that is not UTF-8.
pub(crate) fn print(patch: &Patch) -> Result<BString, PrintError> {
    let mut out = BString::default();
    for edit in &patch.edits {
        out.extend_from_slice(&object(edit)?.line()?);
    }
    Ok(out)
}

fn object(edit: &Edit) -> Result<Out, PrintError> {
    if edit.destination != Destination::Same {
        return Err(PrintError("a rename or copy"));
    }
    if edit.mode.is_some() {
        return Err(PrintError("a file mode"));
    }
    if edit.post.is_some() {
        return Err(PrintError("the id of the result"));
    }
    if edit.path.or.is_some() || edit.path.relative_to != RelativeTo::Caller {
        return Err(PrintError(
            "a path that does not count from the caller's directory",
        ));
    }
    let mut fields = vec![("path", Out::text(edit.path.text.clone()))];
    match &edit.change {
        Change::Modify {
            order: Order::File, ..
        } => return Err(PrintError("hunks whose order counts")),
        Change::Modify {
            hunks,
            order: Order::Any,
        } => match hunks.as_slice() {
            [] => return Err(PrintError("an edit without a change")),
            [one] => fields.extend(hunk(one)?),
            several => {
                let edits = several.iter().map(|h| hunk(h).map(Out::Object));
                fields.push(("edits", Out::Array(edits.collect::<Result<_, _>>()?)));
            }
        },
        Change::Create {
            content,
            existing: Existing::Exists,
        } => {
            fields.insert(0, ("command", Out::text("create")));
            fields.push(("file_text", Out::text(content.clone())));
        }
        Change::Create {
            content,
            existing: Existing::Malformed,
        } if !content.is_empty() => {
            fields.push(("old", Out::text("")));
            fields.push(("new", Out::text(content.clone())));
        }
        Change::Create { .. } => return Err(PrintError("an empty file out of an empty old text")),
        Change::Write { content } => fields.push(("content", Out::text(content.clone()))),
        Change::Delete { shown: None } => fields.push(("delete", Out::Bool(true))),
        Change::Delete { shown: Some(_) } => return Err(PrintError("the text of a deleted file")),
        Change::Keep => return Err(PrintError("an edit without a change")),
        Change::Binary { .. } => return Err(PrintError("a binary patch")),
    }
    if let Some(base) = &edit.base {
        fields.push(("base", Out::text(base_text(base)?)));
    }
    Ok(Out::Object(fields))
}

fn hunk(hunk: &Hunk) -> Result<Vec<(&'static str, Out)>, PrintError> {
    match hunk {
        Hunk::Text(hunk) => Ok(text(hunk)),
        Hunk::Range(hunk) if hunk.lines.is_empty() && hunk.new.is_empty() => {
            Err(PrintError("an insertion of nothing"))
        }
        Hunk::Range(hunk) => Ok(range(hunk)),
        Hunk::Lines(_) => Err(PrintError("a hunk with context lines")),
    }
}

fn text(hunk: &TextHunk) -> Vec<(&'static str, Out)> {
    let mut fields = vec![
        ("old", Out::text(hunk.old.clone())),
        ("new", Out::text(hunk.new.clone())),
    ];
    match hunk.count {
        Count::One => {}
        Count::All => fields.push(("replace_all", Out::Bool(true))),
        Count::Exactly(n) => fields.push(("expected_replacements", Out::Number(n))),
    }
    fields
}

fn range(hunk: &RangeHunk) -> Vec<(&'static str, Out)> {
    let (first, last) = (hunk.lines.start.one_based(), hunk.lines.end.0 as u64);
    let place = if hunk.lines.is_empty() {
        ("insert_after", Out::Number(last))
    } else {
        (
            "lines",
            Out::Array(vec![Out::Number(first), Out::Number(last)]),
        )
    };
    let mut fields = vec![place, ("new", Out::text(hunk.new.clone()))];
    match &hunk.expect {
        None => {}
        Some(Expect::Text(text)) => fields.push(("expect", Out::text(text.clone()))),
        Some(Expect::Digest(bytes)) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            fields.push(("digest", Out::text(format!("sha256:{hex}"))));
        }
    }
    fields
}

fn base_text(base: &Base) -> Result<String, PrintError> {
    match base {
        Base::Blob(blob) => Ok(blob.as_str().into()),
        Base::Receipt {
            blob,
            shown: Some(LineRange { start, end }),
        } => Ok(format!("r:{blob}:{start}-{}", end.0)),
        Base::Receipt { shown: None, .. } => Err(PrintError("a receipt without lines")),
    }
}
