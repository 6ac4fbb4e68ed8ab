//! Histograms of the contact forces in the pyramid of `[OK18]`.
use super::pile::maximum;

/// Force in m g above which a contact counts as loaded; smaller forces are rounding errors of the solvers.
pub(super) const LOADED: f64 = 1e-9;
/// Number of bins of a histogram.
const BINS: usize = 40;

/// Numbers of loaded contacts in `BINS` equal bins of the force from zero to `most` (m g); the last bin includes larger
/// forces.
#[derive(Clone, Debug)]
pub(super) struct Histogram {
    most: f64,
    counts: Vec<f64>,
}

impl Histogram {
    pub(super) fn new(force: &[f64], most: f64) -> Self {
        let mut counts = vec![0.0; BINS];
        for force in force.iter().filter(|force| **force > LOADED) {
            counts[((force / most * BINS as f64) as usize).min(BINS - 1)] += 1.0;
        }
        Self { most, counts }
    }

    /// Returns the upper end of a histogram for these forces: 2 % above the largest one, so that forces of another
    /// method that are slightly larger get no bin of their own.
    pub(super) fn scale(force: &[f64]) -> f64 {
        1.02 * maximum(force)
    }

    /// Returns the corners of the bars' common outline, as force in m g and number of contacts.
    pub(super) fn outline(&self) -> Vec<(f64, f64)> {
        let edge = |k: usize| self.most * k as f64 / BINS as f64;
        let bars = self.counts.iter().enumerate().flat_map(|(k, &count)| [(edge(k), count), (edge(k + 1), count)]);
        [(0.0, 0.0)].into_iter().chain(bars).chain([(self.most, 0.0)]).collect()
    }

    /// Returns the middle of the top of each bar, as force in m g and number of contacts.
    pub(super) fn tops(&self) -> Vec<(f64, f64)> {
        let middle = |k: usize| self.most * (k as f64 + 0.5) / BINS as f64;
        self.counts.iter().enumerate().map(|(k, &count)| (middle(k), count)).collect()
    }

    pub(super) fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Returns the number of loaded contacts whose force is in the lowest tenth of the range.
    pub(super) fn lowest(&self) -> f64 {
        self.counts[..BINS / 10].iter().sum()
    }

    /// Returns the share of contacts that would have to change bins to turn this histogram into `other`, if both have
    /// the same total.
    pub(super) fn difference(&self, other: &Self) -> f64 {
        let moved = self.counts.iter().zip(&other.counts).map(|(a, b)| (a - b).abs()).sum::<f64>();
        0.5 * moved / self.total()
    }
}

/// Returns the number of contacts that carry more than [`LOADED`].
pub(super) fn loaded(force: &[f64]) -> usize {
    force.iter().filter(|force| **force > LOADED).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_counted_once() {
        let histogram = Histogram::new(&[0.0, 1e-12, 0.1, 0.2, 3.9, 4.0], 4.0);
        assert!((histogram.total() - 4.0).abs() < 1e-12 && (histogram.lowest() - 2.0).abs() < 1e-12);
        assert_eq!(histogram.outline().len(), 2 * BINS + 2);
        assert!(histogram.difference(&histogram.clone()).abs() < 1e-12);
        let other = Histogram::new(&[0.1, 0.2, 2.0, 4.0], 4.0);
        assert!((histogram.difference(&other) - 0.25).abs() < 1e-12);
    }
}
