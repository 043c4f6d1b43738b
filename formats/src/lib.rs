//! Edit formats: bytes in, hunk IR out, and back.
//!
//! A format reads bytes and nothing else, so an edit parses the same everywhere. It accounts for
//! every byte: what is not part of an edit is prose outside of all blocks, or it refuses.

mod detect;
mod envelope;
mod error;
mod input;
mod json;
mod line_range;
mod path_hint;
mod search_replace;
mod str_replace;
#[cfg(test)]
mod testing;
mod unified_diff;
mod v4a;
mod whole_file;

pub use detect::{by_name, parse};
pub use error::{ParseError, ParseErrorKind, PrintError};
pub use line_range::LineRange;
pub use search_replace::SearchReplace;
pub use str_replace::StrReplace;
pub use unified_diff::UnifiedDiff;
pub use v4a::V4a;
pub use whole_file::WholeFile;

use bstr::{BStr, BString};
use surefoot_engine::patch::{Parsed, Patch};

/// What a caller says about an input beside its bytes.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// The file meant where the edit names none.
    pub path: Option<BString>,
    /// Path components to remove from a diff's names, where that is not to be told from them.
    pub strip: Option<usize>,
    /// The input is known to be whole: what it came wrapped in ends where it should.
    pub complete: bool,
}

/// How the end of an edit is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// By the format's own marks. Fences and prose around them are the format's to pass over.
    Itself,
    /// By the end of the text. Fences are taken off before, and one that is not closed refuses.
    WithInput,
}

/// One way to write an edit down.
pub trait Format: Sync {
    /// The name, as in `--format`.
    fn name(&self) -> &'static str;

    /// One line on what is accepted, for `surefoot formats`.
    fn summary(&self) -> &'static str;

    /// Tells whether `input`, its envelope taken off, looks like this format.
    fn claims(&self, input: &BStr) -> bool;

    /// Says how the end of the input is told, which decides what may be taken off around it.
    fn ends(&self) -> Ends {
        Ends::WithInput
    }

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
pub static FORMATS: &[&dyn Format] = &[
    &SearchReplace,
    &V4a,
    &StrReplace,
    &LineRange,
    &UnifiedDiff,
    &WholeFile,
];
