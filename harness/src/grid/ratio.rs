//! Ratcliff and Obershelp's likeness, as Python's difflib has it: twice the matching characters by
//! the characters of both. The longest common block counts, then what is left and right of it; of
//! equal blocks the one that starts first in `a`, then in `b`. No character is junk.

/// Returns the window of `lines` that is most like `anchor`, if it reaches `floor`; of equals the
/// first.
pub(super) fn best(lines: &[&str], anchor: &[String], floor: f64) -> Option<usize> {
    let b: Vec<char> = anchor.join("\n").chars().collect();
    let bag = Bag::of(&b);
    let mut best: Option<(f64, usize)> = None;
    for (at, window) in lines.windows(anchor.len().max(1)).enumerate() {
        let a: Vec<char> = window.join("\n").chars().collect();
        let least = best.map_or(floor, |(ratio, _)| ratio);
        let bound = score(bag.shared(&a), &a, &b);
        // A later window must be better than the best, the first one must only reach the floor.
        if bound < least || (best.is_some() && bound <= least) {
            continue;
        }
        let ratio = score(matching(&a, &b), &a, &b);
        if ratio >= floor && best.is_none_or(|(known, _)| ratio > known) {
            best = Some((ratio, at));
        }
    }
    best.map(|(_, at)| at)
}

#[expect(clippy::cast_precision_loss, reason = "lengths of a few lines")]
fn score(matching: usize, a: &[char], b: &[char]) -> f64 {
    match a.len() + b.len() {
        0 => 1.0,
        len => 2.0 * matching as f64 / len as f64,
    }
}

/// How often each character occurs, by its last 8 bits: those that share them count as equal, which
/// only raises the bound.
struct Bag([u32; 256]);

impl Bag {
    fn of(text: &[char]) -> Self {
        let mut counts = [0; 256];
        for c in text {
            if let Some(count) = counts.get_mut(u32::from(*c) as usize & 0xff) {
                *count += 1;
            }
        }
        Self(counts)
    }

    /// Returns how many characters both have, in any order: no fewer than can match.
    fn shared(&self, text: &[char]) -> usize {
        let other = Self::of(text);
        let both = self.0.iter().zip(&other.0).map(|(a, b)| *a.min(b) as usize);
        both.sum()
    }
}

/// Returns how many characters of `a` and `b` match.
fn matching(a: &[char], b: &[char]) -> usize {
    let mut open = vec![(a, b)];
    let mut total = 0;
    while let Some((a, b)) = open.pop() {
        let (in_a, in_b, len) = longest(a, b);
        if len == 0 {
            continue;
        }
        total += len;
        let before = (a.get(..in_a), b.get(..in_b));
        let behind = (a.get(in_a + len..), b.get(in_b + len..));
        for (a, b) in [before, behind] {
            open.push((a.unwrap_or_default(), b.unwrap_or_default()));
        }
    }
    total
}

/// Returns the longest common block: where it begins in `a` and in `b`, and its length.
fn longest(a: &[char], b: &[char]) -> (usize, usize, usize) {
    let mut best = (0, 0, 0);
    // The lengths of the blocks that end at each place of `b` and the last one of `a`.
    let (mut last, mut now) = (vec![0; b.len() + 1], vec![0; b.len() + 1]);
    for (i, x) in a.iter().enumerate() {
        for ((j, y), (slot, before)) in b.iter().enumerate().zip(now.iter_mut().skip(1).zip(&last))
        {
            *slot = if x == y { before + 1 } else { 0 };
            if *slot > best.2 {
                best = (i + 1 - *slot, j + 1 - *slot, *slot);
            }
        }
        std::mem::swap(&mut last, &mut now);
    }
    best
}

#[cfg(test)]
mod tests;
