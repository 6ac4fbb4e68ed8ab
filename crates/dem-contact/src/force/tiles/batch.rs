//! The pairs that are evaluated together, as they are read and as their loads are added: rows of four numbers.
//!
//! A difference of two rows is one load, one subtraction and one store. The loops over a batch read all four numbers of
//! a row: where one is left out, the compiler keeps a whole vector iteration for a scalar rest (0038).

use crate::force::tiles::scene::{LawNeeds, Needs};
use crate::force::tiles::sums::Row;
use crate::law::batch::{BATCH, Column, Contacts, Forces, LANES};

/// A row of four numbers for each pair.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(crate) struct Rows(pub(crate) [Row; BATCH]);

impl Rows {
    const ZERO: Self = Self([[0.0; 4]; BATCH]);
}

/// The pairs of a batch that touch.
#[derive(Debug, Clone)]
pub(crate) struct PairsOfBatch {
    /// The index of each pair in the tile.
    pub(crate) index: [u32; BATCH],
    /// The rows of its spheres a and b in the scratch of the tile; a has the lower id.
    pub(crate) rows: [[u32; 2]; BATCH],
    pub(crate) count: usize,
}

impl PairsOfBatch {
    /// Slots that are evaluated: the pairs, and more to fill the lanes up.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> usize {
        self.count.next_multiple_of(LANES).min(BATCH)
    }
}

/// The relative positions and motions of the pairs of a batch.
#[derive(Debug, Clone)]
pub(crate) struct Relative {
    /// From a to b in m, and the sum of the radii in m.
    pub(crate) separation: Rows,
    /// Velocity of b relative to a in m/s, and the radius of b less that of a in m. Radii are found from their sum and
    /// difference, with the rounding of the larger one, as that of the overlap.
    pub(crate) velocity: Rows,
    /// `Ω_a + Ω_b` in rad/s, and the sum of the reciprocal masses in 1/kg.
    pub(crate) turning: Rows,
    /// `r_a Ω_a + r_b Ω_b` in m/s, where radii differ.
    pub(crate) rolling: [[f64; 3]; BATCH],
    /// `Ω_b − Ω_a` in rad/s, where laws resist rolling.
    pub(crate) spin: [[f64; 3]; BATCH],
}

/// The loads of the pairs: the force on b, and torques.
#[derive(Debug, Clone)]
pub(crate) struct Loads {
    pub(crate) force: Rows,
    pub(crate) torque_on_a: Rows,
    pub(crate) torque_on_b: Rows,
    /// The part of the force that is not elastic.
    pub(crate) dissipative: Rows,
}

/// One batch: each stage fills a part of it. Inner loops take the parts as arguments, so that they are vectorised.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub(crate) pairs: PairsOfBatch,
    pub(crate) relative: Relative,
    /// The distance of the centres in m.
    pub(crate) distance: Column,
    pub(crate) contacts: Contacts,
    pub(crate) forces: Forces,
    pub(crate) loads: Loads,
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
    /// Sets the columns that no stage writes for contacts with these laws: a law may read them all, and must not see
    /// what another batch left there.
    pub(crate) fn begin_run(&mut self, needs: &Needs, law: &LawNeeds) {
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
