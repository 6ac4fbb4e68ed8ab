//! What a wall bears.

use rrp_geom::glam::DVec3;

/// What the bodies exert on one wall.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WallLoad {
    /// Force on the wall in N, world frame.
    pub force: DVec3,
    /// Torque on the wall in N m about its point, world frame. Of a plane or an endless cylinder in a periodic domain it depends on
    /// which images of the bodies are taken, those nearest to where the neighbour list was made for them.
    pub torque: DVec3,
    /// Number of contacts with bodies; one body may touch a wall at several points.
    pub contacts: usize,
}
