//! Groups of fixed bodies that are driven along paths or rotate.

use dem_contact::wall::{Shape, Wall};
use rrp_geom::glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::build::drives::driven;
use crate::error::GrainsError;
use crate::scene::bodies::BodyMotion;
use crate::scene::walls::motion::WallDrive;
use crate::value::vector;

/// Driver of a group of fixed bodies: the path along which the group moves, and how it turns.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Driver {
    /// Number of the driven group.
    pub(crate) group: u32,
    /// Path of the group, as a wall without a surface that moves and turns.
    path: Wall,
    /// Whether the group turns as a whole about the point of the path. Otherwise each body turns about its own centre.
    has_pivot: bool,
}

/// Motion of a driven group of fixed bodies in a step.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct DrivenMotion {
    pub(crate) group: u32,
    /// Mean velocity of the group's path in the step, in m/s.
    velocity: DVec3,
    /// Angular velocity of the group, or of each of its bodies, in rad/s.
    pub(crate) spin: DVec3,
    /// Point in m about which the group turns when the step begins; none if it does not turn as a whole.
    pivot: Option<DVec3>,
    /// Length in s of the step in which the group moves.
    dt: f64,
}

impl Driver {
    /// Makes the driver of a group at rest.
    pub(crate) fn new(group: u32) -> Self {
        Self { group, path: Wall::new(Shape::Nowhere, DVec3::ZERO), has_pivot: false }
    }

    /// Starts the motion `motion` of the group, with keys under `at`, at `time` (s).
    ///
    /// # Errors
    /// For invalid values; the error names the key.
    pub(crate) fn begin(&mut self, motion: &BodyMotion, time: f64, at: &str) -> Result<(), GrainsError> {
        let velocity = vector(format!("{at}.velocity"), motion.velocity)?;
        let spin = vector(format!("{at}.spin"), motion.spin)?;
        let pivot = motion.pivot.map(|pivot| vector(format!("{at}.pivot"), pivot)).transpose()?;
        if pivot.is_some() && !motion.turns() {
            let problem = "is for a group that turns: give its `spin`";
            return Err(GrainsError::conflict(format!("{at}.pivot"), problem));
        }
        let drive = WallDrive { oscillation: motion.oscillation, table: motion.table.clone(), ..WallDrive::default() };
        let path = self.path.held_at(time).moving(velocity).rotating(spin);
        self.path = match pivot {
            None => driven(path, &drive, at)?,
            Some(pivot) => {
                let path = driven(path.about(pivot), &drive, at)?;
                // The path may begin away from the middle of an oscillation; the pivot is where the path begins.
                let off = path.point_at(time) - pivot;
                path.about(pivot - off)
            }
        };
        self.has_pivot = pivot.is_some();
        Ok(())
    }

    pub(crate) fn motion(&self, time: f64, dt: f64) -> DrivenMotion {
        let point = self.path.point_at(time);
        DrivenMotion {
            group: self.group,
            velocity: (self.path.point_at(time + dt) - point) / dt,
            spin: self.path.pose(time).spin,
            pivot: self.has_pivot.then_some(point),
            dt,
        }
    }
}

/// Computes the mean velocity (m/s) of a body of a group at `place` (m); none if no motion drives this group.
pub(crate) fn velocity_of(motions: &[DrivenMotion], group: u32, place: DVec3) -> Option<DVec3> {
    motions.iter().find(|motion| motion.group == group).map(|motion| motion.velocity_at(place))
}

impl DrivenMotion {
    /// Computes the mean velocity (m/s) of the group's body at `place` (m) at the start of the step.
    pub(crate) fn velocity_at(&self, place: DVec3) -> DVec3 {
        let Some(pivot) = self.pivot else { return self.velocity };
        let arm = place - pivot;
        self.velocity + (DQuat::from_scaled_axis(self.dt * self.spin) * arm - arm) / self.dt
    }
}
