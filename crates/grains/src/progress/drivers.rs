//! Groups of fixed bodies that are driven along paths.

use dem_contact::wall::{Shape, Wall};
use rrp_geom::glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::build::drives::driven;
use crate::error::GrainsError;
use crate::scene::bodies::BodyMotion;
use crate::scene::walls::motion::WallDrive;
use crate::value::vector;

/// Drives the fixed bodies of a group.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Driver {
    /// The number of the group.
    pub(crate) group: u32,
    /// A wall without a surface that goes along the path.
    path: Wall,
}

impl Driver {
    /// Drives a group that has been at rest until now.
    pub(crate) fn new(group: u32) -> Self {
        Self { group, path: Wall::new(Shape::Nowhere, DVec3::ZERO) }
    }

    /// Lets the group move like this from `time` (s) on, as the keys under `at` say.
    ///
    /// # Errors
    /// For values without meaning, with the key.
    pub(crate) fn begin(&mut self, motion: &BodyMotion, time: f64, at: &str) -> Result<(), GrainsError> {
        let velocity = vector(format!("{at}.velocity"), motion.velocity)?;
        let drive = WallDrive { oscillation: motion.oscillation, table: motion.table.clone(), ..WallDrive::default() };
        self.path = driven(self.path.held_at(time).moving(velocity), &drive, at)?;
        Ok(())
    }

    /// The mean velocity (m/s) in a step of `dt` (s) from `time` (s) on.
    pub(crate) fn velocity(&self, time: f64, dt: f64) -> DVec3 {
        (self.path.point_at(time + dt) - self.path.point_at(time)) / dt
    }
}
