//! A place in the input: what line comes next, and its number.

use surefoot_engine::lines::split_ending;
use surefoot_engine::patch::Span;

/// A place at the beginning of a line, or at the end of the text. Cheap to copy, so that looking
/// ahead is copying.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Cursor<'a> {
    /// Returns the beginning of `text`.
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    /// Returns the same place in a text that ends where `end` stands.
    pub(super) fn until(self, end: Self) -> Self {
        Self {
            text: self.text.get(..end.at).unwrap_or(self.text),
            ..self
        }
    }

    /// Returns the byte that the next line begins at.
    pub(super) fn at(self) -> usize {
        self.at
    }

    /// Returns the next line's number, from 1.
    pub(super) fn line(self) -> usize {
        self.line
    }

    /// Returns the span from `start` to here.
    pub(super) fn since(self, start: Self) -> Span {
        Span {
            start: start.at,
            end: self.at,
        }
    }

    /// Returns the span of the next line.
    pub(super) fn here(self) -> Span {
        Span {
            start: self.at,
            end: self.at + self.raw().map_or(0, <[u8]>::len),
        }
    }

    /// Returns the next line with its ending; `None` at the end of the text.
    pub(super) fn raw(self) -> Option<&'a [u8]> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        rest.get(..end)
    }

    /// Returns the next line without its ending.
    pub(super) fn text(self) -> Option<&'a [u8]> {
        self.raw().map(|raw| split_ending(raw).0)
    }

    /// Returns the line after the next without its ending.
    pub(super) fn second(self) -> Option<&'a [u8]> {
        self.after().text()
    }

    /// Returns the place after the next line.
    pub(super) fn after(mut self) -> Self {
        self.advance();
        self
    }

    /// Goes past the next line.
    pub(super) fn advance(&mut self) {
        if let Some(raw) = self.raw() {
            self.at += raw.len();
            self.line += 1;
        }
    }

    /// Returns the place of the next line that is not empty, or the end.
    pub(super) fn past_blanks(mut self) -> Self {
        while self.text().is_some_and(<[u8]>::is_empty) {
            self.advance();
        }
        self
    }

    /// Tells whether the text before here ends in a whole line.
    pub(super) fn ends_line(self) -> bool {
        self.at == 0 || self.text.get(self.at - 1) == Some(&b'\n')
    }
}
