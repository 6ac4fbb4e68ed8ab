//! The first stage: which pairs of a tile touch, and how their spheres move.

use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::force::tiles::batch::{Approach, BATCH, PairsOfBatch, Vectors, get, set};
use crate::force::tiles::scene::{Images, Needs, Spheres};
use crate::neighbor::tiles::pair::Pair;

/// Goes through the pairs of a tile and gathers those that touch in batches.
pub(crate) struct TouchingPairs<'a> {
    pairs: &'a [Pair],
    /// The largest gap in m at which pairs act.
    range: f64,
    /// The next pair to look at.
    next: usize,
}

impl<'a> TouchingPairs<'a> {
    pub(crate) fn new(pairs: &'a [Pair], range: f64) -> Self {
        Self { pairs, range, next: 0 }
    }

    /// Writes the next pairs that touch to `batch`, with their separations; false if there are no more.
    pub(crate) fn next_batch(
        &mut self,
        arch: Arch,
        spheres: &Spheres<'_>,
        batch: &mut PairsOfBatch,
        approach: &mut Approach,
    ) -> bool {
        self.next =
            arch.dispatch(Look { pairs: self.pairs, range: self.range, first: self.next, spheres, batch, approach });
        batch.count > 0
    }
}

/// Looks at pairs until there are enough for a batch, or no more. The outcome is the next pair to look at.
struct Look<'a> {
    pairs: &'a [Pair],
    range: f64,
    /// The first pair to look at.
    first: usize,
    spheres: &'a Spheres<'a>,
    batch: &'a mut PairsOfBatch,
    approach: &'a mut Approach,
}

impl WithSimd for Look<'_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        let Self { pairs, range, first, spheres, batch, approach } = self;
        look(pairs, range, first, spheres, batch, &mut approach.separation)
    }
}

#[inline(always)]
fn look(
    pairs: &[Pair],
    range: f64,
    first: usize,
    spheres: &Spheres<'_>,
    batch: &mut PairsOfBatch,
    separations: &mut Vectors,
) -> usize {
    let &Spheres { position, images: Images { shifts, .. }, .. } = spheres;
    let (mut next, mut count) = (first, 0);
    while next < pairs.len() && count < BATCH {
        let pair = pairs[next];
        let [a, b] = pair.places();
        let (pa, pb, shift) = (position[a], position[b], shifts[pair.code() % shifts.len()]);
        // All four numbers, so that rows are loaded as vectors; the last one means nothing.
        let separation @ [x, y, z, _]: [f64; 4] = std::array::from_fn(|c| (pb[c] - pa[c]) + shift[c]);
        let sum = pa[3] + pb[3] + range;
        // Written in any case, and kept if they touch. Rounding must not lose a contact; one too many does no harm.
        batch.index[count] = next as u32;
        batch.places[count] = [a as u32, b as u32];
        set(separations, count, vector(separation));
        count += usize::from(x * x + y * y + z * z < sum * sum * (1.0 + 1e-15));
        next += 1;
    }
    batch.count = count;
    next
}

/// Reads radii and motions of the pairs of a batch.
pub(crate) struct ReadStage<'a> {
    pub(crate) spheres: &'a Spheres<'a>,
    pub(crate) needs: &'a Needs,
    /// All pairs of the tile.
    pub(crate) pairs: &'a [Pair],
    pub(crate) batch: &'a PairsOfBatch,
    pub(crate) approach: &'a mut Approach,
}

impl WithSimd for ReadStage<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        read(self.spheres, self.needs, self.batch, self.approach);
        if let (Some(velocities), true) = (&self.spheres.images.velocities, self.needs.motion) {
            for slot in 0..self.batch.count.min(BATCH) {
                let code = self.pairs[self.batch.index[slot] as usize].code();
                let velocity = get(&self.approach.velocity, slot) + vector(velocities[code % velocities.len()]);
                set(&mut self.approach.velocity, slot, velocity);
            }
        }
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
