//! Where the sums of all rows of a block are written.

use crate::kernel::Output;
use crate::par::BLOCK;

/// What the bodies of a block get from their own rows.
pub(super) struct OwnSums<'a> {
    pub(super) force: &'a mut [[f64; 4]; BLOCK],
    pub(super) torque: &'a mut [[f64; 4]; BLOCK],
    /// Forces that are not elastic, where they are asked for.
    pub(super) dissipative: &'a mut [[f64; 4]],
}

impl<'a> OwnSums<'a> {
    /// Zeros in an output that has room for a whole block; `None` if it has not.
    #[inline(always)]
    pub(super) fn within(output: &'a mut Output<'_>) -> Option<Self> {
        let Output { force, torque, dissipative } = output;
        let [force, torque] = [force, torque].map(|rows| rows.first_chunk_mut());
        let sums = Self { force: force?, torque: torque?, dissipative };
        sums.force.fill([0.0; 4]);
        sums.torque.fill([0.0; 4]);
        sums.dissipative.fill([0.0; 4]);
        Some(sums)
    }
}
