//! Line ranges: the lines with those numbers, whatever they are now.

use std::ops::Range;

use super::Answer;
use super::text::{lines, splice};

/// Replaces each range, in the file as its author counted it; refuses one outside of the file, and
/// one that does not come after the one before it.
pub(super) fn apply(file: &str, ranges: &[(Range<usize>, &str)]) -> Answer {
    let in_order = ranges.windows(2).all(|pair| match pair {
        [(above, _), (below, _)] => above.end <= below.start,
        _ => true,
    });
    if !in_order {
        return Answer::refused("the ranges are not in order, or overlap");
    }
    let mut text = file.to_owned();
    for (range, new) in ranges.iter().rev() {
        match splice(&lines(&text), range.clone(), new) {
            Some(spliced) => text = spliced,
            None => return Answer::refused("the range is outside of the file"),
        }
    }
    Answer::Applied(text)
}
