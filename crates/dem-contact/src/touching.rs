//! The hot loop where contacts differ in more than bodies and motion: they remember, are of several materials, or resist
//! rolling.
//!
//! Here arithmetic and memory cost more than gathering, so each contact is evaluated once, in the row of the lower place,
//! its home; the other body gets the exact opposite, in the sums of this block or by way of the `exchange`. A third of the
//! entries do not touch: in each batch those that do are found first, and only they are read in full, evaluated (this pass
//! is vectorised) and added up, in an order that the list alone decides.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::cells::{INDEX_BITS, INDEX_MASK};
use crate::evaluation::{Touch, push};
use crate::exchange::Outbox;
use crate::kernel::{Output, SPAN, SPLIT, Scene};
use crate::pair_memory::{Memories, Remembered};
use crate::par::BLOCK;
use crate::search::Rows;
use crate::{ContactLaw, TangentialLaw};

/// Entries in one batch, half of which have their home here, and contacts that are evaluated together.
const BATCH: usize = 192;
const LANES: usize = 8;

/// Room in a table: rows are read beyond the batch.
const ROOM: usize = BATCH + SPAN;

type Table = [[f64; 4]; ROOM];

/// Forces of the contacts whose home is in the block that begins at place `first`, on the bodies of this block; what others
/// get goes to `outbox`. False if a pair overlaps by a radius or more.
pub(crate) fn block<L: ContactLaw, T: TangentialLaw>(
    mode: u8,
    scene: &Scene<'_, L, T>,
    (first, rows): (usize, &Rows),
    (memories, pending): (Memories<'_, T::Memory>, &mut Remembered<T::Memory>),
    (outbox, output): (&mut Outbox, Output<'_>),
) -> bool {
    let arch = Arch::new();
    outbox.clear(mode == SPLIT);
    match (mode == SPLIT, scene.laws.is_uniform(), scene.equal) {
        (false, true, true) => {
            arch.dispatch(Pass::<L, T, false, false, true> { scene, first, rows, memories, pending, outbox, output })
        }
        (false, true, false) => {
            arch.dispatch(Pass::<L, T, false, false, false> { scene, first, rows, memories, pending, outbox, output })
        }
        (false, false, _) => {
            arch.dispatch(Pass::<L, T, false, true, false> { scene, first, rows, memories, pending, outbox, output })
        }
        (true, true, _) => {
            arch.dispatch(Pass::<L, T, true, false, false> { scene, first, rows, memories, pending, outbox, output })
        }
        (true, false, _) => {
            arch.dispatch(Pass::<L, T, true, true, false> { scene, first, rows, memories, pending, outbox, output })
        }
    }
}

/// `APART`: forces that are not elastic are also summed on their own. `MIXED`: there are several materials. `EQUAL`: all
/// radii are the same.
struct Pass<'a, L, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool> {
    scene: &'a Scene<'a, L, T>,
    first: usize,
    rows: &'a Rows,
    memories: Memories<'a, T::Memory>,
    pending: &'a mut Remembered<T::Memory>,
    outbox: &'a mut Outbox,
    output: Output<'a>,
}

/// The entries of a batch whose home this is; a is the body of the row, b its neighbour.
struct Near {
    /// Row of each entry of the batch.
    row: [u32; ROOM],
    /// Which entries they are.
    home: [u32; ROOM],
    /// From a to b, and the radius of b.
    separation: Table,
    radius: [f64; ROOM],
    touches: [bool; ROOM],
}

/// Those that touch.
struct Touching<M> {
    /// Which of the entries near they are, and of the batch.
    near: [u32; ROOM],
    entry: [u32; ROOM],
    /// Both places.
    this: [u32; ROOM],
    other: [u32; ROOM],
    separation: Table,
    /// Of a.
    radius: [f64; ROOM],
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
    /// On b, where it is not that on a.
    counter_torque: Table,
    dissipative: Table,
    /// Which of them have b in this block, and which have not.
    inside: [u32; ROOM],
    outside: [u32; ROOM],
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

/// `more` on top of `sum` where the bits of `same` are, else of `other`: a row begins with what it has from others, by a mask
/// instead of a branch.
#[inline(always)]
fn either(same: u64, sum: [f64; 4], other: [f64; 4], more: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|c| f64::from_bits((sum[c].to_bits() & same) | (other[c].to_bits() & !same)) + more[c])
}

impl<M: Copy + Default> Touching<M> {
    #[inline(always)]
    fn new() -> Self {
        let (column, table) = ([0.0; ROOM], [[0.0; 4]; ROOM]);
        Self {
            near: [0; ROOM],
            entry: [0; ROOM],
            this: [0; ROOM],
            other: [0; ROOM],
            separation: table,
            radius: column,
            velocity: table,
            rolling: table,
            turning: table,
            spin: table,
            memory: [M::default(); ROOM],
            materials: [[0; 2]; ROOM],
            force: table,
            torque: table,
            counter_torque: table,
            dissipative: table,
            inside: [0; ROOM],
            outside: [0; ROOM],
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
        let mut near = Near {
            row: [0; ROOM],
            home: [0; ROOM],
            separation: [[0.0; 4]; ROOM],
            radius: [0.0; ROOM],
            touches: [false; ROOM],
        };
        let mut touching = Touching::new();
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
            let homes = self.read(&mut near, row..next, from..to);
            let count = Self::choose(&mut near, &mut touching, homes);
            self.load(&near, &mut touching, (from, count));
            deep += self.evaluate(&mut touching, count);
            self.add_up(&mut touching, (from, count));
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

    /// Finds those of the entries of a batch, which belong to `rows`, whose home this is, and reads their centres; returns how
    /// many there are.
    #[inline(always)]
    fn read(&self, near: &mut Near, rows: Range<usize>, entries: Range<usize>) -> usize {
        let &Scene { ref shifts, position, .. } = self.scene;
        let row = &self.rows.entries[entries.clone()];
        for k in rows {
            let (begin, end) = (self.rows.start[k] as usize, self.rows.start[k + 1] as usize);
            let (mut at, end) = (begin.max(entries.start) - entries.start, end.min(entries.end) - entries.start);
            while at < end {
                near.row[at..at + SPAN].fill((self.first + k) as u32);
                at += SPAN;
            }
        }
        let mut homes = 0;
        for (j, (&entry, &this)) in (0..).zip(row.iter().zip(&near.row)) {
            near.home[homes] = j;
            homes += usize::from(entry & INDEX_MASK > this);
        }
        for slot in 0..homes {
            let j = near.home[slot] as usize;
            let (entry, a) = (row[j], position[near.row[j] as usize]);
            let (b, shift) = (position[(entry & INDEX_MASK) as usize], shifts[(entry >> INDEX_BITS) as usize]);
            let centre = [a[0], a[1], a[2], 0.0];
            near.separation[slot] = std::array::from_fn(|c| (b[c] - centre[c]) + shift[c]);
            if !EQUAL {
                near.radius[slot] = a[3];
            }
        }
        homes
    }

    /// Finds the entries that touch; returns how many there are.
    #[inline(always)]
    fn choose(near: &mut Near, touching: &mut Touching<T::Memory>, homes: usize) -> usize {
        for slot in 0..homes.next_multiple_of(LANES).min(BATCH) {
            let [x, y, z, rb] = near.separation[slot];
            let sum = if EQUAL { rb + rb } else { near.radius[slot] + rb };
            // Rounding must not lose a contact; one too many does no harm.
            near.touches[slot] = x * x + y * y + z * z < sum * sum * (1.0 + 1e-15);
        }
        let mut count = 0;
        for (slot, &touches) in (0..).zip(&near.touches[..homes]) {
            touching.near[count] = slot;
            count += usize::from(touches);
        }
        count
    }

    /// Reads what the contacts that touch are evaluated from.
    #[inline(always)]
    fn load(&self, near: &Near, touching: &mut Touching<T::Memory>, (from, count): (usize, usize)) {
        let moving = self.scene.moving;
        let rolls = self.scene.laws.any(|_, law| law.resists_rolling());
        let committed = if Self::REMEMBERS { self.memories.block(self.first / BLOCK) } else { None };
        for slot in 0..count {
            let at = touching.near[slot] as usize;
            let k = near.home[at] as usize;
            let this = near.row[k];
            let other = self.rows.entries[from + k] & INDEX_MASK;
            touching.entry[slot] = k as u32;
            touching.this[slot] = this;
            touching.other[slot] = other;
            let (a, b) = (moving[this as usize], moving[other as usize]);
            let (wa, wb) = (a.spin, b.spin);
            let separation = near.separation[at];
            touching.separation[slot] = separation;
            let va = others_negated(a.velocity);
            touching.velocity[slot] = std::array::from_fn(|c| b.velocity[c] + va[c]);
            let twice = last_negated(wb);
            touching.turning[slot] = std::array::from_fn(|c| wa[c] + twice[c]);
            if !EQUAL {
                let (ra, rb) = (near.radius[at], separation[3]);
                touching.radius[slot] = ra;
                touching.rolling[slot] = std::array::from_fn(|c| ra * wa[c] + rb * wb[c]);
            }
            if rolls {
                touching.spin[slot] = std::array::from_fn(|c| wb[c] - wa[c]);
            }
            if MIXED {
                touching.materials[slot] = [this, other].map(|place| self.scene.order[place as usize]);
            }
            if Self::REMEMBERS {
                touching.memory[slot] = committed.map_or_else(T::Memory::default, |block| block.get(from + k));
            }
        }
        // All are evaluated in full lanes; bodies far apart fill the last ones up.
        for slot in count..count.next_multiple_of(LANES) {
            let radius = self.scene.position[self.first][3];
            touching.separation[slot] = [4.0 * radius + 1.0, 0.0, 0.0, 0.0];
            touching.radius[slot] = 0.0;
        }
    }

    /// Evaluates contacts; returns how many overlap by a radius or more.
    #[inline(always)]
    fn evaluate(&self, touching: &mut Touching<T::Memory>, count: usize) -> u64 {
        let &Scene { laws, elapsed, .. } = self.scene;
        let (share, uniform) = (laws.lever(), laws.first());
        let one = self.scene.position[self.first][3];
        // Read once, so that nothing which is written below can change it.
        let (capped, alike) = (uniform.0.is_capped(), self.torques_are_alike());
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
            counter_torque,
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
            let arm = ra - 0.5 * (overlap * share);
            let (moves, turns) = (velocity[slot], turning[slot]);
            // v_b − v_a − (l_a Ω_a + l_b Ω_b) × n, `[DK21] (22)`
            let along = if EQUAL {
                vector(turns) * arm
            } else {
                vector(rolling[slot]) - vector(turns) * (0.5 * (overlap * share))
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
            let lever = normal.cross(push.tangential);
            torque[slot] = select(lever * -arm - push.couple);
            if !alike {
                let arm = rb - 0.5 * (overlap * share);
                counter_torque[slot] = select(lever * -arm + push.couple);
            }
            if APART {
                dissipative[slot] = select(-push.dissipative(normal));
            }
        }
        deep
    }

    /// Whether both bodies of a contact get the same torque.
    #[inline(always)]
    fn torques_are_alike(&self) -> bool {
        EQUAL && !self.scene.laws.first().1.resists_rolling()
    }

    /// Adds contacts to their bodies, and keeps what they remember.
    #[inline(always)]
    fn add_up(&mut self, touching: &mut Touching<T::Memory>, (from, count): (usize, usize)) {
        let alike = self.torques_are_alike();
        let Output { force, torque, dissipative } = &mut self.output;
        let (first, end) = (self.first as u32, (self.first + force.len()) as u32);
        let (mut inside, mut outside) = (0, 0);
        for (slot, &other) in (0..).zip(&touching.other[..count]) {
            touching.inside[inside] = slot;
            touching.outside[outside] = slot;
            inside += usize::from(other < end);
            outside += usize::from(other >= end);
        }
        let (mut row, mut push, mut turn, mut apart) = (u32::MAX, [0.0; 4], [0.0; 4], [0.0; 4]);
        for slot in 0..count {
            let this = touching.this[slot];
            let (k, same) = ((this - first) as usize, u64::from(this == row).wrapping_neg());
            row = this;
            push = either(same, push, force[k], touching.force[slot]);
            turn = either(same, turn, torque[k], touching.torque[slot]);
            (force[k], torque[k]) = (push, turn);
            if APART {
                apart = either(same, apart, dissipative[k], touching.dissipative[slot]);
                dissipative[k] = apart;
            }
        }
        let counter_torque = if alike { &touching.torque } else { &touching.counter_torque };
        for &slot in &touching.inside[..inside] {
            let slot = slot as usize;
            let k = (touching.other[slot] - first) as usize;
            let (push, turn) = (touching.force[slot], counter_torque[slot]);
            force[k] = std::array::from_fn(|c| force[k][c] - push[c]);
            torque[k] = std::array::from_fn(|c| torque[k][c] + turn[c]);
            if APART {
                let push = touching.dissipative[slot];
                dissipative[k] = std::array::from_fn(|c| dissipative[k][c] - push[c]);
            }
        }
        for &slot in &touching.outside[..outside] {
            let slot = slot as usize;
            let apart = APART.then(|| touching.dissipative[slot].map(|component| -component));
            let push = touching.force[slot].map(|component| -component);
            self.outbox.send(touching.other[slot], push, counter_torque[slot], apart);
        }
        if Self::REMEMBERS {
            self.pending.reserve(count);
            for slot in 0..count {
                if touching.force[slot][3] > 0.0 {
                    self.pending.push(from + touching.entry[slot] as usize, touching.memory[slot]);
                }
            }
        }
    }
}
