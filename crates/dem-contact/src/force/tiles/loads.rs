//! The last stage: what the spheres of a batch get, added to the own spheres of the tile.

use pulp::Arch;
use rrp_geom::glam::DVec3;

use crate::force::tiles::batch::{Approach, BATCH, Batch, Forces, Loads, PairsOfBatch, Rows, Touch, get};
use crate::force::tiles::scene::Needs;
use crate::force::tiles::sums::{Row, Sums, plus};
use crate::util::vectorized::vectorized;

/// Adds the loads of a batch to the sums of the own spheres of a tile; `first` is the place of the first of them.
pub(crate) fn add_loads(arch: Arch, needs: &Needs, batch: &mut Batch, first: usize, sums: &mut Sums<&mut [Row]>) {
    let Batch { pairs, approach, touch, forces, loads, .. } = batch;
    let lanes = pairs.lanes();
    vectorized(
        arch,
        #[inline(always)]
        || {
            if !needs.motion {
                elastic_loads(lanes, needs, approach, touch, forces, loads);
                return add_opposite(pairs, &loads.force, first, sums.force);
            }
            contact_loads(lanes, needs, approach, touch, forces, loads);
            add_wrenches(pairs, loads, first, sums.force, sums.torque);
            if needs.dissipative {
                dissipative_loads(lanes, needs, touch, forces, loads);
                add_opposite(pairs, &loads.dissipative, first, sums.dissipative);
            }
        },
    );
}

/// Elastic forces. Each component is rounded once, so that they turn a pair as little as numbers allow.
#[inline(always)]
fn elastic_loads(lanes: usize, needs: &Needs, approach: &Approach, touch: &Touch, forces: &Forces, loads: &mut Loads) {
    let least = 0.0 - needs.range;
    for slot in 0..lanes {
        let force = get(&approach.separation, slot) * (forces.push[slot] / touch.distance[slot]);
        loads.force[slot] = selected(touch.overlap[slot] > least, force);
    }
}

/// Forces and torques.
#[inline(always)]
fn contact_loads(lanes: usize, needs: &Needs, approach: &Approach, touch: &Touch, forces: &Forces, loads: &mut Loads) {
    let least = 0.0 - needs.range;
    for slot in 0..lanes {
        let (normal, overlap) = (get(&touch.normal, slot), touch.overlap[slot]);
        let (tangential, couple) = (get(&forces.tangential, slot), get(&forces.couple, slot));
        let give = 0.5 * (overlap * needs.lever);
        let [arm_a, arm_b] = [approach.radius[0][slot] - give, approach.radius[1][slot] - give];
        let (lever, touches) = (normal.cross(tangential), overlap > least);
        loads.force[slot] = selected(touches, normal * forces.push[slot] + tangential);
        loads.torque_on_a[slot] = selected(touches, lever * -arm_a - couple);
        loads.torque_on_b[slot] = selected(touches, lever * -arm_b + couple);
    }
}

/// The part of the forces that is not elastic.
#[inline(always)]
fn dissipative_loads(lanes: usize, needs: &Needs, touch: &Touch, forces: &Forces, loads: &mut Loads) {
    let least = 0.0 - needs.range;
    // The whole work of a hysteretic force is recorded.
    let elastic_share = if needs.hysteretic { 0.0 } else { 1.0 };
    for slot in 0..lanes {
        let normal = get(&touch.normal, slot) * (forces.push[slot] - elastic_share * forces.elastic[slot]);
        loads.dissipative[slot] = selected(touch.overlap[slot] > least, normal + get(&forces.tangential, slot));
    }
}

/// Adds rows to the sums of b, pair by pair, and subtracts them from those of a: sums do not depend on where batches
/// end.
#[inline(always)]
fn add_opposite(batch: &PairsOfBatch, rows: &Rows, first: usize, sums: &mut [Row]) {
    for (&[a, b], &row) in batch.places[..batch.count.min(BATCH)].iter().zip(rows) {
        if let Some(sum) = sums.get_mut((a as usize).wrapping_sub(first)) {
            *sum = plus(*sum, row.map(|component| -component));
        }
        if let Some(sum) = sums.get_mut((b as usize).wrapping_sub(first)) {
            *sum = plus(*sum, row);
        }
    }
}

/// Adds forces and torques to the sums of both. In one loop, since a sum has to wait for the one of the pair before.
#[inline(always)]
fn add_wrenches(batch: &PairsOfBatch, loads: &Loads, first: usize, forces: &mut [Row], torques: &mut [Row]) {
    let own = forces.len().min(torques.len());
    let (forces, torques) = (&mut forces[..own], &mut torques[..own]);
    for slot in 0..batch.count.min(BATCH) {
        let [a, b] = batch.places[slot].map(|place| (place as usize).wrapping_sub(first));
        let force = loads.force[slot];
        if a < own {
            forces[a] = plus(forces[a], force.map(|component| -component));
            torques[a] = plus(torques[a], loads.torque_on_a[slot]);
        }
        if b < own {
            forces[b] = plus(forces[b], force);
            torques[b] = plus(torques[b], loads.torque_on_b[slot]);
        }
    }
}

/// A vector as a row, or zero.
#[inline(always)]
fn selected(is_wanted: bool, vector: DVec3) -> [f64; 4] {
    [vector.x, vector.y, vector.z, 0.0].map(|component| if is_wanted { component } else { 0.0 })
}
