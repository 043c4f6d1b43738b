//! Where lines with their context stand: the places that an anchor fits, and what must still agree
//! before the only one is taken.

use crate::blob::{BlobId, IdPrefix};
use crate::lines::{BOM, LineNo, LineRange, split_ending};
use crate::outcome::{Ambiguity, NotFound, Reason, Stale, Unanchored};
use crate::patch::{Line, LineHunk};
use crate::policy::{Evidence, Policy, Score, Tier};

use super::budget::Budget;
use super::file::File;
use super::{anchor, candidates, doubt, scope, search, witness};

/// Everything that decides where a hunk of one file goes.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub(crate) file: &'a File<'a>,
    pub(crate) base: BaseProof<'a>,
    /// The newest older state that the author may have seen, where it is not the file's own.
    pub(crate) witness: Option<&'a File<'a>>,
    pub(crate) policy: &'a Policy,
    pub(crate) budget: &'a Budget,
}

/// What the base that an edit names says of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BaseProof<'a> {
    /// None is named.
    None,
    /// The file is the base.
    Current(Evidence),
    /// The file is not the base. Its content, where it is to be had.
    Other {
        wanted: &'a IdPrefix,
        found: Option<BlobId>,
        evidence: Evidence,
        content: Option<&'a File<'a>>,
    },
}

impl BaseProof<'_> {
    pub(crate) fn is_current(&self) -> bool {
        matches!(self, Self::Current(_))
    }
}

/// One proven place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) lines: LineRange,
    pub(crate) tier: Tier,
    pub(crate) evidence: Evidence,
    pub(crate) offset: Option<i64>,
    /// What the author should know: the headers that the place stood under, and stands under now.
    pub(crate) moved: Option<(bstr::BString, bstr::BString)>,
}

/// The places of one hunk's old lines.
#[derive(Debug)]
pub(crate) enum Places {
    /// Proven by the base: the file is what the author saw, and the lines stand where he says.
    Proven(Spot),
    /// First lines, in file order; never empty.
    Fitting {
        starts: Vec<usize>,
        /// How many there are within the scope, before the file's end or a heading has chosen among
        /// them.
        total: usize,
        /// A scope or a heading has vouched for them.
        vouched: bool,
    },
}

/// Returns the places where the old lines of `hunk` may stand.
pub(crate) fn places(hunk: &LineHunk, cx: &Context<'_>) -> Result<Places, Reason> {
    let anchor = anchor_of(hunk);
    if let Some(spot) = at_stated_line(hunk, &anchor, cx)? {
        return Ok(Places::Proven(spot));
    }
    if anchor.is_empty() {
        return Err(Reason::Unanchored {
            why: Unanchored::Insertion,
            place: Vec::new(),
        });
    }
    let within = scope::resolve(cx.file, &hunk.scopes, cx.budget)?;
    let mut starts = search::find(cx.file, &anchor, within.clone(), cx.budget)?;
    starts.extend(below_the_top(hunk, within.clone(), cx)?);
    starts.sort_unstable();
    if starts.is_empty() {
        return Err(nowhere(hunk, &anchor, within, cx));
    }
    let total = starts.len();
    if hunk.at_end {
        starts.retain(|start| start + anchor.len() == cx.file.len());
        if starts.is_empty() {
            return Err(Reason::NotFound {
                why: NotFound::AtEnd,
                nearest: Vec::new(),
            });
        }
    }
    let mut vouched = !hunk.scopes.is_empty();
    if let Some(heading) = &hunk.heading {
        let all = starts.clone();
        let mut agreeing = Vec::new();
        for start in starts {
            if scope::heading_agrees(cx.file, heading, start, anchor.len(), cx.budget)? {
                agreeing.push(start);
            }
        }
        starts = agreeing;
        vouched = true;
        if starts.is_empty() && !cx.base.is_current() {
            let candidates = candidates::places(cx.file, &all, anchor.len());
            let why = Stale::Heading {
                heading: heading.clone(),
            };
            return Err(Reason::Stale { why, candidates });
        }
        // Two witnesses that tell two stories are none: the heading names one copy, and the stated
        // line is nearer to another.
        if starts.is_empty() || !nearest(&all, hunk).is_none_or(|near| starts.contains(&near)) {
            (starts, vouched) = (all, false);
        }
    }
    Ok(Places::Fitting {
        starts,
        total,
        vouched,
    })
}

/// Returns the further places of old lines that show a byte-order mark, which a file has at its top
/// alone: in any other line the same bytes are text.
fn below_the_top(
    hunk: &LineHunk,
    within: std::ops::Range<usize>,
    cx: &Context<'_>,
) -> Result<Vec<usize>, Reason> {
    if !hunk.old().any(|line| line.starts_with(BOM)) {
        return Ok(Vec::new());
    }
    let raw: Vec<&[u8]> = hunk.old().map(|line| split_ending(line).0).collect();
    search::find(cx.file, &raw, within, cx.budget)
}

/// Returns the one of `starts` that is nearest to the hunk's stated line, where it states one.
fn nearest(starts: &[usize], hunk: &LineHunk) -> Option<usize> {
    let stated = hunk.old_start?.0;
    starts
        .iter()
        .copied()
        .min_by_key(|start| start.abs_diff(stated))
}

/// Returns the texts of a hunk's old lines.
pub(crate) fn anchor_of(hunk: &LineHunk) -> Vec<&[u8]> {
    hunk.old().map(text_of).collect()
}

/// Returns a quoted line's text: without ending, and without a byte-order mark copied along.
pub(crate) fn text_of(line: &[u8]) -> &[u8] {
    let (text, _) = split_ending(line);
    text.strip_prefix(BOM).unwrap_or(text)
}

/// On an unchanged base the stated line is proof, if the old lines do stand there.
fn at_stated_line(
    hunk: &LineHunk,
    anchor: &[&[u8]],
    cx: &Context<'_>,
) -> Result<Option<Spot>, Reason> {
    let (BaseProof::Current(evidence), Some(LineNo(start))) = (cx.base, hunk.old_start) else {
        return Ok(None);
    };
    cx.budget.spend(anchor.len())?;
    let Some(end) = start
        .checked_add(anchor.len())
        .filter(|end| *end <= cx.file.len())
    else {
        return Ok(None);
    };
    let stands = hunk.old().zip(anchor).enumerate().all(|(k, (raw, text))| {
        let stands = cx.file.text(start + k);
        stands == *text || stands == split_ending(raw).0
    });
    let lines = LineRange::new(start, end);
    let spot = Spot {
        lines,
        tier: Tier::Base,
        evidence,
        offset: Some(0),
        moved: None,
    };
    Ok(stands.then_some(spot))
}

/// Says why the old lines stand nowhere: because the new ones do, or what is nearest.
fn nowhere(
    hunk: &LineHunk,
    anchor: &[&[u8]],
    within: std::ops::Range<usize>,
    cx: &Context<'_>,
) -> Reason {
    let post: Vec<&[u8]> = hunk.new_lines().map(text_of).collect();
    let brings = hunk.lines.iter().any(|line| match line {
        Line::Insert(text) => anchor::is_informative(text_of(text)),
        _ => false,
    });
    if brings
        && let Ok(found) = search::find(cx.file, &post, within.clone(), cx.budget)
        && let [start, ..] = found[..]
    {
        let lines = Some(LineRange::new(start, start + post.len()));
        return Reason::AlreadyApplied { lines };
    }
    let why = if hunk.scopes.is_empty() {
        NotFound::Anchor
    } else {
        NotFound::InScope {
            scope: LineRange::new(within.start, within.end),
        }
    };
    Reason::NotFound {
        why,
        nearest: candidates::nearest(cx.file, anchor, cx.budget),
    }
}

/// Returns the reason to refuse a hunk that fits several places.
pub(crate) fn ambiguous(hunk: &LineHunk, starts: &[usize], cx: &Context<'_>) -> Reason {
    let len = anchor_of(hunk).len();
    Reason::Ambiguous {
        why: Ambiguity::Equal,
        candidates: candidates::places(cx.file, starts, len),
        total: starts.len(),
    }
}

/// Takes the place at `start`, of `total` that fit, if everything else agrees.
pub(crate) fn settle(
    hunk: &LineHunk,
    start: usize,
    total: usize,
    vouched: bool,
    cx: &Context<'_>,
) -> Result<Spot, Reason> {
    let anchor = anchor_of(hunk);
    let lines = LineRange::new(start, start + anchor.len());
    let offset = hunk.old_start.map(|stated| distance(stated.0, start));
    let spot = Spot {
        lines,
        tier: Tier::Exact,
        evidence: Evidence::Text,
        offset,
        moved: None,
    };
    if let BaseProof::Current(evidence) = cx.base {
        // What the author saw says nothing of how well he quotes: at another depth than he meant
        // his lines may be those of a twin.
        if !vouched {
            check_twins(&anchor, start, cx)?;
        }
        return Ok(Spot { evidence, ..spot });
    }
    check_already_there(hunk, start, cx)?;
    doubt::check_base(hunk, &anchor, &spot, cx)?;
    let seen = witness::look(&anchor, &near(hunk), &hunk.scopes, start, total, cx)?;
    if !vouched {
        check_twins(&anchor, start, cx)?;
    }
    doubt::check_witness(hunk.old_start, &anchor, start, cx)?;
    let speaks = vouched || seen.agrees;
    let other = matches!(cx.base, BaseProof::Other { .. });
    if !speaks || other {
        doubt::check_stated_place(hunk, &anchor, start, cx)?;
    }
    check_size(&anchor, start, speaks, cx)?;
    let evidence = if seen.agrees {
        Evidence::Witness
    } else {
        Evidence::Text
    };
    Ok(Spot {
        evidence,
        moved: seen.moved,
        ..spot
    })
}

/// Returns which of a hunk's old lines go or stand beside a change, counted from the first.
fn near(hunk: &LineHunk) -> Vec<usize> {
    let mut near = Vec::new();
    let (mut at, mut after) = (0_usize, false);
    for line in &hunk.lines {
        match line {
            Line::Insert(_) => {
                near.extend(at.checked_sub(1));
                after = true;
                continue;
            }
            Line::Delete(_) => near.push(at),
            Line::Context(_) if after => near.push(at),
            Line::Context(_) => {}
        }
        (at, after) = (at + 1, false);
    }
    near.dedup();
    near
}

pub(crate) fn distance(from: usize, to: usize) -> i64 {
    let from = i64::try_from(from).unwrap_or(i64::MAX);
    i64::try_from(to).unwrap_or(i64::MAX).saturating_sub(from)
}

/// An insertion whose result stands at or over its own place has been made before.
fn check_already_there(hunk: &LineHunk, start: usize, cx: &Context<'_>) -> Result<(), Reason> {
    let old = anchor_of(hunk);
    let post: Vec<&[u8]> = hunk.new_lines().map(text_of).collect();
    check_not_made(&old, &post, start, cx)
}

/// Refuses to turn lines `old`, at line `start`, into `post` if that only adds lines, and `post`
/// stands at or over the place.
pub(crate) fn check_not_made(
    old: &[&[u8]],
    post: &[&[u8]],
    start: usize,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let mut rest = post.iter();
    // However it is written: a line removed and put back beside a new one is an insertion too.
    let only_adds = post.len() > old.len() && old.iter().all(|line| rest.any(|new| new == line));
    if !only_adds {
        return Ok(());
    }
    let (from, to) = if old.is_empty() {
        (start, start + post.len())
    } else {
        let from = start.saturating_sub(post.len() - 1);
        (from, start + old.len() + post.len() - 1)
    };
    let to = to.min(cx.file.len()).max(from);
    let found = search::find(cx.file, post, from..to, cx.budget)?;
    match found.first() {
        Some(at) => {
            let lines = Some(LineRange::new(*at, at + post.len()));
            Err(Reason::AlreadyApplied { lines })
        }
        None => Ok(()),
    }
}

/// Refuses an anchor whose text stands at another depth too: agents misquote depth.
fn check_twins(anchor: &[&[u8]], start: usize, cx: &Context<'_>) -> Result<(), Reason> {
    // One line is text that agents copy with its blanks; quoted without any it may have lost them.
    let bare = anchor
        .iter()
        .all(|line| crate::lines::indentation(line).is_empty());
    if anchor.len() < 2 && !bare {
        return Ok(());
    }
    let twins = anchor::depth_twins(cx.file, anchor, cx.budget)?;
    if twins.is_empty() {
        return Ok(());
    }
    let mut starts = twins;
    starts.push(start);
    starts.sort_unstable();
    let total = starts.len();
    let candidates = candidates::places(cx.file, &starts, anchor.len());
    Err(Reason::Ambiguous {
        why: Ambiguity::Depth,
        candidates,
        total,
    })
}

/// Refuses an anchor that says too little, where nothing else speaks for its place.
pub(crate) fn check_size(
    anchor: &[&[u8]],
    start: usize,
    speaks: bool,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let informative = anchor::informative(anchor.iter().copied());
    let needed = cx.policy.min_anchor.max(1);
    if informative >= needed || speaks {
        return Ok(());
    }
    let place = vec![candidates::place(
        cx.file,
        start,
        anchor.len(),
        Score::EQUAL,
    )];
    Err(Reason::AnchorTooSmall {
        informative,
        needed,
        place,
    })
}
