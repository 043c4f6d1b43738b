//! The lines that begin a hunk.

use bstr::{BString, ByteSlice as _};
use surefoot_engine::lines::LineNo;

use crate::json::line_number;

/// What a line that begins with `@@` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// A hunk begins.
    Bare,
    /// The hunk stands in what this line begins.
    Scope(BString),
    /// Line numbers, as a unified diff has them, and the heading behind them.
    Numbers {
        /// Where the old lines begin.
        old: LineNo,
        /// Where the new lines begin.
        new: LineNo,
        /// What stands behind.
        heading: Option<BString>,
    },
}

impl Header {
    /// Reads a line without its ending; `None` where it is no header.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let rest = line
            .strip_prefix(b"@@")
            .filter(|rest| !rest.starts_with(b"@"))?;
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).trim_ascii_end();
        if let Some(numbers) = numbers(rest.trim_ascii_start()) {
            return Some(numbers);
        }
        let scope = rest.strip_suffix(b" @@").unwrap_or(rest).trim_ascii_end();
        Some(match scope.trim_ascii() {
            b"" | b"@@" | b"..." | b"... @@" => Self::Bare,
            _ => Self::Scope(scope.into()),
        })
    }
}

/// Reads `-12,4 +12,5 @@ heading`.
fn numbers(text: &[u8]) -> Option<Header> {
    let (old, rest) = text.strip_prefix(b"-")?.split_once_str(b" +")?;
    let (new, heading) = rest.split_once_str(b"@@")?;
    let (old, new) = (start(old)?, start(new.trim_ascii())?);
    let heading = heading.trim_ascii();
    let heading = (!heading.is_empty()).then(|| heading.into());
    Some(Header::Numbers { old, new, heading })
}

/// Reads `12,4`: the first of four lines, or with `,0` the line that comes before.
fn start(text: &[u8]) -> Option<LineNo> {
    let (first, count) = text.split_once_str(b",").unwrap_or((text, b"1"));
    let (first, count) = (line_number(first)?, line_number(count)?);
    if count == 0 {
        return usize::try_from(first).ok().map(LineNo);
    }
    LineNo::from_one_based(first)
}
