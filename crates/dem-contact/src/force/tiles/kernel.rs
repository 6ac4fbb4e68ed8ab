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
use crate::force::tiles::batch::{BATCH, Batch, Histories};
use crate::force::tiles::kinematics::find_kinematics;
use crate::force::tiles::laws::apply_laws;
use crate::force::tiles::loads::add_loads;
use crate::force::tiles::scene::{Needs, Spheres};
use crate::force::tiles::sums::{Row, Sums};
use crate::force::tiles::touching::{next_batch, read_motions};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::image_shift::{NO_SHIFT, signs};
use crate::neighbor::tiles::pair::Pair;
use crate::neighbor::tiles::tile::Tile;

/// What the evaluation of a tile says besides the sums on its spheres.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PairTotals {
    /// Whether a pair overlaps by a radius or more.
    pub(crate) is_too_deep: bool,
    /// Energy in J that springs store, of the pairs whose first sphere is its own.
    pub(crate) stored: f64,
    /// Forces (N) on second spheres, of all forces and of those that are not elastic, each times the number of periods
    /// by which it is shifted: along x, y, z, and the force along which images are displaced by the number across it.
    pub(crate) by_images: [[f64; 4]; 2],
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
                let counts = places.contains(&(a as usize)) && touch.overlap[slot] > 0.0 - needs.range;
                totals.stored += if counts { forces.stored[slot] } else { 0.0 };
            }
        }
        add_loads(arch, needs, &mut batch, places.start, sums);
        if let Some(axes) = spheres.images.axes {
            add_by_images(axes, &batch, pairs, places, &mut totals.by_images);
        }
    }
}

/// Adds the pairs of a batch of which the tile owns the first sphere.
fn add_by_images(
    [flow, gradient]: [usize; 2],
    Batch { pairs: found, loads, .. }: &Batch,
    pairs: &[Pair],
    places: &Range<usize>,
    sums: &mut [[f64; 4]; 2],
) {
    for slot in 0..found.count.min(BATCH) {
        let pair = pairs[found.index[slot] as usize];
        if places.contains(&pair.places()[0]) && pair.code() != NO_SHIFT as usize {
            let turns = signs(pair.code()).map(f64::from);
            for (sum, force) in sums.iter_mut().zip([&loads.force[slot], &loads.dissipative[slot]]) {
                (0..3).for_each(|c| sum[c] += turns[c] * force[c]);
                sum[3] += turns[gradient] * force[flow];
            }
        }
    }
}
