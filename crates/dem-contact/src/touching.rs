//! The hot loop where contacts differ in more than bodies and motion: they remember, are of several materials, or resist
//! rolling.
//!
//! Here arithmetic and memory cost more than gathering, so each contact is evaluated once, in the row of the lower place,
//! its home; the other body gets the exact opposite, in the sums of this block or by way of the `exchange`. Close pairs are
//! read, evaluated (this pass is vectorised) and added up in batches, in an order that the list alone decides: those that
//! do not touch add nothing, and are left out first where most do not.

use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::close_pairs::ClosePairs;
use crate::evaluation::{Touch, push};
use crate::exchange::Storage;
use crate::kernel::{Output, SPLIT, Scene};
use crate::pair_memory::{LANES, Slots, WORD};
use crate::par::BLOCK;
use crate::tray::{Tray, Wrench};
use crate::{ContactLaw, TangentialLaw};

/// Pairs that are evaluated together.
const BATCH: usize = WORD;

type Table = [[f64; 4]; BATCH];

/// Which pairs of a batch are evaluated.
type Chosen = [u32; BATCH];

/// Forces of the close pairs of the block that begins at place `first`, on the bodies of this block; what others get goes to
/// `sent`. False if a pair overlaps by a radius or more.
pub(crate) fn block<L: ContactLaw, T: TangentialLaw>(
    mode: u8,
    scene: &Scene<'_, L, T>,
    (first, close): (usize, &ClosePairs),
    (committed, pending): (&Slots<T::Memory>, &mut Slots<T::Memory>),
    (tray, sent, output): (&mut Tray, &mut Storage, Output<'_>),
) -> bool {
    let arch = Arch::new();
    match (mode == SPLIT, scene.laws.is_uniform(), scene.equal) {
        (false, true, true) => arch.dispatch(Pass::<L, T, false, false, true> {
            scene,
            first,
            close,
            committed,
            pending,
            tray,
            sent,
            output,
        }),
        (false, true, false) => arch.dispatch(Pass::<L, T, false, false, false> {
            scene,
            first,
            close,
            committed,
            pending,
            tray,
            sent,
            output,
        }),
        (false, false, _) => arch.dispatch(Pass::<L, T, false, true, false> {
            scene,
            first,
            close,
            committed,
            pending,
            tray,
            sent,
            output,
        }),
        (true, true, _) => arch.dispatch(Pass::<L, T, true, false, false> {
            scene,
            first,
            close,
            committed,
            pending,
            tray,
            sent,
            output,
        }),
        (true, false, _) => arch.dispatch(Pass::<L, T, true, true, false> {
            scene,
            first,
            close,
            committed,
            pending,
            tray,
            sent,
            output,
        }),
    }
}

/// `APART`: forces that are not elastic are also summed on their own. `MIXED`: there are several materials. `EQUAL`: all
/// radii are the same.
struct Pass<'a, L, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool> {
    scene: &'a Scene<'a, L, T>,
    first: usize,
    close: &'a ClosePairs,
    committed: &'a Slots<T::Memory>,
    pending: &'a mut Slots<T::Memory>,
    tray: &'a mut Tray,
    sent: &'a mut Storage,
    output: Output<'a>,
}

/// The pairs of a batch that are evaluated; a is the body at the lower place.
struct Batch {
    /// From a to b, and the radius of b.
    separation: Table,
    /// Of a.
    radius: [f64; BATCH],
    /// Of b relative to a, of the centres, and the sum of the reciprocal masses.
    velocity: Table,
    /// `r_a Ω_a + r_b Ω_b` where radii differ; `Ω_a + Ω_b` and the number of body a less that of b; `Ω_b − Ω_a` for laws that
    /// resist rolling.
    rolling: Table,
    turning: Table,
    spin: Table,
    materials: [[u32; 2]; BATCH],
    /// On a.
    force: Table,
    torque: Table,
    /// On b, where it is not that on a.
    counter_torque: Table,
    dissipative: Table,
}

impl Batch {
    #[inline(always)]
    fn new() -> Self {
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

/// What the row has that is being added up.
#[derive(Clone, Copy)]
struct Own {
    this: usize,
    force: [f64; 4],
    torque: [f64; 4],
    dissipative: [f64; 4],
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

/// `more` on top of `sum` where the bits of `same` are, else of nothing: a row begins by a mask instead of a branch.
#[inline(always)]
fn onto(same: u64, sum: [f64; 4], more: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|c| f64::from_bits(sum[c].to_bits() & same) + more[c])
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
        let Tray { others, apart: others_apart, sources } = std::mem::take(self.tray);
        let (mut others, mut others_apart, mut sources) = (others, others_apart, sources);
        let bodies = BLOCK + self.close.beyond.len();
        others.clear();
        others.resize(bodies, [[0.0; 4]; 2]);
        others_apart.clear();
        others_apart.resize(if APART { bodies } else { 0 }, [0.0; 4]);
        self.find(&mut sources);
        // Apart, so that it is seen that they do not overlap.
        let (mut batch, mut memory, mut chosen) = (Batch::new(), [T::Memory::default(); BATCH], [0; BATCH]);
        let mut recalled = memory;
        let mut own = Own { this: usize::MAX, force: [0.0; 4], torque: [0.0; 4], dissipative: [0.0; 4] };
        let mut deep = 0;
        for from in (0..self.close.len()).step_by(BATCH) {
            let pairs = (self.close.len() - from).min(BATCH);
            let touched = self.committed.touched.get(from / WORD).map_or(0, |word| word.count_ones() as usize);
            if Self::REMEMBERS {
                // In one go, whichever are wanted: what is far away is waited for once.
                recalled[..pairs].copy_from_slice(&self.committed.memory[from..from + pairs]);
            }
            // Where most touched the last time, all are evaluated.
            let all = 4 * touched >= 3 * pairs;
            let count = if all { pairs } else { self.choose(&mut chosen, (from, pairs), &sources) };
            let (read, which) = ((&mut batch, &mut memory, &recalled), (from, &chosen, count));
            if all {
                self.load::<true>(read, which, &sources)
            } else {
                self.load::<false>(read, which, &sources)
            }
            let (touched, too_deep) = self.evaluate(&mut batch, &mut memory, count);
            deep += too_deep;
            let sums = (&mut own, &mut others[..], &mut others_apart[..]);
            if all {
                self.add_up::<true>(&batch, which, sums);
                self.remember::<true>(&memory, which, touched);
            } else {
                self.add_up::<false>(&batch, which, sums);
                self.remember::<false>(&memory, which, touched);
            }
        }
        let Output { force, torque, dissipative } = self.output;
        for ((force, torque), [push, turn]) in force.iter_mut().zip(torque).zip(&others) {
            *force = std::array::from_fn(|c| force[c] + push[c]);
            *torque = std::array::from_fn(|c| torque[c] + turn[c]);
        }
        for (sum, push) in dissipative.iter_mut().zip(&others_apart) {
            *sum = std::array::from_fn(|c| sum[c] + push[c]);
        }
        let Storage { parcels, dissipative } = self.sent;
        parcels.clear();
        parcels.extend(others[BLOCK..].iter().map(|&[[fx, fy, fz, _], [tx, ty, tz, _]]| [fx, fy, fz, tx, ty, tz]));
        dissipative.clear();
        dissipative.extend(others_apart.iter().skip(BLOCK));
        *self.tray = Tray { others, apart: others_apart, sources };
        deep == 0
    }
}

impl<L: ContactLaw, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool>
    Pass<'_, L, T, APART, MIXED, EQUAL>
{
    const REMEMBERS: bool = size_of::<T::Memory>() > 0;

    /// Says where the bodies of the block and those beyond are, and where it is said how they move.
    #[inline(always)]
    fn find(&self, sources: &mut Vec<[u32; 2]>) {
        let (window, first, len) = (self.scene.moving, self.first as u32, self.scene.position.len() as u32);
        let row = window.row(self.first);
        sources.clear();
        // No pair asks for what fills the last block up.
        sources.extend((0..BLOCK as u32).map(|k| if first + k < len { [first + k, row + k] } else { [first, row] }));
        sources.extend(self.close.beyond.iter().map(|&place| [place, window.row(place as usize)]));
    }

    /// Finds those that touch among `count` pairs of a batch; returns how many they are.
    #[inline(always)]
    fn choose(&self, chosen: &mut Chosen, (from, count): (usize, usize), sources: &[[u32; 2]]) -> usize {
        let &Scene { ref shifts, position, .. } = self.scene;
        let (this, to) = self.close.batch((from, count));
        let (mut separation, mut sum) = ([[0.0; 4]; BATCH], [0.0; BATCH]);
        for (slot, (&this, &to)) in this.iter().zip(to).enumerate().take(BATCH) {
            let (this, code) = ClosePairs::split(this);
            let (pa, pb) = (position[sources[this][0] as usize], position[sources[to as usize][0] as usize]);
            let shift = shifts[code];
            separation[slot] = std::array::from_fn(|c| (pb[c] - pa[c]) + shift[c]);
            sum[slot] = pa[3] + pb[3];
        }
        let mut touches = [false; BATCH];
        for slot in 0..BATCH {
            let [x, y, z, _] = separation[slot];
            // Rounding must not lose a contact; one too many does no harm.
            touches[slot] = x * x + y * y + z * z < sum[slot] * sum[slot] * (1.0 + 1e-15);
        }
        let mut some = 0;
        for (slot, &touches) in (0..).zip(&touches[..count]) {
            chosen[some] = slot;
            some += usize::from(touches);
        }
        some
    }

    /// Reads what pairs are evaluated from: `ALL` of a batch, or those that are chosen.
    #[inline(always)]
    fn load<const ALL: bool>(
        &self,
        (batch, memory, recalled): (&mut Batch, &mut [T::Memory; BATCH], &[T::Memory; BATCH]),
        (from, chosen, count): (usize, &Chosen, usize),
        sources: &[[u32; 2]],
    ) {
        let &Scene { ref shifts, position, moving, .. } = self.scene;
        let moving = moving.rows();
        let rolls = self.scene.laws.any(|_, law| law.resists_rolling());
        let (keys, to) = self.close.batch((from, if ALL { count } else { self.close.len() - from }));
        for slot in 0..(if ALL { keys.len() } else { count }).min(BATCH) {
            let pair = if ALL { slot } else { chosen[slot] as usize };
            let ((this, code), to) = (ClosePairs::split(keys[pair]), to[pair] as usize);
            let ([this, at], [other, to]) = (sources[this], sources[to]);
            let (this, other) = (this as usize, other as usize);
            let (pa, pb, shift) = (position[this], position[other], shifts[code]);
            let (a, b) = (moving[at as usize], moving[to as usize]);
            let centre = [pa[0], pa[1], pa[2], 0.0];
            let separation: [f64; 4] = std::array::from_fn(|c| (pb[c] - centre[c]) + shift[c]);
            batch.separation[slot] = separation;
            let (va, wa, wb) = (others_negated(a.velocity), a.spin, b.spin);
            batch.velocity[slot] = std::array::from_fn(|c| b.velocity[c] + va[c]);
            let twice = last_negated(wb);
            batch.turning[slot] = std::array::from_fn(|c| wa[c] + twice[c]);
            if !EQUAL {
                let (ra, rb) = (pa[3], separation[3]);
                batch.radius[slot] = ra;
                batch.rolling[slot] = std::array::from_fn(|c| ra * wa[c] + rb * wb[c]);
            }
            if rolls {
                batch.spin[slot] = std::array::from_fn(|c| wb[c] - wa[c]);
            }
            if Self::REMEMBERS {
                memory[slot] = recalled[pair % BATCH];
            }
            if MIXED {
                batch.materials[slot] = [this, other].map(|place| self.scene.order[place]);
            }
        }
        // All are evaluated in full lanes; bodies far apart fill the last ones up.
        for slot in count..count.next_multiple_of(LANES).min(BATCH) {
            let radius = self.scene.position[self.first][3];
            batch.separation[slot] = [4.0 * radius + 1.0, 0.0, 0.0, 0.0];
            batch.radius[slot] = 0.0;
        }
    }

    /// Evaluates pairs; returns a bit for each that touches, and how many overlap by a radius or more.
    #[inline(always)]
    fn evaluate(&self, batch: &mut Batch, memory: &mut [T::Memory; BATCH], count: usize) -> (u64, u64) {
        let &Scene { laws, elapsed, .. } = self.scene;
        let (share, uniform) = (laws.lever(), laws.first());
        let one = self.scene.position[self.first][3];
        // Read once, so that nothing which is written below can change it.
        let (capped, alike) = (uniform.0.is_capped(), self.torques_are_alike());
        let Batch {
            separation,
            radius,
            velocity,
            rolling,
            turning,
            spin,
            materials,
            force,
            torque,
            counter_torque,
            dissipative,
        } = batch;
        let (mut deep, mut touched) = (0, 0_u64);
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
            let touches = gap < 0.0;
            memory[slot] = if touches { remembered } else { T::Memory::default() };
            touched |= u64::from(touches) << slot;
            let select = |vector: DVec3| {
                [vector.x, vector.y, vector.z, 0.0].map(|component| if touches { component } else { 0.0 })
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
        (touched, deep)
    }

    /// Keeps what pairs that touch, which have a bit each, are to remember.
    #[inline(always)]
    fn remember<const ALL: bool>(
        &mut self,
        memory: &[T::Memory; BATCH],
        (from, chosen, count): (usize, &Chosen, usize),
        touched: u64,
    ) {
        if !Self::REMEMBERS {
            return;
        }
        let end = (from + BATCH).min(self.pending.memory.len());
        let slots = &mut self.pending.memory[from..end];
        if ALL {
            let slots = &mut slots[..count.next_multiple_of(LANES).min(BATCH)];
            slots.copy_from_slice(&memory[..slots.len()]);
            self.pending.touched[from / WORD] = touched;
            return;
        }
        slots.fill(T::Memory::default());
        let mut word = 0;
        for slot in 0..count.min(BATCH) {
            let pair = chosen[slot] as usize;
            slots[pair] = memory[slot];
            word |= (touched >> slot & 1) << pair;
        }
        self.pending.touched[from / WORD] = word;
    }

    /// Whether both bodies of a contact get the same torque.
    #[inline(always)]
    fn torques_are_alike(&self) -> bool {
        EQUAL && !self.scene.laws.first().1.resists_rolling()
    }

    /// Adds pairs to their bodies. What one gets from its own row and from others are sums apart, so that neither depends on
    /// where batches end.
    #[inline(always)]
    fn add_up<const ALL: bool>(
        &mut self,
        batch: &Batch,
        (from, chosen, count): (usize, &Chosen, usize),
        (own, others, others_apart): (&mut Own, &mut [Wrench], &mut [[f64; 4]]),
    ) {
        let alike = self.torques_are_alike();
        let Output { force, torque, dissipative } = &mut self.output;
        let counter_torque = if alike { &batch.torque } else { &batch.counter_torque };
        let mut row = *own;
        let (keys, to) = self.close.batch((from, if ALL { count } else { self.close.len() - from }));
        for slot in 0..(if ALL { keys.len() } else { count }).min(BATCH) {
            let pair = if ALL { slot } else { chosen[slot] as usize };
            let ((this, _), to) = (ClosePairs::split(keys[pair]), to[pair] as usize);
            let (k, same) = (this, u64::from(this == row.this).wrapping_neg());
            let (push, turn, counter) = (batch.force[slot], batch.torque[slot], counter_torque[slot]);
            row.this = this;
            row.force = onto(same, row.force, push);
            row.torque = onto(same, row.torque, turn);
            (force[k], torque[k]) = (row.force, row.torque);
            let [pushed, turned] = others[to];
            others[to] =
                [std::array::from_fn(|c| pushed[c] - push[c]), std::array::from_fn(|c| turned[c] + counter[c])];
            if APART {
                let push = batch.dissipative[slot];
                row.dissipative = onto(same, row.dissipative, push);
                dissipative[k] = row.dissipative;
                others_apart[to] = std::array::from_fn(|c| others_apart[to][c] - push[c]);
            }
        }
        *own = row;
    }
}
