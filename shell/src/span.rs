//! Where something stands in a command line.

use std::ops::Range;

/// Bytes of the command line, from 0, half-open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// Returns the span from `start` up to `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the span as a range to index with.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}
