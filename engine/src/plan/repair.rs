//! A corrected edit, where a refusal leaves exactly one correction.

use bstr::BString;

use crate::lines;
use crate::locate::hunk::text_of;
use crate::outcome::{Candidate, Reason, Stale};
use crate::patch::{Change, Edit, Expect, Hunk, Line, LineHunk, Order, RangeHunk};
use crate::policy::Score;

/// Likeness from which the nearest place is worth proposing, in thousandths.
const CLOSE: Score = Score(500);

/// Returns `edit` with the one hunk that was refused, corrected for what the file has.
pub(crate) fn of(edit: &Edit, hunk: &Hunk, reason: &Reason) -> Option<Edit> {
    let hunk = match (hunk, reason) {
        (
            Hunk::Range(range),
            Reason::Stale {
                why: Stale::Text,
                candidates,
            },
        ) => {
            let [only] = &candidates[..] else { return None };
            moved(range, only).map(Hunk::Range)?
        }
        (Hunk::Lines(lines), Reason::NotFound { nearest, .. }) => {
            requoted(lines, nearest.first()?).map(Hunk::Lines)?
        }
        (Hunk::Lines(lines), Reason::Ambiguous { .. }) if lines.lines.is_empty() => return None,
        _ => return None,
    };
    let order = match &edit.change {
        Change::Modify { order, .. } => *order,
        _ => Order::Any,
    };
    let change = Change::Modify {
        hunks: vec![hunk],
        order,
    };
    Some(Edit {
        change,
        base: None,
        post: None,
        ..edit.clone()
    })
}

/// The same range where its expected text stands now, if it stands there as expected.
fn moved(range: &RangeHunk, place: &Candidate) -> Option<RangeHunk> {
    let Some(Expect::Text(_)) = &range.expect else {
        return None;
    };
    if place.similarity != Score::EQUAL || place.lines.len() != range.lines.len() {
        return None;
    }
    Some(RangeHunk {
        lines: place.lines,
        ..range.clone()
    })
}

/// The same change with its old lines quoted as the file has them.
///
/// Only where the hunk differs from the place in one line that it keeps or removes, and the
/// candidate shows all of the place.
fn requoted(hunk: &LineHunk, place: &Candidate) -> Option<LineHunk> {
    let shown: Vec<&[u8]> = lines::split(&place.text).map(text_of).collect();
    let old = hunk.old().count();
    if place.similarity < CLOSE || shown.len() != old {
        return None;
    }
    let differing = hunk
        .old()
        .zip(&shown)
        .filter(|(quoted, found)| text_of(quoted) != **found)
        .count();
    if differing != 1 {
        return None;
    }
    let mut found = shown.into_iter();
    let mut requote = |line: &Line| {
        let as_found = |text: &BString, found: &[u8]| -> BString {
            let (_, ending) = lines::split_ending(text);
            [found, ending.as_bytes()].concat().into()
        };
        Some(match line {
            Line::Context(text) => Line::Context(as_found(text, found.next()?)),
            Line::Delete(text) => Line::Delete(as_found(text, found.next()?)),
            Line::Insert(text) => Line::Insert(text.clone()),
        })
    };
    let lines = hunk
        .lines
        .iter()
        .map(&mut requote)
        .collect::<Option<Vec<_>>>()?;
    Some(LineHunk {
        lines,
        ..hunk.clone()
    })
}
