//! Hunks that quote what other hunks of the same patch bring.

use memchr::memmem;

use super::file::{Asked, Setting, Unplaced};
use crate::lines;
use crate::locate::hunk::text_of;
use crate::outcome::{NotFound, Reason};
use crate::patch::{Hunk, Line};

/// Hunks whose reason is looked into. What a report shows of more is not read.
const MOST: usize = 16;

/// Says of each hunk that stands nowhere whether one before it would bring what it quotes.
///
/// Every hunk is looked for in the file as it was: whether the author meant so cannot be told from
/// what fits neither reading whole.
pub(super) fn explain(
    asked: &[Asked<'_>],
    mut unplaced: Vec<Unplaced>,
    setting: &Setting<'_>,
) -> Vec<Unplaced> {
    for (number, reason) in unplaced.iter_mut().take(MOST) {
        let Reason::NotFound { why, .. } = reason else {
            continue;
        };
        if !matches!(why, NotFound::Anchor | NotFound::InScope { .. }) {
            continue;
        }
        let Some(at) = asked.iter().position(|one| one.number == *number) else {
            continue;
        };
        let Some(missing) = missing(asked[at].hunk, setting) else {
            continue;
        };
        let before = asked.iter().take(at).rev();
        let by = before
            .take_while(|one| setting.budget.spend(size(one.hunk)).is_ok())
            .find(|one| brings(one.hunk, missing));
        if let Some(by) = by {
            *why = NotFound::Chained { by: by.number };
        }
    }
    unplaced
}

/// Returns the first of the old lines that the file does not have.
fn missing<'a>(hunk: &'a Hunk, setting: &Setting<'_>) -> Option<&'a [u8]> {
    let file = setting.file;
    match hunk {
        Hunk::Lines(hunk) => hunk
            .old()
            .map(text_of)
            .find(|text| file.index().number(file, text).is_none()),
        Hunk::Text(hunk) => lines::split(&hunk.old).map(text_of).find(|piece| {
            setting.budget.spend(file.bytes().len()).is_ok()
                && memmem::find(file.bytes(), piece).is_none()
        }),
        Hunk::Range(_) => None,
    }
}

/// Tells whether `hunk` brings a line `text`, or a text that holds it.
fn brings(hunk: &Hunk, text: &[u8]) -> bool {
    match hunk {
        Hunk::Lines(hunk) => hunk.lines.iter().any(|line| match line {
            Line::Insert(new) => text_of(new) == text,
            _ => false,
        }),
        Hunk::Text(hunk) => memmem::find(&hunk.new, text).is_some(),
        Hunk::Range(hunk) => lines::split(&hunk.new).any(|new| text_of(new) == text),
    }
}

fn size(hunk: &Hunk) -> usize {
    match hunk {
        Hunk::Lines(hunk) => hunk.lines.len(),
        Hunk::Text(hunk) => hunk.new.len(),
        Hunk::Range(hunk) => hunk.new.len(),
    }
}
