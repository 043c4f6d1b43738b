//! Robust-Apply, Algorithm 1: exact, then but for blanks, then the likest window with a floor and a
//! margin.
//!
//! A stage that finds no place or more than one leaves the edit to the next. The paper does not say
//! which blanks its second stage forgets, nor which windows count as rivals in its third: both
//! readings of either are here.

use super::blocks::{Likeness, each};
use super::diff::{Hunk, Line, read};
use super::text::{lines, splice};
use super::windows::Windows;
use super::{Answer, Block};

/// The algorithm in one reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Robust {
    /// What the second stage compares.
    pub(crate) likeness: Likeness,
    /// The windows that the likest must lead.
    pub(crate) rivals: Rivals,
    /// The numbers of the third stage.
    pub(crate) dials: Dials,
}

/// The windows that the likest must lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rivals {
    /// All others.
    All,
    /// Those that share no line with it.
    Disjoint,
}

/// What the third stage asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dials {
    /// The least number of old lines.
    pub(crate) min_lines: usize,
    /// The least likeness.
    pub(crate) floor: f64,
    /// The least lead over the likest rival.
    pub(crate) margin: f64,
}

impl Dials {
    /// The paper's.
    pub(crate) const PAPER: Self = Self {
        min_lines: 2,
        floor: 0.9,
        margin: 0.2,
    };
}

impl Robust {
    pub(super) fn apply_blocks(&self, file: &str, blocks: &[Block<'_>]) -> Answer {
        each(file, blocks, |file, old| self.locate(file, old))
    }

    /// Applies a diff: context and deleted lines are looked for together, and line by line the
    /// deleted ones go and the file keeps its own text for context.
    pub(super) fn apply_diff(&self, file: &str, diff: &str) -> Answer {
        let hunks = match read(diff) {
            Ok(hunks) => hunks,
            Err(why) => return Answer::refused(why),
        };
        let mut text = file.to_owned();
        for hunk in &hunks {
            match self.apply_hunk(&lines(&text), hunk) {
                Ok(applied) => text = applied,
                Err(why) => return Answer::refused(why),
            }
        }
        Answer::Applied(text)
    }

    fn apply_hunk(&self, file: &[&str], hunk: &Hunk<'_>) -> Result<String, &'static str> {
        let preimage = hunk.iter().filter_map(|line| match line {
            Line::Context(text) | Line::Delete(text) => Some(*text),
            Line::Insert(_) => None,
        });
        let old: Vec<&str> = preimage.collect();
        if old.is_empty() {
            return Err("the hunk quotes no line");
        }
        let at = self.locate(file, &old)?;
        let mut window = file.iter().skip(at);
        let mut new = String::new();
        for line in hunk {
            match line {
                Line::Context(_) => new.push_str(window.next().unwrap_or(&"")),
                Line::Delete(_) => drop(window.next()),
                Line::Insert(text) => new.extend([text, "\n"]),
            }
        }
        splice(file, at..at + old.len(), &new).ok_or("the place is outside of the file")
    }

    /// Returns the first line of the place of `old` in `file`.
    fn locate(&self, file: &[&str], old: &[&str]) -> Result<usize, &'static str> {
        for likeness in [Likeness::Exact, self.likeness] {
            if let [place] = likeness.places(file, old).as_slice() {
                return Ok(*place);
            }
        }
        if old.len() < self.dials.min_lines {
            return Err("too few old lines to go by likeness");
        }
        let mut windows = Windows::new(file, old);
        let best = windows.best(self.dials.floor);
        let best = best.ok_or("no window is like the old lines")?;
        let counts = |at: usize| match self.rivals {
            Rivals::All => true,
            Rivals::Disjoint => at.abs_diff(best.at) >= old.len(),
        };
        if windows.has_rival(best, self.dials.margin, counts) {
            return Err("another window is about as like");
        }
        Ok(best.at)
    }
}
