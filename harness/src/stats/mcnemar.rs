//! McNemar's test: whether two appliers differ on the same trials.

/// Returns how probable a split at least as uneven is if both are equally good: `first` trials that
/// only the first got right, `second` that only the second did. Exact and two-sided; 1 if neither
/// differs.
pub(crate) fn mcnemar(first: u64, second: u64) -> f64 {
    let (fewer, all) = (first.min(second), first.saturating_add(second));
    let n = all as f64;
    let fair = n * std::f64::consts::LN_2;
    // Sums of logarithms, as a half to the power of some thousand is no number any more.
    let (mut ways, mut tail) = (0.0_f64, 0.0_f64);
    for k in 0..=fewer {
        tail += (ways - fair).exp();
        ways += ((n - k as f64) / (k as f64 + 1.0)).ln();
    }
    (2.0 * tail).min(1.0)
}
