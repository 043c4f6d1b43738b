//! What an older state of the file says of a place: a copy that has gone, headers that have changed.

use bstr::BString;

use super::budget::Budget;
use super::file::File;
use super::hunk::Context;
use super::{candidates, scope, search};
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

/// Asks the witness about lines `anchor`, of which one of `total` equal places begins at `start`.
///
/// # Errors
///
/// `ambiguous` where the witness holds the anchor more often than the file: one that the author may
/// have meant has gone. `stale` where it has moved and the policy refuses what is doubtful.
pub(crate) fn look(
    anchor: &[&[u8]],
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
