//! How the bodies of one block move: together, and relative to each other.

/// How the packed centres of one block moved in the last gather.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockMotion {
    /// Mean displacement of a sample of the centres, in m.
    pub(crate) common: [f64; 3],
    /// Bound in m on the displacement of each centre minus the common one.
    pub(crate) apart: f64,
}

impl BlockMotion {
    /// Number of centres in the sample.
    pub(super) const SAMPLE: usize = 32;

    /// Bound in m on the decrease of any gap between a body of this block and one of the other.
    pub(crate) fn closing(&self, other: &Self) -> f64 {
        let square: f64 = self.common.iter().zip(&other.common).map(|(a, b)| (a - b).powi(2)).sum();
        square.sqrt() + self.apart + other.apart
    }
}
