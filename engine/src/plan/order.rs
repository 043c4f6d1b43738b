//! The order of hunks as evidence: hunks of a diff stand in file order.

/// What the order says of several hunks, each with its possible places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Assignment {
    /// One choice of places keeps the order.
    One(Vec<usize>),
    /// None does; the first hunk that cannot stand behind those before it.
    None(usize),
    /// Several do.
    Many,
}

/// A hunk's possible places, and how much of it counts where it meets its neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The lines that the hunk may start at, sorted.
    pub(crate) starts: Vec<usize>,
    /// Lines from the start to what counts.
    pub(crate) from: usize,
    /// Lines from the start to behind what counts.
    pub(crate) to: usize,
}

/// Chooses one place for each hunk so that each stands behind the one before, if there is one way
/// only.
///
/// Linear in the number of places.
pub(crate) fn assign(options: &[Options]) -> Assignment {
    // For each hunk and place: in how many ways (at most "many") the hunks up to here can stand.
    let mut ways: Vec<Vec<u8>> = Vec::with_capacity(options.len());
    for (k, here) in options.iter().enumerate() {
        let this: Vec<u8> = match k.checked_sub(1) {
            None => vec![1; here.starts.len()],
            Some(previous) => {
                let (before, counts) = (&options[previous], &ways[previous]);
                let (mut next, mut sum) = (0, 0u8);
                let until = |place: usize| {
                    while next < before.starts.len()
                        && before.starts[next].saturating_add(before.to)
                            <= place.saturating_add(here.from)
                    {
                        sum = (sum + counts[next]).min(2);
                        next += 1;
                    }
                    sum
                };
                here.starts.iter().copied().map(until).collect()
            }
        };
        if this.iter().all(|n| *n == 0) {
            return Assignment::None(k);
        }
        ways.push(this);
    }
    let total: u32 = ways
        .last()
        .map_or(1, |last| last.iter().map(|n| u32::from(*n)).sum());
    if total > 1 {
        return Assignment::Many;
    }
    let mut chosen = Vec::with_capacity(options.len());
    let mut limit = usize::MAX;
    for (here, counts) in options.iter().zip(&ways).rev() {
        let fits = |(place, n): &(&usize, &u8)| place.saturating_add(here.to) <= limit && **n > 0;
        let Some((place, _)) = here.starts.iter().zip(counts).find(fits) else {
            return Assignment::Many;
        };
        chosen.push(*place);
        limit = place.saturating_add(here.from);
    }
    chosen.reverse();
    Assignment::One(chosen)
}

#[cfg(test)]
mod tests;
