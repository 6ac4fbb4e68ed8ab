//! The layout of a batch of pairs: relative motions and loads as rows of four numbers.
//!
//! A difference of two rows is one load, one subtraction and one store. The loops over a batch read all four numbers of
//! a row: if one number is left out, the compiler spends a whole vector iteration on a scalar rest
//! (docs/decisions/0038).

use crate::force::tiles::scene::{LawNeeds, Needs};
use crate::force::tiles::sums::Row;
use crate::law::batch::{BATCH, Column, Contacts, Forces, LANES};

/// Four numbers for each pair of a batch (up to 64 pairs of one contact law): a vector and another value.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(super) struct Rows(pub(in crate::force) [Row; BATCH]);

impl Rows {
    const ZERO: Self = Self([[0.0; 4]; BATCH]);
}

/// Touching pairs of a batch, given by the indices of their spheres in the scratch memory of the tile.
#[derive(Debug, Clone)]
pub(super) struct PairsOfBatch {
    pub(super) index: [u32; BATCH],
    /// Indices of the spheres a and b of each pair in the scratch memory; sphere a has the lower permanent id.
    pub(in crate::force) rows: [[u32; 2]; BATCH],
    pub(super) count: usize,
}

impl PairsOfBatch {
    /// Number of slots of the batch that are evaluated: its pairs, rounded up to whole vector registers.
    #[inline(always)]
    pub(super) fn lanes(&self) -> usize {
        self.count.next_multiple_of(LANES).min(BATCH)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Relative {
    /// Separation of each pair from sphere a to sphere b in m; the fourth number is the sum of their radii in m.
    pub(super) separation: Rows,
    /// Velocity of b relative to a of each pair in m/s; the fourth number is the radius of b minus that of a in m. Each
    /// radius is computed from sum and difference, with the rounding error of the larger radius, as the overlap has.
    pub(in crate::force) velocity: Rows,
    /// Sum of the spins `Ω_a + Ω_b` of each pair in rad/s; the fourth number is the sum of the reciprocal masses in
    /// 1/kg.
    pub(in crate::force) turning: Rows,
    /// Sum of radii times spins `r_a Ω_a + r_b Ω_b` of each pair in m/s, if radii differ.
    pub(super) rolling: [[f64; 3]; BATCH],
    /// Relative spin `Ω_b − Ω_a` of each pair in rad/s, if laws resist rolling.
    pub(in crate::force) spin: [[f64; 3]; BATCH],
}

#[derive(Debug, Clone)]
pub(super) struct Loads {
    pub(in crate::force) force: Rows,
    pub(super) torque_on_a: Rows,
    pub(super) torque_on_b: Rows,
    pub(in crate::force) dissipative: Rows,
}

/// Batch of touching pairs; each stage of the contact loop fills a part of it. Inner loops take the parts as separate
/// arguments, so that they are vectorised.
#[derive(Debug, Clone)]
pub(in crate::force) struct Batch {
    pub(super) pairs: PairsOfBatch,
    pub(super) relative: Relative,
    pub(super) distance: Column,
    pub(in crate::force) contacts: Contacts,
    pub(in crate::force) forces: Forces,
    pub(super) loads: Loads,
}

impl Default for Batch {
    fn default() -> Self {
        let vectors = [[0.0; 3]; BATCH];
        Self {
            pairs: PairsOfBatch { index: [0; BATCH], rows: [[0; 2]; BATCH], count: 0 },
            relative: Relative {
                separation: Rows::ZERO,
                velocity: Rows::ZERO,
                turning: Rows::ZERO,
                rolling: vectors,
                spin: vectors,
            },
            distance: [1.0; BATCH],
            contacts: Contacts::new(),
            forces: Forces::new(),
            loads: Loads {
                force: Rows::ZERO,
                torque_on_a: Rows::ZERO,
                torque_on_b: Rows::ZERO,
                dissipative: Rows::ZERO,
            },
        }
    }
}

impl Batch {
    /// Sets the columns that no stage of the contact loop writes for contacts with the law of the run, whose needs are
    /// `law`: a law may read all columns, and must not read values of another batch.
    pub(in crate::force) fn begin_run(&mut self, needs: &Needs, law: &LawNeeds) {
        let Self { relative, contacts, forces, loads, .. } = self;
        contacts.slip_before_end = law.slip_before_end;
        forces.tangential_energy.fill(0.0);
        if !law.motion {
            relative.velocity = Rows::ZERO;
            contacts.rate.fill(0.0);
            contacts.mass.fill(1.0);
            contacts.normal = [[1.0; BATCH], [0.0; BATCH], [0.0; BATCH]];
        }
        if !law.motion || !law.tangential && !law.spin {
            contacts.slip = [[0.0; BATCH]; 3];
        }
        if !law.motion || !law.spin {
            contacts.turning.fill(0.0);
            contacts.spin = [[0.0; BATCH]; 3];
        }
        if !law.couples {
            relative.spin = [[0.0; 3]; BATCH];
            forces.couple = [[0.0; BATCH]; 3];
        }
        if !law.tangential {
            forces.tangential = [[0.0; BATCH]; 3];
        }
        if !law.motion || !needs.dissipative {
            loads.dissipative = Rows::ZERO;
        }
    }
}
