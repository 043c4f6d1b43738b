//! How often something happened, and how often it may happen.

use std::fmt;

/// The quantile of the normal distribution that leaves 2.5 % above it.
const Z: f64 = 1.959_963_984_540_054;

/// Between which bounds a rate is believed to be, in 95 of 100 cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    /// The lower bound, at least 0.
    pub(crate) low: f64,
    /// The upper bound, at most 1.
    pub(crate) high: f64,
}

impl Interval {
    /// What is known of a rate without a trial: nothing.
    pub(crate) const UNKNOWN: Self = Self {
        low: 0.0,
        high: 1.0,
    };
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:.4}, {:.4}]", self.low, self.high)
    }
}

/// How often something happened. Of none, it is shown how often it may happen at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    hits: u64,
    trials: u64,
}

impl Rate {
    /// Returns the rate of `hits` in `trials`; `None` where there are more of the former.
    pub(crate) fn new(hits: u64, trials: u64) -> Option<Self> {
        (hits <= trials).then_some(Self { hits, trials })
    }

    /// Returns the share of hits; 0 without a trial.
    pub(crate) fn share(self) -> f64 {
        self.hits as f64 / self.trials.max(1) as f64
    }

    /// Returns Wilson's interval (Wilson 1927, without correction for continuity).
    pub(crate) fn wilson(self) -> Interval {
        if self.trials == 0 {
            return Interval::UNKNOWN;
        }
        let (n, p) = (self.trials as f64, self.share());
        let square = Z * Z;
        let scale = 1.0 + square / n;
        let centre = (p + square / (2.0 * n)) / scale;
        let half = Z * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt() / scale;
        // At the ends the bound is the rate itself, which rounding must not hide.
        let low = if self.hits == 0 { 0.0 } else { centre - half };
        let all = self.hits == self.trials;
        let high = if all { 1.0 } else { centre + half };
        Interval { low, high }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let interval = self.wilson();
        match (self.hits, self.trials) {
            (_, 0) => write!(f, "no trials"),
            (0, trials) => write!(f, "0 of {trials} (at most {:.4})", interval.high),
            _ => write!(f, "{:.4} {interval}", self.share()),
        }
    }
}
