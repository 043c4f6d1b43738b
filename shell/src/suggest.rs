//! Names that may have been meant.

/// The longest name that is compared; longer ones are no typing mistakes.
const LONGEST: usize = 64;

/// Returns how many letters have to be changed, left out, put in or swapped to make `a` of `b`.
pub(crate) fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = last[j] + usize::from(x != y);
            let mut best = change.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Returns up to three of `names` that `wanted` may be a misspelling of, nearest first.
pub(crate) fn nearest<'a>(wanted: &[u8], names: impl Iterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    if wanted.len() > LONGEST {
        return Vec::new();
    }
    let most = if wanted.len() < 5 { 1 } else { 2 };
    let bare =
        |name: &[u8]| -> Vec<u8> { name.iter().copied().filter(|byte| *byte != b'-').collect() };
    let mut found: Vec<(usize, &[u8])> = names
        .filter(|name| name.len() <= LONGEST && name.len().abs_diff(wanted.len()) <= most.max(3))
        .filter_map(|name| {
            let far = if bare(name) == bare(wanted) {
                1
            } else {
                distance(wanted, name)
            };
            (far <= most).then_some((far, name))
        })
        .collect();
    found.sort();
    found.dedup();
    found.truncate(3);
    found.into_iter().map(|(_, name)| name.to_vec()).collect()
}
