//! The contact loop: the forces of the pairs of one tile.
//!
//! It finds the pairs that touch, batch by batch, and evaluates a batch in stages, each a loop of its own over the
//! pairs. What a pair waits for, a root or a quotient, takes long; a processor begins with the next pairs in the
//! meantime, but it looks ahead over so many instructions only. The stages are
//!
//! 1. `touching`: which pairs touch; how their spheres move,
//! 2. `kinematics`: normals, overlaps and slip,
//! 3. `laws`: forces and histories, the only stage that is compiled for each pair of laws,
//! 4. `loads`: forces and torques, added to the own spheres of the tile.
//!
//! Loads on ghosts are dropped: the tile that owns them evaluates the same pair, from the same numbers in the same
//! order, so with the same bits.

use std::ops::Range;

use pulp::Arch;

use crate::force::histories::TileHistory;
use crate::force::histories::pair_history::PairHistories;
use crate::force::tiles::batch::{BATCH, Batch, Histories, Loads, PairsOfBatch};
use crate::force::tiles::kinematics::find_kinematics;
use crate::force::tiles::laws::apply_laws;
use crate::force::tiles::loads::add_loads;
use crate::force::tiles::scene::{Needs, Spheres};
use crate::force::tiles::sums::{Row, Sums};
use crate::force::tiles::touching::{next_batch, read_motions};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::tiles::pair::Pair;
use crate::neighbor::tiles::tile::Tile;

/// What the evaluation of a tile says besides the sums on its spheres.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PairTotals {
    /// Whether a pair overlaps by a radius or more.
    pub(crate) is_too_deep: bool,
    /// Energy in J that springs store, of the pairs whose first sphere is its own.
    pub(crate) stored: f64,
    /// Power in W that the box has by the velocities of images: of all forces, and of those that are not elastic.
    pub(crate) image_powers: [f64; 2],
}

/// Sums the forces on the own spheres of a tile.
pub(crate) fn evaluate<L: ContactLaw, T: TangentialLaw>(
    laws: &LawAssignment<L, T>,
    spheres: &Spheres<'_>,
    needs: &Needs,
    Tile { places, pairs }: &Tile,
    history: &mut TileHistory<PairHistories<T::History>>,
    sums: &mut Sums<&mut [Row]>,
) -> PairTotals {
    sums.clear();
    history.pending.clear(history.committed.len());
    history.is_evaluated = true;
    let mut totals = PairTotals::default();
    let (arch, mut batch, mut next, mut known) = (Arch::new(), Batch::new(), 0, 0);
    let mut histories = Histories { before: [T::History::default(); BATCH], after: [T::History::default(); BATCH] };
    loop {
        next = next_batch(arch, spheres, needs, pairs, next, &mut batch);
        if batch.pairs.count == 0 {
            return totals;
        }
        read_motions(arch, spheres, needs, pairs, &mut batch);
        totals.is_too_deep |= find_kinematics(arch, needs, &mut batch);
        history.committed.read(&mut known, &batch.pairs, &mut histories.before);
        apply_laws(arch, laws, spheres.order, needs, &mut batch, &mut histories);
        let Batch { pairs: found, touch, forces, .. } = &batch;
        history.pending.add(found, &touch.overlap, 0.0 - needs.range, &histories.after);
        if needs.stored {
            for (slot, &[a, _]) in found.places[..found.count.min(BATCH)].iter().enumerate() {
                // The other tile of a border pair does not count it.
                let counts = places.contains(&(a as usize)) && touch.overlap[slot] > 0.0;
                totals.stored += if counts { forces.stored[slot] } else { 0.0 };
            }
        }
        add_loads(arch, needs, &mut batch, places.start, sums);
        if let Some(velocities) = &spheres.images.velocities {
            let powers = image_powers(velocities, &batch.pairs, &batch.loads, pairs, places);
            totals.image_powers = [0, 1].map(|k| totals.image_powers[k] + powers[k]);
        }
    }
}

/// The power of those pairs of a batch of which the tile owns the first sphere.
fn image_powers(
    velocities: &[Row; 32],
    batch: &PairsOfBatch,
    loads: &Loads,
    pairs: &[Pair],
    places: &Range<usize>,
) -> [f64; 2] {
    let mut powers = [0.0; 2];
    for slot in 0..batch.count.min(BATCH) {
        let pair = pairs[batch.index[slot] as usize];
        if places.contains(&pair.places()[0]) {
            let [x, y, z, _] = velocities[pair.code() % velocities.len()];
            for (power, force) in powers.iter_mut().zip([&loads.force[slot], &loads.dissipative[slot]]) {
                *power -= x * force[0] + y * force[1] + z * force[2];
            }
        }
    }
    powers
}
