//! The last stage: what the spheres of a batch get, added to the own spheres of the tile.

use pulp::{Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::force::tiles::batch::{Approach, BATCH, Forces, Loads, PairsOfBatch, Rows, Touch, get};
use crate::force::tiles::scene::Needs;
use crate::force::tiles::sums::{Row, Sums};

/// A batch whose forces are known.
pub(crate) struct LoadStage<'a, 's> {
    pub(crate) needs: &'a Needs,
    pub(crate) batch: &'a PairsOfBatch,
    pub(crate) approach: &'a Approach,
    pub(crate) touch: &'a Touch,
    pub(crate) forces: &'a Forces,
    /// Room for the loads.
    pub(crate) loads: &'a mut Loads,
    /// The first place of the tile.
    pub(crate) first: usize,
    pub(crate) sums: &'a mut Sums<&'s mut [Row]>,
}

impl WithSimd for LoadStage<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { needs, batch, approach, touch, forces, loads, first, sums } = self;
        if !needs.motion {
            elastic_loads(batch.lanes(), needs, approach, touch, forces, loads);
            return add_opposite(batch, &loads.force, first, sums.force);
        }
        contact_loads(batch.lanes(), needs, approach, touch, forces, loads);
        add_wrenches(batch, loads, first, sums.force, sums.torque);
        if needs.dissipative {
            dissipative_loads(batch.lanes(), needs, touch, forces, loads);
            add_opposite(batch, &loads.dissipative, first, sums.dissipative);
        }
    }
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
    for slot in 0..lanes {
        let normal = get(&touch.normal, slot) * (forces.push[slot] - forces.elastic[slot]);
        loads.dissipative[slot] = selected(touch.overlap[slot] > least, normal + get(&forces.tangential, slot));
    }
}

/// Adds rows to the sums of b, pair by pair, and subtracts them from those of a: sums do not depend on where batches
/// end.
#[inline(always)]
fn add_opposite(batch: &PairsOfBatch, rows: &Rows, first: usize, sums: &mut [Row]) {
    for (&[a, b], &row) in batch.places[..batch.count.min(BATCH)].iter().zip(rows) {
        if let Some(sum) = sums.get_mut((a as usize).wrapping_sub(first)) {
            *sum = plus(*sum, negative(row));
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
            forces[a] = plus(forces[a], negative(force));
            torques[a] = plus(torques[a], loads.torque_on_a[slot]);
        }
        if b < own {
            forces[b] = plus(forces[b], force);
            torques[b] = plus(torques[b], loads.torque_on_b[slot]);
        }
    }
}

/// The opposite row.
#[inline(always)]
fn negative(row: Row) -> Row {
    row.map(|component| -component)
}

/// The sum of two rows, by value, so that it is one vector operation.
#[inline(always)]
fn plus([a, b, c, d]: Row, [e, f, g, h]: Row) -> Row {
    [a + e, b + f, c + g, d + h]
}

/// A vector as a row, or zero.
#[inline(always)]
fn selected(is_wanted: bool, vector: DVec3) -> [f64; 4] {
    [vector.x, vector.y, vector.z, 0.0].map(|component| if is_wanted { component } else { 0.0 })
}
