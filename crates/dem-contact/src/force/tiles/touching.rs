//! The first stage: which pairs of a tile touch, and how their spheres move.

use pulp::Arch;
use rrp_geom::glam::DVec3;

use crate::force::tiles::batch::{Approach, BATCH, Batch, PairsOfBatch, Vectors, get, set};
use crate::force::tiles::scene::{Images, Needs, Spheres};
use crate::neighbor::tiles::pair::Pair;
use crate::util::vectorized::vectorized;

/// Fills the batch with the next pairs that touch, from number `first` on, and their separations; there are none if no
/// pair is left. Returns the next pair to look at.
pub(crate) fn next_batch(
    arch: Arch,
    spheres: &Spheres<'_>,
    needs: &Needs,
    pairs: &[Pair],
    first: usize,
    batch: &mut Batch,
) -> usize {
    vectorized(
        arch,
        #[inline(always)]
        || look(spheres, needs.range, pairs, first, &mut batch.pairs, &mut batch.approach.separation),
    )
}

#[inline(always)]
fn look(
    spheres: &Spheres<'_>,
    range: f64,
    pairs: &[Pair],
    first: usize,
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

/// Reads radii and motions of the pairs of a batch, which are of these `pairs` of the tile.
pub(crate) fn read_motions(arch: Arch, spheres: &Spheres<'_>, needs: &Needs, pairs: &[Pair], batch: &mut Batch) {
    let Batch { pairs: found, approach, .. } = batch;
    vectorized(
        arch,
        #[inline(always)]
        || read(spheres, needs, found, approach),
    );
    if let (Some(velocities), true) = (&spheres.images.velocities, needs.motion) {
        for slot in 0..found.count.min(BATCH) {
            let code = pairs[found.index[slot] as usize].code();
            let velocity = get(&approach.velocity, slot) + vector(velocities[code % velocities.len()]);
            set(&mut approach.velocity, slot, velocity);
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
