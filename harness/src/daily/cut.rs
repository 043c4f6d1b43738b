//! Cutting a change to one file into small edits.

use std::ops::Range;

use bstr::ByteSlice as _;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::rng::Rng;

/// What a commit does to one file; `None` is no file.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) path: String,
    pub(crate) old: Option<Vec<u8>>,
    pub(crate) new: Option<Vec<u8>>,
}

/// One edit, and the file's content around it; `None` is no file.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) after: Option<Vec<u8>>,
    pub(crate) kind: &'static str,
    old: String,
    new: String,
}

impl Step {
    /// Returns the edit as an agent's tool would send it.
    pub(crate) fn document(&self, path: &str) -> String {
        let document = match self.kind {
            "create" => serde_json::json!({
                "command": "create", "path": path, "file_text": self.new,
            }),
            "delete" => serde_json::json!({ "path": path, "delete": true }),
            "whole" => serde_json::json!({ "path": path, "content": self.new }),
            _ => serde_json::json!({
                "file_path": path, "old_string": self.old, "new_string": self.new,
            }),
        };
        document.to_string()
    }
}

/// Lines of the old file and what becomes of them.
#[derive(Clone, Debug)]
struct Piece {
    /// Its place among the pieces, in file order.
    order: usize,
    old: Range<usize>,
    new: Range<usize>,
}

/// Returns the edits that take `change.old` to `change.new`, in the order they are to be made.
pub(crate) fn cut(change: &Change, rng: &mut Rng) -> Vec<Step> {
    let whole = |kind, new: &[u8]| {
        let new = new.to_str_lossy().into_owned();
        let (before, after) = (change.old.clone(), change.new.clone());
        vec![Step {
            before,
            after,
            kind,
            old: String::new(),
            new,
        }]
    };
    let (Some(old), Some(new)) = (&change.old, &change.new) else {
        return match &change.new {
            Some(new) => whole("create", new),
            None => whole("delete", b""),
        };
    };
    if old.is_empty() || new.is_empty() {
        return whole("whole", new);
    }
    let old: Vec<&[u8]> = old.lines_with_terminator().collect();
    let new: Vec<&[u8]> = new.lines_with_terminator().collect();
    let mut pieces = pieces(&old, &new, rng);
    if rng.chance(50) {
        shuffle(&mut pieces, rng);
    }
    steps(&old, &new, &pieces, rng)
}

/// Returns the changed places, some of them cut in two.
fn pieces(old: &[&[u8]], new: &[&[u8]], rng: &mut Rng) -> Vec<Piece> {
    let mut hunks: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        match hunks.last_mut() {
            Some((a, b)) if a.end == op.old_range().start && b.end == op.new_range().start => {
                a.end = op.old_range().end;
                b.end = op.new_range().end;
            }
            _ => hunks.push((op.old_range(), op.new_range())),
        }
    }
    let mut pieces = Vec::new();
    for (a, b) in hunks {
        let cuts = if a.len() + b.len() > 3 && rng.chance(40) {
            let (m, k) = (
                a.start + rng.below(a.len() + 1),
                b.start + rng.below(b.len() + 1),
            );
            vec![(a.start..m, b.start..k), (m..a.end, k..b.end)]
        } else {
            vec![(a, b)]
        };
        for (old, new) in cuts {
            pieces.push(Piece {
                order: pieces.len(),
                old,
                new,
            });
        }
    }
    pieces
}

fn shuffle(pieces: &mut [Piece], rng: &mut Rng) {
    for end in (1..pieces.len()).rev() {
        pieces.swap(end, rng.below(end + 1));
    }
}

/// Makes each piece an edit of the file as the pieces before it leave it.
fn steps(old: &[&[u8]], new: &[&[u8]], pieces: &[Piece], rng: &mut Rng) -> Vec<Step> {
    let mut now: Vec<&[u8]> = old.to_vec();
    let mut made: Vec<&Piece> = Vec::new();
    let mut steps = Vec::new();
    for piece in pieces {
        let above = made.iter().filter(|other| other.order < piece.order);
        let (grown, shrunk) = above.fold((0, 0), |(grown, shrunk), other| {
            (grown + other.new.len(), shrunk + other.old.len())
        });
        let start = piece.old.start + grown - shrunk;
        let place = start..start + piece.old.len();
        made.push(piece);
        let before = now.concat();
        let wanted = new.get(piece.new.clone()).unwrap_or_default();
        let (old_text, new_text) = quote(&now, &before, place.clone(), wanted, rng);
        now.splice(place, wanted.iter().copied());
        let after = now.concat();
        if before == after {
            continue;
        }
        let text = |bytes: &[u8]| bytes.to_str_lossy().into_owned();
        let (old, new) = (text(&old_text), text(&new_text));
        let kind = if old.is_empty() { "whole" } else { "pair" };
        let new = if old.is_empty() { text(&after) } else { new };
        steps.push(Step {
            before: Some(before),
            after: Some(after),
            kind,
            old,
            new,
        });
    }
    steps
}

/// Returns the old and new text of an edit at `place`, with just enough lines around it to be
/// unique in `whole`.
fn quote(
    now: &[&[u8]],
    whole: &[u8],
    place: Range<usize>,
    wanted: &[&[u8]],
    rng: &mut Rng,
) -> (Vec<u8>, Vec<u8>) {
    let (mut low, mut high) = (place.start, place.end);
    let mut upward = rng.chance(50);
    let trims = rng.chance(60);
    // Nobody deletes lines without quoting one that stays.
    let mut lonely = place.is_empty() || wanted.is_empty();
    loop {
        let lines = |range: Range<usize>| now.get(range).unwrap_or_default().concat();
        let mut old = lines(low..high);
        let mut new = [
            lines(low..place.start),
            wanted.concat(),
            lines(place.end..high),
        ]
        .concat();
        if trims && old.ends_with(b"\n") && new.ends_with(b"\n") && old.len() > 1 && new.len() > 1 {
            old.pop();
            new.pop();
        }
        let all = low == 0 && high == now.len();
        if all || (!lonely && !old.is_empty() && stands_once(whole, &old)) {
            return (old, new);
        }
        lonely = false;
        if (upward && low > 0) || high == now.len() {
            low -= 1;
        } else {
            high += 1;
        }
        upward = !upward;
    }
}

/// Tells whether `text` stands once in `whole`, overlaps counted.
fn stands_once(whole: &[u8], text: &[u8]) -> bool {
    let Some(first) = whole.find(text) else {
        return false;
    };
    whole
        .get(first + 1..)
        .is_none_or(|rest| rest.find(text).is_none())
}
