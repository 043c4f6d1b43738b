//! How much an anchor says: informative lines, and twins of it at another depth.

use super::budget::Budget;
use super::file::File;
use super::search;
use crate::lines;
use crate::outcome::Reason;

/// Words that stand alone on so many lines that they tell no place from another.
const UNINFORMATIVE: [&str; 21] = [
    "else",
    "try",
    "finally",
    "do",
    "begin",
    "end",
    "fi",
    "done",
    "esac",
    "pass",
    "break",
    "continue",
    "return",
    "return None",
    "return null",
    "return nil",
    "return true",
    "return false",
    "return True",
    "return False",
    "default",
];

/// Tells whether `line` helps to tell one place from another: it has a letter or digit, and is no
/// lone word of the table once brackets and punctuation around it are taken off.
pub(crate) fn is_informative(line: &[u8]) -> bool {
    // Any byte of a character beyond ASCII counts as a letter: nearly all of them are.
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b >= 0x80;
    let Some(first) = line.iter().position(is_word) else {
        return false;
    };
    let last = line.iter().rposition(is_word).unwrap_or(first);
    let core = &line[first..=last];
    !UNINFORMATIVE.iter().any(|word| word.as_bytes() == core)
}

/// Returns the number of informative lines among `anchor`.
pub(crate) fn informative<'a>(anchor: impl IntoIterator<Item = &'a [u8]>) -> usize {
    anchor
        .into_iter()
        .filter(|line| is_informative(line))
        .count()
}

/// Returns the first lines of the places where `anchor` stands but for one uniform difference in
/// depth: every line that is not blank is indented by the same bytes more, or less.
///
/// Agents misquote depth, so an anchor with such a twin does not say which of the two is meant.
pub(crate) fn depth_twins(
    file: &File<'_>,
    anchor: &[&[u8]],
    budget: &Budget,
) -> Result<Vec<usize>, Reason> {
    let mut twins = search::find_trimmed(file, anchor, budget)?;
    budget.spend(twins.len().saturating_mul(anchor.len()))?;
    twins.retain(|start| is_shifted(file, *start, anchor));
    Ok(twins)
}

fn is_shifted(file: &File<'_>, start: usize, anchor: &[&[u8]]) -> bool {
    let mut shift: Option<Shift<'_>> = None;
    for (k, wanted) in anchor.iter().enumerate() {
        let found = file.text(start + k);
        if lines::trim(wanted) != lines::trim(found) {
            return false;
        }
        if lines::trim(wanted).is_empty() {
            continue;
        }
        let Some(this) = Shift::between(lines::indentation(wanted), lines::indentation(found))
        else {
            return false;
        };
        if *shift.get_or_insert(this) != this {
            return false;
        }
    }
    shift.is_some_and(|shift| !shift.is_none())
}

/// How much deeper a line stands than it was quoted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shift<'a> {
    Deeper(&'a [u8]),
    Shallower(&'a [u8]),
}

impl<'a> Shift<'a> {
    fn between(wanted: &'a [u8], found: &'a [u8]) -> Option<Self> {
        if let Some(more) = found.strip_suffix(wanted) {
            Some(Self::Deeper(more))
        } else {
            wanted.strip_suffix(found).map(Self::Shallower)
        }
    }

    fn is_none(self) -> bool {
        matches!(self, Self::Deeper(b"") | Self::Shallower(b""))
    }
}

#[cfg(test)]
mod tests;
