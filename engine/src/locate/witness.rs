//! What an older state of the file says of a place: a copy that has gone, headers that have changed.

use bstr::BString;

use super::budget::Budget;
use super::file::File;
use super::hunk::Context;
use super::mapped::Map;
use super::{anchor, candidates, scope, search};
use crate::lines;
use crate::outcome::{Ambiguity, Reason, Stale};

/// What a witness says of a place.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The anchor stood there once too, under the same headers.
    pub(crate) agrees: bool,
    /// It stood there once, under other headers: then, and now.
    pub(crate) moved: Option<(BString, BString)>,
}

/// Asks the witness about lines `anchor`, of which one of `total` equal places begins at `start`;
/// `near` are those of the lines, counted from the first, that change or stand beside a change.
///
/// # Errors
///
/// `ambiguous` where the witness holds the anchor more often than the file, as one that the author
/// may have meant has gone, or less of what changes, as a copy of that has come. `stale` where it has
/// moved and the policy refuses what is doubtful.
pub(crate) fn look(
    anchor: &[&[u8]],
    near: &[usize],
    scopes: &[BString],
    start: usize,
    total: usize,
    cx: &Context<'_>,
) -> Result<Seen, Reason> {
    let Some(witness) = cx.witness else {
        return Ok(Seen::default());
    };
    // A scope that the witness does not have, or has twice, narrows nothing there.
    let within = scope::resolve(witness, scopes, cx.budget).unwrap_or(0..witness.len());
    let stood = search::find(witness, anchor, within, cx.budget)?;
    if stood.len() > total {
        let candidates = candidates::places(cx.file, &[start], anchor.len());
        let why = Ambiguity::CopyGone;
        return Err(Reason::Ambiguous {
            why,
            candidates,
            total: stood.len(),
        });
    }
    let [origin] = stood[..] else {
        return Ok(Seen::default());
    };
    if total > 1 {
        return Ok(Seen::default());
    }
    check_copies(witness, origin, near, start, cx)?;
    let moved = moved(witness, origin, cx.file, start, cx.budget)?;
    if let (Some((was, is)), true) = (&moved, cx.policy.warnings_refuse) {
        let candidates = candidates::places(cx.file, &[start], anchor.len());
        let why = Stale::Moved {
            was: was.clone(),
            is: is.clone(),
        };
        return Err(Reason::Stale { why, candidates });
    }
    Ok(Seen {
        agrees: moved.is_none(),
        moved,
    })
}

/// Refuses lines that stand more often now than they did at `origin` of an older state, unless what
/// is around them proves that those at `start` are the old ones: the fit of a line further away does
/// not tell a copy from what it was made of.
pub(crate) fn check_copies(
    then: &File<'_>,
    origin: usize,
    near: &[usize],
    start: usize,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let places = |file: &File<'_>, text: &[u8]| {
        let index = file.trimmed_index();
        let number = index.number(file, text);
        number.map_or(0, |number| index.places(number).len())
    };
    let texts = near.iter().map(|k| origin + k);
    let texts = texts
        .filter(|line| *line < then.len())
        .map(|line| then.text(line));
    let mut texts = texts.filter(|text| anchor::is_informative(text));
    if !texts.any(|text| places(cx.file, text) > places(then, text)) {
        return Ok(());
    }
    let map = Map::new(then, cx.file, cx.budget)?;
    for k in near {
        if origin + k >= then.len() || lines::trim(then.text(origin + k)).is_empty() {
            continue;
        }
        let now = map.find(map.base.at(origin + k))?.ok();
        let now = now.and_then(|n| map.file.lines.get(n).copied());
        if now != Some(start + k) {
            return copies(near, start, cx).map(Err)?;
        }
    }
    Ok(())
}

/// Returns the refusal that shows every place of what changes at `start`.
fn copies(near: &[usize], start: usize, cx: &Context<'_>) -> Result<Reason, Reason> {
    let first = start + near.iter().min().unwrap_or(&0);
    let last = start + near.iter().max().unwrap_or(&0);
    let lines: Vec<&[u8]> = (first..=last).map(|line| cx.file.text(line)).collect();
    let places = search::find(cx.file, &lines, 0..cx.file.len(), cx.budget)?;
    Ok(Reason::Ambiguous {
        why: Ambiguity::CopyCame,
        candidates: candidates::places(cx.file, &places, lines.len()),
        total: places.len(),
    })
}

/// Compares what encloses a place then and now: the first pair of headers that differ, inside out.
pub(crate) fn moved(
    then: &File<'_>,
    origin: usize,
    now: &File<'_>,
    start: usize,
    budget: &Budget,
) -> Result<Option<(BString, BString)>, Reason> {
    let was = scope::headers(then, origin, budget)?;
    let is = scope::headers(now, start, budget)?;
    let text = |file: &File<'_>, line: Option<&usize>| -> BString {
        line.map(|line| lines::trim(file.text(*line)).into())
            .unwrap_or_default()
    };
    for k in 0..was.len().max(is.len()) {
        let (was, is) = (text(then, was.get(k)), text(now, is.get(k)));
        if was != is {
            return Ok(Some((was, is)));
        }
    }
    Ok(None)
}
