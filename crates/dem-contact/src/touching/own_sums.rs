//! Where the sums of all rows of a block are written.

use crate::buffers::Sums;
use crate::par::BLOCK;

/// What the bodies of a block get from their own rows.
pub(super) struct OwnSums<'a> {
    pub(super) force: &'a mut [[f64; 4]; BLOCK],
    pub(super) torque: &'a mut [[f64; 4]; BLOCK],
    /// Forces that are not elastic, where they are asked for.
    pub(super) dissipative: &'a mut [[f64; 4]],
}

impl<'a> OwnSums<'a> {
    /// Zeros for a whole block, in the room that there is; forces that are not elastic where they are asked for (`apart`).
    /// Always some.
    #[inline(always)]
    pub(super) fn made_in(sums: &'a mut Sums, apart: bool) -> Option<Self> {
        let Sums { force, torque, dissipative } = sums;
        for rows in [&mut *force, torque, dissipative] {
            rows.clear();
        }
        force.resize(BLOCK, [0.0; 4]);
        torque.resize(BLOCK, [0.0; 4]);
        dissipative.resize(if apart { BLOCK } else { 0 }, [0.0; 4]);
        Some(Self { force: force.first_chunk_mut()?, torque: torque.first_chunk_mut()?, dissipative })
    }
}
