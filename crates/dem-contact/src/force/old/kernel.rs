//! The hot loop: forces on a block of bodies from their neighbours, by one law without memory.
//!
//! Each body sums the forces of its own row, so no two bodies write to one place and the result does not depend on the
//! threads. Every contact is evaluated from both sides, with exactly opposite results. The entries of all rows of a
//! block, one after the other, go through three passes in batches that stay in the first cache: read both bodies,
//! evaluate (this pass is vectorised, with whatever instructions the machine has), add up. How long a row is cannot be
//! predicted, and a loop that ends with it would cost as much as its arithmetic: reading and adding up always take a
//! span of entries that hardly any row exceeds. What is read beyond a row is read again with the next one, what is added
//! beyond it is zero.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::force::contact_model::{ContactState, arm, contact_forces};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::full_list::{Rows, SPAN};
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};

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
    pub(crate) laws: &'a LawAssignment<L, T>,
    pub(crate) elapsed: f64,
    /// Whether all radii are the same.
    pub(crate) equal: bool,
    pub(crate) shifts: [[f64; 4]; 32],
    /// Which bodies they are.
    pub(crate) order: &'a [u32],
    /// Wrapped centres and radii.
    pub(crate) position: &'a [[f64; 4]],
    /// Velocities and reciprocal masses; may be empty for [`ELASTIC`], and where contacts are evaluated one by one.
    pub(crate) velocity: &'a [[f64; 4]],
    /// Spins; may be empty there, and for [`DAMPED`].
    pub(crate) spin: &'a [[f64; 4]],
}

/// What one block writes; torques and dissipative forces may be empty where the mode has none.
#[derive(Debug)]
pub(crate) struct Output<'a> {
    pub(crate) force: &'a mut [[f64; 4]],
    pub(crate) torque: &'a mut [[f64; 4]],
    pub(crate) dissipative: &'a mut [[f64; 4]],
}

/// Forces on the bodies from place `first` on; false if a pair overlaps by a radius or more.
pub(crate) fn block<L: ContactLaw, T: TangentialLaw>(
    mode: u8,
    scene: &Scene<'_, L, T>,
    first: usize,
    rows: &Rows,
    output: Output<'_>,
) -> bool {
    let arch = Arch::new();
    match mode {
        ELASTIC if scene.equal => arch.dispatch(Pass::<L, T, ELASTIC, true> { scene, first, rows, output }),
        ELASTIC => arch.dispatch(Pass::<L, T, ELASTIC, false> { scene, first, rows, output }),
        DAMPED if scene.equal => arch.dispatch(Pass::<L, T, DAMPED, true> { scene, first, rows, output }),
        DAMPED => arch.dispatch(Pass::<L, T, DAMPED, false> { scene, first, rows, output }),
        TANGENTIAL => arch.dispatch(Pass::<L, T, TANGENTIAL, false> { scene, first, rows, output }),
        _ => arch.dispatch(Pass::<L, T, SPLIT, false> { scene, first, rows, output }),
    }
}

/// `EQUAL` says that all radii are the same.
struct Pass<'a, L, T, const MODE: u8, const EQUAL: bool> {
    scene: &'a Scene<'a, L, T>,
    first: usize,
    rows: &'a Rows,
    output: Output<'a>,
}

/// Room in a table: sums may read beyond the batch, and drop what they find there.
const ROOM: usize = BATCH + SPAN;

type Column = [f64; ROOM];
type Table = [[f64; 4]; ROOM];

/// The entries of a batch; a is the body of the row, b its neighbour.
struct Batch {
    /// From a to b, and the radius of b.
    separation: Table,
    radius: Column,
    /// Force on a, where there is no tangential one: over the separation, with velocities along the normal.
    scale: Column,
    /// One over the distance, where there are velocities.
    reciprocal: Column,
}

/// What there is of them where forces depend on more than positions.
struct Motion {
    /// Of b relative to a, of the centres, and the reciprocal mass of b.
    velocity: Table,
    inverse_mass: Column,
    /// `r_a Ω_a + r_b Ω_b` and `(Ω_a + Ω_b)/2`.
    rolling: Table,
    turning: Table,
    /// On a, with tangential forces.
    force: Table,
    torque: Table,
    dissipative: Table,
}

impl Motion {
    #[inline(always)]
    fn new() -> Self {
        let (column, table) = ([0.0; ROOM], [[0.0; 4]; ROOM]);
        Self {
            velocity: table,
            inverse_mass: column,
            rolling: table,
            turning: table,
            force: table,
            torque: table,
            dissipative: table,
        }
    }
}

impl<L: ContactLaw, T: TangentialLaw, const MODE: u8, const EQUAL: bool> WithSimd for Pass<'_, L, T, MODE, EQUAL> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> bool {
        for column in [&mut *self.output.force, &mut *self.output.torque, &mut *self.output.dissipative] {
            column.fill([0.0; 4]);
        }
        let entries = self.rows.len();
        if entries == 0 {
            return true;
        }
        // Small, so that it stays in the first cache with what it is made from.
        if MODE == ELASTIC { self.batches(entries, None) } else { self.batches(entries, Some(&mut Motion::new())) }
    }
}

impl<L: ContactLaw, T: TangentialLaw, const MODE: u8, const EQUAL: bool> Pass<'_, L, T, MODE, EQUAL> {
    #[inline(always)]
    fn batches(&mut self, entries: usize, mut motion: Option<&mut Motion>) -> bool {
        let mut batch =
            Batch { separation: [[0.0; 4]; ROOM], radius: [0.0; ROOM], scale: [0.0; ROOM], reciprocal: [0.0; ROOM] };
        let start = &self.rows.start[..];
        let (mut deep, mut row) = (0, 0);
        for from in (0..entries).step_by(BATCH) {
            let to = (from + BATCH).min(entries);
            while start[row + 1] as usize <= from {
                row += 1;
            }
            let mut next = row + 1;
            while (start[next] as usize) < to {
                next += 1;
            }
            self.read(&mut batch, motion.as_deref_mut(), row..next, from..to);
            deep += self.evaluate(&mut batch, motion.as_deref_mut(), to - from);
            self.add_up(&batch, motion.as_deref(), row..next, from..to);
        }
        deep == 0
    }

    /// Where the entries of row `k` are in a batch.
    #[inline(always)]
    fn within(&self, k: usize, batch: &Range<usize>) -> (usize, usize) {
        let (begin, end) = (self.rows.start[k] as usize, self.rows.start[k + 1] as usize);
        (begin.max(batch.start) - batch.start, end.min(batch.end) - batch.start)
    }

    /// Reads the bodies of the entries of a batch, which belong to `rows`.
    #[inline(always)]
    fn read(&self, batch: &mut Batch, mut motion: Option<&mut Motion>, rows: Range<usize>, entries: Range<usize>) {
        let &Scene { ref shifts, position, velocity, spin, .. } = self.scene;
        let row = &self.rows.entries[entries.start..];
        for k in rows {
            let this = self.first + k;
            let a = position[this];
            let centre = [a[0], a[1], a[2], 0.0];
            let (mut at, end) = self.within(k, &entries);
            while at < end {
                let span = at..at + SPAN;
                let row = &row[span.clone()];
                for (slot, &entry) in batch.separation[span.clone()].iter_mut().zip(row) {
                    let b = position[(entry & INDEX_MASK) as usize];
                    let shift = shifts[(entry >> INDEX_BITS) as usize];
                    // In this order the separation seen from b is exactly opposite.
                    *slot = std::array::from_fn(|c| (b[c] - centre[c]) + shift[c]);
                }
                if !EQUAL {
                    batch.radius[span.clone()].fill(a[3]);
                }
                if let Some(motion) = &mut motion {
                    let va = velocity[this];
                    motion.inverse_mass[span.clone()].fill(va[3]);
                    for (slot, &entry) in motion.velocity[span.clone()].iter_mut().zip(row) {
                        let vb = velocity[(entry & INDEX_MASK) as usize];
                        *slot = [vb[0] - va[0], vb[1] - va[1], vb[2] - va[2], vb[3]];
                    }
                    if MODE >= TANGENTIAL {
                        let wa = spin[this];
                        let slots = motion.rolling[span.clone()].iter_mut().zip(&mut motion.turning[span]);
                        for ((rolling, turning), &entry) in slots.zip(row) {
                            let other = (entry & INDEX_MASK) as usize;
                            let (wb, rb) = (spin[other], position[other][3]);
                            *rolling = std::array::from_fn(|c| a[3] * wa[c] + rb * wb[c]);
                            *turning = std::array::from_fn(|c| 0.5 * (wa[c] + wb[c]));
                        }
                    }
                }
                at += SPAN;
            }
        }
    }

    /// Evaluates the contacts of a batch; returns how many overlap by a radius or more.
    #[inline(always)]
    fn evaluate(&mut self, batch: &mut Batch, mut motion: Option<&mut Motion>, n: usize) -> u64 {
        let elapsed = self.scene.elapsed;
        let (law, tangential) = self.scene.laws.first();
        let capped = law.is_capped();
        // All batches have one length, so that the loop has no rest; points far apart fill the last one up.
        let one = self.scene.position[self.first][3];
        for slot in n..BATCH {
            batch.separation[slot] = [if EQUAL { 4.0 * one + 1.0 } else { 1.0 }, 0.0, 0.0, 0.0];
            batch.radius[slot] = 0.0;
        }
        let mut deep = 0;
        for k in 0..BATCH {
            let [x, y, z, rb] = batch.separation[k];
            let ra = if EQUAL { one } else { batch.radius[k] };
            let distance = (x * x + y * y + z * z).sqrt();
            let gap = distance - (ra + rb);
            let overlap = (-gap).max(0.0);
            let radius = if EQUAL { 0.5 * one } else { ra * rb / (ra + rb) };
            deep += u64::from(-gap >= ra.min(rb));
            if MODE == ELASTIC {
                let scale = -law.force(overlap, radius) / distance;
                batch.scale[k] = if gap < 0.0 { scale } else { 0.0 };
                continue;
            }
            let Some(motion) = &mut motion else { continue };
            let reciprocal = distance.recip();
            let normal = DVec3::new(x, y, z) * reciprocal;
            let [vx, vy, vz, imb] = motion.velocity[k];
            let mut velocity = DVec3::new(vx, vy, vz);
            if MODE >= TANGENTIAL {
                // v_b − v_a − (l_a Ω_a + l_b Ω_b) × n, `[DK21] (22)`
                let ([sx, sy, sz, _], [ux, uy, uz, _]) = (motion.rolling[k], motion.turning[k]);
                let rolling = DVec3::new(sx, sy, sz) - DVec3::new(ux, uy, uz) * overlap;
                velocity -= rolling.cross(normal);
            }
            let mass = (motion.inverse_mass[k] + imb).recip();
            let (spin, turning) = (DVec3::ZERO, DVec3::ZERO);
            let touch = ContactState { normal, overlap, radius, mass, velocity, spin, turning, elapsed, share: 1.0 };
            let push = contact_forces(law, tangential, capped, &touch, &mut T::History::default());
            let touching = gap < 0.0;
            let select = |vector: DVec3| {
                let [x, y, z] = vector.to_array().map(|component| if touching { component } else { 0.0 });
                [x, y, z, 0.0]
            };
            if MODE == DAMPED {
                batch.reciprocal[k] = reciprocal;
                batch.scale[k] = if touching { -push.normal } else { 0.0 };
                continue;
            }
            motion.force[k] = select(-push.total(normal));
            motion.torque[k] = select(normal.cross(push.tangential) * -arm(ra, overlap));
            if MODE >= SPLIT {
                motion.dissipative[k] = select(-push.dissipative(normal));
            }
        }
        deep
    }

    /// Adds the entries `from..to` to the bodies of `rows`, which own them.
    #[inline(always)]
    fn add_up(&mut self, batch: &Batch, motion: Option<&Motion>, rows: Range<usize>, entries: Range<usize>) {
        for k in rows {
            let (mut at, end) = self.within(k, &entries);
            while at < end {
                // Zero from the next row on, by a mask instead of a branch.
                let kept: [u64; SPAN] = std::array::from_fn(|j| u64::from(at + j < end).wrapping_neg());
                let span = at..at + SPAN;
                if MODE <= DAMPED {
                    let (separation, scale) = (&batch.separation[span.clone()], &batch.scale[span.clone()]);
                    let scale: [f64; SPAN] = std::array::from_fn(|j| masked(scale[j], kept[j]));
                    let force = &mut self.output.force[k];
                    if MODE == ELASTIC {
                        add(force, |j, c| separation[j][c] * scale[j]);
                    } else {
                        // Infinite where two are at one point, which refuses the whole block.
                        let reciprocal = &batch.reciprocal[span.clone()];
                        add(force, |j, c| (separation[j][c] * reciprocal[j]) * scale[j]);
                    }
                }
                if MODE >= TANGENTIAL
                    && let Some(motion) = motion
                {
                    let table = &motion.force[span.clone()];
                    add(&mut self.output.force[k], |j, c| masked(table[j][c], kept[j]));
                    let table = &motion.torque[span.clone()];
                    add(&mut self.output.torque[k], |j, c| masked(table[j][c], kept[j]));
                    if MODE >= SPLIT {
                        let table = &motion.dissipative[span];
                        add(&mut self.output.dissipative[k], |j, c| masked(table[j][c], kept[j]));
                    }
                }
                at += SPAN;
            }
        }
    }
}

/// `value`, or zero where the bits of `kept` are.
#[inline(always)]
fn masked(value: f64, kept: u64) -> f64 {
    f64::from_bits(value.to_bits() & kept)
}

/// Adds [`SPAN`] rows to `sum`; several sums at a time, so that additions need not wait for each other.
#[inline(always)]
fn add(sum: &mut [f64; 4], row: impl Fn(usize, usize) -> f64) {
    const LANES: usize = 3;
    let mut partial = [[0.0; 4]; LANES];
    // Loops: an iterator of its own might not get the instructions that this is compiled for.
    for j in 0..SPAN {
        for (c, sum) in partial[j % LANES].iter_mut().enumerate() {
            *sum += row(j, c);
        }
    }
    for (c, sum) in sum.iter_mut().enumerate() {
        *sum += partial[0][c] + partial[1][c] + partial[2][c];
    }
}
