//! The load of a wall, summed over its contacts.

use rrp_geom::glam::DVec3;
use rrp_parallel::ExactSum;

use crate::force::contact_model::ContactForces;
use crate::wall::WallLoad;
use crate::wall::placed::Placed;
use crate::wall::surface::Patch;

/// Sums of load, power and energy over the contacts of one wall with the bodies of one tile.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::force) struct WallSums {
    pub(in crate::force) load: WallLoad,
    /// Power in W of the whole forces of the tile's bodies on the wall, and of the parts of these forces that are not
    /// elastic.
    pub(super) powers: [f64; 2],
    pub(super) stored: f64,
}

impl WallSums {
    /// Adds the force on the wall by a body at a position (m), which touches a patch of the wall with an overlap (m),
    /// and the correction (N) at the patch's saddle. The power of the correction counts as elastic unless `records_all`
    /// is true, since some law is hysteretic.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        wall: &Placed<'_>,
        (position, patch, overlap): (DVec3, &Patch, f64),
        forces: &ContactForces,
        (correction, records_all): (DVec3, bool),
    ) {
        let normal = -patch.normal;
        let point = position - patch.distance * patch.normal;
        if let Some(saddle) = patch.saddle {
            let at_saddle = position - saddle.distance * saddle.normal;
            self.load.torque += (at_saddle - wall.point).cross(correction);
            let power = correction.dot(wall.velocity_at(at_saddle));
            self.powers[0] += power;
            self.powers[1] += if records_all { power } else { 0.0 };
        }
        let force = forces.total(normal);
        let dissipative = forces.dissipative(normal);
        let velocity = wall.velocity_at(point);
        let by_others = forces.couple.dot(wall.spin) + forces.tangential.dot(wall.running);
        self.powers[0] += force.dot(velocity) + by_others;
        self.powers[1] += dissipative.dot(velocity) + by_others;
        self.load.force += force + correction;
        self.load.torque += (point - wall.point).cross(force) + forces.couple;
        self.load.contacts += 1;
        self.load.overlap += overlap;
    }

    /// Returns three numbers for the energy ledger: power in W of the whole forces on the wall, power in W of their
    /// parts that are not elastic, and energy in J that springs store.
    pub(in crate::force) fn work(&self) -> [f64; 3] {
        let [whole, dissipative] = self.powers;
        [whole, dissipative, self.stored]
    }

    /// Returns load, powers and stored energy of one wall: the exact sums over the bodies of many tiles.
    pub(in crate::force) fn sum<'a>(tiles: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let number = |of: &dyn Fn(&Self) -> f64| ExactSum::of(tiles.clone().map(of));
        let vector = |of: fn(&Self) -> DVec3| DVec3::from_array([0, 1, 2].map(|c| number(&|tile| of(tile)[c])));
        Self {
            load: WallLoad {
                force: vector(|tile| tile.load.force),
                torque: vector(|tile| tile.load.torque),
                contacts: tiles.clone().map(|tile| tile.load.contacts).sum(),
                overlap: number(&|tile| tile.load.overlap),
            },
            powers: [0, 1].map(|k| number(&|tile| tile.powers[k])),
            stored: number(&|tile| tile.stored),
        }
    }
}
