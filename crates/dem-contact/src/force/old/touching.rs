//! The hot loop where contacts differ in more than bodies and motion: they remember, are of several materials, or resist
//! rolling.
//!
//! Here arithmetic and memory cost more than gathering, so each contact is evaluated once, in the row of its
//! [home](crate::force::old::homes::Homes); the other body gets the exact opposite, in the sums of this block or by way of the `exchange`.
//! Close pairs are read, evaluated (in vectorised stages, see `evaluate`) and added up in batches, in an order that the list alone
//! decides: those that do not touch add nothing, and are left out first where most do not.

mod batch;
mod contacts;
mod evaluate;
mod forces;

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use crate::force::old::close_keys::CloseKeys;
use crate::force::old::close_pairs::{WORD, count, lowest};
use crate::force::old::exchange::Storage;
use crate::force::old::half_rows::HalfRows;
use crate::force::old::kernel::{SPLIT, Scene};
use crate::force::old::moving::{Moving, Source};
use crate::force::old::prefetch::fetch;
use crate::force::old::slots::{BATCH, Slots, is_dense};
use crate::force::old::touching::batch::Batch;
use crate::force::old::touching::contacts::Contacts;
use crate::force::old::touching::forces::Forces;
use crate::force::old::tray::{Tray, Wrench};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::parallel::blocks::BLOCK;

/// Pairs that are evaluated at the same time at most.
const LANES: usize = 8;

// Marks of a batch are in one number, and all its lanes in its storage.
const _: () = assert!(WORD.is_multiple_of(BATCH) && BATCH.is_multiple_of(LANES));

/// Which pairs of a batch are evaluated.
type Chosen = [u32; BATCH];

/// One block of pairs.
pub(crate) struct Work<'a, L, T: TangentialLaw> {
    pub(crate) scene: &'a Scene<'a, L, T>,
    pub(crate) source: Source<'a>,
    /// The places of the block.
    pub(crate) places: Range<usize>,
    pub(crate) pairs: &'a HalfRows,
    /// A bit for each that is close.
    pub(crate) close: &'a [u64],
    pub(crate) committed: &'a Slots<T::History>,
    pub(crate) pending: &'a mut Slots<T::History>,
    pub(crate) tray: &'a mut Tray,
    /// What bodies of other blocks get.
    pub(crate) sent: &'a mut Storage,
}

/// Sums the forces of the close pairs of a block: those on its bodies, in the tray, and those that are sent. False if a pair
/// overlaps by a radius or more.
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
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let mut tray = std::mem::take(self.0.tray);
        self.0.pairs.fetch();
        Self::fetch_batch(self.0.committed, self.0.pending, 0);
        self.read(&mut tray);
        let Tray { sums, dissipative, moving, .. } = &mut tray;
        let bodies = BLOCK + self.0.pairs.beyond.len();
        sums.clear();
        sums.resize(bodies, Wrench::default());
        dissipative.clear();
        dissipative.resize(if APART { bodies } else { 0 }, [0.0; 4]);
        // Laws without memory have none.
        debug_assert!(!Self::REMEMBERS || self.0.pending.memory.len() >= count(self.0.close));
        let moving = &moving[..];
        // Apart, so that it is seen that they do not overlap.
        let (mut batch, mut memory, mut chosen) = (Batch::new(), [T::History::default(); BATCH], [0; BATCH]);
        let (mut contacts, mut forces) = (Contacts::new(), Forces::new());
        let (mut recalled, blank, mut beside) = (memory, memory, memory);
        let mut deep = 0;
        let scene = self.0.scene;
        let one = moving[0].position[3];
        let (mut close_keys, mut batch_number) = (CloseKeys::new(self.0.pairs, self.0.close), 0);
        while let Some((keys, pairs)) = close_keys.next_batch() {
            let from = batch_number * BATCH;
            let word = self.0.committed.touched.get(from / WORD).copied().unwrap_or_default();
            let remembered = word >> (from % WORD) & lowest(BATCH);
            // Where most touched the last time, all are evaluated.
            let all = is_dense(remembered, pairs);
            let count =
                if all { pairs } else { Self::choose(scene, (&mut chosen, &mut batch), &keys[..pairs], moving) };
            let which = (&chosen, count);
            let columns = (&mut batch, &mut contacts, &mut forces);
            let sums = (&mut sums[..], &mut dissipative[..]);
            Self::fetch_batch(self.0.committed, self.0.pending, batch_number + 1);
            let before = self.0.committed.memory.as_chunks().0.get(batch_number).unwrap_or(&blank);
            let after = self.0.pending.memory.as_chunks_mut().0.get_mut(batch_number).unwrap_or(&mut beside);
            let (touched, too_deep) = if all {
                Self::load::<true>(scene, columns.0, which, (keys, moving));
                let outcome = Self::evaluate((scene, one), columns, (before, &mut memory), count);
                // Evaluated into memory of its own: laws are not known to lie elsewhere than what is pending, and would be read
                // again for each contact.
                if count == BATCH {
                    *after = memory;
                } else {
                    after[..count % BATCH].copy_from_slice(&memory[..count % BATCH]);
                }
                Self::add_up::<true>(scene, &batch, (keys, which), sums);
                outcome
            } else {
                Self::load::<false>(scene, columns.0, which, (keys, moving));
                let nothing = T::History::default();
                for (slot, &pair) in recalled.iter_mut().zip(&chosen[..count.min(BATCH)]) {
                    let pair = pair as usize % BATCH;
                    *slot = *if remembered >> pair & 1 == 1 { &before[pair] } else { &nothing };
                }
                let (touched, too_deep) = Self::evaluate((scene, one), columns, (&recalled, &mut memory), count);
                if is_dense(touched, pairs) {
                    after.fill(nothing);
                }
                let mut word = 0;
                for slot in 0..count.min(BATCH) {
                    let pair = chosen[slot] as usize % BATCH;
                    after[pair] = memory[slot % BATCH];
                    word |= (touched >> slot & 1) << pair;
                }
                Self::add_up::<false>(scene, &batch, (keys, which), sums);
                (word, too_deep)
            };
            deep += too_deep;
            if Self::REMEMBERS {
                let word = &mut self.0.pending.touched[from / WORD];
                *word = *word & lowest(from % WORD) | touched << (from % WORD);
            }
            batch_number += 1;
        }
        Self::send(self.0.sent, sums, dissipative);
        *self.0.tray = tray;
        deep == 0
    }
}

impl<L: ContactLaw, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool>
    Pass<'_, L, T, APART, MIXED, EQUAL>
{
    const REMEMBERS: bool = size_of::<T::History>() > 0;

    /// Has what the pairs of a batch remember fetched, and the place for what they will.
    #[inline(always)]
    fn fetch_batch(committed: &Slots<T::History>, pending: &Slots<T::History>, batch: usize) {
        for slots in [committed, pending] {
            if let Some(memory) = slots.memory.as_chunks::<BATCH>().0.get(batch) {
                fetch(memory);
            }
        }
    }

    /// Reads the bodies of the block, and behind the rows of a whole block those beyond.
    #[inline(always)]
    fn read(&self, tray: &mut Tray) {
        let Work { scene, source, places: own, pairs, .. } = &self.0;
        let Tray { beyond, moving, .. } = tray;
        beyond.clear();
        beyond.extend(pairs.beyond.iter().map(|&place| scene.order[place as usize]));
        moving.resize(BLOCK + beyond.len(), Moving::default());
        let (rows, rows_beyond) = moving.split_at_mut(BLOCK);
        source.read(rows, &scene.order[own.clone()], scene.position[own.clone()].iter());
        source.read(rows_beyond, beyond, pairs.beyond.iter().map(|&place| &scene.position[place as usize]));
    }

    /// Finds those that touch among the pairs of a batch, and writes their separations; returns how many they are.
    #[inline(always)]
    fn choose(
        scene: &Scene<'_, L, T>,
        (chosen, batch): (&mut Chosen, &mut Batch),
        keys: &[[u32; 2]],
        moving: &[Moving],
    ) -> usize {
        let shifts = &scene.shifts;
        let (mut separation, mut sum) = ([[0.0; 4]; BATCH], [0.0; BATCH]);
        for (slot, &[this, to]) in keys.iter().enumerate().take(BATCH) {
            let (this, code) = HalfRows::split(this);
            let (pa, pb) = (moving[this].position, moving[to as usize].position);
            let shift = shifts[code % shifts.len()];
            let centre = [pa[0], pa[1], pa[2], if EQUAL { pa[3] } else { 0.0 }];
            separation[slot] = std::array::from_fn(|c| (pb[c] - centre[c]) + shift[c]);
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
            batch.separation[some % BATCH] = separation[slot as usize % BATCH];
            some += usize::from(touches);
        }
        some
    }

    /// Reads what pairs are evaluated from: `ALL` of a batch, or those that are chosen, whose separations are there already.
    #[inline(always)]
    fn load<const ALL: bool>(
        scene: &Scene<'_, L, T>,
        batch: &mut Batch,
        (chosen, count): (&Chosen, usize),
        (keys, moving): (&[[u32; 2]; BATCH], &[Moving]),
    ) {
        let shifts = &scene.shifts;
        let rolls = scene.laws.any(|_, law| law.resists_rolling());
        for slot in 0..count.min(BATCH) {
            let [this, to] = if ALL { keys[slot] } else { keys[chosen[slot] as usize % BATCH] };
            let ((this, code), to) = (HalfRows::split(this), to as usize);
            let (a, b) = (&moving[this], &moving[to]);
            let (pa, pb) = (a.position, b.position);
            if ALL {
                let shift = shifts[code % shifts.len()];
                // Where all radii are the same, the last number is zero, which `meet` counts on.
                let centre = [pa[0], pa[1], pa[2], if EQUAL { pa[3] } else { 0.0 }];
                batch.separation[slot] = std::array::from_fn(|c| (pb[c] - centre[c]) + shift[c]);
            }
            batch.velocity[slot] = std::array::from_fn(|c| b.velocity[c] - a.velocity[c]);
            batch.turning[slot] = std::array::from_fn(|c| a.spin[c] + b.spin[c]);
            if !EQUAL {
                let (ra, rb) = (pa[3], pb[3]);
                batch.radius[slot] = ra;
                batch.rolling[slot] = std::array::from_fn(|c| ra * a.spin[c] + rb * b.spin[c]);
            }
            if rolls {
                batch.spin[slot] = std::array::from_fn(|c| b.spin[c] - a.spin[c]);
            }
            if MIXED {
                batch.materials[slot] = [a.number(), b.number()];
            }
        }
        // All are evaluated in full lanes; bodies far apart fill the last ones up.
        for slot in count..count.next_multiple_of(LANES).min(BATCH) {
            let radius = moving[0].position[3];
            batch.separation[slot] = [4.0 * radius + 1.0, 0.0, 0.0, 0.0];
            batch.radius[slot] = 0.0;
        }
    }

    /// What those beyond get.
    #[inline(always)]
    fn send(sent: &mut Storage, sums: &[Wrench], dissipative: &[[f64; 4]]) {
        let parcels = &mut sent.parcels;
        parcels.clear();
        parcels.reserve_exact(sums.len() - BLOCK);
        parcels.resize(sums.len() - BLOCK, [0.0; 6]);
        for (parcel, Wrench { force, torque: [turn @ .., _] }) in parcels.iter_mut().zip(&sums[BLOCK..]) {
            // The fourth number of a row is nothing, but a row is moved in one.
            parcel[..4].copy_from_slice(force);
            parcel[3..].copy_from_slice(turn);
        }
        sent.dissipative.clear();
        sent.dissipative.extend(dissipative.iter().skip(BLOCK));
    }

    /// Whether both bodies of a contact get the same torque.
    #[inline(always)]
    fn torques_are_alike(scene: &Scene<'_, L, T>) -> bool {
        EQUAL && !scene.laws.first().1.resists_rolling()
    }

    /// Adds pairs to their bodies, one after the other: sums do not depend on where batches end.
    #[inline(always)]
    fn add_up<const ALL: bool>(
        scene: &Scene<'_, L, T>,
        batch: &Batch,
        (keys, (chosen, count)): (&[[u32; 2]; BATCH], (&Chosen, usize)),
        (sums, dissipative): (&mut [Wrench], &mut [[f64; 4]]),
    ) {
        let alike = Self::torques_are_alike(scene);
        let counter_torque = if alike { &batch.torque } else { &batch.counter_torque };
        for slot in 0..count.min(BATCH) {
            let [this, to] = if ALL { keys[slot] } else { keys[chosen[slot] as usize % BATCH] };
            let (this, to) = (HalfRows::split(this).0, to as usize);
            let force = batch.force[slot];
            sums[this] = sums[this].plus(force, batch.torque[slot]);
            sums[to] = sums[to].plus(force.map(|component| -component), counter_torque[slot]);
            if APART {
                let push = batch.dissipative[slot];
                dissipative[this] = std::array::from_fn(|c| dissipative[this][c] + push[c]);
                dissipative[to] = std::array::from_fn(|c| dissipative[to][c] - push[c]);
            }
        }
    }
}
