//! What speaks against the only place that a hunk fits: a base, an older state or a stated line that
//! tell another story.

use super::file::File;
use super::hunk::{BaseProof, Context, Spot, distance};
use super::{anchor, candidates, scope, search, witness};
use crate::lines::LineNo;
use crate::outcome::{Ambiguity, Reason, Stale};
use crate::patch::LineHunk;

/// A file that is known to differ from what the author saw admits only what more than one kind of
/// evidence places; where what he saw is to be had, only what it carries to the same place.
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
    } = cx.base
    else {
        return Ok(());
    };
    let start = spot.lines.start.0;
    let candidates = || candidates::places(cx.file, &[start], anchor.len());
    let stale = |why| {
        Err(Reason::Stale {
            why,
            candidates: candidates(),
        })
    };
    let other = Stale::Id {
        wanted: wanted.clone(),
        found,
    };
    let headed = match &hunk.heading {
        Some(heading) => scope::is_inside_heading(cx.file, heading, start, cx.budget)?,
        None => false,
    };
    let placed = headed || spot.offset == Some(0);
    if anchor::informative(anchor.iter().copied()) < 2 || !placed {
        return stale(other);
    }
    let Some(base) = content else { return Ok(()) };
    let Some(origin) = origin(hunk, anchor, base, cx)? else {
        return stale(other);
    };
    if !carried(base, origin, cx, start, anchor.len())? {
        return stale(other);
    }
    match witness::moved(base, origin, cx.file, start, cx.budget)? {
        Some((was, is)) => stale(Stale::Moved { was, is }),
        None => Ok(()),
    }
}

/// Returns where the anchor stood in the base: at the stated line, else at its only place.
fn origin(
    hunk: &LineHunk,
    anchor: &[&[u8]],
    base: &File<'_>,
    cx: &Context<'_>,
) -> Result<Option<usize>, Reason> {
    let stood = search::find(base, anchor, 0..base.len(), cx.budget)?;
    Ok(match (&stood[..], hunk.old_start) {
        (_, Some(LineNo(stated))) if stood.contains(&stated) => Some(stated),
        ([only], _) => Some(*only),
        _ => None,
    })
}

/// Tells whether a plain line diff from the base to the file pairs the `len` lines at `origin` with
/// those at `start`, one by one.
///
/// This is not the mapped tier, which proves more and lands more: it only holds an exact match to
/// what the base says of it.
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
    hunk: &LineHunk,
    anchor: &[&[u8]],
    start: usize,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let (Some(witness), Some(LineNo(stated))) = (cx.witness, hunk.old_start) else {
        return Ok(());
    };
    let stood = stated.saturating_add(anchor.len()) <= witness.len()
        && (anchor.iter().enumerate()).all(|(k, text)| witness.text(stated + k) == *text);
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
    let equal = |at: &usize| {
        at + anchor.len() <= cx.file.len()
            && (anchor.iter().enumerate()).all(|(k, text)| cx.file.text(at + k) == *text)
    };
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
