//! Which of its possible places each hunk of a file takes, where the order of hunks has a say.

use super::file::{Asked, Half, Setting, Unplaced};
use super::order::{self, Assignment, Options};
use crate::locate::hunk::{self, Places};
use crate::outcome::{NotFound, Reason};
use crate::patch::{Line, LineHunk};

/// Chooses the start of every line hunk: its only place, or the one that the order leaves.
pub(super) fn choose<'a>(
    asked: &[Asked<'a>],
    halves: &[Half<'_>],
    setting: &Setting<'a>,
) -> Result<Vec<Option<usize>>, Vec<Unplaced>> {
    let mut chosen = vec![None; halves.len()];
    if let Some(only) = only_places(asked, halves) {
        return Ok(only);
    }
    let mut unplaced = Vec::new();
    let mut from = 0;
    while from < halves.len() {
        let group = asked[from].ordered;
        let same = |one: &Asked<'_>| group.is_some() && one.ordered == group;
        let len = 1 + asked[from + 1..].iter().take_while(|one| same(one)).count();
        let members: Vec<usize> = (from..from + len).collect();
        in_group(&members, asked, halves, setting, &mut chosen, &mut unplaced);
        from += len;
    }
    if unplaced.is_empty() {
        Ok(chosen)
    } else {
        Err(unplaced)
    }
}

/// Returns the only place of each line hunk, where all have one only and stand in order as it is.
fn only_places(asked: &[Asked<'_>], halves: &[Half<'_>]) -> Option<Vec<Option<usize>>> {
    let only = |half: &Half<'_>| match half {
        Half::Lines {
            places: Places::Proven(spot),
            ..
        } => Some(spot.lines.start.0),
        Half::Lines {
            places: Places::Fitting { starts, .. },
            ..
        } => match starts[..] {
            [only] => Some(only),
            _ => None,
        },
        Half::Landed(_) => None,
    };
    let starts: Vec<Option<usize>> = halves.iter().map(only).collect();
    let ascends = |(asked, starts): (&[Asked<'_>], &[Option<usize>])| match (asked, starts) {
        ([a, b], [Some(at), Some(next)]) => a.ordered != b.ordered || at < next,
        _ => false,
    };
    let in_order = asked.windows(2).zip(starts.windows(2)).all(ascends);
    (in_order && starts.iter().all(Option::is_some)).then_some(starts)
}

fn in_group<'a>(
    members: &[usize],
    asked: &[Asked<'a>],
    halves: &[Half<'_>],
    setting: &Setting<'a>,
    chosen: &mut [Option<usize>],
    unplaced: &mut Vec<Unplaced>,
) {
    let halves = || members.iter().map(|k| &halves[*k]);
    let options: Vec<Options> = halves().map(begins).collect();
    let assignment = match order::assign(&options) {
        // Hunks may share context, as long as their changes stand one behind the other.
        none @ Assignment::None(_) => {
            let changes: Vec<Options> = halves().map(changes).collect();
            match order::assign(&changes) {
                Assignment::None(_) => none,
                other => other,
            }
        }
        other => other,
    };
    match assignment {
        Assignment::One(places) => {
            for (k, place) in members.iter().zip(places) {
                chosen[*k] = Some(place);
            }
        }
        Assignment::None(at) => {
            let nearest = Vec::new();
            let reason = Reason::NotFound {
                why: NotFound::InOrder,
                nearest,
            };
            unplaced.push((asked[members[at]].number, reason));
        }
        Assignment::Many => {
            for ((k, half), here) in members.iter().zip(halves()).zip(&options) {
                let Half::Lines { hunk, .. } = half else {
                    continue;
                };
                if here.starts.len() > 1 {
                    let cx = setting.context(asked[*k].base);
                    let reason = hunk::ambiguous(hunk, &here.starts, &cx);
                    unplaced.push((asked[*k].number, reason));
                }
            }
        }
    }
}

/// Returns a hunk's places, of which what counts is where they begin.
fn begins(half: &Half<'_>) -> Options {
    let starts = match half {
        Half::Landed(landed) => landed
            .spots
            .first()
            .map(|spot| spot.lines.start.0)
            .into_iter()
            .collect(),
        Half::Lines {
            places: Places::Proven(spot),
            ..
        } => vec![spot.lines.start.0],
        Half::Lines {
            places: Places::Fitting { starts, .. },
            ..
        } => starts.clone(),
    };
    Options {
        starts,
        from: 0,
        to: 1,
    }
}

/// Returns a hunk's places, of which the lines count that it changes.
fn changes(half: &Half<'_>) -> Options {
    let options = begins(half);
    match half {
        Half::Landed(_) => options,
        Half::Lines { hunk, .. } => {
            let (from, to) = changed(hunk);
            Options {
                from,
                to,
                ..options
            }
        }
    }
}

/// Returns the old lines of `hunk` from its first change up to its last one.
fn changed(hunk: &LineHunk) -> (usize, usize) {
    let (mut at, mut from, mut to) = (0, None, 0);
    for line in &hunk.lines {
        if !matches!(line, Line::Context(_)) {
            from.get_or_insert(at);
        }
        at += usize::from(!matches!(line, Line::Insert(_)));
        if !matches!(line, Line::Context(_)) {
            to = at;
        }
    }
    (from.unwrap_or(0), to)
}
