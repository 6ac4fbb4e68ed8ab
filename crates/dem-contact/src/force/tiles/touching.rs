//! The first stage: which pairs of a run touch, and how their spheres move.

use std::ops::Range;

use pulp::Arch;

use crate::force::tiles::batch::{PairsOfBatch, Relative};
use crate::force::tiles::scene::{Images, LawNeeds, Motion};
use crate::force::tiles::scratch::TileScratch;
use crate::law::batch::BATCH;
use crate::neighbor::tiles::tile::{Run, Segment, Tile};
use crate::util::vectorized::vectorized;

/// Position of the contact loop in a run: consecutive pairs of a tile that have one contact law.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    pairs: &'a [[u32; 2]],
    /// Remaining segments of the run: consecutive pairs with one shift between periodic images.
    segments: &'a [Segment],
    next: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tile: &'a Tile, run: Run<'a>) -> Self {
        Self { pairs: &tile.pairs, segments: run.segments, next: run.first }
    }

    /// Fills the batch in the scratch memory with the next touching pairs, which may be pairs of several images. The
    /// batch is empty if no pair is left.
    pub(super) fn fill_batch(
        &mut self,
        arch: Arch,
        images: &Images,
        (law, has_one_radius): (&LawNeeds, bool),
        scratch: &mut TileScratch,
    ) {
        let TileScratch { position, motion, batch, .. } = scratch;
        let found = &mut batch.pairs;
        let relative = &mut batch.relative;
        found.count = 0;
        while let (true, [Segment { code, end, .. }, left @ ..]) = (found.count < BATCH, self.segments) {
            let code = usize::from(*code);
            let end = *end as usize;
            let from = found.count;
            vectorized(
                arch,
                #[inline(always)]
                || {
                    let pairs = &self.pairs[..end];
                    self.next = look(position, images.shifts[code & 31], law.range, pairs, self.next, found, relative);
                    let slots = from..found.count;
                    match (law.motion, has_one_radius) {
                        (true, true) => read_motions(motion, slots.clone(), found, relative),
                        (true, false) => {
                            read_motions(motion, slots.clone(), found, relative);
                            read_rolling(position, motion, slots.clone(), found, relative);
                        }
                        (false, true) => {}
                        (false, false) => read_radii(position, slots.clone(), found, relative),
                    }
                    if law.motion && law.couples {
                        read_spins(motion, slots, found, relative);
                    }
                },
            );
            if let (Some(velocities), true) = (&images.velocities, law.motion) {
                for row in &mut relative.velocity.0[from..found.count] {
                    (0..3).for_each(|c| row[c] += velocities[code & 31][c]);
                }
            }
            if self.next == end {
                self.segments = left;
            }
        }
        fill_lanes_up(found, relative);
    }
}

/// Signs with which centre and radius of sphere a are subtracted from those of sphere b: the result is the difference
/// of the centres and the sum of the radii.
const SIGNS: [f64; 4] = [1.0, 1.0, 1.0, -1.0];

/// Adds the next touching pairs to a batch, from the pair `next` on, with the separation of the two centres and the sum
/// of the radii. Returns the index of the next pair to be examined.
#[inline(always)]
fn look(
    position: &[[f64; 4]],
    shift: [f64; 4],
    range: f64,
    pairs: &[[u32; 2]],
    mut next: usize,
    found: &mut PairsOfBatch,
    relative: &mut Relative,
) -> usize {
    let mut count = found.count;
    while next < pairs.len() && count < BATCH {
        let [a, b] = pairs[next];
        let from = position[a as usize];
        let to = position[b as usize];
        // All four numbers are treated alike, so that a row is one vector.
        let separation: [f64; 4] = std::array::from_fn(|c| (to[c] - SIGNS[c] * from[c]) + shift[c]);
        let [x, y, z, radii] = separation;
        let sum = radii + range;
        // With this factor the overlap is positive in rounded numbers too. The pairs that it excludes overlap by
        // rounding errors only.
        let reach = sum * sum * (1.0 - 4.0 * f64::EPSILON);
        // Every pair is written, without a branch; the count advances only if the pair touches.
        found.index[count] = next as u32;
        found.rows[count] = [a, b];
        relative.separation.0[count] = separation;
        count += usize::from(x * x + y * y + z * z < reach);
        next += 1;
    }
    found.count = count;
    next
}

#[inline(always)]
fn read_motions(motion: &[Motion], slots: Range<usize>, found: &PairsOfBatch, relative: &mut Relative) {
    for slot in slots.start..slots.end.min(BATCH) {
        let [a, b] = found.rows[slot];
        let a = &motion[a as usize];
        let b = &motion[b as usize];
        relative.velocity.0[slot] = std::array::from_fn(|c| b.velocity[c] - a.velocity[c]);
        relative.turning.0[slot] = std::array::from_fn(|c| b.spin[c] + a.spin[c]);
    }
}

#[inline(always)]
fn read_radii(position: &[[f64; 4]], slots: Range<usize>, found: &PairsOfBatch, relative: &mut Relative) {
    for slot in slots.start..slots.end.min(BATCH) {
        let [a, b] = found.rows[slot].map(|row| row as usize);
        relative.velocity.0[slot][3] = position[b][3] - position[a][3];
    }
}

#[inline(always)]
fn read_rolling(
    position: &[[f64; 4]],
    motion: &[Motion],
    slots: Range<usize>,
    found: &PairsOfBatch,
    relative: &mut Relative,
) {
    for slot in slots.start..slots.end.min(BATCH) {
        let [a, b] = found.rows[slot].map(|row| row as usize);
        let ra = position[a][3];
        let rb = position[b][3];
        let wa = motion[a].spin;
        let wb = motion[b].spin;
        relative.rolling[slot] = std::array::from_fn(|c| wa[c] * ra + wb[c] * rb);
    }
}

#[inline(always)]
fn read_spins(motion: &[Motion], slots: Range<usize>, found: &PairsOfBatch, relative: &mut Relative) {
    for slot in slots.start..slots.end.min(BATCH) {
        let [a, b] = found.rows[slot].map(|row| row as usize);
        let wa = motion[a].spin;
        let wb = motion[b].spin;
        relative.spin[slot] = std::array::from_fn(|c| wb[c] - wa[c]);
    }
}

/// Fills the unused slots of a batch with copies of its last pair, so that laws read existing contacts only.
fn fill_lanes_up(found: &PairsOfBatch, relative: &mut Relative) {
    let Some(last) = found.count.checked_sub(1) else { return };
    for slot in found.count..found.lanes() {
        relative.separation.0[slot] = relative.separation.0[last];
        relative.velocity.0[slot] = relative.velocity.0[last];
        relative.turning.0[slot] = relative.turning.0[last];
        relative.rolling[slot] = relative.rolling[last];
        relative.spin[slot] = relative.spin[last];
    }
}
