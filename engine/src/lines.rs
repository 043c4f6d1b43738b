//! Lines and their places: splitting text, and line numbers that cannot be mistaken for counts.
//!
//! A line ends in LF or CR LF; a CR elsewhere is content. Inside the crate numbers are 0-based and
//! ranges half-open; `Display` and the parsers are 1-based and inclusive.

use std::fmt;

/// The byte-order mark of UTF-8. It belongs to the file and is no part of its first line's text.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A line's place in a file, counted from 0. `Display` counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineNo(pub usize);

impl LineNo {
    /// Returns the line that is written as `number`, counted from 1; `None` for 0.
    #[must_use]
    pub fn from_one_based(number: u64) -> Option<Self> {
        number
            .checked_sub(1)
            .and_then(|n| usize::try_from(n).ok())
            .map(Self)
    }

    /// Returns the number as people write it, counted from 1.
    #[must_use]
    pub fn one_based(self) -> u64 {
        self.0 as u64 + 1
    }
}

impl fmt::Display for LineNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.one_based())
    }
}

/// Lines `start..end`, counted from 0, without `end`. An empty range is a place between two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineRange {
    /// The first line.
    pub start: LineNo,
    /// The line after the last.
    pub end: LineNo,
}

impl LineRange {
    /// Returns the range from line `start` up to, not including, `end`, both counted from 0.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "a range runs forward");
        Self {
            start: LineNo(start),
            end: LineNo(end),
        }
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn len(self) -> usize {
        self.end.0 - self.start.0
    }

    /// Tells whether the range holds no line.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            write!(f, "before line {}", self.start)
        } else if self.len() == 1 {
            write!(f, "line {}", self.start)
        } else {
            write!(f, "lines {}-{}", self.start, self.end.0)
        }
    }
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// Nothing: the last line of a text without a final newline.
    None,
}

impl Ending {
    /// Returns the ending's bytes.
    #[must_use]
    pub fn as_bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::None => b"",
        }
    }
}

/// Splits `line` into its text and its ending.
#[must_use]
pub fn split_ending(line: &[u8]) -> (&[u8], Ending) {
    if let Some(text) = line.strip_suffix(b"\r\n") {
        (text, Ending::CrLf)
    } else if let Some(text) = line.strip_suffix(b"\n") {
        (text, Ending::Lf)
    } else {
        (line, Ending::None)
    }
}

/// Splits `text` into lines, each with its ending; joined they are `text` again.
///
/// An empty text has no line.
pub fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, tail) = rest.split_at(end);
        rest = tail;
        Some(line)
    })
}

/// Returns the bytes of a line's indentation: its leading blanks and tabs.
#[must_use]
pub fn indentation(line: &[u8]) -> &[u8] {
    let len = line
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    line.split_at(len).0
}

/// Returns `line` without the white space around it, its ending included.
#[must_use]
pub fn trim(line: &[u8]) -> &[u8] {
    line.trim_ascii()
}
