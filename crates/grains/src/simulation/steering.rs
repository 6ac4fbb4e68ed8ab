//! What servos set between two steps: the motion of their walls and of the box.

use rrp_geom::glam::DVec3;

use super::Simulation;
use crate::error::GrainsError;

impl Simulation {
    /// Sets how fixed bodies that are driven move in the next step.
    fn drive_bodies(&mut self) {
        let (time, dt) = (self.state.time(), self.progress.clock.dt);
        let velocities: Vec<(u32, DVec3)> =
            self.progress.drivers.iter().map(|driver| (driver.group, driver.velocity(time, dt))).collect();
        if velocities.is_empty() {
            return;
        }
        let groups = self.progress.groups.all();
        let of_group =
            |group: u32| velocities.iter().find(|(driven, _)| *driven == group).map(|(_, velocity)| *velocity);
        self.state.drive_fixed(&self.bodies, |body| of_group(groups[body]));
    }

    /// Lets servos set how their walls and the box move in the next step. Without wrenches, such as when a stage
    /// begins, no load is known: then walls go on at their velocities.
    pub(super) fn steer(&mut self) -> Result<(), GrainsError> {
        let (time, dt) = (self.state.time(), self.progress.clock.dt);
        self.drive_bodies();
        let knows_load = self.state.wrenches().is_some();
        if let Some(drive) = &self.box_drive {
            let steered = self.engine.steer_box(drive, time, knows_load);
            let steered = steered.map_err(|source| GrainsError::Reading { time, source: Box::new(source) })?;
            self.progress.domain = steered.or(self.progress.domain);
        }
        if !knows_load {
            return Ok(());
        }
        for (number, servo) in &self.servos {
            let wall = &mut self.progress.walls[*number];
            if !wall.is_there() {
                continue;
            }
            let steered = self.engine.steer(*number, servo, time, dt);
            let steered = steered.map_err(|source| GrainsError::Reading { time, source: Box::new(source) })?;
            steered.into_iter().for_each(|steered| wall.follow(steered));
        }
        Ok(())
    }
}
