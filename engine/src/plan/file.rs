//! One file's hunks, all resolved in the file as it was: where each goes and what it changes.

use std::borrow::Cow;

use bstr::BString;

use super::choose::choose;
use super::commit::{self, Splice};
use super::{Placed, chain, sequence};
use crate::lines::{self, LineRange};
use crate::locate::budget::Budget;
use crate::locate::file::File;
use crate::locate::hunk::{self, BaseProof, Context, Places, Spot};
use crate::locate::{elision, range, scope, text};
use crate::outcome::{NotFound, Reason, Unanchored, Unsupported};
use crate::patch::{Count, Hunk, LineHunk, TextHunk};
use crate::policy::{Policy, Score};

/// One hunk, and what its edit says of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// Within the file, from 1.
    pub(crate) number: usize,
    pub(crate) hunk: &'a Hunk,
    pub(crate) base: BaseProof<'a>,
    /// Lines that the author was shown, where the base is a receipt.
    pub(crate) shown: Option<LineRange>,
    /// See [`Edit::undoes`](crate::patch::Edit::undoes).
    pub(crate) undoes: bool,
    /// Hunks with the same number here stand in file order.
    pub(crate) ordered: Option<usize>,
}

/// What all hunks of a file share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    pub(crate) file: &'a File<'a>,
    pub(crate) witness: Option<&'a File<'a>>,
    pub(crate) policy: &'a Policy,
    pub(crate) budget: &'a Budget,
}

impl<'a> Setting<'a> {
    pub(super) fn context(&self, base: BaseProof<'a>) -> Context<'a> {
        let Self {
            file,
            witness,
            policy,
            budget,
        } = *self;
        Context {
            file,
            base,
            witness,
            policy,
            budget,
        }
    }
}

/// A file's new content, and where its hunks landed.
#[derive(Debug)]
pub(crate) struct Changed {
    pub(crate) content: Vec<u8>,
    pub(crate) placed: Vec<Placed>,
    /// For each hunk that moved: the headers then and now.
    pub(crate) moved: Vec<(usize, BString, BString)>,
    /// What was changed, in file order.
    pub(super) splices: Vec<Splice>,
}

/// One hunk placed.
#[derive(Debug)]
pub(super) struct Landed {
    splices: Vec<Splice>,
    pub(super) spots: Vec<Spot>,
}

/// A hunk that cannot be placed: its number, and why.
pub(crate) type Unplaced = (usize, Reason);

/// Resolves and commits every hunk of one file.
///
/// # Errors
///
/// Every hunk that cannot be placed; never empty.
pub(crate) fn change<'a>(
    asked: &[Asked<'a>],
    setting: &Setting<'a>,
) -> Result<Changed, Vec<Unplaced>> {
    sweep(asked, setting)
        .map_err(|reason| vec![(asked.first().map_or(1, |one| one.number), reason)])?;
    let mut landed =
        place(asked, setting).map_err(|unplaced| chain::explain(asked, unplaced, setting))?;
    let mut splices = Vec::with_capacity(landed.len());
    for landed in &mut landed {
        splices.append(&mut landed.splices);
    }
    let content = commit::apply(setting.file, &mut splices).map_err(|unplaced| vec![unplaced])?;
    let whole = |reason: Reason| vec![(asked.first().map_or(1, |first| first.number), reason)];
    if !commit::survives(setting.file, &splices, &content) {
        return Err(whole(outside()));
    }
    check_shown(asked, &splices, setting)?;
    sequence::check(asked, &landed, &splices, &content, setting).map_err(whole)?;
    let mut placed = Vec::with_capacity(landed.iter().map(|landed| landed.spots.len()).sum());
    let mut moved = Vec::new();
    for (asked, landed) in asked.iter().zip(landed) {
        for spot in landed.spots {
            placed.push(report(asked.number, &spot, setting));
            moved.extend(spot.moved.map(|(was, is)| (asked.number, was, is)));
        }
    }
    Ok(Changed {
        content,
        placed,
        moved,
        splices,
    })
}

pub(super) fn outside() -> Reason {
    let message = "bytes outside of the changed lines would change: a fault of surefoot's".into();
    Reason::Malformed {
        message,
        readings: Vec::new(),
    }
}

/// Texts of one file from which on they are found in one pass for all.
const MANY: usize = 16;

/// Finds the texts that hunks replace, and those that they bring, at once where they are many.
fn sweep(asked: &[Asked<'_>], setting: &Setting<'_>) -> Result<(), Reason> {
    let texts = asked.iter().filter_map(|one| match one.hunk {
        Hunk::Text(hunk) if hunk.count == Count::One => Some(hunk),
        _ => None,
    });
    let texts: Vec<Cow<'_, [u8]>> = texts
        .flat_map(|hunk| [text::needle(&hunk.old), text::needle(&hunk.new)])
        .collect();
    if texts.len() < MANY {
        return Ok(());
    }
    let texts: Vec<&[u8]> = texts.iter().map(AsRef::as_ref).collect();
    for file in [Some(setting.file), setting.witness].into_iter().flatten() {
        file.sweep(&texts, text::ENOUGH, setting.budget)?;
    }
    Ok(())
}

/// Lines that a receipt did not show may not be replaced: nobody has seen them.
fn check_shown(
    asked: &[Asked<'_>],
    splices: &[Splice],
    setting: &Setting<'_>,
) -> Result<(), Vec<Unplaced>> {
    let shown = |number: usize| {
        let at = asked.binary_search_by_key(&number, |one| one.number).ok()?;
        asked.get(at)?.shown
    };
    let hidden = |splice: &&Splice| {
        let lines = setting.file.lines_of(&splice.at);
        shown(splice.hunk).is_some_and(|shown| lines.start < shown.start || shown.end < lines.end)
    };
    let hidden = splices.iter().filter(hidden).map(|splice| splice.hunk);
    if let Some(number) = hidden.min() {
        let reason = Reason::Unanchored {
            why: Unanchored::NotShown,
            place: Vec::new(),
        };
        return Err(vec![(number, reason)]);
    }
    Ok(())
}

/// Returns the content after `asked` alone, for the sequential reading.
pub(crate) fn alone<'a>(asked: Asked<'a>, setting: &Setting<'a>) -> Option<Vec<u8>> {
    let asked = Asked {
        base: BaseProof::None,
        shown: None,
        ..asked
    };
    let landed = place(&[asked], setting).ok()?;
    let mut splices: Vec<Splice> = landed
        .into_iter()
        .flat_map(|landed| landed.splices)
        .collect();
    commit::apply(setting.file, &mut splices).ok()
}

pub(super) fn report(number: usize, spot: &Spot, setting: &Setting<'_>) -> Placed {
    Placed {
        hunk: number,
        tier: spot.tier,
        evidence: spot.evidence,
        lines: spot.lines,
        offset: spot.offset,
        similarity: Score::EQUAL,
        runner_up: None,
        reindent: 0,
        scope: scope::innermost(setting.file, spot.lines.start.0, setting.budget),
    }
}

/// What is known of a hunk before the order of all has been asked.
pub(super) enum Half<'a> {
    Landed(Landed),
    Lines { hunk: &'a LineHunk, places: Places },
}

fn place<'a>(asked: &[Asked<'a>], setting: &Setting<'a>) -> Result<Vec<Landed>, Vec<Unplaced>> {
    let mut halves = Vec::with_capacity(asked.len());
    let mut unplaced = Vec::new();
    for one in asked {
        match half(one, setting) {
            Ok(half) => halves.push(half),
            // The budget is spent for all: more of the same would only cost more.
            Err(Reason::TooCostly) => return Err(vec![(one.number, Reason::TooCostly)]),
            Err(reason) => unplaced.push((one.number, reason)),
        }
    }
    if !unplaced.is_empty() {
        return Err(unplaced);
    }
    let chosen = choose(asked, &halves, setting)?;
    let mut landed = Vec::with_capacity(asked.len());
    for ((one, half), chosen) in asked.iter().zip(halves).zip(chosen) {
        match finish(one, half, chosen, setting) {
            Ok(one) => landed.push(one),
            Err(Reason::TooCostly) => return Err(vec![(one.number, Reason::TooCostly)]),
            Err(reason) => unplaced.push((one.number, reason)),
        }
    }
    if unplaced.is_empty() {
        Ok(landed)
    } else {
        Err(unplaced)
    }
}

fn half<'a>(asked: &Asked<'a>, setting: &Setting<'a>) -> Result<Half<'a>, Reason> {
    match asked.hunk {
        Hunk::Lines(lines) => half_lines(asked, lines, setting),
        Hunk::Text(hunk) => of_text(asked, hunk, setting).map(Half::Landed),
        Hunk::Range(hunk) => {
            let cx = setting.context(asked.base);
            let spot = range::locate(hunk, &cx)?;
            if let Some(placeholder) = elision::in_content(&hunk.new, Some(setting.file.bytes()))
                && !asked.undoes
            {
                return Err(Reason::Unsupported(Unsupported::Elision { placeholder }));
            }
            let splices = commit::of_range(setting.file, hunk.lines, &hunk.new, asked.number)?;
            landed(splices, vec![spot]).map(Half::Landed)
        }
    }
}

/// Refuses a hunk that changes nothing.
fn landed(splices: Vec<Splice>, spots: Vec<Spot>) -> Result<Landed, Reason> {
    if splices.is_empty() {
        return Err(Reason::NoChange);
    }
    Ok(Landed { splices, spots })
}

fn half_lines<'a>(
    asked: &Asked<'a>,
    hunk: &'a LineHunk,
    setting: &Setting<'a>,
) -> Result<Half<'a>, Reason> {
    use crate::patch::Line;
    if hunk
        .lines
        .iter()
        .all(|line| matches!(line, Line::Context(_)))
    {
        return Err(Reason::NoChange);
    }
    let cx = setting.context(asked.base);
    let places = match hunk::places(hunk, &cx) {
        Err(Reason::NotFound {
            why: NotFound::Anchor | NotFound::InScope { .. },
            nearest,
        }) => {
            return elided(asked, hunk, &cx)?.map(Half::Landed).ok_or_else(|| {
                let why = NotFound::Anchor;
                hunk::places(hunk, &cx)
                    .err()
                    .unwrap_or(Reason::NotFound { why, nearest })
            });
        }
        other => other?,
    };
    if !matches!(places, Places::Proven(_))
        && !asked.undoes
        && let Some(placeholder) = elision::brought_in(hunk)
    {
        return Err(Reason::Unsupported(Unsupported::Elision { placeholder }));
    }
    Ok(Half::Lines { hunk, places })
}

/// Places the pieces around the placeholders of an old text that does not stand as quoted.
fn elided(asked: &Asked<'_>, hunk: &LineHunk, cx: &Context<'_>) -> Result<Option<Landed>, Reason> {
    let Some(pieces) = elision::pieces(hunk)? else {
        return Ok(None);
    };
    if pieces.is_empty() {
        return Ok(None);
    }
    if let Some(placeholder) = pieces.iter().find_map(elision::brought_in) {
        return Err(Reason::Unsupported(Unsupported::Elision { placeholder }));
    }
    let starts = elision::in_order(&pieces, cx)?;
    let mut splices = Vec::new();
    let mut spots = Vec::new();
    for (piece, start) in pieces.iter().zip(starts) {
        spots.push(hunk::settle(piece, start, 1, false, cx)?);
        splices.extend(commit::of_lines(
            cx.file,
            &piece.lines,
            start,
            false,
            asked.number,
        )?);
    }
    landed(splices, spots).map(Some)
}

fn of_text<'a>(
    asked: &Asked<'a>,
    hunk: &TextHunk,
    setting: &Setting<'a>,
) -> Result<Landed, Reason> {
    if hunk.old == hunk.new {
        return Err(Reason::NoChange);
    }
    let cx = setting.context(asked.base);
    let elides = |text: &[u8]| lines::split(text).any(elision::is_placeholder);
    let found = match text::locate(hunk, &cx) {
        Err(
            refused @ Reason::NotFound {
                why: NotFound::Anchor,
                ..
            },
        ) if elides(&hunk.old) => {
            let pair = as_lines(hunk);
            return elided(asked, &pair, &cx)?.ok_or(refused);
        }
        other => other?,
    };
    if !asked.undoes
        && elides(&hunk.new)
        && let Some(placeholder) = elision::brought_in(&as_lines(hunk))
    {
        return Err(Reason::Unsupported(Unsupported::Elision { placeholder }));
    }
    let mut splices = Vec::new();
    let mut spots = Vec::new();
    for place in found {
        let new = if place.lacks_newline {
            without_last_newline(&hunk.new, setting.file)
        } else {
            &hunk.new
        };
        let file = setting.file;
        splices.extend(commit::of_text(
            file,
            &place.bytes,
            &hunk.old,
            new,
            asked.number,
        )?);
        spots.push(Spot {
            lines: file.lines_of(&place.bytes),
            tier: place.tier,
            evidence: place.evidence,
            offset: None,
            moved: place.moved,
        });
    }
    landed(splices, spots)
}

/// Returns `new` without the last newline, which `file` does not have behind the old text. In a file
/// without final newline a last line that is blank keeps its own: without, it would be none.
fn without_last_newline<'n>(new: &'n [u8], file: &File<'_>) -> &'n [u8] {
    let (rest, _) = lines::split_ending(new);
    let ends_blank = rest.is_empty() || rest.ends_with(b"\n");
    if ends_blank && !file.bytes().ends_with(b"\n") {
        new
    } else {
        rest
    }
}

fn as_lines(hunk: &TextHunk) -> LineHunk {
    LineHunk {
        lines: LineHunk::from_pair(&hunk.old, &hunk.new),
        span: hunk.span,
        ..LineHunk::default()
    }
}

fn finish<'a>(
    asked: &Asked<'a>,
    half: Half<'a>,
    chosen: Option<usize>,
    setting: &Setting<'a>,
) -> Result<Landed, Reason> {
    let (hunk, places) = match half {
        Half::Landed(landed) => return Ok(landed),
        Half::Lines { hunk, places } => (hunk, places),
    };
    let cx = setting.context(asked.base);
    let (spot, proven) = match (places, chosen) {
        (Places::Proven(spot), _) => (spot, true),
        (Places::Fitting { total, vouched, .. }, Some(start)) => {
            (hunk::settle(hunk, start, total, vouched, &cx)?, false)
        }
        (Places::Fitting { starts, .. }, None) => return Err(hunk::ambiguous(hunk, &starts, &cx)),
    };
    let start = spot.lines.start.0;
    let splices = commit::of_lines(setting.file, &hunk.lines, start, proven, asked.number)?;
    landed(splices, vec![spot])
}
