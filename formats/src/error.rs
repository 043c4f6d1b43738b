//! Why an input is no edit, and why an edit cannot be written in a format.

use std::fmt;

use surefoot_engine::patch::Span;

/// Why an input cannot be read as an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Whether the input is wrong, or asks for what is not done here.
    pub kind: ParseErrorKind,
    /// The input line, from 1; 0 where the whole input is meant.
    pub line: usize,
    /// Where in the input.
    pub span: Span,
    /// The path of the edit concerned, where known, as spelled.
    pub path: Option<bstr::BString>,
    /// What was expected and what was found, in lower case, without a full stop.
    pub message: String,
}

/// The kind of a [`ParseError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// The input is cut off, contradicts itself or says nothing: code `malformed`.
    Malformed,
    /// The input is right, and asks for what is not done here: code `unsupported`.
    Unsupported,
    /// A binary change without its content: code `unsupported`.
    Binary,
    /// The edit states a place and nothing that proves it: code `unanchored`.
    Unanchored,
    /// Old and new are equal: code `no-change`.
    NoChange,
    /// Too much work or too many hunks: code `too-costly`.
    TooCostly,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// Why a patch cannot be written in a format: what it holds that the format has no words for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintError(pub &'static str);

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the format cannot express {}", self.0)
    }
}

impl std::error::Error for PrintError {}
