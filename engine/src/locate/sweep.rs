//! Where many texts stand in one: a pass over it for all of them together, not one for each.

use std::collections::HashMap;

use memchr::memmem;

use super::budget::Budget;
use crate::outcome::Reason;

/// Lengths of the pieces that texts are found by, longest first: a text is found by the longest
/// that it has.
const PIECES: [usize; 2] = [8, 4];
/// Bits of the table that counts pieces: what it mistakes for each other costs time alone.
const COUNT_BITS: u32 = 18;

/// Calls `at` with the number of a needle and a place in `haystack` where it stands, for every
/// place, until `at` returns false for that needle. Needles differ from each other and are not
/// empty. A needle's places come in order.
///
/// # Complexity
///
/// Linear in `haystack` and the needles, and in the places of each needle's rarest piece.
pub(crate) fn each(
    haystack: &[u8],
    needles: &[&[u8]],
    budget: &Budget,
    mut at: impl FnMut(usize, usize) -> bool,
) -> Result<(), Reason> {
    let mut rest: Vec<usize> = (0..needles.len()).collect();
    for piece in PIECES {
        let (these, shorter) = rest.into_iter().partition(|n| needles[*n].len() >= piece);
        rest = shorter;
        by_pieces(haystack, needles, (piece, these), budget, &mut at)?;
    }
    for n in rest {
        budget.spend(haystack.len())?;
        let mut from = 0;
        while let Some(found) = haystack
            .get(from..)
            .and_then(|tail| memmem::find(tail, needles[n]))
        {
            if !at(n, from + found) {
                break;
            }
            from += found + 1;
        }
    }
    Ok(())
}

/// Where a needle is looked for: its number, and its rarest piece with that one's place in it.
struct Probe {
    needle: usize,
    offset: usize,
    piece: u64,
    /// The next probe in the same slot, plus one.
    next: usize,
}

fn by_pieces(
    haystack: &[u8],
    needles: &[&[u8]],
    (len, numbers): (usize, Vec<usize>),
    budget: &Budget,
    at: &mut impl FnMut(usize, usize) -> bool,
) -> Result<(), Reason> {
    if numbers.is_empty() {
        return Ok(());
    }
    budget.spend(haystack.len().saturating_mul(2))?;
    let mut counts = vec![0u32; 1 << COUNT_BITS];
    for piece in haystack.windows(len) {
        let slot = &mut counts[slot(number(piece), COUNT_BITS)];
        *slot = slot.saturating_add(1);
    }
    let bits = usize::BITS - numbers.len().saturating_mul(8).leading_zeros();
    let bits = bits.max(10);
    let mut heads = vec![0usize; 1 << bits];
    let mut probes: Vec<Probe> = Vec::with_capacity(numbers.len());
    for needle in numbers {
        budget.spend(needles[needle].len())?;
        let pieces = needles[needle].windows(len).map(number).enumerate();
        let rarest = pieces.min_by_key(|(_, piece)| counts[slot(*piece, COUNT_BITS)]);
        let Some((offset, piece)) = rarest else {
            continue;
        };
        let head = &mut heads[slot(piece, bits)];
        let next = std::mem::replace(head, probes.len() + 1);
        probes.push(Probe {
            needle,
            offset,
            piece,
            next,
        });
    }
    for (place, piece) in haystack.windows(len).map(number).enumerate() {
        let slot = slot(piece, bits);
        let (mut before, mut next) = (None, heads[slot]);
        while let Some(k) = next.checked_sub(1) {
            let probe = &probes[k];
            next = probe.next;
            let goes_on = meets(haystack, needles, (place, piece), probe, budget, at)?;
            if goes_on {
                before = Some(k);
                continue;
            }
            match before {
                Some(before) => probes[before].next = next,
                None => heads[slot] = next,
            }
        }
    }
    Ok(())
}

/// Looks at one place where a needle's rarest piece may stand. False where the needle is done with.
fn meets(
    haystack: &[u8],
    needles: &[&[u8]],
    (place, piece): (usize, u64),
    probe: &Probe,
    budget: &Budget,
    at: &mut impl FnMut(usize, usize) -> bool,
) -> Result<bool, Reason> {
    let needle = needles[probe.needle];
    let start = place.checked_sub(probe.offset);
    let Some(start) = start.filter(|_| probe.piece == piece) else {
        budget.spend(1)?;
        return Ok(true);
    };
    // Comparing takes many bytes at once.
    budget.spend(2 + needle.len() / 16)?;
    let stands = haystack.get(start..start + needle.len()) == Some(needle);
    Ok(!stands || at(probe.needle, start))
}

/// Returns the first bytes of `piece`, at most eight, as one number.
fn number(piece: &[u8]) -> u64 {
    piece
        .iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Returns the slot of `number` in a table of `1 << bits` slots: the upper bits of a product, which
/// depend on all of the number's.
fn slot(number: u64, bits: u32) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a table has fewer than 2^32 slots"
    )]
    let slot = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize;
    slot
}

/// The places of many texts, each up to a number of them.
#[derive(Debug, Default)]
pub(crate) struct Texts(HashMap<Vec<u8>, Vec<usize>>);

impl Texts {
    /// Finds up to `most` places of each of `texts`, overlapping ones too.
    pub(crate) fn find<'t>(
        haystack: &[u8],
        texts: impl Iterator<Item = &'t [u8]>,
        most: usize,
        budget: &Budget,
    ) -> Result<Self, Reason> {
        let mut needles: Vec<&[u8]> = texts.filter(|text| !text.is_empty()).collect();
        needles.sort_unstable();
        needles.dedup();
        let mut places = vec![Vec::new(); needles.len()];
        each(haystack, &needles, budget, |n, at| {
            places[n].push(at);
            places[n].len() < most
        })?;
        let owned = needles.into_iter().map(<[u8]>::to_vec);
        Ok(Self(owned.zip(places).collect()))
    }

    /// Returns the places of `text`, if it is one that was looked for.
    pub(crate) fn get(&self, text: &[u8]) -> Option<&[usize]> {
        self.0.get(text).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests;
