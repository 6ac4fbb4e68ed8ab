//! The hot loop where contacts differ in more than bodies and motion: they remember, are of several materials, or resist
//! rolling.
//!
//! Here arithmetic and memory cost more than gathering, so each contact is evaluated once, in the row of the lower place,
//! its home; the other body gets the exact opposite, in the sums of this block or by way of the `exchange`. Close pairs are
//! read, evaluated (this pass is vectorised) and added up in batches, in an order that the list alone decides: those that
//! do not touch add nothing, and are left out first where most do not.

mod batch;

use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;

use self::batch::{Batch, Own, last_negated, onto, others_negated};
use crate::close_pairs::WORD;
use crate::evaluation::{Touch, push};
use crate::exchange::Storage;
use crate::half_rows::HalfRows;
use crate::kernel::{Output, SPLIT, Scene};
use crate::par::BLOCK;
use crate::slots::{LANES, Slots};
use crate::tray::{Tray, Wrench};
use crate::{ContactLaw, TangentialLaw};

/// Close pairs that are evaluated together.
const BATCH: usize = WORD;

/// Which pairs of a batch are evaluated.
type Chosen = [u32; BATCH];

/// One block of pairs.
pub(crate) struct Work<'a, L, T: TangentialLaw> {
    pub(crate) scene: &'a Scene<'a, L, T>,
    /// The first place of the block.
    pub(crate) first: usize,
    pub(crate) pairs: &'a HalfRows,
    /// A bit for each that is close.
    pub(crate) close: &'a [u64],
    pub(crate) committed: &'a Slots<T::Memory>,
    pub(crate) pending: &'a mut Slots<T::Memory>,
    pub(crate) tray: &'a mut Tray,
    /// What bodies of later blocks get.
    pub(crate) sent: &'a mut Storage,
    pub(crate) output: Output<'a>,
}

/// Sums the forces of the close pairs of a block. False if a pair overlaps by a radius or more.
pub(crate) fn block<L: ContactLaw, T: TangentialLaw>(mode: u8, work: Work<'_, L, T>) -> bool {
    let arch = Arch::new();
    match (mode == SPLIT, work.scene.laws.is_uniform(), work.scene.equal) {
        (false, true, true) => arch.dispatch(Pass::<L, T, false, false, true>(work)),
        (false, true, false) => arch.dispatch(Pass::<L, T, false, false, false>(work)),
        (false, false, _) => arch.dispatch(Pass::<L, T, false, true, false>(work)),
        (true, true, _) => arch.dispatch(Pass::<L, T, true, false, false>(work)),
        (true, false, _) => arch.dispatch(Pass::<L, T, true, true, false>(work)),
    }
}

/// `APART`: forces that are not elastic are also summed on their own. `MIXED`: there are several materials. `EQUAL`: all
/// radii are the same.
struct Pass<'a, L, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool>(Work<'a, L, T>);

impl<L: ContactLaw, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool> WithSimd
    for Pass<'_, L, T, APART, MIXED, EQUAL>
{
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> bool {
        for column in [&mut *self.0.output.force, &mut *self.0.output.torque, &mut *self.0.output.dissipative] {
            column.fill([0.0; 4]);
        }
        let Tray { mut others, apart: mut others_apart, mut sources, mut keys } = std::mem::take(self.0.tray);
        let bodies = BLOCK + self.0.pairs.beyond.len();
        others.clear();
        others.resize(bodies, Wrench::default());
        others_apart.clear();
        others_apart.resize(if APART { bodies } else { 0 }, [0.0; 4]);
        self.find(&mut sources);
        self.0.pairs.expand(self.0.close, &mut keys);
        // Apart, so that it is seen that they do not overlap.
        let (mut batch, mut memory, mut chosen) = (Batch::new(), [T::Memory::default(); BATCH], [0; BATCH]);
        let mut recalled = memory;
        let mut own = Own { this: usize::MAX, force: [0.0; 4], torque: [0.0; 4], dissipative: [0.0; 4] };
        let mut deep = 0;
        let (scene, first) = (self.0.scene, self.0.first);
        for from in (0..keys.len()).step_by(BATCH) {
            let pairs = (keys.len() - from).min(BATCH);
            let touched = self.0.committed.touched.get(from / WORD).map_or(0, |word| word.count_ones() as usize);
            // Where most touched the last time, all are evaluated.
            let all = 4 * touched >= 3 * pairs;
            let keys = &keys[from..from + pairs];
            let count = if all { pairs } else { self.choose(&mut chosen, keys, &sources) };
            let which = (&chosen, count);
            let slots = from..from + pairs.next_multiple_of(LANES);
            // In one go, whichever are wanted: what is far away is waited for once.
            let committed = if Self::REMEMBERS { &self.0.committed.memory[slots] } else { &[] };
            let recall = if all { &mut memory } else { &mut recalled };
            recall[..committed.len()].copy_from_slice(committed);
            if all {
                Self::load::<true>((scene, first), &mut batch, which, (keys, &sources))
            } else {
                Self::load::<false>((scene, first), &mut batch, which, (keys, &sources));
                Self::recall(&mut memory, &recalled, which);
            }
            let (touched, too_deep) = Self::evaluate((scene, first), &mut batch, &mut memory, count);
            deep += too_deep;
            self.add_up(&batch, count, (&mut own, &mut others[..], &mut others_apart[..]));
            if all {
                self.remember::<true>(&memory, (from, &chosen, count), touched);
            } else {
                self.remember::<false>(&memory, (from, &chosen, count), touched);
            }
        }
        let Output { force, torque, dissipative } = self.0.output;
        for ((force, torque), Wrench { force: push, torque: turn }) in force.iter_mut().zip(torque).zip(&others) {
            *force = std::array::from_fn(|c| force[c] + push[c]);
            *torque = std::array::from_fn(|c| torque[c] + turn[c]);
        }
        for (sum, push) in dissipative.iter_mut().zip(&others_apart) {
            *sum = std::array::from_fn(|c| sum[c] + push[c]);
        }
        let Storage { parcels, dissipative } = self.0.sent;
        parcels.resize(others.len() - BLOCK, [0.0; 6]);
        for (parcel, Wrench { force, torque: [turn @ .., _] }) in parcels.iter_mut().zip(&others[BLOCK..]) {
            // The fourth number of a row is nothing, but a row is moved in one.
            parcel[..4].copy_from_slice(force);
            parcel[3..].copy_from_slice(turn);
        }
        dissipative.clear();
        dissipative.extend(others_apart.iter().skip(BLOCK));
        *self.0.tray = Tray { others, apart: others_apart, sources, keys };
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
        let Work { scene, first, pairs, .. } = &self.0;
        let (window, first, len) = (scene.moving, *first as u32, scene.position.len() as u32);
        let row = window.row(first as usize);
        sources.clear();
        // No pair asks for what fills the last block up.
        sources.extend((0..BLOCK as u32).map(|k| if first + k < len { [first + k, row + k] } else { [first, row] }));
        sources.extend(pairs.beyond.iter().map(|&place| [place, window.row(place as usize)]));
    }

    /// Finds those that touch among the pairs of a batch; returns how many they are.
    #[inline(always)]
    fn choose(&self, chosen: &mut Chosen, keys: &[[u32; 2]], sources: &[[u32; 2]]) -> usize {
        let &Scene { ref shifts, position, .. } = self.0.scene;
        let (mut separation, mut sum) = ([[0.0; 4]; BATCH], [0.0; BATCH]);
        for (slot, &[this, to]) in keys.iter().enumerate().take(BATCH) {
            let (this, code) = HalfRows::split(this);
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
        for (slot, &touches) in (0..).zip(&touches[..keys.len()]) {
            chosen[some] = slot;
            some += usize::from(touches);
        }
        some
    }

    /// Reads what pairs are evaluated from: `ALL` of a batch, or those that are chosen.
    #[inline(always)]
    fn load<const ALL: bool>(
        (scene, first): (&Scene<'_, L, T>, usize),
        batch: &mut Batch,
        (chosen, count): (&Chosen, usize),
        (keys, sources): (&[[u32; 2]], &[[u32; 2]]),
    ) {
        let &Scene { ref shifts, position, moving, .. } = scene;
        let moving = moving.rows();
        let rolls = scene.laws.any(|_, law| law.resists_rolling());
        for (slot, &chosen) in chosen.iter().enumerate().take(if ALL { keys.len() } else { count }) {
            let pair = if ALL { slot } else { chosen as usize };
            let [this, to] = keys[pair];
            let ((this, code), to) = (HalfRows::split(this), to as usize);
            batch.sums[slot] = [this as u32, to as u32];
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
            if MIXED {
                batch.materials[slot] = [this, other].map(|place| scene.order[place]);
            }
        }
        // All are evaluated in full lanes; bodies far apart fill the last ones up.
        for slot in count..count.next_multiple_of(LANES).min(BATCH) {
            let radius = position[first][3];
            batch.separation[slot] = [4.0 * radius + 1.0, 0.0, 0.0, 0.0];
            batch.radius[slot] = 0.0;
        }
    }

    /// Takes what the chosen pairs remember.
    #[inline(always)]
    fn recall(memory: &mut [T::Memory; BATCH], recalled: &[T::Memory; BATCH], (chosen, count): (&Chosen, usize)) {
        if Self::REMEMBERS {
            for (slot, &pair) in memory.iter_mut().zip(&chosen[..count.min(BATCH)]) {
                *slot = recalled[pair as usize % BATCH];
            }
        }
    }

    /// Evaluates pairs; returns a bit for each that touches, and how many overlap by a radius or more.
    #[inline(always)]
    fn evaluate(
        (scene, first): (&Scene<'_, L, T>, usize),
        batch: &mut Batch,
        memory: &mut [T::Memory; BATCH],
        count: usize,
    ) -> (u64, u64) {
        let &Scene { laws, elapsed, .. } = scene;
        let (share, uniform) = (laws.lever(), laws.first());
        let one = scene.position[first][3];
        // Read once, so that nothing which is written below can change it.
        let (capped, alike) = (uniform.0.is_capped(), Self::torques_are_alike(scene));
        let Batch {
            separation,
            radius,
            velocity,
            rolling,
            turning,
            spin,
            materials,
            sums: _,
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
        let end = (from + BATCH).min(self.0.pending.memory.len());
        let slots = &mut self.0.pending.memory[from..end];
        if ALL {
            let slots = &mut slots[..count.next_multiple_of(LANES).min(BATCH)];
            slots.copy_from_slice(&memory[..slots.len()]);
            self.0.pending.touched[from / WORD] = touched;
            return;
        }
        slots.fill(T::Memory::default());
        let mut word = 0;
        for slot in 0..count.min(BATCH) {
            let pair = chosen[slot] as usize;
            slots[pair] = memory[slot];
            word |= (touched >> slot & 1) << pair;
        }
        self.0.pending.touched[from / WORD] = word;
    }

    /// Whether both bodies of a contact get the same torque.
    #[inline(always)]
    fn torques_are_alike(scene: &Scene<'_, L, T>) -> bool {
        EQUAL && !scene.laws.first().1.resists_rolling()
    }

    /// Adds pairs to their bodies. What one gets from its own row and from others are sums apart, so that neither depends on
    /// where batches end.
    #[inline(always)]
    fn add_up(
        &mut self,
        batch: &Batch,
        count: usize,
        (own, others, others_apart): (&mut Own, &mut [Wrench], &mut [[f64; 4]]),
    ) {
        let alike = Self::torques_are_alike(self.0.scene);
        let Output { force, torque, dissipative } = &mut self.0.output;
        let counter_torque = if alike { &batch.torque } else { &batch.counter_torque };
        let mut row = *own;
        for (slot, sums) in batch.sums.iter().enumerate().take(count) {
            let [this, to] = sums.map(|place| place as usize);
            let (k, same) = (this, u64::from(this == row.this).wrapping_neg());
            let (push, turn, counter) = (batch.force[slot], batch.torque[slot], counter_torque[slot]);
            row.this = this;
            row.force = onto(same, row.force, push);
            row.torque = onto(same, row.torque, turn);
            (force[k], torque[k]) = (row.force, row.torque);
            let Wrench { force: pushed, torque: turned } = others[to];
            others[to] = Wrench {
                force: std::array::from_fn(|c| pushed[c] - push[c]),
                torque: std::array::from_fn(|c| turned[c] + counter[c]),
            };
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
