//! Work since the start of a run, where the library keeps no ledger.

use rrp_geom::glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::reading::Energies;
use dem_contact::wall::Wall;

/// Work since the start of a run, in J.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Work {
    /// What contacts have taken out of the motion.
    pub(super) dissipated: f64,
    /// What walls have put in.
    pub(super) by_walls: f64,
}

impl Work {
    /// The energies with the work in its columns.
    pub(super) fn added_to(self, energies: Energies) -> Energies {
        Energies { dissipated: Some(self.dissipated), wall_work: Some(self.by_walls), ..energies }
    }
}

/// Velocity in m/s of `wall` at `point` and at `time` (s).
pub(super) fn wall_velocity(wall: &Wall, point: DVec3, time: f64) -> DVec3 {
    let pose = wall.pose(time);
    pose.velocity + pose.spin.cross(point - wall.point_at(time))
}
