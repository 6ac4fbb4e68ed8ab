//! The first stage: which pairs of a tile touch, and how their spheres move.

use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::force::tiles::batch::{Approach, BATCH, PairsOfBatch, set};
use crate::force::tiles::scene::{Needs, Spheres};
use crate::neighbor::tiles::pair::Pair;

/// Goes through the pairs of a tile and gathers those that touch in batches.
pub(crate) struct TouchingPairs<'a> {
    pairs: &'a [Pair],
    /// The next pair to look at.
    next: usize,
    /// Pairs that touch and do not belong to a batch yet.
    index: [u32; 2 * BATCH],
    places: [[u32; 2]; 2 * BATCH],
    separation: [[f64; 4]; 2 * BATCH],
    count: usize,
}

impl<'a> TouchingPairs<'a> {
    pub(crate) fn new(pairs: &'a [Pair]) -> Self {
        let (places, separation) = ([[0; 2]; 2 * BATCH], [[0.0; 4]; 2 * BATCH]);
        Self { pairs, next: 0, index: [0; 2 * BATCH], places, separation, count: 0 }
    }

    /// Writes the next pairs that touch to `batch`, with their separations; false if there are no more.
    pub(crate) fn next_batch(
        &mut self,
        arch: Arch,
        spheres: &Spheres<'_>,
        batch: &mut PairsOfBatch,
        approach: &mut Approach,
    ) -> bool {
        arch.dispatch(Look { pairs: self, spheres });
        let count = self.count.min(BATCH);
        batch.count = count;
        batch.index[..count].copy_from_slice(&self.index[..count]);
        batch.places[..count].copy_from_slice(&self.places[..count]);
        for slot in 0..count {
            set(&mut approach.separation, slot, vector(self.separation[slot]));
        }
        self.separation.copy_within(count..self.count, 0);
        self.index.copy_within(count..self.count, 0);
        self.places.copy_within(count..self.count, 0);
        self.count -= count;
        count > 0
    }

    /// Looks at the next pairs, as many as there is room for.
    #[inline(always)]
    fn look(&mut self, spheres: &Spheres<'_>) {
        let &Spheres { position, shifts, .. } = spheres;
        let first = self.next;
        self.next = (first + BATCH).min(self.pairs.len());
        let mut at = self.count;
        for (pair, index) in self.pairs[first..self.next].iter().zip(first as u32..) {
            let [a, b] = pair.places();
            let (pa, pb, shift) = (position[a], position[b], shifts[pair.code() % shifts.len()]);
            // All four numbers, so that rows are loaded as vectors; the last one means nothing.
            let separation @ [x, y, z, _]: [f64; 4] = std::array::from_fn(|c| (pb[c] - pa[c]) + shift[c]);
            let sum = pa[3] + pb[3];
            // Written in any case, and kept if they touch. Rounding must not lose a contact; one too many does no harm.
            self.index[at] = index;
            self.places[at] = [a as u32, b as u32];
            self.separation[at] = separation;
            at += usize::from(x * x + y * y + z * z < sum * sum * (1.0 + 1e-15));
        }
        self.count = at;
    }
}

/// Looks at pairs until there are enough for a batch, or no more.
struct Look<'s, 'a> {
    pairs: &'s mut TouchingPairs<'a>,
    spheres: &'s Spheres<'s>,
}

impl WithSimd for Look<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        while self.pairs.count < BATCH && self.pairs.next < self.pairs.pairs.len() {
            self.pairs.look(self.spheres);
        }
    }
}

/// Reads radii and motions of the pairs of a batch.
pub(crate) struct ReadStage<'a> {
    pub(crate) spheres: &'a Spheres<'a>,
    pub(crate) needs: &'a Needs,
    pub(crate) batch: &'a PairsOfBatch,
    pub(crate) approach: &'a mut Approach,
}

impl WithSimd for ReadStage<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        read(self.spheres, self.needs, self.batch, self.approach);
    }
}

#[inline(always)]
fn read(spheres: &Spheres<'_>, needs: &Needs, batch: &PairsOfBatch, approach: &mut Approach) {
    let &Spheres { position, motion, .. } = spheres;
    let differ = needs.radius.is_none();
    for slot in 0..batch.count.min(BATCH) {
        let [a, b] = batch.places[slot].map(|place| place as usize);
        let (ra, rb) = (position[a][3], position[b][3]);
        (approach.radius[0][slot], approach.radius[1][slot]) = (ra, rb);
        if needs.motion {
            let (ma, mb) = (&motion[a], &motion[b]);
            let (wa, wb) = (vector(ma.spin), vector(mb.spin));
            set(&mut approach.velocity, slot, vector(mb.velocity) - vector(ma.velocity));
            approach.inverse_mass[slot] = ma.velocity[3] + mb.velocity[3];
            set(&mut approach.turning, slot, wa + wb);
            if differ {
                set(&mut approach.rolling, slot, wa * ra + wb * rb);
            }
            if needs.spin {
                set(&mut approach.spin, slot, wb - wa);
            }
        }
    }
    // Spheres far apart fill the last lanes up.
    let radius = needs.radius.unwrap_or(1.0);
    for slot in batch.count.min(BATCH)..batch.lanes() {
        set(&mut approach.separation, slot, DVec3::X * (4.0 * radius + 1.0));
        (approach.radius[0][slot], approach.radius[1][slot]) = (radius, radius);
    }
}

/// The first three numbers of a row.
#[inline(always)]
fn vector([x, y, z, _]: [f64; 4]) -> DVec3 {
    DVec3::new(x, y, z)
}
