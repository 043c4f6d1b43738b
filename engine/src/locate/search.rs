//! Finds every place where a run of lines stands, exactly, in time linear in file and run.

use std::ops::Range;

use super::budget::Budget;
use super::file::{File, Index};
use crate::outcome::Reason;

/// Returns the first line of every place within lines `within` where the lines `anchor` stand.
///
/// Overlapping places are all returned, in file order. `anchor` holds texts: no endings. An empty
/// anchor stands nowhere.
///
/// # Complexity
///
/// `O(m + k)` for `m` anchor lines and `k` comparisons at the places of the anchor's rarest line,
/// at most `O(n + m)` for `n` lines of file.
pub(crate) fn find(
    file: &File<'_>,
    anchor: &[&[u8]],
    within: Range<usize>,
    budget: &Budget,
) -> Result<Vec<usize>, Reason> {
    find_in(file, file.index(), anchor, within, budget)
}

/// Returns the same for lines that agree but for the white space around them.
pub(crate) fn find_trimmed(
    file: &File<'_>,
    anchor: &[&[u8]],
    budget: &Budget,
) -> Result<Vec<usize>, Reason> {
    find_in(file, file.trimmed_index(), anchor, 0..file.len(), budget)
}

fn find_in(
    file: &File<'_>,
    index: &Index,
    anchor: &[&[u8]],
    within: Range<usize>,
    budget: &Budget,
) -> Result<Vec<usize>, Reason> {
    budget.spend(anchor.len())?;
    let Some(numbers) = anchor
        .iter()
        .map(|text| index.number(file, text))
        .collect::<Option<Vec<u32>>>()
    else {
        return Ok(Vec::new());
    };
    let rarest = numbers
        .iter()
        .enumerate()
        .min_by_key(|(_, n)| index.places(**n).len());
    let Some((offset, number)) = rarest else {
        return Ok(Vec::new());
    };
    let places = index.places(*number);
    let ids = index.ids();
    // Few places of the rarest line are checked one by one; many (equal lines) would be quadratic.
    if places.len().saturating_mul(numbers.len()) > 8 * (ids.len() + numbers.len()) {
        budget.spend(ids.len())?;
        let found = by_prefixes(ids, &numbers, within);
        budget.spend(found.len().saturating_mul(16))?;
        return Ok(found);
    }
    budget.spend(places.len())?;
    let mut found = Vec::new();
    for place in places {
        let Some(start) = (*place as usize).checked_sub(offset) else {
            continue;
        };
        let end = start + numbers.len();
        if start >= within.start && end <= within.end && ids[start..end] == numbers[..] {
            found.push(start);
            // What is found is kept and compared further on.
            budget.spend(16)?;
        }
        budget.spend(1)?;
    }
    Ok(found)
}

/// Knuth, Morris and Pratt's search: linear whatever the input.
fn by_prefixes(ids: &[u32], anchor: &[u32], within: Range<usize>) -> Vec<usize> {
    let borders = borders(anchor);
    let mut found = Vec::new();
    let mut matched = 0;
    for (at, id) in ids.iter().enumerate().take(within.end).skip(within.start) {
        while matched > 0 && (matched == anchor.len() || anchor[matched] != *id) {
            matched = borders[matched - 1];
        }
        if anchor[matched] == *id {
            matched += 1;
        }
        if matched == anchor.len() {
            found.push(at + 1 - matched);
        }
    }
    found
}

/// Returns, for each prefix of `anchor`, the length of its longest proper border.
fn borders(anchor: &[u32]) -> Vec<usize> {
    let mut borders = vec![0; anchor.len()];
    let mut length = 0;
    for at in 1..anchor.len() {
        while length > 0 && anchor[length] != anchor[at] {
            length = borders[length - 1];
        }
        if anchor[length] == anchor[at] {
            length += 1;
        }
        borders[at] = length;
    }
    borders
}

#[cfg(test)]
mod tests;
