//! Lines of a text, and a text with some of them replaced.

use std::ops::Range;

/// Returns the lines of `text`, each with its end.
pub(super) fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Returns `line` without its end.
pub(super) fn body(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

/// Returns the text of `lines` with `range` of them replaced by `new`; `None` where they have no
/// such range.
pub(super) fn splice(lines: &[&str], range: Range<usize>, new: &str) -> Option<String> {
    lines.get(range.clone())?;
    let (head, tail) = (lines.get(..range.start)?, lines.get(range.end..)?);
    let parts = [head, &[new], tail];
    Some(parts.concat().concat())
}
