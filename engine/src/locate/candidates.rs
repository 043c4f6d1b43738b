//! What a refusal shows: the places, the first line that differs, and what would tell them apart.

use bstr::BString;

use super::budget::Budget;
use super::file::File;
use super::scope;
use crate::lines::{self, LineNo, LineRange};
use crate::outcome::{Candidate, Difference, Distinguish};
use crate::policy::Score;

/// Candidates that a refusal names at most.
const MOST: usize = 8;
/// Lines of a candidate's text that are shown.
const SHOWN: usize = 6;
/// Lines that `distinguish` may ask for.
const FARTHEST: usize = 24;

/// Returns the candidates whose `len` lines begin at `places`, the first few of them, with the
/// lines that would tell each from all the others.
pub(crate) fn places(file: &File<'_>, places: &[usize], len: usize) -> Vec<Candidate> {
    places
        .iter()
        .take(MOST)
        .map(|at| Candidate {
            distinguish: distinguish(file, places, *at, len),
            ..place(file, *at, len, Score::EQUAL)
        })
        .collect()
}

/// Returns the candidate whose `len` lines begin at `at`.
pub(crate) fn place(file: &File<'_>, at: usize, len: usize, similarity: Score) -> Candidate {
    let end = (at + len).min(file.len());
    let shown = LineRange::new(at, end.min(at + SHOWN));
    Candidate {
        lines: LineRange::new(at, end),
        text: file.bytes()[file.byte_range(shown)].into(),
        similarity,
        scope: scope::innermost(file, at, &Budget::for_bytes(0)),
        first_difference: None,
        distinguish: None,
    }
}

/// Returns the fewest lines beside the place at `at` that none of the other `places` has beside it.
fn distinguish(file: &File<'_>, places: &[usize], at: usize, len: usize) -> Option<Distinguish> {
    let others: Vec<usize> = places
        .iter()
        .copied()
        .filter(|other| *other != at)
        .take(64)
        .collect();
    let above = |place: usize, k: usize| place.checked_sub(k).map(|line| file.text(line));
    let below = |place: usize, k: usize| {
        let line = place + len + k - 1;
        (line < file.len()).then(|| file.text(line))
    };
    let up = reach(&others, at, above);
    let down = reach(&others, at, below);
    match (up, down) {
        (Some(up), down) if down.is_none_or(|down| up <= down) => {
            let lines = (at - up..at).map(|line| file.text(line).into()).collect();
            Some(Distinguish { above: true, lines })
        }
        (_, Some(down)) => {
            let from = at + len;
            let lines = (from..from + down)
                .map(|line| file.text(line).into())
                .collect();
            Some(Distinguish {
                above: false,
                lines,
            })
        }
        _ => None,
    }
}

/// Returns how many lines one has to go from `at` until no place of `others` has the same lines.
fn reach<'a>(
    others: &[usize],
    at: usize,
    line: impl Fn(usize, usize) -> Option<&'a [u8]>,
) -> Option<usize> {
    let mut alike = others.to_vec();
    for k in 1..=FARTHEST {
        let own = line(at, k)?;
        alike.retain(|other| line(*other, k) == Some(own));
        if alike.is_empty() {
            return Some(k);
        }
    }
    None
}

/// Returns the place most like `anchor`, where one shares enough to be worth showing.
///
/// Lines that equal the anchor's but for white space vote for where the anchor begins; where none
/// does, the line most like the anchor's longest one decides.
pub(crate) fn nearest(file: &File<'_>, anchor: &[&[u8]], budget: &Budget) -> Vec<Candidate> {
    let bytes: usize = file.bytes().len();
    if anchor.is_empty() || budget.spend(bytes.saturating_mul(2)).is_err() {
        return Vec::new();
    }
    let Some(start) = by_votes(file, anchor).or_else(|| by_longest_line(file, anchor)) else {
        return Vec::new();
    };
    let len = anchor.len().min(file.len() - start);
    let alike: usize = (0..len)
        .map(|k| line_likeness(anchor[k], file.text(start + k)))
        .sum();
    let first = (0..len).find(|k| file.text(start + k) != anchor[*k]);
    let first_difference = first.map(|k| Difference {
        line: LineNo(start + k),
        wanted: BString::from(anchor[k]),
        found: file.text(start + k).into(),
    });
    let similarity = Score(u16::try_from(alike / anchor.len()).unwrap_or(0));
    vec![Candidate {
        first_difference,
        ..place(file, start, len, similarity)
    }]
}

/// Returns the start for which most of the anchor's informative lines stand where they should.
fn by_votes(file: &File<'_>, anchor: &[&[u8]]) -> Option<usize> {
    use std::collections::HashMap;
    let mut wanted: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (k, line) in anchor
        .iter()
        .enumerate()
        .filter(|(_, line)| super::anchor::is_informative(line))
    {
        let places = wanted.entry(lines::trim(line)).or_default();
        if places.len() < 4 {
            places.push(k);
        }
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for at in 0..file.len() {
        for k in wanted.get(lines::trim(file.text(at))).into_iter().flatten() {
            if let Some(start) = at.checked_sub(*k) {
                *votes.entry(start).or_default() += 1;
            }
        }
    }
    // The most votes, and of equals the first: the answer must not depend on the map's order.
    votes
        .into_iter()
        .max_by_key(|(start, n)| (*n, std::cmp::Reverse(*start)))
        .map(|(start, _)| start)
}

/// Returns the start for which the anchor's longest line meets the line most like it.
fn by_longest_line(file: &File<'_>, anchor: &[&[u8]]) -> Option<usize> {
    let (k, longest) = anchor
        .iter()
        .enumerate()
        .max_by_key(|(_, line)| lines::trim(line).len())?;
    let wanted = lines::trim(longest);
    let shared = |at: &usize| common_ends(wanted, lines::trim(file.text(*at)));
    let best = (0..file.len()).max_by_key(|at| (shared(at), std::cmp::Reverse(*at)))?;
    (shared(&best) * 2 > wanted.len()).then(|| best.saturating_sub(k))
}

/// Returns how like two lines are, in thousandths, by what they share at their two ends.
///
/// A cheap stand-in for an edit distance: it only ranks what a refusal shows, and places nothing.
fn line_likeness(a: &[u8], b: &[u8]) -> usize {
    let (a, b) = (lines::trim(a), lines::trim(b));
    match a.len().max(b.len()) {
        0 => 1000,
        longer => common_ends(a, b).saturating_mul(1000) / longer,
    }
}

/// Returns the number of bytes that `a` and `b` share at their two ends.
fn common_ends(a: &[u8], b: &[u8]) -> usize {
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - front;
    let back = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(most)
        .take_while(|(x, y)| x == y)
        .count();
    front + back
}

#[cfg(test)]
mod tests;
