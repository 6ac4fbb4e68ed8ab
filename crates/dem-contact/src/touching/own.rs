//! The sum of the row at work.

use crate::tray::Wrench;

/// What the body of a row has got from its own pairs so far.
#[derive(Clone, Copy)]
pub(super) struct Own {
    pub(super) this: usize,
    pub(super) push: Wrench,
    pub(super) dissipative: [f64; 4],
}

impl Own {
    /// Before the first row.
    pub(super) const NONE: Self =
        Self { this: usize::MAX, push: Wrench { force: [0.0; 4], torque: [0.0; 4] }, dissipative: [0.0; 4] };
}

/// `more` on top of `sum` where the bits of `same` are, else of nothing: a row begins by a mask instead of a branch.
#[inline(always)]
pub(super) fn onto(same: u64, sum: [f64; 4], more: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|c| f64::from_bits(sum[c].to_bits() & same) + more[c])
}
