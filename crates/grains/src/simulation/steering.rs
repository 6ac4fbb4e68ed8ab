//! Motions set between two steps: by servos for walls and the box, by drivers for groups of fixed bodies.

use rrp_geom::glam::DVec3;

use super::Simulation;
use crate::error::GrainsError;
use crate::progress::drivers::DrivenMotion;
use crate::ranks::team::Team;

impl Simulation {
    fn driven(&self, time: f64) -> Vec<DrivenMotion> {
        let dt = self.progress.clock.dt;
        self.progress.drivers.iter().map(|driver| driver.motion(time, dt)).collect()
    }

    fn drive_bodies(&mut self) {
        let motions = self.driven(self.state.time());
        if motions.is_empty() {
            return;
        }
        let groups = self.progress.groups.all();
        let of_group = |group: u32| motions.iter().find(|motion| motion.group == group);
        self.state.drive_fixed(&self.bodies, |body, centre| Some(of_group(groups[body])?.velocity_at(centre)));
        let spins = self.spins_of(motions);
        self.spin(spins);
    }

    /// Returns the numbers and angular velocities (rad/s) of the fixed bodies that spin at present.
    pub(crate) fn fixed_spins(&self) -> Vec<(usize, DVec3)> {
        self.spins_of(self.driven(self.state.time()))
    }

    /// Returns the numbers and angular velocities (rad/s) of the fixed bodies that spin by `motions`.
    fn spins_of(&self, mut motions: Vec<DrivenMotion>) -> Vec<(usize, DVec3)> {
        motions.retain(|motion| motion.spin != DVec3::ZERO);
        if motions.is_empty() {
            return Vec::new();
        }
        let groups = self.progress.groups.all();
        let of_group = |group: u32| motions.iter().find(|motion| motion.group == group);
        let spins = self.bodies.fixed().iter().filter_map(|&body| Some((body, of_group(groups[body])?.spin)));
        spins.collect()
    }

    /// Passes the spins of fixed bodies in the next step to the engine.
    pub(crate) fn spin_fixed_bodies(&mut self) {
        self.spin(self.fixed_spins());
    }

    fn spin(&mut self, spins: Vec<(usize, DVec3)>) {
        if !spins.is_empty() {
            self.engine.spin_fixed(spins);
        }
    }

    /// Lets servos set the motions of their walls and of the box in the next step. Without wrenches, such as at the
    /// start of a stage, loads are unknown, and walls keep their velocities.
    pub(super) fn steer(&mut self) -> Result<(), GrainsError> {
        if let Some(time) = self.team.as_ref().and_then(Team::time) {
            return self.steer_on_ranks(time);
        }
        let time = self.state.time();
        let dt = self.progress.clock.dt;
        self.drive_bodies();
        let knows_load = self.state.wrenches().is_some();
        if let Some(drive) = &mut self.box_drive {
            let steered = self.engine.steer_box(drive, time, knows_load).map_err(GrainsError::unreadable(time))?;
            self.progress.domain = steered.or(self.progress.domain);
            self.progress.box_memory = drive.memory();
        }
        if !knows_load {
            return Ok(());
        }
        for (number, servo) in &self.servos {
            let wall = &mut self.progress.walls[*number];
            if !wall.is_there() {
                continue;
            }
            let steered = self.engine.steer(*number, servo, time, dt).map_err(GrainsError::unreadable(time))?;
            steered.into_iter().for_each(|steered| wall.follow(steered));
        }
        Ok(())
    }

    /// Lets all ranks, which must have their shares, drive bodies and steer walls and the box in the next step, from
    /// `time` (s) on.
    fn steer_on_ranks(&mut self, time: f64) -> Result<(), GrainsError> {
        let motions = self.driven(time);
        let walls = &self.progress.walls;
        let there: Vec<usize> =
            self.servos.iter().map(|servo| servo.0).filter(|&wall| walls[wall].is_there()).collect();
        if let Some(team) = &mut self.team
            && !motions.is_empty()
        {
            let driven = team.drive(motions);
            driven.map_err(|error| self.with_names(error))?;
        }
        if let (Some(team), Some(drive)) = (&mut self.team, &self.box_drive) {
            let steered = team.steer_box(drive.clone());
            let (domain, drive) = steered.map_err(|error| self.with_names(error))?;
            self.progress.domain = Some(domain);
            self.progress.box_memory = drive.memory();
            self.box_drive = Some(drive);
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
