//! What happens to a file after a diff of it was made.

use super::truth::{Changes, Known};
use crate::rng::Rng;

/// One thing that happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Drift {
    /// Lines come in somewhere else.
    Shift,
    /// Lines go somewhere else.
    Loss,
    /// A hunk's lines are copied to another place.
    Copy,
    /// A line beside a change becomes another.
    Neighbour,
    /// A line that the diff removes becomes another.
    Target,
    /// A hunk's lines are copied to another place, and what they were becomes another.
    Decoy,
}

impl Drift {
    const ALL: [Self; 6] = [
        Self::Shift,
        Self::Loss,
        Self::Copy,
        Self::Neighbour,
        Self::Target,
        Self::Decoy,
    ];
}

/// Lets none to three things happen to `file`, and returns them.
pub(crate) fn apply(file: &mut Vec<Known>, changes: &Changes, rng: &mut Rng) -> Vec<Drift> {
    let count = *rng.pick(&[0, 0, 0, 1, 1, 1, 1, 2, 2, 3]).unwrap_or(&0);
    let mut drifts = Vec::new();
    for _ in 0..count {
        let Some(&drift) = rng.pick(&Drift::ALL) else {
            continue;
        };
        let Some(&hunk) = rng.pick(&changes.hunks) else {
            continue;
        };
        happen(drift, file, hunk, changes, rng);
        drifts.push(drift);
    }
    let ending: &[u8] = if file.iter().any(|line| line.text.ends_with(b"\r\n")) {
        b"\r\n"
    } else {
        b"\n"
    };
    let last = file.len().saturating_sub(1);
    for line in file
        .iter_mut()
        .take(last)
        .filter(|line| !line.text.ends_with(b"\n"))
    {
        line.text.extend_from_slice(ending);
    }
    drifts
}

fn happen(
    drift: Drift,
    file: &mut Vec<Known>,
    (first, end): (usize, usize),
    changes: &Changes,
    rng: &mut Rng,
) {
    match drift {
        Drift::Shift => {
            let lines = region(file, rng.below(file.len()), 1 + rng.below(8));
            let lines: Vec<Known> = lines
                .into_iter()
                .map(|line| Known {
                    text: reword(&line.text, rng),
                    ..line
                })
                .collect();
            insert(file, lines, changes, rng);
        }
        Drift::Loss => {
            let at = rng.below(file.len());
            let inside = |from: usize| changes.hunks.iter().any(|&(a, b)| a <= from && from < b);
            let free = |line: &Known| !line.from.is_some_and(inside);
            let length = file
                .iter()
                .skip(at)
                .take(1 + rng.below(6))
                .take_while(|line| free(line))
                .count();
            file.drain(at..at + length);
        }
        Drift::Copy => copy(file, (first, end), changes, rng),
        Drift::Neighbour => {
            let lines: Vec<usize> = (first.saturating_sub(2)..end + 2).collect();
            let kept: Vec<usize> = lines
                .into_iter()
                .filter(|line| !changes.removed.contains(line))
                .collect();
            change(file, &kept, rng);
        }
        Drift::Target => change_target(file, (first, end), changes, rng),
        Drift::Decoy => {
            copy(file, (first, end), changes, rng);
            change_target(file, (first, end), changes, rng);
        }
    }
}

/// Returns `count` lines of the file from `at`, as lines of nobody's.
fn region(file: &[Known], at: usize, count: usize) -> Vec<Known> {
    let lines = file.iter().skip(at).take(count);
    lines
        .map(|line| Known {
            from: None,
            text: line.text.clone(),
        })
        .collect()
}

/// Puts `lines` between hunks.
fn insert(file: &mut Vec<Known>, lines: Vec<Known>, changes: &Changes, rng: &mut Rng) {
    for _ in 0..20 {
        let at = rng.below(file.len() + 1);
        let beside = |line: Option<&Known>| line.and_then(|line| line.from);
        let (above, below) = (
            beside(at.checked_sub(1).and_then(|at| file.get(at))),
            beside(file.get(at)),
        );
        let inside = changes.hunks.iter().any(|&(first, end)| {
            above.is_some_and(|above| first <= above && above < end)
                && below.is_some_and(|below| first <= below && below < end)
        });
        if !inside {
            file.splice(at..at, lines);
            return;
        }
    }
}

/// Copies the hunk's lines, and a few around them, to another place.
fn copy(file: &mut Vec<Known>, (first, end): (usize, usize), changes: &Changes, rng: &mut Rng) {
    let margin = rng.below(4);
    let from = file
        .iter()
        .position(|line| line.from == Some(first.saturating_sub(margin)));
    let lines = region(file, from.unwrap_or(0), end - first + 2 * margin);
    insert(file, lines, changes, rng);
}

fn change_target(
    file: &mut [Known],
    (first, end): (usize, usize),
    changes: &Changes,
    rng: &mut Rng,
) {
    let removed: Vec<usize> = changes.removed.range(first..end).copied().collect();
    let lines = if removed.is_empty() {
        (first..end).collect()
    } else {
        removed
    };
    change(file, &lines, rng);
}

/// Rewords one of the author's `lines`.
fn change(file: &mut [Known], lines: &[usize], rng: &mut Rng) {
    let Some(&chosen) = rng.pick(lines) else {
        return;
    };
    if let Some(line) = file.iter_mut().find(|line| line.from == Some(chosen)) {
        line.text = reword(&line.text, rng);
    }
}

/// Returns `line` with one of its words changed, or one put in where it has none.
pub(crate) fn reword(line: &[u8], rng: &mut Rng) -> Vec<u8> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let ends: Vec<usize> = (0..line.len())
        .filter(|&at| line.get(at).is_some_and(is_word) && !line.get(at + 1).is_some_and(is_word))
        .map(|at| at + 1)
        .collect();
    let start = line.len()
        - line
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    let at = rng.pick(&ends).copied().unwrap_or(start);
    let more = format!(
        "{}{}",
        if ends.is_empty() { "x" } else { "_" },
        rng.below(100)
    );
    let (head, tail) = line.split_at(at.min(line.len()));
    [head, more.as_bytes(), tail].concat()
}
