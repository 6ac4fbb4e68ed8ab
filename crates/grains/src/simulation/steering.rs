//! What servos set between two steps: the motion of their walls and of the box.

use rrp_geom::glam::DVec3;

use super::Simulation;
use crate::error::GrainsError;
use crate::ranks::team::Team;

impl Simulation {
    /// The velocities (m/s) of fixed bodies that are driven in the next step, from `time` (s) on, by the numbers of
    /// their groups.
    fn driven(&self, time: f64) -> Vec<(u32, DVec3)> {
        let dt = self.progress.clock.dt;
        self.progress.drivers.iter().map(|driver| (driver.group, driver.velocity(time, dt))).collect()
    }

    /// Sets how fixed bodies that are driven move in the next step.
    fn drive_bodies(&mut self) {
        let velocities = self.driven(self.state.time());
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
        if let Some(time) = self.team.as_ref().and_then(Team::time) {
            return self.steer_on_ranks(time);
        }
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

    /// Lets ranks that have their shares drive bodies and steer walls and the box in the next step, from `time` (s) on.
    fn steer_on_ranks(&mut self, time: f64) -> Result<(), GrainsError> {
        let velocities = self.driven(time);
        let walls = &self.progress.walls;
        let there: Vec<usize> =
            self.servos.iter().map(|servo| servo.0).filter(|&wall| walls[wall].is_there()).collect();
        if let Some(team) = &mut self.team
            && !velocities.is_empty()
        {
            let driven = team.drive(velocities);
            driven.map_err(|error| self.with_names(error))?;
        }
        if let (Some(team), Some(drive)) = (&mut self.team, &self.box_drive) {
            let steered = team.steer_box(*drive);
            self.progress.domain = Some(steered.map_err(|error| self.with_names(error))?);
        }
        if let Some(team) = &mut self.team
            && !there.is_empty()
        {
            let steered = team.steer(there.clone());
            let steered = steered.map_err(|error| self.with_names(error))?;
            let walls = &mut self.progress.walls;
            there.into_iter().zip(steered).for_each(|(wall, steered)| walls[wall].follow(steered));
        }
        Ok(())
    }
}
