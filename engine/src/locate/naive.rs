//! The searches, written so that their rightness is seen at a glance: the tests' oracle.

use std::ops::Range;

use super::file::File;

/// See [`super::search::find`].
pub(crate) fn find(file: &File<'_>, anchor: &[&[u8]], within: Range<usize>) -> Vec<usize> {
    let stands = |start: &usize| {
        anchor
            .iter()
            .enumerate()
            .all(|(k, text)| file.text(start + k) == *text)
    };
    let last = within.end.checked_sub(anchor.len());
    match last {
        Some(last) if !anchor.is_empty() => (within.start..=last).filter(stands).collect(),
        _ => Vec::new(),
    }
}

/// See [`super::sweep::each`].
pub(crate) fn find_text(haystack: &[u8], needle: &[u8]) -> Vec<usize> {
    (0..haystack.len())
        .filter(|at| haystack[*at..].starts_with(needle))
        .collect()
}
