//! The text of an input as numbered lines, and the errors that point into it.

use bstr::BString;
use surefoot_engine::lines;
use surefoot_engine::patch::{Recovery, Span};

use crate::error::{ParseError, ParseErrorKind};

/// One line of an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputLine<'a> {
    /// The number, from 1.
    pub(crate) number: usize,
    /// The offset of its first byte.
    pub(crate) start: usize,
    /// All of it, its ending included.
    pub(crate) raw: &'a [u8],
}

impl<'a> InputLine<'a> {
    /// Returns the line without its ending.
    pub(crate) fn text(&self) -> &'a [u8] {
        lines::split_ending(self.raw).0
    }

    /// Returns the line without its ending and the white space around it.
    pub(crate) fn trimmed(&self) -> &'a [u8] {
        self.raw.trim_ascii()
    }

    /// Tells whether there is nothing but white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.trimmed().is_empty()
    }

    /// Returns where the line stands, its ending included.
    pub(crate) fn span(&self) -> Span {
        Span {
            start: self.start,
            end: self.start + self.raw.len(),
        }
    }

    /// Returns an error about this line.
    pub(crate) fn malformed(&self, message: impl Into<String>) -> ParseError {
        let span = self.span();
        let kind = ParseErrorKind::Malformed;
        ParseError {
            kind,
            line: self.number,
            span,
            path: None,
            message: message.into(),
        }
    }

    /// Returns a note on this line.
    pub(crate) fn recovery(&self, message: impl Into<String>) -> Recovery {
        Recovery {
            line: self.number,
            message: message.into(),
        }
    }
}

/// Returns the lines of `input`, without end-of-line guessing: LF ends a line.
///
/// An input can have millions of them: whoever looks at each once need not keep them all.
pub(crate) fn each_line(input: &[u8]) -> impl Iterator<Item = InputLine<'_>> {
    let mut start = 0;
    lines::split(input).enumerate().map(move |(at, raw)| {
        let line = InputLine {
            number: at + 1,
            start,
            raw,
        };
        start += raw.len();
        line
    })
}

/// Returns the lines of `input` as a list.
pub(crate) fn input_lines(input: &[u8]) -> Vec<InputLine<'_>> {
    each_line(input).collect()
}

/// Where the lines of a text begin: for many questions, of which each would read the whole text.
#[derive(Debug)]
pub(crate) struct LineStarts(Vec<usize>);

impl LineStarts {
    /// Finds the lines of `text`.
    pub(crate) fn new(text: &[u8]) -> Self {
        let behind = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
        Self(std::iter::once(0).chain(behind).collect())
    }

    /// Returns the number, from 1, of the line that holds byte `offset`.
    pub(crate) fn line_at(&self, offset: usize) -> usize {
        self.0.partition_point(|start| *start <= offset)
    }

    /// Returns where the line with this number, from 1, begins; 0 where there is none.
    pub(crate) fn start(&self, number: usize) -> usize {
        let at = number.checked_sub(1);
        at.and_then(|at| self.0.get(at)).copied().unwrap_or(0)
    }
}

/// Returns the number, from 1, of the line that holds byte `offset` of `input`.
pub(crate) fn line_at(input: &[u8], offset: usize) -> usize {
    let before = input.get(..offset.min(input.len())).unwrap_or_default();
    1 + memchr::memchr_iter(b'\n', before).count()
}

/// Returns an error about the whole input.
pub(crate) fn malformed(message: impl Into<String>) -> ParseError {
    let kind = ParseErrorKind::Malformed;
    ParseError {
        kind,
        line: 0,
        span: Span::default(),
        path: None,
        message: message.into(),
    }
}

/// Returns `bytes` as it may be shown in a message: in back quotes, control bytes escaped, cut off
/// after 60 bytes.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let (shown, dots) = match bytes.get(..60) {
        Some(head) if bytes.len() > 60 => (head, "..."),
        _ => (bytes, ""),
    };
    let shown: String = BString::from(shown)
        .to_string()
        .chars()
        .flat_map(|c| {
            let escaped = c.is_control().then(|| c.escape_default());
            let plain = escaped.is_none().then_some(c);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect();
    format!("`{shown}{dots}`")
}
