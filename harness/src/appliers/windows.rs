//! The windows of a file that are as many lines long as an anchor, by their likeness to it.
//!
//! What is found is what comparing every window would find: a window is left out only where a number
//! that is never below its likeness says that it cannot matter.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::ratio::{Anchor, Room, Symbol};
use super::text::body;

/// A window by its first line, and its likeness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) at: usize,
    pub(super) likeness: f64,
}

/// The windows of one file for one anchor.
#[derive(Debug)]
pub(super) struct Windows {
    anchor: Anchor,
    file: Vec<Symbol>,
    /// The characters of each window, without the last line's end.
    windows: Vec<Range<usize>>,
    /// What no window's likeness exceeds, likest first and then from the top.
    bounds: Vec<Scored>,
    room: Room,
}

impl Windows {
    /// Prepares the windows of `file` that have as many lines as `old`.
    pub(super) fn new(file: &[&str], old: &[&str]) -> Self {
        let join = |lines: &[&str]| {
            let bodies: Vec<&str> = lines.iter().map(|line| body(line)).collect();
            bodies.join("\n")
        };
        let anchor = Anchor::new(&join(old));
        let symbols = anchor.encode(&join(file));
        let mut starts = vec![0];
        for line in file {
            let start = starts.last().copied().unwrap_or(0);
            starts.push(start + body(line).chars().count() + 1);
        }
        let len = old.len().max(1);
        let ends = starts.iter().skip(len);
        let windows = starts.iter().zip(ends).map(|(from, to)| *from..to - 1);
        let mut windows = Self {
            windows: windows.collect(),
            anchor,
            file: symbols,
            bounds: Vec::new(),
            room: Room::default(),
        };
        windows.bounds = windows.bound();
        windows
    }

    /// Returns the likest window if its likeness is at least `floor`; of equals, the first.
    pub(super) fn best(&mut self, floor: f64) -> Option<Scored> {
        let mut best: Option<Scored> = None;
        let bounds = std::mem::take(&mut self.bounds);
        for bound in &bounds {
            let at_least = best.map_or(floor, |best| best.likeness);
            if bound.likeness < at_least {
                break;
            }
            let Some(found) = self.likeness(bound.at, |most| most >= at_least) else {
                continue;
            };
            let better = best.is_none_or(|best| {
                found > best.likeness || (found == best.likeness && bound.at < best.at)
            });
            if found >= at_least && better {
                best = Some(Scored {
                    at: bound.at,
                    likeness: found,
                });
            }
        }
        self.bounds = bounds;
        best
    }

    /// Tells whether some window but `best`, of those that `counts` takes by their first line, is
    /// less than `margin` below it.
    pub(super) fn has_rival(
        &mut self,
        best: Scored,
        margin: f64,
        counts: impl Fn(usize) -> bool,
    ) -> bool {
        let close = |likeness: f64| best.likeness - likeness < margin;
        let bounds = std::mem::take(&mut self.bounds);
        let near = bounds.iter().take_while(|bound| close(bound.likeness));
        let mut others = near.filter(|bound| bound.at != best.at && counts(bound.at));
        let found = others.any(|bound| self.likeness(bound.at, close).is_some_and(close));
        self.bounds = bounds;
        found
    }

    /// Returns the likeness of the window at `at`, unless what it cannot exceed is not `worth` it.
    fn likeness(&mut self, at: usize, worth: impl Fn(f64) -> bool) -> Option<f64> {
        let window = self.file.get(self.windows.get(at)?.clone())?;
        let most = self.anchor.subsequence(window, &mut self.room);
        if !worth(self.anchor.likeness(window.len(), most)) {
            return None;
        }
        let shared = self.anchor.matches(window, &mut self.room);
        Some(self.anchor.likeness(window.len(), shared))
    }

    /// Returns for each window what the characters that it shares with the anchor, in whatever
    /// order, allow at most.
    fn bound(&self) -> Vec<Scored> {
        let mut here = vec![0_usize; self.anchor.alphabet()];
        let (mut from, mut to, mut shared) = (0, 0, 0_usize);
        let mut bounds = Vec::with_capacity(self.windows.len());
        for (at, window) in self.windows.iter().enumerate() {
            for symbol in self.file.get(to..window.end).unwrap_or_default() {
                if let Some(count) = here.get_mut(*symbol as usize) {
                    shared += usize::from(*count < self.anchor.count(*symbol));
                    *count += 1;
                }
            }
            for symbol in self.file.get(from..window.start).unwrap_or_default() {
                if let Some(count) = here.get_mut(*symbol as usize) {
                    *count -= 1;
                    shared -= usize::from(*count < self.anchor.count(*symbol));
                }
            }
            (from, to) = (window.start, window.end);
            let likeness = self.anchor.likeness(window.len(), shared);
            bounds.push(Scored { at, likeness });
        }
        bounds.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then(a.at.cmp(&b.at)));
        bounds
    }
}
