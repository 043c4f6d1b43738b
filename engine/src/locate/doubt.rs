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
    let origin = origin(hunk, anchor, base, cx)?;
    match carried_whole(base, origin, cx, start, anchor.len())? {
        Carried::Yes => Ok(()),
        Carried::No => stale(other),
        Carried::UnderOthers(moved) => stale(moved),
    }
}

/// The same for lines that are given by their numbers, and stand there: `anchor`, from line `start`.
///
/// Where the base is to be had and carries them there, they need not say more than that.
pub(crate) fn check_base_of_range(
    anchor: &[&[u8]],
    start: usize,
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
    let other = Stale::Id {
        wanted: wanted.clone(),
        found,
    };
    let why = match content {
        None if anchor::informative(anchor.iter().copied()) >= 2 => return Ok(()),
        None => other,
        Some(base) => {
            let stood = stands_at(base, anchor, start).then_some(start);
            match carried_whole(base, stood, cx, start, anchor.len())? {
                Carried::Yes => return Ok(()),
                Carried::No => other,
                Carried::UnderOthers(moved) => moved,
            }
        }
    };
    let candidates = candidates::places(cx.file, &[start], anchor.len());
    Err(Reason::Stale { why, candidates })
}

/// Tells whether the lines of `anchor` stand in `file` from line `at` on.
fn stands_at(file: &File<'_>, anchor: &[&[u8]], at: usize) -> bool {
    at.saturating_add(anchor.len()) <= file.len()
        && (anchor.iter().enumerate()).all(|(k, text)| file.text(at + k) == *text)
}

/// What a base says of the place that its lines are said to have come to.
enum Carried {
    Yes,
    No,
    /// They have, but stand under other headers now.
    UnderOthers(Stale),
}

/// Tells whether the `len` lines at `origin` of the base are those at `start` now, headers included.
fn carried_whole(
    base: &File<'_>,
    origin: Option<usize>,
    cx: &Context<'_>,
    start: usize,
    len: usize,
) -> Result<Carried, Reason> {
    let Some(origin) = origin else {
        return Ok(Carried::No);
    };
    if !carried(base, origin, cx, start, len)? {
        return Ok(Carried::No);
    }
    Ok(
        match witness::moved(base, origin, cx.file, start, cx.budget)? {
            Some((was, is)) => Carried::UnderOthers(Stale::Moved { was, is }),
            None => Carried::Yes,
        },
    )
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
