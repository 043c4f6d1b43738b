//! What speaks against the only place that a hunk fits: a base, an older state or a stated line that
//! tell another story.

use super::file::File;
use super::hunk::{BaseProof, Context, Spot, distance};
use super::{anchor, candidates, scope};
use crate::lines::LineNo;
use crate::outcome::{Ambiguity, Reason, Stale};
use crate::patch::LineHunk;

/// A file that is known to differ from what the author saw admits only what more than one kind of
/// evidence places. Where what he saw is to be had, that decides, in the tier before this one.
pub(crate) fn check_base(
    hunk: &LineHunk,
    anchor: &[&[u8]],
    spot: &Spot,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let BaseProof::Other {
        wanted,
        found,
        content,
        ..
    } = cx.base
    else {
        return Ok(());
    };
    let start = spot.lines.start.0;
    let other = Stale::Id {
        wanted: wanted.clone(),
        found,
    };
    let headed = match &hunk.heading {
        Some(heading) => scope::is_inside_heading(cx.file, heading, start, cx.budget)?,
        None => false,
    };
    let placed = headed || spot.offset == Some(0);
    if content.is_some() || anchor::informative(anchor.iter().copied()) < 2 || !placed {
        let candidates = candidates::places(cx.file, &[start], anchor.len());
        return Err(Reason::Stale {
            why: other,
            candidates,
        });
    }
    Ok(())
}

/// The same for lines that are given by their numbers, and stand there: `anchor`, from line `start`.
pub(crate) fn check_base_of_range(
    anchor: &[&[u8]],
    start: usize,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let BaseProof::Other {
        wanted,
        found,
        content,
        ..
    } = cx.base
    else {
        return Ok(());
    };
    if content.is_none() && anchor::informative(anchor.iter().copied()) >= 2 {
        return Ok(());
    }
    let candidates = candidates::places(cx.file, &[start], anchor.len());
    let why = Stale::Id {
        wanted: wanted.clone(),
        found,
    };
    Err(Reason::Stale { why, candidates })
}

/// Tells whether the lines of `anchor` stand in `file` from line `at` on.
fn stands_at(file: &File<'_>, anchor: &[&[u8]], at: usize) -> bool {
    at.saturating_add(anchor.len()) <= file.len()
        && (anchor.iter().enumerate()).all(|(k, text)| file.text(at + k) == *text)
}

/// Tells whether a plain line diff from an older state to the file pairs the `len` lines at `origin`
/// with those at `start`, one by one.
///
/// This is not the mapped tier, which proves more and lands more: it only holds an exact match to
/// what that state says of it.
fn carried(
    base: &File<'_>,
    origin: usize,
    cx: &Context<'_>,
    start: usize,
    len: usize,
) -> Result<bool, Reason> {
    use imara_diff::{Algorithm, Diff, InternedInput};
    let (old, new) = (base.bytes(), cx.file.bytes());
    cx.budget.spend((old.len() + new.len()).saturating_mul(8))?;
    let plain = |text| super::text::without_cr(text).into_owned();
    let (old, new) = (plain(old), plain(new));
    let input = InternedInput::new(&old[..], &new[..]);
    let diff = Diff::compute(Algorithm::Histogram, &input);
    // Lines from the base's place to the file's, after all the hunks above.
    let (mut above, mut shift) = (true, 0i64);
    for hunk in diff.hunks() {
        let (from, to) = (hunk.before.start as usize, hunk.before.end as usize);
        let touches = from < origin + len && (to > origin || (from == to && from > origin));
        if touches {
            return Ok(false);
        }
        above &= to <= origin;
        if above {
            shift += i64::from(hunk.after.end - hunk.after.start);
            shift -= i64::from(hunk.before.end - hunk.before.start);
        }
    }
    Ok(distance(origin, start) == shift)
}

/// A witness that has the anchor at the very line that the hunk states is what the author saw: the
/// place must be the one that its lines have moved to.
pub(crate) fn check_witness(
    stated: Option<LineNo>,
    anchor: &[&[u8]],
    start: usize,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let (Some(witness), Some(LineNo(stated))) = (cx.witness, stated) else {
        return Ok(());
    };
    let stood = stands_at(witness, anchor, stated);
    let same = witness.bytes() == cx.file.bytes();
    if !stood || same || carried(witness, stated, cx, start, anchor.len())? {
        return Ok(());
    }
    let candidates = candidates::places(cx.file, &[start], anchor.len());
    Err(Reason::Stale {
        why: Stale::Text,
        candidates,
    })
}

/// Lines around the stated one in which the author's own place is looked for.
const NEAR: usize = 16;

/// Refuses a displaced match where the stated place holds nearly the same lines: the original, which
/// somebody has changed since, while its copy elsewhere still fits.
///
/// The stated line chooses nothing here. It only raises a doubt that text alone cannot settle.
pub(crate) fn check_stated_place(
    hunk: &LineHunk,
    anchor: &[&[u8]],
    start: usize,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let Some(LineNo(stated)) = hunk.old_start.filter(|stated| stated.0 != start) else {
        return Ok(());
    };
    let informative = anchor::informative(anchor.iter().copied());
    let near = stated.saturating_sub(NEAR)..(stated.saturating_add(NEAR)).min(cx.file.len());
    cx.budget.spend(near.len().saturating_mul(anchor.len()))?;
    let like = |at: &usize| {
        let lines = anchor.iter().enumerate().filter(|(k, text)| {
            let line = at + k;
            line < cx.file.len() && cx.file.text(line) == **text && anchor::is_informative(text)
        });
        lines.count()
    };
    // An equal place is a candidate of its own, and no changed original.
    let equal = |at: &usize| stands_at(cx.file, anchor, *at);
    let overlaps = |at: &usize| at.abs_diff(start) < anchor.len();
    let rival = near
        .filter(|at| !overlaps(at) && !equal(at))
        .map(|at| (like(&at), at))
        .max();
    match rival {
        Some((equal, at)) if equal >= 2 && 2 * equal >= informative => {
            let mut starts = [at, start];
            starts.sort_unstable();
            let candidates = candidates::places(cx.file, &starts, anchor.len());
            let why = Ambiguity::Stated {
                line: LineNo(stated),
            };
            Err(Reason::Ambiguous {
                why,
                candidates,
                total: 2,
            })
        }
        _ => Ok(()),
    }
}
