//! What pairs of a batch are evaluated from and to, laid out for that.

use crate::force::old::slots::BATCH;

type Table = [[f64; 4]; BATCH];

/// The pairs of a batch that are evaluated; a is the body at the home. Rows begin where cache lines do.
#[repr(align(64))]
pub(super) struct Batch {
    /// From a to b, and the radius of b, or zero where all radii are the same.
    pub(super) separation: Table,
    /// Of a.
    pub(super) radius: [f64; BATCH],
    /// Of b relative to a, of the centres, and the number of body b less that of a.
    pub(super) velocity: Table,
    /// `r_a Ω_a + r_b Ω_b` where radii differ; `Ω_a + Ω_b` and the sum of the reciprocal masses; `Ω_b − Ω_a` for laws that resist
    /// rolling.
    pub(super) rolling: Table,
    pub(super) turning: Table,
    pub(super) spin: Table,
    pub(super) materials: [[u32; 2]; BATCH],
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
            force: table,
            torque: table,
            counter_torque: table,
            dissipative: table,
        }
    }
}
