//! The last stage: forces and torques of a batch, added to the sums of the tile.

use pulp::Arch;
use rrp_geom::glam::DVec3;

use crate::force::tiles::batch::{Batch, Loads, PairsOfBatch, Relative, Rows};
use crate::force::tiles::scene::{LawNeeds, Needs};
use crate::force::tiles::scratch::{TileScratch, Wrench};
use crate::force::tiles::sums::{Row, plus};
use crate::law::batch::{BATCH, Column, Contacts, Forces, get};
use crate::util::vectorized::vectorized;

/// Adds forces and torques of the pairs of a batch to the sums in the scratch memory of the tile, for own spheres and
/// ghosts alike.
pub(super) fn add_loads(arch: Arch, needs: &Needs, law: &LawNeeds, scratch: &mut TileScratch) {
    let TileScratch { sums, dissipative, batch, .. } = scratch;
    let Batch { pairs, relative, distance, contacts, forces, loads } = &mut **batch;
    let lanes = pairs.lanes();
    vectorized(
        arch,
        #[inline(always)]
        || {
            if !law.motion {
                elastic_loads(lanes, relative, distance, forces, loads);
                return add_forces(pairs, &loads.force, sums);
            }
            // Lever arms are equal on both sides if radii are, and so are torques unless there are couples.
            if let (Some(radius), false) = (needs.radius, law.couples) {
                loads_of_equals(lanes, radius, law.lever, contacts, forces, loads);
                add_wrenches(pairs, &loads.force, &loads.torque_on_a, &loads.torque_on_a, sums);
            } else {
                contact_loads(lanes, law.lever, relative, contacts, forces, loads);
                add_wrenches(pairs, &loads.force, &loads.torque_on_a, &loads.torque_on_b, sums);
            }
            if needs.dissipative {
                dissipative_loads(lanes, needs, contacts, forces, loads);
                add_opposite(pairs, &loads.dissipative, dissipative);
            }
        },
    );
}

/// Computes the elastic forces of the pairs of a batch. Each component is rounded once, so that the force of a pair
/// stays as central as rounding allows.
#[expect(clippy::needless_range_loop, reason = "all columns are indexed alike, so that loops are vectorised")]
#[inline(always)]
fn elastic_loads(lanes: usize, relative: &Relative, distance: &Column, forces: &Forces, loads: &mut Loads) {
    for slot in 0..lanes.min(BATCH) {
        let separation = relative.separation.0[slot];
        let size = forces.elastic[slot] / distance[slot];
        loads.force.0[slot] = separation.map(|component| component * size);
    }
}

/// Computes forces, and the common torque on both spheres, of a batch of pairs that do not resist rolling or twisting
/// and whose spheres all have this radius (m).
#[inline(always)]
fn loads_of_equals(lanes: usize, radius: f64, lever: f64, contacts: &Contacts, forces: &Forces, loads: &mut Loads) {
    for slot in 0..lanes.min(BATCH) {
        let normal = get(&contacts.normal, slot);
        let tangential = get(&forces.tangential, slot);
        let arm = radius - 0.5 * (contacts.overlap[slot] * lever);
        loads.force.0[slot] = with_zero(normal * forces.normal[slot] + tangential);
        loads.torque_on_a.0[slot] = with_zero(normal.cross(tangential) * -arm);
    }
}

#[inline(always)]
fn contact_loads(
    lanes: usize,
    lever: f64,
    relative: &Relative,
    contacts: &Contacts,
    forces: &Forces,
    loads: &mut Loads,
) {
    for slot in 0..lanes.min(BATCH) {
        let normal = get(&contacts.normal, slot);
        let tangential = get(&forces.tangential, slot);
        let couple = get(&forces.couple, slot);
        let give = 0.5 * (contacts.overlap[slot] * lever);
        let torque = normal.cross(tangential);
        let radii = relative.separation.0[slot][3];
        let radius_difference = relative.velocity.0[slot][3];
        let arm_a = 0.5 * (radii - radius_difference) - give;
        let arm_b = 0.5 * (radii + radius_difference) - give;
        loads.force.0[slot] = with_zero(normal * forces.normal[slot] + tangential);
        loads.torque_on_a.0[slot] = with_zero(torque * -arm_a - couple);
        loads.torque_on_b.0[slot] = with_zero(torque * -arm_b + couple);
    }
}

#[inline(always)]
fn dissipative_loads(lanes: usize, needs: &Needs, contacts: &Contacts, forces: &Forces, loads: &mut Loads) {
    // For hysteretic forces the whole work is recorded.
    let elastic_share = if needs.hysteretic { 0.0 } else { 1.0 };
    for slot in 0..lanes.min(BATCH) {
        let normal = get(&contacts.normal, slot) * (forces.normal[slot] - elastic_share * forces.elastic[slot]);
        loads.dissipative.0[slot] = with_zero(normal + get(&forces.tangential, slot));
    }
}

/// Adds the forces of a batch of pairs to the sums of the spheres b, pair by pair, and subtracts them from those of the
/// spheres a. The order of additions does not depend on where batches end.
#[inline(always)]
fn add_forces(pairs: &PairsOfBatch, forces: &Rows, sums: &mut [Wrench]) {
    for (&[a, b], &force) in pairs.rows[..pairs.count.min(BATCH)].iter().zip(&forces.0) {
        let sum = &mut sums[a as usize].force;
        *sum = plus(*sum, force.map(|component| -component));
        let sum = &mut sums[b as usize].force;
        *sum = plus(*sum, force);
    }
}

#[inline(always)]
fn add_opposite(pairs: &PairsOfBatch, forces: &Rows, sums: &mut [Row]) {
    for (&[a, b], &force) in pairs.rows[..pairs.count.min(BATCH)].iter().zip(&forces.0) {
        sums[a as usize] = plus(sums[a as usize], force.map(|component| -component));
        sums[b as usize] = plus(sums[b as usize], force);
    }
}

#[inline(always)]
fn add_wrenches(pairs: &PairsOfBatch, forces: &Rows, torques_on_a: &Rows, torques_on_b: &Rows, sums: &mut [Wrench]) {
    for slot in 0..pairs.count.min(BATCH) {
        let [a, b] = pairs.rows[slot].map(|row| row as usize);
        let force = forces.0[slot];
        let sum = &mut sums[a];
        sum.force = plus(sum.force, force.map(|component| -component));
        sum.torque = plus(sum.torque, torques_on_a.0[slot]);
        let sum = &mut sums[b];
        sum.force = plus(sum.force, force);
        sum.torque = plus(sum.torque, torques_on_b.0[slot]);
    }
}

#[inline(always)]
fn with_zero(vector: DVec3) -> Row {
    [vector.x, vector.y, vector.z, 0.0]
}
