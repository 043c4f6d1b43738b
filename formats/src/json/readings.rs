//! The ways to read the changes of a document, and their gathering into edits.

use surefoot_engine::patch::{Base, Change, Edit, Hunk, Order, Patch, Reading, Span, TextHunk};
use surefoot_engine::path::PathSpec;

use super::leaf::What;
use crate::envelope::noise;

/// One change, and the file it is for.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) path: PathSpec,
    pub(super) base: Option<Base>,
    pub(super) what: What,
    pub(super) span: Span,
}

/// Another way to read a pair of texts, where there is one.
type Other = fn(&TextHunk) -> Option<TextHunk>;

/// Returns the readings of `pieces`: as they stand, and where every line carries a number or the
/// texts are escaped twice, without that.
pub(super) fn readings(pieces: &[Piece]) -> Vec<Reading> {
    let mut readings = vec![Reading {
        patch: patch(pieces, |_| None),
        assumption: String::new(),
        fallback: false,
    }];
    let others: [(Other, &str); 2] = [
        (
            unnumbered,
            "the numbers before every line were copied from a listing",
        ),
        (unescaped, "the texts are escaped twice"),
    ];
    for (change, assumption) in others {
        if pieces
            .iter()
            .any(|piece| text_hunk(piece).is_some_and(|hunk| change(hunk).is_some()))
        {
            readings.push(Reading {
                patch: patch(pieces, change),
                assumption: assumption.into(),
                fallback: true,
            });
        }
    }
    if let [literal, _, ..] = readings.as_mut_slice() {
        literal.assumption = "the texts are meant as they stand".into();
    }
    readings
}

fn text_hunk(piece: &Piece) -> Option<&TextHunk> {
    match &piece.what {
        What::Hunk(Hunk::Text(hunk)) => Some(hunk),
        _ => None,
    }
}

fn unnumbered(hunk: &TextHunk) -> Option<TextHunk> {
    let (_, old, new) = noise::pair_without_numbers(&hunk.old, &hunk.new)?;
    (!old.is_empty()).then_some(TextHunk { old, new, ..*hunk })
}

/// The old text must carry the escapes too: a new text with a `\n` in it is ordinary code.
fn unescaped(hunk: &TextHunk) -> Option<TextHunk> {
    let old = noise::unescaped(&hunk.old)?;
    let new = noise::unescaped(&hunk.new).unwrap_or_else(|| hunk.new.clone());
    Some(TextHunk { old, new, ..*hunk })
}

/// Gathers `pieces` into edits: neighbours for the same file, seen in the same state, are one.
fn patch(pieces: &[Piece], change: impl Fn(&TextHunk) -> Option<TextHunk>) -> Patch {
    let mut edits: Vec<Edit> = Vec::new();
    for piece in pieces {
        let changed = text_hunk(piece).and_then(&change).map(Hunk::Text);
        let hunk = match (&piece.what, changed) {
            (_, Some(hunk)) => hunk,
            (What::Hunk(hunk), None) => hunk.clone(),
            (What::Change(change), None) => {
                let edit = Edit::new(piece.path.clone(), change.clone(), piece.span);
                edits.push(Edit {
                    base: piece.base.clone(),
                    ..edit
                });
                continue;
            }
        };
        match edits.last_mut() {
            Some(Edit {
                path,
                base,
                change: Change::Modify { hunks, .. },
                span,
                ..
            }) if *path == piece.path && *base == piece.base => {
                hunks.push(hunk);
                span.end = span.end.max(piece.span.end);
            }
            _ => {
                let change = Change::Modify {
                    hunks: vec![hunk],
                    order: Order::Any,
                };
                let edit = Edit::new(piece.path.clone(), change, piece.span);
                edits.push(Edit {
                    base: piece.base.clone(),
                    ..edit
                });
            }
        }
    }
    Patch { edits }
}
