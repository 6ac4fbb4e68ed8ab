//! What pairs of a batch are evaluated from and to, laid out for that.

use super::BATCH;

type Table = [[f64; 4]; BATCH];

/// The pairs of a batch that are evaluated; a is the body at the lower place. Rows begin where cache lines do.
#[repr(align(64))]
pub(super) struct Batch {
    /// From a to b, and the radius of b.
    pub(super) separation: Table,
    /// Of a.
    pub(super) radius: [f64; BATCH],
    /// Of b relative to a, of the centres, and the sum of the reciprocal masses.
    pub(super) velocity: Table,
    /// `r_a Ω_a + r_b Ω_b` where radii differ; `Ω_a + Ω_b` and the number of body a less that of b; `Ω_b − Ω_a` for laws that
    /// resist rolling.
    pub(super) rolling: Table,
    pub(super) turning: Table,
    pub(super) spin: Table,
    pub(super) materials: [[u32; 2]; BATCH],
    /// Where it is summed what a and b get.
    pub(super) sums: [[u32; 2]; BATCH],
    /// On a.
    pub(super) force: Table,
    pub(super) torque: Table,
    /// On b, where it is not that on a.
    pub(super) counter_torque: Table,
    pub(super) dissipative: Table,
}

impl Batch {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let table = [[0.0; 4]; BATCH];
        Self {
            separation: table,
            radius: [0.0; BATCH],
            velocity: table,
            rolling: table,
            turning: table,
            spin: table,
            materials: [[0; 2]; BATCH],
            sums: [[0; 2]; BATCH],
            force: table,
            torque: table,
            counter_torque: table,
            dissipative: table,
        }
    }
}

/// What the row has that is being added up.
#[derive(Clone, Copy)]
pub(super) struct Own {
    pub(super) this: usize,
    pub(super) force: [f64; 4],
    pub(super) torque: [f64; 4],
    pub(super) dissipative: [f64; 4],
}

/// `row` with its last number turned around, or all others.
#[inline(always)]
pub(super) fn last_negated([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [x, y, z, -w]
}

#[inline(always)]
pub(super) fn others_negated([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

/// `more` on top of `sum` where the bits of `same` are, else of nothing: a row begins by a mask instead of a branch.
#[inline(always)]
pub(super) fn onto(same: u64, sum: [f64; 4], more: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|c| f64::from_bits(sum[c].to_bits() & same) + more[c])
}
