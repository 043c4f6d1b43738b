//! What is kept while a text is read: the options, what was tolerated, and which way doubt goes.

use bstr::BString;
use surefoot_engine::patch::Recovery;

use super::body::Line1;
use super::cursor::Cursor;
use crate::{ParseError, ParseErrorKind, ParseOptions};

/// The most hunks that one input may have.
const MOST_HUNKS: usize = 10_000_000;

/// Which of two readings is followed where a text allows both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lean {
    /// What the headers count and state.
    Counts,
    /// What the lines look like.
    Signs,
}

/// The state of one pass over the input.
#[derive(Debug)]
pub(super) struct Parser<'o> {
    /// What the caller says.
    pub(super) options: &'o ParseOptions,
    /// Which reading this pass follows.
    pub(super) lean: Lean,
    /// Whether the other reading would have differed anywhere.
    pub(super) contested: bool,
    /// What was tolerated.
    pub(super) recoveries: Vec<Recovery>,
    /// Whether the last hunk's lines were proven by its counts.
    pub(super) counted: bool,
    /// Whether a binary patch was read, whose lines git does not count.
    pub(super) binary: bool,
    hunks: usize,
}

impl<'o> Parser<'o> {
    /// Returns the state at the beginning.
    pub(super) fn new(options: &'o ParseOptions, lean: Lean) -> Self {
        let (contested, counted, binary) = (false, true, false);
        Self {
            options,
            lean,
            contested,
            recoveries: Vec::new(),
            counted,
            binary,
            hunks: 0,
        }
    }

    /// Records that something was tolerated at the input's line `line`.
    pub(super) fn tolerate(&mut self, line: usize, message: String) {
        self.recoveries.push(Recovery { line, message });
    }

    /// Counts the hunk at `at` against the limit.
    pub(super) fn count_hunk(&mut self, at: Cursor<'_>) -> Result<(), Trouble> {
        self.hunks += 1;
        if self.hunks > MOST_HUNKS {
            return Err(trouble(
                at,
                ParseErrorKind::TooCostly,
                "more than 10 million hunks",
            ));
        }
        Ok(())
    }
}

/// A [`ParseError`] on its way out. Boxed, as it is rare and large.
#[derive(Debug)]
pub(super) struct Trouble(Box<ParseError>);

impl Trouble {
    /// Returns the trouble that reading a hunk's lines from `start` on came to.
    pub(super) fn at(start: Cursor<'_>, found: Line1) -> Self {
        let mut at = start;
        while at.line() < found.line && at.raw().is_some() {
            at.advance();
        }
        malformed(at, found.message)
    }

    /// Names the file concerned, unless one is named already.
    pub(super) fn in_file(mut self, path: &BString) -> Self {
        self.0.path.get_or_insert_with(|| path.clone());
        self
    }

    /// Returns the error.
    pub(super) fn into_error(self) -> ParseError {
        *self.0
    }
}

fn trouble(at: Cursor<'_>, kind: ParseErrorKind, message: impl Into<String>) -> Trouble {
    let (line, span, message) = (at.line(), at.here(), message.into());
    Trouble(Box::new(ParseError {
        kind,
        line,
        span,
        path: None,
        message,
    }))
}

/// The line at `at` is wrong.
pub(super) fn malformed(at: Cursor<'_>, message: impl Into<String>) -> Trouble {
    trouble(at, ParseErrorKind::Malformed, message)
}

/// The line at `at` asks for what is not done here.
pub(super) fn unsupported(at: Cursor<'_>, message: impl Into<String>) -> Trouble {
    trouble(at, ParseErrorKind::Unsupported, message)
}

/// The line at `at` stands for a content that the text does not hold.
pub(super) fn binary(at: Cursor<'_>, message: impl Into<String>) -> Trouble {
    trouble(at, ParseErrorKind::Binary, message)
}

/// What the line at `at` asks for is what is.
pub(super) fn no_change(at: Cursor<'_>, message: impl Into<String>) -> Trouble {
    trouble(at, ParseErrorKind::NoChange, message)
}

/// What the line at `at` asks for is more than is done for one input.
pub(super) fn too_costly(at: Cursor<'_>, message: impl Into<String>) -> Trouble {
    trouble(at, ParseErrorKind::TooCostly, message)
}
