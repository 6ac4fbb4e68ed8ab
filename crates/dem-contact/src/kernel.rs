//! The hot loop: forces on a block of bodies from their neighbours.
//!
//! Each body sums the forces of its own row, so no two bodies write to one place and the result does not depend on the
//! threads. Every contact is evaluated from both sides, with exactly opposite results. The entries of all rows of a
//! block, one after the other, go through three passes in batches that stay in the first cache: read both bodies,
//! evaluate (this pass is vectorised, with whatever instructions the machine has), add to the owner. No loop ends with
//! a row: how long a row is cannot be predicted, and would cost as much as its arithmetic.

use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::cells::{INDEX_BITS, INDEX_MASK};
use crate::evaluation::{Touch, arm, push};
use crate::search::Rows;
use crate::{ContactLaw, TangentialLaw};

/// Forces from positions alone.
pub(crate) const ELASTIC: u8 = 0;
/// Velocities too: normal damping.
pub(crate) const DAMPED: u8 = 1;
/// Spins too: tangential forces and torques.
pub(crate) const TANGENTIAL: u8 = 2;
/// As [`TANGENTIAL`], and the forces that are not elastic on their own.
pub(crate) const SPLIT: u8 = 3;

/// Entries in one batch.
const BATCH: usize = 128;

/// What all blocks read; bodies by place.
#[derive(Debug)]
pub(crate) struct Scene<'a, L, T> {
    pub(crate) law: &'a L,
    pub(crate) tangential: &'a T,
    pub(crate) capped: bool,
    pub(crate) elapsed: f64,
    pub(crate) shifts: [[f64; 4]; 32],
    /// Wrapped centres and radii.
    pub(crate) position: &'a [[f64; 4]],
    /// Velocities and reciprocal masses; may be empty for [`ELASTIC`].
    pub(crate) velocity: &'a [[f64; 4]],
    /// Spins; may be empty for [`ELASTIC`] and [`DAMPED`].
    pub(crate) spin: &'a [[f64; 4]],
}

/// What one block writes; torques and dissipative forces may be empty where the mode has none.
#[derive(Debug)]
pub(crate) struct Output<'a, M> {
    pub(crate) force: &'a mut [[f64; 4]],
    pub(crate) torque: &'a mut [[f64; 4]],
    pub(crate) dissipative: &'a mut [[f64; 4]],
    pub(crate) committed: &'a [M],
    pub(crate) pending: &'a mut [M],
}

/// Forces on the bodies from place `first` on; false if a pair overlaps by a radius or more.
pub(crate) fn block<L: ContactLaw, T: TangentialLaw>(
    mode: u8,
    scene: &Scene<'_, L, T>,
    first: usize,
    rows: &Rows,
    output: Output<'_, T::Memory>,
) -> bool {
    let arch = Arch::new();
    match mode {
        ELASTIC => arch.dispatch(Pass::<L, T, ELASTIC> { scene, first, rows, output }),
        DAMPED => arch.dispatch(Pass::<L, T, DAMPED> { scene, first, rows, output }),
        TANGENTIAL => arch.dispatch(Pass::<L, T, TANGENTIAL> { scene, first, rows, output }),
        _ => arch.dispatch(Pass::<L, T, SPLIT> { scene, first, rows, output }),
    }
}

struct Pass<'a, L, T: TangentialLaw, const MODE: u8> {
    scene: &'a Scene<'a, L, T>,
    first: usize,
    rows: &'a Rows,
    output: Output<'a, T::Memory>,
}

type Column = [f64; BATCH];
type Table = [[f64; 4]; BATCH];

/// The entries of a batch; a is the body of the row, b its neighbour.
struct Batch {
    /// From a to b, and the radius of b.
    separation: Table,
    radius: Column,
    /// Of b relative to a, of the centres, and the reciprocal mass of b.
    velocity: Table,
    inverse_mass: Column,
    /// `r_a Ω_a + r_b Ω_b` and `(Ω_a + Ω_b)/2`.
    rolling: Table,
    turning: Table,
    /// Force on a over the separation, where there is nothing but an elastic force.
    scale: Column,
    /// On a.
    force: Table,
    torque: Table,
    dissipative: Table,
}

impl<L: ContactLaw, T: TangentialLaw, const MODE: u8> WithSimd for Pass<'_, L, T, MODE> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> bool {
        for column in [&mut *self.output.force, &mut *self.output.torque, &mut *self.output.dissipative] {
            column.fill([0.0; 4]);
        }
        let entries = self.rows.entries.len();
        if entries == 0 {
            return true;
        }
        let (column, table) = ([0.0; BATCH], [[0.0; 4]; BATCH]);
        let mut batch = Batch {
            separation: table,
            radius: column,
            velocity: table,
            inverse_mass: column,
            rolling: table,
            turning: table,
            scale: column,
            force: table,
            torque: table,
            dissipative: table,
        };
        let mut deep = 0;
        for from in (0..entries).step_by(BATCH) {
            let to = (from + BATCH).min(entries);
            self.read(&mut batch, from, to);
            deep += self.evaluate(&mut batch, from, to);
            self.add_up(&batch, from, to);
        }
        deep == 0
    }
}

impl<L: ContactLaw, T: TangentialLaw, const MODE: u8> Pass<'_, L, T, MODE> {
    /// Reads the bodies of the entries `from..to`.
    #[inline(always)]
    fn read(&self, batch: &mut Batch, from: usize, to: usize) {
        let Scene { shifts, position, velocity, spin, .. } = self.scene;
        let rows = self.rows.owner[from..to].iter().zip(&self.rows.entries[from..to]);
        for (slot, (&k, &entry)) in rows.enumerate() {
            let slot = slot % BATCH;
            let (this, other) = (self.first + usize::from(k), (entry & INDEX_MASK) as usize);
            let (a, b, shift) = (position[this], position[other], shifts[(entry >> INDEX_BITS) as usize]);
            let centre = [a[0], a[1], a[2], 0.0];
            // In this order the separation seen from b is exactly opposite.
            batch.separation[slot] = std::array::from_fn(|c| (b[c] - centre[c]) + shift[c]);
            batch.radius[slot] = a[3];
            if MODE >= DAMPED {
                let (va, vb) = (velocity[this], velocity[other]);
                batch.velocity[slot] = [vb[0] - va[0], vb[1] - va[1], vb[2] - va[2], vb[3]];
                batch.inverse_mass[slot] = va[3];
            }
            if MODE >= TANGENTIAL {
                let (wa, wb) = (spin[this], spin[other]);
                batch.rolling[slot] = std::array::from_fn(|c| a[3] * wa[c] + b[3] * wb[c]);
                batch.turning[slot] = std::array::from_fn(|c| 0.5 * (wa[c] + wb[c]));
            }
        }
    }

    /// Evaluates the contacts of a batch; returns how many overlap by a radius or more.
    #[inline(always)]
    fn evaluate(&mut self, batch: &mut Batch, from: usize, to: usize) -> u64 {
        let Scene { law, tangential, capped, elapsed, .. } = *self.scene;
        let n = to - from;
        // All batches have one length, so that the loop has no rest; points far apart fill the last one up.
        for slot in n..BATCH {
            batch.separation[slot] = [1.0, 0.0, 0.0, 0.0];
            batch.radius[slot] = 0.0;
        }
        let remembers = size_of::<T::Memory>() > 0;
        let mut deep = 0;
        for k in 0..if remembers { n } else { BATCH } {
            let [x, y, z, rb] = batch.separation[k];
            let ra = batch.radius[k];
            let distance = (x * x + y * y + z * z).sqrt();
            let gap = distance - (ra + rb);
            let overlap = (-gap).max(0.0);
            let radius = ra * rb / (ra + rb);
            deep += u64::from(-gap >= ra.min(rb));
            if MODE == ELASTIC {
                let scale = -law.force(overlap, radius) / distance;
                batch.scale[k] = if gap < 0.0 { scale } else { 0.0 };
                continue;
            }
            let normal = DVec3::new(x, y, z) * distance.recip();
            let [vx, vy, vz, imb] = batch.velocity[k];
            let mut velocity = DVec3::new(vx, vy, vz);
            if MODE >= TANGENTIAL {
                // v_b − v_a − (l_a Ω_a + l_b Ω_b) × n, `[DK21] (22)`
                let ([sx, sy, sz, _], [ux, uy, uz, _]) = (batch.rolling[k], batch.turning[k]);
                let rolling = DVec3::new(sx, sy, sz) - DVec3::new(ux, uy, uz) * overlap;
                velocity -= rolling.cross(normal);
            }
            let mass = (batch.inverse_mass[k] + imb).recip();
            let touch = Touch { normal, overlap, radius, mass, velocity, elapsed };
            let mut memory = if remembers { self.output.committed[from + k] } else { T::Memory::default() };
            let push = push(law, tangential, capped, &touch, &mut memory);
            let touching = gap < 0.0;
            if remembers {
                self.output.pending[from + k] = if touching { memory } else { T::Memory::default() };
            }
            let select = |vector: DVec3| {
                let [x, y, z] = vector.to_array().map(|component| if touching { component } else { 0.0 });
                [x, y, z, 0.0]
            };
            if MODE == DAMPED {
                batch.force[k] = select(normal * -push.normal);
                continue;
            }
            batch.force[k] = select(-push.total(normal));
            batch.torque[k] = select(normal.cross(push.tangential) * -arm(ra, overlap));
            if MODE >= SPLIT {
                batch.dissipative[k] = select(-push.dissipative(normal));
            }
        }
        deep
    }

    /// Adds the entries `from..to` to the bodies that own them.
    #[inline(always)]
    fn add_up(&mut self, batch: &Batch, from: usize, to: usize) {
        let Output { force, torque, dissipative, .. } = &mut self.output;
        for (slot, &k) in self.rows.owner[from..to].iter().enumerate() {
            let (slot, k) = (slot % BATCH, usize::from(k));
            let row = if MODE == ELASTIC {
                batch.separation[slot].map(|component| component * batch.scale[slot])
            } else {
                batch.force[slot]
            };
            add(&mut force[k], &row);
            if MODE >= TANGENTIAL {
                add(&mut torque[k], &batch.torque[slot]);
            }
            if MODE >= SPLIT {
                add(&mut dissipative[k], &batch.dissipative[slot]);
            }
        }
    }
}

#[inline(always)]
fn add(sum: &mut [f64; 4], row: &[f64; 4]) {
    (0..4).for_each(|c| sum[c] += row[c]);
}
