//! How the bodies of a block move together, and apart.

/// How the packed centres of one block moved when they were read last.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockMotion {
    /// What they have in common, in m.
    pub(crate) common: [f64; 3],
    /// No centre moved further than this beside it, in m.
    pub(crate) apart: f64,
}

impl BlockMotion {
    /// Centres of a block that are asked for what all have in common.
    pub(super) const SAMPLE: usize = 32;

    /// No gap between a body of this block and one of the other has become shorter by more than this, in m.
    pub(crate) fn closing(&self, other: &Self) -> f64 {
        let square: f64 = self.common.iter().zip(&other.common).map(|(a, b)| (a - b).powi(2)).sum();
        square.sqrt() + self.apart + other.apart
    }
}
