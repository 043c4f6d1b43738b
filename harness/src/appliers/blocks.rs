//! Blocks of old and new lines: where the old ones stand, the new ones go in as they are written.
//!
//! New lines are never indented anew. So a block whose old lines are quoted further in than the file
//! has them is right where only the quote is off, and wrong where the file has moved as well.

use super::text::{body, lines, splice};
use super::windows::Windows;
use super::{Answer, Block};

/// What two lines must share to be taken for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// All.
    Exact,
    /// Their words: blanks at either end do not count, and a run of blanks is one (W1).
    BlankBlind,
    /// Their words and the blanks in front of them (W2).
    IndentAware,
}

/// What becomes of a block that stands in more than one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// It is refused.
    Only,
    /// Its first place is taken.
    First,
}

impl Likeness {
    /// Tells whether two lines are taken for the same.
    fn holds(self, a: &str, b: &str) -> bool {
        let words = || a.split_whitespace().eq(b.split_whitespace());
        match self {
            Self::Exact => a == b,
            Self::BlankBlind => words(),
            Self::IndentAware => indent(a) == indent(b) && words(),
        }
    }

    /// Returns every place in `file` where `old` stands, each by its first line.
    pub(super) fn places(self, file: &[&str], old: &[&str]) -> Vec<usize> {
        if old.is_empty() {
            return Vec::new();
        }
        let stands = |window: &[&str]| {
            let mut pairs = window.iter().zip(old);
            pairs.all(|(a, b)| self.holds(body(a), body(b)))
        };
        let windows = file.windows(old.len()).enumerate();
        let places = windows.filter(|(_, window)| stands(window));
        places.map(|(at, _)| at).collect()
    }
}

/// Returns the blanks in front of a line's first word.
fn indent(line: &str) -> &str {
    let len = line.len() - line.trim_start().len();
    line.get(..len).unwrap_or_default()
}

/// Replaces each block where its old lines stand.
pub(super) fn apply(
    file: &str,
    blocks: &[Block<'_>],
    likeness: Likeness,
    choice: Choice,
) -> Answer {
    each(file, blocks, |file, old| {
        let places = likeness.places(file, old);
        match (places.as_slice(), choice) {
            ([], _) => Err("the old lines stand nowhere"),
            ([place], _) | ([place, ..], Choice::First) => Ok(*place),
            (_, Choice::Only) => Err("the old lines stand in more than one place"),
        }
    })
}

/// Replaces the window that is most like each block's old lines, the first such, if its likeness is
/// at least `floor`.
pub(super) fn apply_likest(file: &str, blocks: &[Block<'_>], floor: f64) -> Answer {
    each(file, blocks, |file, old| {
        let best = Windows::new(file, old).best(floor);
        best.map(|best| best.at)
            .ok_or("no window is like the old lines")
    })
}

/// Applies each block, top to bottom, where `locate` finds its old lines in what the blocks before
/// it made. One that is not found fails them all.
pub(super) fn each(
    file: &str,
    blocks: &[Block<'_>],
    locate: impl Fn(&[&str], &[&str]) -> Result<usize, &'static str>,
) -> Answer {
    let mut text = file.to_owned();
    for block in blocks {
        let (file, old) = (lines(&text), lines(block.old));
        if old.is_empty() {
            return Answer::refused("there are no old lines");
        }
        let at = match locate(&file, &old) {
            Ok(at) => at,
            Err(why) => return Answer::refused(why),
        };
        match splice(&file, at..at + old.len(), block.new) {
            Some(spliced) => text = spliced,
            None => return Answer::refused("the place is outside of the file"),
        }
    }
    Answer::Applied(text)
}
