//! Likeness of two texts after Ratcliff and Obershelp, as Python's `difflib` has it.
//!
//! `2M / (|a| + |b|)`, in characters, where M counts the characters of the longest block that both
//! share, and so on to the left and to the right of it. Of blocks that are equally long the one that
//! starts first in `a` is taken, and then the one that starts first in `b`: so the likeness of `a`
//! and `b` is not always that of `b` and `a`. No character is taken for junk.
//!
//! Two numbers that are never below it cost far less, and serve to leave out texts that cannot be
//! the likest: the characters that both have in whatever order, and their longest common subsequence.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

/// A character of the anchor by its number from 1; 0 for one that the anchor does not have.
pub(super) type Symbol = u32;

/// The text `b` that others are compared with, prepared for many comparisons.
#[derive(Debug)]
pub(super) struct Anchor {
    symbols: HashMap<char, Symbol>,
    /// The symbols of the characters below 128, which nearly all are.
    ascii: [Symbol; 128],
    /// How many characters it has.
    len: usize,
    /// How often each symbol stands in it.
    counts: Vec<usize>,
    /// Where each symbol stands in it, from left to right.
    positions: Vec<Vec<usize>>,
    /// The same as bits: `words` numbers for each symbol.
    masks: Vec<u64>,
    words: usize,
}

/// Room to work in, kept between comparisons.
#[derive(Debug, Default)]
pub(super) struct Room {
    bits: Vec<u64>,
    /// Lengths of the runs that end at each place of `b`, shifted by one.
    runs: Vec<usize>,
    next: Vec<usize>,
    spans: Vec<Span>,
}

/// A part of `a` and the part of `b` that it is compared with; half-open.
#[derive(Clone, Copy, Debug)]
struct Span {
    a: (usize, usize),
    b: (usize, usize),
}

impl Anchor {
    /// Prepares `text`.
    pub(super) fn new(text: &str) -> Self {
        let mut anchor = Self {
            symbols: HashMap::new(),
            ascii: [0; 128],
            len: text.chars().count(),
            counts: vec![0],
            positions: vec![Vec::new()],
            masks: Vec::new(),
            words: text.chars().count().div_ceil(64),
        };
        anchor.masks.resize(anchor.words, 0);
        for (at, char) in text.chars().enumerate() {
            anchor.note(at, char);
        }
        anchor
    }

    fn note(&mut self, at: usize, char: char) {
        let fresh = self.counts.len();
        let symbol = Symbol::try_from(fresh).unwrap_or(Symbol::MAX);
        let symbol = *self.symbols.entry(char).or_insert(symbol);
        if let Some(slot) = self.ascii.get_mut(char as usize) {
            *slot = symbol;
        }
        let index = symbol as usize;
        if index == fresh {
            self.counts.push(0);
            self.positions.push(Vec::new());
            self.masks.resize(self.masks.len() + self.words, 0);
        }
        if let (Some(count), Some(places), Some(mask)) = (
            self.counts.get_mut(index),
            self.positions.get_mut(index),
            self.masks.get_mut(index * self.words + at / 64),
        ) {
            *count += 1;
            places.push(at);
            *mask |= 1 << (at % 64);
        }
    }

    /// Returns the symbols of `text`, one a character.
    pub(super) fn encode(&self, text: &str) -> Vec<Symbol> {
        let encode = |char: char| match self.ascii.get(char as usize) {
            Some(symbol) => *symbol,
            None => self.symbols.get(&char).copied().unwrap_or(0),
        };
        text.chars().map(encode).collect()
    }

    /// Returns how many symbols there are, the one for foreign characters included.
    pub(super) fn alphabet(&self) -> usize {
        self.counts.len()
    }

    /// Returns how often `symbol` stands in the anchor; 0 for a foreign one.
    pub(super) fn count(&self, symbol: Symbol) -> usize {
        self.counts.get(symbol as usize).copied().unwrap_or(0)
    }

    /// Returns the likeness of a text of `len` characters that shares `shared` with the anchor.
    pub(super) fn likeness(&self, len: usize, shared: usize) -> f64 {
        let total = len + self.len;
        if total == 0 {
            return 1.0;
        }
        // As `difflib` writes it, so that equal likenesses are equal numbers.
        2.0 * shared as f64 / total as f64
    }

    /// Returns the length of the longest common subsequence of `a` and the anchor (Hyyrö's bits).
    pub(super) fn subsequence(&self, a: &[Symbol], room: &mut Room) -> usize {
        room.bits.clear();
        room.bits.resize(self.words, u64::MAX);
        for symbol in a.iter().filter(|symbol| **symbol != 0) {
            let start = *symbol as usize * self.words;
            let masks = self.masks.get(start..start + self.words);
            let mut carry = false;
            for (bits, mask) in room.bits.iter_mut().zip(masks.unwrap_or_default()) {
                let (sum, over) = bits.overflowing_add(*bits & mask);
                let (sum, more) = sum.overflowing_add(u64::from(carry));
                carry = over | more;
                *bits = sum | (*bits & !mask);
            }
        }
        let zeros = room.bits.iter().map(|bits| bits.count_zeros() as usize);
        zeros.sum()
    }

    /// Returns how many characters of `a` and the anchor match after Ratcliff and Obershelp.
    pub(super) fn matches(&self, a: &[Symbol], room: &mut Room) -> usize {
        room.runs.clear();
        room.runs.resize(self.len + 1, 0);
        room.next.clear();
        room.next.resize(self.len + 1, 0);
        let mut spans = std::mem::take(&mut room.spans);
        spans.push(Span {
            a: (0, a.len()),
            b: (0, self.len),
        });
        let mut matched = 0;
        while let Some(span) = spans.pop() {
            let (at, other, len) = self.longest(a, span, room);
            if len == 0 {
                continue;
            }
            matched += len;
            let left = Span {
                a: (span.a.0, at),
                b: (span.b.0, other),
            };
            let right = Span {
                a: (at + len, span.a.1),
                b: (other + len, span.b.1),
            };
            let rest = [left, right];
            spans.extend(
                rest.iter()
                    .filter(|rest| rest.a.0 < rest.a.1 && rest.b.0 < rest.b.1),
            );
        }
        room.spans = spans;
        matched
    }

    /// Returns the longest common block of `span` as its start in `a`, its start in the anchor and
    /// its length.
    fn longest(&self, a: &[Symbol], span: Span, room: &mut Room) -> (usize, usize, usize) {
        let Room { runs, next, .. } = room;
        let (mut best, mut before) = ((span.a.0, span.b.0, 0), 0);
        for (at, symbol) in a.iter().enumerate().take(span.a.1).skip(span.a.0) {
            let places = self.within(*symbol, span.b);
            for &place in places {
                let run = runs.get(place).map_or(1, |run| run + 1);
                if let Some(slot) = next.get_mut(place + 1) {
                    *slot = run;
                }
                if run > best.2 {
                    best = (at + 1 - run, place + 1 - run, run);
                }
            }
            forget(runs, self.within(before, span.b));
            std::mem::swap(runs, next);
            before = *symbol;
        }
        forget(runs, self.within(before, span.b));
        best
    }

    /// Returns the places of `symbol` in a part of the anchor.
    fn within(&self, symbol: Symbol, part: (usize, usize)) -> &[usize] {
        let places = self.positions.get(symbol as usize);
        let places = places.map(Vec::as_slice).unwrap_or_default();
        let from = places.partition_point(|place| *place < part.0);
        let to = places.partition_point(|place| *place < part.1);
        places.get(from..to).unwrap_or_default()
    }
}

/// Sets the runs that end at `places` back to none.
fn forget(runs: &mut [usize], places: &[usize]) {
    for place in places {
        if let Some(run) = runs.get_mut(place + 1) {
            *run = 0;
        }
    }
}
