//! Check for bodies that go through a wall within an implicit or rigid step. Explicit steps do this check themselves.

use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;

use super::Simulation;
use super::names::remedy;
use crate::build::checks::wall_in_words;
use crate::build::domain::domain;
use crate::error::GrainsError;
use crate::progress::walls::StagedWall;
use crate::scene::integrator::Method;

/// Positions of bodies before a step, with the walls that they might go through.
#[derive(Debug)]
pub(super) struct Before {
    time: f64,
    centres: Vec<DVec3>,
    /// Walls that can be crossed, before the step, with their numbers.
    walls: Vec<(usize, Wall)>,
}

impl Simulation {
    /// Stores the positions of bodies before a step in which they might go through walls; none for steps without this
    /// check.
    pub(super) fn before_step(&self) -> Option<Before> {
        let scene = &self.plan.stages[self.progress.clock.stage].scene;
        let crossable = |wall: &StagedWall| wall.shape().can_be_crossed();
        let walls = self.progress.walls.iter().enumerate().filter(|(_, wall)| wall.is_there() && crossable(wall));
        // During a search for static equilibrium, bodies do not move along straight lines.
        if scene.integrator.is_explicit() || matches!(scene.integrator, Method::Static(_)) {
            return None;
        }
        let walls: Vec<(usize, Wall)> = walls.map(|(number, wall)| (number, wall.as_it_acts())).collect();
        let centres = || self.state.position().iter().collect();
        (!walls.is_empty()).then(|| Before { time: self.state.time(), centres: centres(), walls })
    }

    /// Checks that no centre of a free body went through a wall in the last step.
    ///
    /// # Errors
    /// [`GrainsError::WallCrossed`] for the first such body and its first crossed wall.
    pub(super) fn check_crossings(&self, Before { time, centres, walls }: &Before) -> Result<(), GrainsError> {
        let scene = &self.plan.stages[self.progress.clock.stage].scene;
        let periods = domain(scene)?.periods();
        let times = [*time, self.state.time()];
        for (body, &from) in centres.iter().enumerate() {
            let to = self.state.position().get(body);
            let radius = self.bodies.radius()[body];
            if radius <= 0.0 || self.bodies.inverse_mass()[body] <= 0.0 {
                continue;
            }
            if let Some((wall, way)) =
                walls.iter().find_map(|(number, wall)| Some((*number, wall.crossing([from, to], times, periods)?)))
            {
                return Err(GrainsError::WallCrossed {
                    step: self.progress.clock.step,
                    time: times[1],
                    body: self.progress.identities.all()[body],
                    wall: wall_in_words(scene, wall),
                    way,
                    radius,
                    remedy: remedy(way / radius, self.progress.clock.dt),
                });
            }
        }
        Ok(())
    }
}
