//! The bootstrap by clusters: edits of one file are alike, so files are drawn and not trials.

use super::rate::Interval;
use crate::rng::Rng;

/// The trials of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cluster {
    /// In how many it happened.
    pub(crate) hits: u64,
    /// How many there are.
    pub(crate) trials: u64,
}

/// How to draw. Equal fields and equal clusters give equal intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bootstrap {
    /// How many times as many clusters as there are get drawn.
    pub(crate) resamples: usize,
    /// What all draws follow from.
    pub(crate) seed: u64,
}

impl Bootstrap {
    /// Returns the 2.5th and the 97.5th percentile of the rate over draws of as many clusters as
    /// there are, with replacement; between two draws it is interpolated.
    pub(crate) fn interval(self, clusters: &[Cluster]) -> Interval {
        let trials = |cluster: &Cluster| cluster.trials > 0;
        if self.resamples == 0 || !clusters.iter().any(trials) {
            return Interval::UNKNOWN;
        }
        let draws = (0..self.resamples).filter_map(|index| self.draw(clusters, index));
        let mut rates: Vec<f64> = draws.collect();
        rates.sort_by(f64::total_cmp);
        Interval {
            low: percentile(&rates, 25).unwrap_or(0.0),
            high: percentile(&rates, 975).unwrap_or(1.0),
        }
    }

    /// Returns the rate in draw `index`; `None` where only clusters without trials were drawn.
    fn draw(self, clusters: &[Cluster], index: usize) -> Option<f64> {
        let mut rng = Rng::of_trial(self.seed, index);
        let (mut hits, mut trials) = (0, 0);
        for _ in clusters {
            let drawn = rng.pick(clusters)?;
            hits += drawn.hits;
            trials += drawn.trials;
        }
        (trials > 0).then(|| hits as f64 / trials as f64)
    }
}

/// Returns the number below which so many thousandths of the sorted `rates` are.
fn percentile(rates: &[f64], thousandths: usize) -> Option<f64> {
    let scaled = rates.len().checked_sub(1)? * thousandths;
    let (below, part) = (scaled / 1000, (scaled % 1000) as f64 / 1000.0);
    let low = rates.get(below)?;
    let high = rates.get(below + 1).unwrap_or(low);
    Some(low + (high - low) * part)
}
