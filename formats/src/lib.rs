//! Edit formats: bytes in, hunk IR out, and back.
//!
//! A format reads bytes and nothing else, so an edit parses the same everywhere. It accounts for
//! every byte: what is not part of an edit is prose outside of all blocks, or it refuses.

mod error;
mod unified_diff;

pub use error::{ParseError, ParseErrorKind, PrintError};
pub use unified_diff::UnifiedDiff;

use bstr::{BStr, BString};
use surefoot_engine::patch::{Parsed, Patch};

/// What a caller says about an input beside its bytes.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// The file meant where the edit names none.
    pub path: Option<BString>,
    /// Path components to remove from a diff's names, where that is not to be told from them.
    pub strip: Option<usize>,
}

/// One way to write an edit down.
pub trait Format: Sync {
    /// The name, as in `--format`.
    fn name(&self) -> &'static str;

    /// One line on what is accepted, for `surefoot formats`.
    fn summary(&self) -> &'static str;

    /// Tells whether `input`, its envelope taken off, looks like this format.
    fn claims(&self, input: &BStr) -> bool;

    /// Reads `input`. One reading a step, or more where the text allows more: planning decides
    /// whether they differ.
    ///
    /// # Errors
    ///
    /// Where the input is cut off, contradicts itself, or says nothing.
    fn parse(&self, input: &BStr, options: &ParseOptions) -> Result<Parsed, ParseError>;

    /// Writes `patch` so that [`Format::parse`] reads it back as it was, spans aside.
    ///
    /// # Errors
    ///
    /// Where the format cannot say it.
    fn print(&self, patch: &Patch) -> Result<BString, PrintError>;
}

/// Every format, in the order in which they are asked whether an input is theirs.
pub static FORMATS: &[&dyn Format] = &[&UnifiedDiff];
