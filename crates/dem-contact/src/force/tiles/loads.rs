//! The last stage: what the spheres of a batch get, added to the own spheres of the tile.

use pulp::{Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::force::contact_model::ContactForces;
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
        let pairs = Pairs { needs, batch, approach, touch, forces };
        if !needs.motion {
            pairs.elastic_loads(loads);
            return pairs.add_opposite(&loads.force, first, sums.force);
        }
        pairs.contact_loads(loads);
        pairs.add_opposite(&loads.force, first, sums.force);
        pairs.add_torques(loads, first, sums.torque);
        if needs.dissipative {
            pairs.add_opposite(&loads.dissipative, first, sums.dissipative);
        }
    }
}

/// The pairs of a batch.
struct Pairs<'a> {
    needs: &'a Needs,
    batch: &'a PairsOfBatch,
    approach: &'a Approach,
    touch: &'a Touch,
    forces: &'a Forces,
}

impl Pairs<'_> {
    #[inline(always)]
    fn elastic_loads(&self, loads: &mut Loads) {
        for slot in 0..self.batch.lanes() {
            let force = get(&self.touch.normal, slot) * self.forces.push[slot];
            loads.force[slot] = selected(self.touch.overlap[slot] > 0.0, force);
        }
    }

    #[inline(always)]
    fn contact_loads(&self, loads: &mut Loads) {
        let Self { needs, approach, touch, forces, .. } = *self;
        // Read once, so that nothing that is written below can change it.
        let (lever_share, is_split) = (needs.lever, needs.dissipative);
        for slot in 0..self.batch.lanes() {
            let (normal, overlap) = (get(&touch.normal, slot), touch.overlap[slot]);
            let forces = ContactForces {
                elastic: forces.elastic[slot],
                normal: forces.push[slot],
                tangential: get(&forces.tangential, slot),
                couple: get(&forces.couple, slot),
            };
            let radii = [approach.radius[0][slot], approach.radius[1][slot]];
            let [arm_a, arm_b] = radii.map(|radius| radius - 0.5 * (overlap * lever_share));
            let (lever, touches) = (normal.cross(forces.tangential), overlap > 0.0);
            loads.force[slot] = selected(touches, forces.total(normal));
            loads.torque_on_a[slot] = selected(touches, lever * -arm_a - forces.couple);
            loads.torque_on_b[slot] = selected(touches, lever * -arm_b + forces.couple);
            if is_split {
                loads.dissipative[slot] = selected(touches, forces.dissipative(normal));
            }
        }
    }

    /// Adds rows to the sums of b, pair by pair, and subtracts them from those of a: sums do not depend on where batches
    /// end.
    #[inline(always)]
    fn add_opposite(&self, rows: &Rows, first: usize, sums: &mut [Row]) {
        for (&[a, b], &row) in self.batch.places[..self.batch.count.min(BATCH)].iter().zip(rows) {
            if let Some(sum) = sums.get_mut((a as usize).wrapping_sub(first)) {
                *sum = plus(*sum, row.map(|component| -component));
            }
            if let Some(sum) = sums.get_mut((b as usize).wrapping_sub(first)) {
                *sum = plus(*sum, row);
            }
        }
    }

    /// Adds the torques on both.
    #[inline(always)]
    fn add_torques(&self, loads: &Loads, first: usize, sums: &mut [Row]) {
        for slot in 0..self.batch.count.min(BATCH) {
            let [a, b] = self.batch.places[slot];
            if let Some(sum) = sums.get_mut((a as usize).wrapping_sub(first)) {
                *sum = plus(*sum, loads.torque_on_a[slot]);
            }
            if let Some(sum) = sums.get_mut((b as usize).wrapping_sub(first)) {
                *sum = plus(*sum, loads.torque_on_b[slot]);
            }
        }
    }
}

/// The sum of two rows, which are moved in one.
#[inline(always)]
fn plus([a, b, c, d]: Row, [e, f, g, h]: Row) -> Row {
    [a + e, b + f, c + g, d + h]
}

/// A vector as a row, or zero.
#[inline(always)]
fn selected(is_wanted: bool, vector: DVec3) -> [f64; 4] {
    [vector.x, vector.y, vector.z, 0.0].map(|component| if is_wanted { component } else { 0.0 })
}
