//! The pairs that are evaluated together, laid out for that.

use rrp_geom::glam::DVec3;

/// Pairs in one batch. What it is evaluated from stays in the first cache.
pub(crate) const BATCH: usize = 64;

/// Pairs that are evaluated at the same time at most: batches are filled up to a multiple.
pub(crate) const LANES: usize = 8;

const _: () = assert!(BATCH.is_multiple_of(LANES));

/// A row of four numbers for each pair, which is loaded and stored as one vector.
pub(crate) type Rows = [[f64; 4]; BATCH];

/// A number for each pair.
pub(crate) type Column = [f64; BATCH];

/// A vector for each pair.
pub(crate) type Vectors = [Column; 3];

/// The pairs of a batch: index in the tile, and places of a and b.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairsOfBatch {
    pub(crate) index: [u32; BATCH],
    pub(crate) places: [[u32; 2]; BATCH],
    pub(crate) count: usize,
}

impl PairsOfBatch {
    /// Slots that are evaluated: the pairs, and more to fill the lanes up.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> usize {
        self.count.next_multiple_of(LANES).min(BATCH)
    }
}

/// The input of a batch: separations, radii and relative motions of its pairs. a is the sphere with the lower id.
#[repr(align(64))]
pub(crate) struct Approach {
    /// From a to b, in m.
    pub(crate) separation: Vectors,
    /// Radii of a and b in m.
    pub(crate) radius: [Column; 2],
    /// Velocity of the centre of b relative to a, in m/s.
    pub(crate) velocity: Vectors,
    /// The sum of the reciprocal masses, in 1/kg.
    pub(crate) inverse_mass: Column,
    /// `r_a Ω_a + r_b Ω_b` in m/s, where radii differ.
    pub(crate) rolling: Vectors,
    /// `Ω_a + Ω_b` in rad/s.
    pub(crate) turning: Vectors,
    /// `Ω_b − Ω_a` in rad/s, where laws resist rolling.
    pub(crate) spin: Vectors,
}

/// How the pairs touch at the end of the step.
#[repr(align(64))]
pub(crate) struct Touch {
    /// Unit normals from a to b.
    pub(crate) normal: Vectors,
    /// The distance of the centres in m.
    pub(crate) distance: Column,
    /// In m; minus the range of the laws where pairs do not act.
    pub(crate) overlap: Column,
    /// The overlap in m at which normal laws act, where they are hysteretic.
    pub(crate) normal_overlap: Column,
    /// Reduced radius in m and mass in kg.
    pub(crate) radius: Column,
    pub(crate) mass: Column,
}

/// How the pairs slip, in the frame of the end of the step.
#[repr(align(64))]
pub(crate) struct Slip {
    /// Tangential velocity of b at the contact point, in m/s.
    pub(crate) velocity: Vectors,
    /// Spin of b relative to a in rad/s.
    pub(crate) spin: Vectors,
    /// How fast the pair turns about its normal, in rad/s.
    pub(crate) turning: Column,
}

/// The forces on b.
#[repr(align(64))]
pub(crate) struct Forces {
    /// Elastic and whole normal force, in N.
    pub(crate) elastic: Column,
    pub(crate) push: Column,
    /// Tangential force in N and couple in N m.
    pub(crate) tangential: Vectors,
    pub(crate) couple: Vectors,
    /// Energy in J that springs of the tangential laws store, for a ledger.
    pub(crate) stored: Column,
}

/// The loads of the pairs: on b; a gets the opposite force, and a torque of its own.
#[repr(align(64))]
pub(crate) struct Loads {
    pub(crate) force: Rows,
    pub(crate) torque_on_a: Rows,
    pub(crate) torque_on_b: Rows,
    /// The part of the force that is not elastic.
    pub(crate) dissipative: Rows,
}

/// One batch: each stage fills a part of it. Inner loops take the parts as arguments, so that they are vectorised.
pub(crate) struct Batch {
    pub(crate) pairs: PairsOfBatch,
    pub(crate) approach: Approach,
    pub(crate) touch: Touch,
    pub(crate) slip: Slip,
    pub(crate) forces: Forces,
    pub(crate) loads: Loads,
}

impl Batch {
    pub(crate) fn new() -> Self {
        let (column, vectors, rows) = ([0.0; BATCH], [[0.0; BATCH]; 3], [[0.0; 4]; BATCH]);
        Self {
            pairs: PairsOfBatch { index: [0; BATCH], places: [[0; 2]; BATCH], count: 0 },
            approach: Approach {
                separation: vectors,
                radius: [column; 2],
                velocity: vectors,
                inverse_mass: column,
                rolling: vectors,
                turning: vectors,
                spin: vectors,
            },
            touch: Touch {
                normal: vectors,
                distance: column,
                overlap: column,
                normal_overlap: column,
                radius: column,
                mass: column,
            },
            slip: Slip { velocity: vectors, spin: vectors, turning: column },
            forces: Forces { elastic: column, push: column, tangential: vectors, couple: vectors, stored: column },
            loads: Loads { force: rows, torque_on_a: rows, torque_on_b: rows, dissipative: rows },
        }
    }
}

/// The histories of the pairs of a batch, before and after.
pub(crate) struct Histories<M> {
    pub(crate) before: [M; BATCH],
    pub(crate) after: [M; BATCH],
}

#[inline(always)]
pub(crate) fn get([x, y, z]: &Vectors, slot: usize) -> DVec3 {
    DVec3::new(x[slot], y[slot], z[slot])
}

#[inline(always)]
pub(crate) fn set([x, y, z]: &mut Vectors, slot: usize, vector: DVec3) {
    (x[slot], y[slot], z[slot]) = (vector.x, vector.y, vector.z);
}
