//! The hot loop where contacts differ in more than bodies and motion: they remember, are of several materials, or resist
//! rolling.
//!
//! As in `kernel`, each body sums the forces of its own row. What costs more here is what belongs to a contact that
//! touches, and a third of the entries do not: in each batch those that do are found first, and only they are read in
//! full, evaluated (this pass is vectorised) and added up, one after the other, so that sums do not depend on who is
//! near without touching. A law sees each contact from one side, with exactly opposite results for both bodies.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::cells::{INDEX_BITS, INDEX_MASK};
use crate::evaluation::{Touch, push};
use crate::kernel::{Output, SPAN, SPLIT, Scene};
use crate::pair_memory::{Memories, Remembered};
use crate::par::BLOCK;
use crate::search::Rows;
use crate::{ContactLaw, TangentialLaw};

/// Entries in one batch, and contacts that are evaluated together.
const BATCH: usize = 128;
const LANES: usize = 8;

/// Room in a table: reading goes beyond the batch.
const ROOM: usize = BATCH + SPAN;

type Table = [[f64; 4]; ROOM];

/// Forces on the bodies from place `first` on; false if a pair overlaps by a radius or more.
pub(crate) fn block<L: ContactLaw, T: TangentialLaw>(
    mode: u8,
    scene: &Scene<'_, L, T>,
    order: &[u32],
    (first, rows): (usize, &Rows),
    (memories, pending): (Memories<'_, T::Memory>, &mut Remembered<T::Memory>),
    output: Output<'_>,
) -> bool {
    let arch = Arch::new();
    match (mode == SPLIT, scene.laws.is_uniform(), scene.equal) {
        (false, true, true) => {
            arch.dispatch(Pass::<L, T, false, false, true> { scene, order, first, rows, memories, pending, output })
        }
        (false, true, false) => {
            arch.dispatch(Pass::<L, T, false, false, false> { scene, order, first, rows, memories, pending, output })
        }
        (false, false, _) => {
            arch.dispatch(Pass::<L, T, false, true, false> { scene, order, first, rows, memories, pending, output })
        }
        (true, true, _) => {
            arch.dispatch(Pass::<L, T, true, false, false> { scene, order, first, rows, memories, pending, output })
        }
        (true, false, _) => {
            arch.dispatch(Pass::<L, T, true, true, false> { scene, order, first, rows, memories, pending, output })
        }
    }
}

/// `APART`: forces that are not elastic are also summed on their own. `MIXED`: there are several materials. `EQUAL`: all
/// radii are the same.
struct Pass<'a, L, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool> {
    scene: &'a Scene<'a, L, T>,
    order: &'a [u32],
    first: usize,
    rows: &'a Rows,
    memories: Memories<'a, T::Memory>,
    pending: &'a mut Remembered<T::Memory>,
    output: Output<'a>,
}

/// The entries of a batch; a is the body of the row, b its neighbour.
struct Near {
    /// From a to b, and the radius of b.
    separation: Table,
    /// Radius of a, and its row.
    radius: [f64; ROOM],
    row: [u32; ROOM],
    touches: [bool; ROOM],
}

/// Those that touch.
struct Touching<M> {
    entry: [u32; ROOM],
    /// How many entries whose home is another row came before, in the block.
    away: [u32; ROOM],
    separation: Table,
    /// Radius of a, and whether it is remembered here.
    radius: [f64; ROOM],
    at_home: [bool; ROOM],
    /// Of b relative to a, of the centres, and the sum of the reciprocal masses.
    velocity: Table,
    /// `r_a Ω_a + r_b Ω_b` where radii differ; `Ω_a + Ω_b` and the number of body a less that of b; `Ω_b − Ω_a` for laws that
    /// resist rolling.
    rolling: Table,
    turning: Table,
    spin: Table,
    memory: [M; ROOM],
    materials: [[u32; 2]; ROOM],
    /// On a; behind the force, whether there is any.
    force: Table,
    torque: Table,
    dissipative: Table,
}

/// `row` with its last number turned around, or all others.
#[inline(always)]
fn last_negated([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [x, y, z, -w]
}

#[inline(always)]
fn others_negated([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

impl<M: Copy + Default> Touching<M> {
    #[inline(always)]
    fn new() -> Self {
        let (column, table) = ([0.0; ROOM], [[0.0; 4]; ROOM]);
        Self {
            entry: [0; ROOM],
            away: [0; ROOM],
            separation: table,
            radius: column,
            at_home: [false; ROOM],
            velocity: table,
            rolling: table,
            turning: table,
            spin: table,
            memory: [M::default(); ROOM],
            materials: [[0; 2]; ROOM],
            force: table,
            torque: table,
            dissipative: table,
        }
    }
}

impl<L: ContactLaw, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool> WithSimd
    for Pass<'_, L, T, APART, MIXED, EQUAL>
{
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> bool {
        for column in [&mut *self.output.force, &mut *self.output.torque, &mut *self.output.dissipative] {
            column.fill([0.0; 4]);
        }
        let (entries, start) = (self.rows.len(), &self.rows.start[..]);
        if Self::REMEMBERS {
            self.pending.clear(entries);
            self.pending.reserve(self.memories.count(self.first / BLOCK));
        }
        let mut near =
            Near { separation: [[0.0; 4]; ROOM], radius: [0.0; ROOM], row: [0; ROOM], touches: [false; ROOM] };
        let mut touching = Touching::new();
        let (mut deep, mut row, mut away) = (0, 0, 0);
        for from in (0..entries).step_by(BATCH) {
            let to = (from + BATCH).min(entries);
            while start[row + 1] as usize <= from {
                row += 1;
            }
            let mut next = row + 1;
            while (start[next] as usize) < to {
                next += 1;
            }
            self.read(&mut near, row..next, from..to);
            let count = self.choose(&mut near, &mut touching, from..to, &mut away);
            self.load(&near, &mut touching, (from, count));
            deep += self.evaluate(&mut touching, count);
            self.add_up(&near, &touching, (from, count));
        }
        if Self::REMEMBERS {
            self.pending.finish();
        }
        deep == 0
    }
}

impl<L: ContactLaw, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool>
    Pass<'_, L, T, APART, MIXED, EQUAL>
{
    const REMEMBERS: bool = size_of::<T::Memory>() > 0;

    /// Reads the centres of the entries of a batch, which belong to `rows`.
    #[inline(always)]
    fn read(&self, near: &mut Near, rows: Range<usize>, entries: Range<usize>) {
        let &Scene { ref shifts, position, .. } = self.scene;
        let row = &self.rows.entries[entries.start..];
        for k in rows {
            let a = position[self.first + k];
            let centre = [a[0], a[1], a[2], 0.0];
            let (begin, end) = (self.rows.start[k] as usize, self.rows.start[k + 1] as usize);
            let (mut at, end) = (begin.max(entries.start) - entries.start, end.min(entries.end) - entries.start);
            while at < end {
                let span = at..at + SPAN;
                for (slot, &entry) in near.separation[span.clone()].iter_mut().zip(&row[span.clone()]) {
                    let b = position[(entry & INDEX_MASK) as usize];
                    let shift = shifts[(entry >> INDEX_BITS) as usize];
                    // In this order the separation seen from b is exactly opposite.
                    *slot = std::array::from_fn(|c| (b[c] - centre[c]) + shift[c]);
                }
                near.radius[span.clone()].fill(a[3]);
                near.row[span].fill(k as u32);
                at += SPAN;
            }
        }
    }

    /// Finds the entries that touch; returns how many there are.
    #[inline(always)]
    fn choose(
        &self,
        near: &mut Near,
        touching: &mut Touching<T::Memory>,
        entries: Range<usize>,
        away: &mut usize,
    ) -> usize {
        for ((touches, &[x, y, z, rb]), &ra) in near.touches.iter_mut().zip(&near.separation).zip(&near.radius) {
            let sum = ra + rb;
            // Rounding must not lose a contact; one too many does no harm.
            *touches = x * x + y * y + z * z < sum * sum * (1.0 + 1e-15);
        }
        let mut count = 0;
        let found = near.touches.iter().zip(&near.row).zip(&self.rows.entries[entries]);
        for (k, ((&touches, &row), &entry)) in (0..).zip(found) {
            touching.entry[count] = k;
            touching.away[count] = *away as u32;
            count += usize::from(touches);
            *away += usize::from(((entry & INDEX_MASK) as usize) < self.first + row as usize);
        }
        count
    }

    /// Reads what the contacts that touch are evaluated from.
    #[inline(always)]
    fn load(&self, near: &Near, touching: &mut Touching<T::Memory>, (from, count): (usize, usize)) {
        let &Scene { velocity, spin, .. } = self.scene;
        let block = self.first / BLOCK;
        let rolls = self.scene.laws.any(|_, law| law.resists_rolling());
        let homes: &[u32] = if Self::REMEMBERS { &self.memories.homes[block] } else { &[] };
        for slot in 0..count {
            let k = touching.entry[slot] as usize;
            let (this, entry) = (self.first + near.row[k] as usize, from + k);
            let other = (self.rows.entries[entry] & INDEX_MASK) as usize;
            let (va, vb, wa, wb) = (velocity[this], velocity[other], spin[this], spin[other]);
            let separation = near.separation[k];
            touching.separation[slot] = separation;
            let va = others_negated(va);
            touching.velocity[slot] = std::array::from_fn(|c| vb[c] + va[c]);
            let twice = last_negated(wb);
            touching.turning[slot] = std::array::from_fn(|c| wa[c] + twice[c]);
            if !EQUAL {
                let (ra, rb) = (near.radius[k], separation[3]);
                touching.radius[slot] = ra;
                touching.rolling[slot] = std::array::from_fn(|c| ra * wa[c] + rb * wb[c]);
            }
            if rolls {
                touching.spin[slot] = std::array::from_fn(|c| wb[c] - wa[c]);
            }
            if MIXED {
                touching.materials[slot] = [self.order[this], self.order[other]];
            }
            if Self::REMEMBERS {
                let at_home = other > this;
                touching.at_home[slot] = at_home;
                touching.memory[slot] = if at_home {
                    self.memories.get(block, entry)
                } else {
                    self.memories.get(other / BLOCK, homes[touching.away[slot] as usize] as usize)
                };
            }
        }
        // All are evaluated in full lanes; bodies far apart fill the last ones up.
        for slot in count..count.next_multiple_of(LANES) {
            touching.separation[slot] = [4.0 * near.radius[0] + 1.0, 0.0, 0.0, 0.0];
            touching.radius[slot] = 0.0;
        }
    }

    /// Evaluates contacts; returns how many overlap by a radius or more.
    #[inline(always)]
    fn evaluate(&self, touching: &mut Touching<T::Memory>, count: usize) -> u64 {
        let &Scene { laws, elapsed, .. } = self.scene;
        let (lever, uniform) = (laws.lever(), laws.first());
        let one = self.scene.position[self.first][3];
        // Read once, so that nothing which is written below can change it.
        let capped = uniform.0.is_capped();
        let Touching {
            separation,
            radius,
            velocity,
            rolling,
            turning,
            spin,
            memory,
            materials,
            force,
            torque,
            dissipative,
            ..
        } = touching;
        let mut deep = 0;
        for slot in 0..count.next_multiple_of(LANES).min(BATCH) {
            let mut remembered = memory[slot];
            let [x, y, z, rb] = separation[slot];
            let ra = if EQUAL { one } else { radius[slot] };
            let distance = (x * x + y * y + z * z).sqrt();
            let gap = distance - (ra + rb);
            let overlap = (-gap).max(0.0);
            deep += u64::from(-gap >= ra.min(rb));
            let normal = DVec3::new(x, y, z) * distance.recip();
            let vector = |row: [f64; 4]| DVec3::new(row[0], row[1], row[2]);
            let arm = ra - 0.5 * (overlap * lever);
            let (moves, turns) = (velocity[slot], turning[slot]);
            // v_b − v_a − (l_a Ω_a + l_b Ω_b) × n, `[DK21] (22)`
            let along = if EQUAL {
                vector(turns) * arm
            } else {
                vector(rolling[slot]) - vector(turns) * (0.5 * (overlap * lever))
            };
            let touch = Touch {
                normal,
                overlap,
                radius: if EQUAL { 0.5 * one } else { ra * rb / (ra + rb) },
                mass: moves[3].recip(),
                velocity: vector(moves) - along.cross(normal),
                spin: vector(spin[slot]),
                side: if turns[3] < 0.0 { 1.0 } else { -1.0 },
                elapsed,
            };
            let (law, tangential) = if MIXED {
                let [a, b] = materials[slot];
                laws.of_bodies(a, b)
            } else {
                uniform
            };
            let capped = if MIXED { law.is_capped() } else { capped };
            let push = push(law, tangential, capped, &touch, &mut remembered);
            memory[slot] = remembered;
            let touches = gap < 0.0;
            let select = |vector: DVec3| {
                [vector.x, vector.y, vector.z, 1.0].map(|component| if touches { component } else { 0.0 })
            };
            force[slot] = select(-push.total(normal));
            torque[slot] = select(normal.cross(push.tangential) * -arm - push.couple);
            if APART {
                dissipative[slot] = select(-push.dissipative(normal));
            }
        }
        deep
    }

    /// Adds contacts to the bodies of their rows, and keeps what those remember whose home this is.
    #[inline(always)]
    fn add_up(&mut self, near: &Near, touching: &Touching<T::Memory>, (from, count): (usize, usize)) {
        let Some(&first) = touching.entry[..count].first() else { return };
        let mut row = near.row[first as usize];
        let Output { force, torque, dissipative } = &mut self.output;
        let mut sums = [force[row as usize], torque[row as usize], [0.0; 4]];
        if APART {
            sums[2] = dissipative[row as usize];
        }
        for slot in 0..count {
            let k = touching.entry[slot] as usize;
            // Sums begin again with a row, by a mask instead of a branch.
            let kept = u64::from(near.row[k] == row).wrapping_neg();
            row = near.row[k];
            let tables = [&touching.force[slot], &touching.torque[slot], &touching.dissipative[slot]];
            for (sum, table) in sums.iter_mut().zip(tables).take(if APART { 3 } else { 2 }) {
                *sum = std::array::from_fn(|c| f64::from_bits(sum[c].to_bits() & kept) + table[c]);
            }
            force[row as usize] = sums[0];
            torque[row as usize] = sums[1];
            if APART {
                dissipative[row as usize] = sums[2];
            }
        }
        if Self::REMEMBERS {
            self.pending.reserve(count);
            for slot in 0..count {
                if touching.at_home[slot] && touching.force[slot][3] > 0.0 {
                    self.pending.push(from + touching.entry[slot] as usize, touching.memory[slot]);
                }
            }
        }
    }
}
