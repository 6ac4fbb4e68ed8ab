use rrp_geom::glam::DVec3;

use super::snapshot::{Snapshot, Touch};
use crate::law::contact::Partner;
use crate::wall::WallLoad;

impl Snapshot<'_> {
    /// Sums force and torque of all bodies on the wall with this number, the torque about the point `about` (m). Bodies
    /// act at the periodic image that the state holds.
    #[must_use]
    pub fn wall_load(&self, wall: usize, about: DVec3) -> WallLoad {
        let mut load = WallLoad::default();
        for &Touch { a, b, normal, overlap, force, couple, .. } in &self.touches {
            if b != Partner::Wall(wall) {
                continue;
            }
            let point = self.state.position().get(a) + (self.bodies.radius()[a] - overlap) * normal;
            load.force += force;
            load.torque += (point - about).cross(force) + couple;
            load.contacts += 1;
        }
        load
    }
}
