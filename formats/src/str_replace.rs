//! Pairs of old and new text, as agents' edit tools send them in JSON.
//!
//! The pair is text, not lines: it may begin and end inside a line. The reading itself is shared
//! with the other JSON formats, in [`json`](crate::json).

use bstr::{BStr, BString};
use surefoot_engine::patch::{Parsed, Patch};

use crate::error::{ParseError, PrintError};
use crate::{Ends, Format, ParseOptions, json};

/// The format `str-replace`.
#[derive(Clone, Copy, Debug)]
pub struct StrReplace;

impl Format for StrReplace {
    fn name(&self) -> &'static str {
        json::STR_REPLACE
    }

    fn summary(&self) -> &'static str {
        "JSON tool calls: old and new text, replace-all, lists of edits, insert, create"
    }

    fn claims(&self, input: &BStr) -> bool {
        json::claimed(input) == Some(self.name())
    }

    fn ends(&self) -> Ends {
        Ends::Itself
    }

    fn parse(&self, input: &BStr, options: &ParseOptions) -> Result<Parsed, ParseError> {
        json::parse(input, options)
    }

    fn print(&self, patch: &Patch) -> Result<BString, PrintError> {
        json::print(patch)
    }
}

#[cfg(test)]
mod tests;
