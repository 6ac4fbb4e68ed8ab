//! The contact loop: the forces of the pairs of one tile.
//!
//! The pairs of a tile are sorted by their laws. The loop takes the pairs of one law in batches, and a batch in stages,
//! each a loop of its own. Square roots and divisions have a long latency: looping over 64 pairs per stage lets the
//! processor overlap them; its out-of-order window is too short for the whole computation of a pair. The stages are
//!
//! 1. `touching`: which pairs touch; how their spheres move,
//! 2. `kinematics`: normals, overlaps and slip,
//! 3. the law, [`PairLaw::apply`](crate::law::PairLaw::apply): forces and histories,
//! 4. `loads`: forces and torques, added to the sums of the tile.
//!
//! All stages work on the copies in the scratch memory of the tile. The sums of ghosts are dropped: the tile that owns
//! a ghost evaluates the pair too, from the same numbers in the same order, so with the same bits.

use pulp::Arch;

use crate::error::law::LawError;
use crate::force::histories::TileHistory;
use crate::force::histories::pair_history::PairHistories;
use crate::force::tiles::batch::Batch;
use crate::force::tiles::kinematics::find_kinematics;
use crate::force::tiles::loads::add_loads;
use crate::force::tiles::scene::{Images, LawNeeds, Needs};
use crate::force::tiles::scratch::TileScratch;
use crate::force::tiles::touching::Cursor;
use crate::law::batch::BATCH;
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::image_shift::{NO_SHIFT, signs};
use crate::neighbor::tiles::tile::Tile;

/// Sums over the pairs of a tile in one evaluation, in addition to the forces on its spheres.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::force) struct PairTotals {
    pub(in crate::force) is_too_deep: bool,
    /// Energy in J that is stored in the pairs whose first sphere is owned by the tile.
    pub(in crate::force) stored: f64,
    /// Sums of the force (N) on the second sphere of a pair times the number of periods by which this sphere is shifted
    /// along x, y and z; then the force along the shear flow times the number of periods along its gradient. The first
    /// row is of all forces, the second row of forces that are not elastic.
    pub(in crate::force) by_images: [[f64; 4]; 2],
    /// Sums of the stiffness of contacts with images along x, y and z: see
    /// [`ImageSums`](crate::force::box_load::ImageSums).
    pub(in crate::force) stiffness_by_images: [f64; 3],
}

/// Adds the forces of the pairs of a tile to the sums in `scratch`, which holds copies of the tile's spheres, and
/// writes the new histories of the pairs to `history.pending`. `law_needs` has one entry for each law of the table.
///
/// # Errors
/// Errors of the laws.
pub(in crate::force) fn evaluate(
    laws: &LawAssignment,
    law_needs: &[LawNeeds],
    images: &Images,
    needs: &Needs,
    tile: &Tile,
    history: &mut TileHistory<PairHistories>,
    scratch: &mut TileScratch,
) -> Result<PairTotals, LawError> {
    let TileHistory { committed, pending, is_evaluated } = history;
    *is_evaluated = false;
    pending.lay_out_as(committed);
    let mut totals = PairTotals::default();
    let arch = Arch::new();
    scratch.batch.contacts.elapsed = needs.elapsed;
    scratch.batch.contacts.wants_energy = needs.energy;
    if let Some(radius) = needs.radius {
        scratch.batch.contacts.radius.fill(0.5 * radius);
    }
    scratch.batch.contacts.share.fill(1.0);
    for (number, run) in tile.runs().enumerate() {
        let index = laws.index_of(run.kinds());
        let law = laws.by_index(index);
        let law_needs = &law_needs[index];
        scratch.batch.begin_run(needs, law_needs);
        let before = committed.run(number);
        let after = pending.run_mut(number);
        after.clear_for(before);
        let mut cursor = Cursor::new(tile, run);
        let mut known = 0;
        loop {
            cursor.fill_batch(arch, images, (law_needs, needs.radius.is_some()), scratch);
            let TileScratch { batch, room, .. } = &mut *scratch;
            if batch.pairs.count == 0 {
                after.shrink();
                break;
            }
            totals.is_too_deep |= find_kinematics(arch, needs, law_needs, batch);
            let Batch { pairs, contacts, forces, .. } = &mut **batch;
            let touching = &pairs.index[..pairs.count];
            let lanes = pairs.lanes();
            let before = before.before(&mut known, touching, lanes, room);
            law.apply(contacts, before, after.begin_batch(touching, lanes), forces)?;
            after.end_batch();
            add_loads(arch, needs, law_needs, scratch);
            if needs.energy {
                totals.stored += stored_energy(needs, tile, &scratch.batch);
            }
            if let Some(axes) = images.axes {
                add_by_images(axes, tile, &scratch.batch, &mut totals);
            }
        }
    }
    *is_evaluated = true;
    Ok(totals)
}

/// Returns the energy in J stored in the pairs of a batch whose first sphere the tile owns: if two tiles evaluate a
/// pair, only this tile counts its energy.
fn stored_energy(needs: &Needs, tile: &Tile, Batch { pairs, forces, .. }: &Batch) -> f64 {
    let own = tile.places.len();
    let mut stored = 0.0;
    for (slot, &[a, _]) in pairs.rows[..pairs.count.min(BATCH)].iter().enumerate() {
        let elastic = if needs.hysteretic { forces.elastic_energy[slot] } else { 0.0 };
        let energy = forces.tangential_energy[slot] + elastic;
        stored += if (a as usize) < own { energy } else { 0.0 };
    }
    stored
}

/// Adds the pairs of a batch whose first sphere the tile owns to the sums over periodic images.
#[expect(clippy::needless_range_loop, reason = "all columns are indexed alike")]
fn add_by_images(
    [flow, gradient]: [usize; 2],
    tile: &Tile,
    Batch { pairs, relative, distance, contacts, forces, loads }: &Batch,
    totals: &mut PairTotals,
) {
    for slot in 0..pairs.count.min(BATCH) {
        let [a, _] = pairs.rows[slot];
        let code = tile.pair(pairs.index[slot] as usize).code();
        if (a as usize) < tile.places.len() && code != NO_SHIFT as usize {
            let turns = signs(code).map(f64::from);
            for (sum, force) in totals.by_images.iter_mut().zip([&loads.force.0[slot], &loads.dissipative.0[slot]]) {
                (0..3).for_each(|c| sum[c] += turns[c] * force[c]);
                sum[3] += turns[gradient] * force[flow];
            }
            let [force, overlap] = [forces.elastic[slot], contacts.overlap[slot]];
            if force > 0.0 && overlap > 0.0 {
                let by_length = force / overlap / (distance[slot] * distance[slot]);
                for (c, sum) in totals.stiffness_by_images.iter_mut().enumerate() {
                    let along = relative.separation.0[slot][c].abs();
                    *sum += turns[c].abs() * by_length * (along * along * along);
                }
            }
        }
    }
}
