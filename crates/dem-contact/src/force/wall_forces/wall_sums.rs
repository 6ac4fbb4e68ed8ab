//! The load of a wall, summed over its contacts.

use rrp_geom::glam::DVec3;

use crate::force::contact_model::ContactForces;
use crate::util::exact_sum::ExactSum;
use crate::wall::WallLoad;
use crate::wall::placed::Placed;
use crate::wall::surface::Patch;

/// The sums over the contacts of one wall with the bodies of one tile.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WallSums {
    pub(crate) load: WallLoad,
    /// The parts of force (N) and torque (N m) that are not elastic.
    dissipative: [DVec3; 2],
    /// Power in W of tangential forces on a surface that runs.
    on_surface: f64,
    /// Energy in J that springs store, for a ledger.
    pub(super) stored: f64,
}

impl WallSums {
    /// Adds the forces on the wall at a patch with an `overlap` (m), and the `correction` (N) at its saddle, of a body at
    /// `position` (m).
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        wall: &Placed<'_>,
        position: DVec3,
        patch: &Patch,
        overlap: f64,
        forces: &ContactForces,
        correction: DVec3,
    ) {
        let (normal, lever) = (-patch.normal, position - patch.distance * patch.normal - wall.point);
        if let Some(saddle) = patch.saddle {
            // The correction acts along the normal of the saddle, at its point.
            self.load.torque += (position - saddle.distance * saddle.normal - wall.point).cross(correction);
        }
        let (force, dissipative) = (forces.total(normal), forces.dissipative(normal));
        self.load.force += force + correction;
        self.load.torque += lever.cross(force) + forces.couple;
        self.load.contacts += 1;
        self.load.overlap += overlap;
        self.on_surface += forces.tangential.dot(wall.running);
        self.dissipative[0] += dissipative;
        self.dissipative[1] += lever.cross(dissipative) + forces.couple;
    }

    /// Power in W of the whole load, and of the part that is not elastic, on a wall with this velocity (m/s) and spin
    /// (rad/s).
    pub(super) fn powers(&self, [velocity, spin]: [DVec3; 2]) -> [f64; 2] {
        let power = |[force, torque]: [DVec3; 2]| force.dot(velocity) + torque.dot(spin) + self.on_surface;
        [power([self.load.force, self.load.torque]), power(self.dissipative)]
    }

    /// The exact sum of the loads of many tiles.
    pub(super) fn sum<'a>(tiles: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let number = |of: &dyn Fn(&Self) -> f64| ExactSum::of(tiles.clone().map(of));
        let vector = |of: fn(&Self) -> DVec3| DVec3::from_array([0, 1, 2].map(|c| number(&|tile| of(tile)[c])));
        Self {
            load: WallLoad {
                force: vector(|tile| tile.load.force),
                torque: vector(|tile| tile.load.torque),
                contacts: tiles.clone().map(|tile| tile.load.contacts).sum(),
                overlap: number(&|tile| tile.load.overlap),
            },
            dissipative: [vector(|tile| tile.dissipative[0]), vector(|tile| tile.dissipative[1])],
            on_surface: number(&|tile| tile.on_surface),
            stored: number(&|tile| tile.stored),
        }
    }
}
