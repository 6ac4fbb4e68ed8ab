//! Bodies whose centres go through a wall within one step.
//!
//! Forces do not reveal such a crossing: a sheet pushes each body to the side of its centre, and a body far behind a
//! surface does not touch it. So the path of the centre in the step is tested against the surface. If the path is
//! shorter than the radius, the body touches, at the end of the step, each surface that its centre went through. So an
//! exact test is needed only for bodies that touch a surface nearer than the length of their path, and for bodies with
//! a longer path.
//!
//! Paths are straight in the frame of the wall. The test leaves out planes, which find all centres behind them, users'
//! own shapes, and boxes that deform.

use std::ops::Range;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::wall_forces::tile_walls::WallScene;
use crate::wall::crossing::crossing;
use crate::wall::images::Touched;

impl WallScene<'_> {
    /// Checks that the centre of the body at this place, which touches a wall at these points, did not go through the
    /// wall.
    ///
    /// # Errors
    /// [`ContactError::CrossedWall`].
    pub(super) fn check_touching(&self, place: usize, wall: usize, touched: &[Touched]) -> Result<(), DemError> {
        let moments = &self.walls[wall];
        if !moments.end.shape.can_be_crossed() {
            return Ok(());
        }
        let Some(velocity) = self.velocity_in_step(place) else { return Ok(()) };
        let way = velocity.length() * self.needs.elapsed + moments.way;
        let nearest = touched.iter().map(|one| one.patch.distance).fold(f64::INFINITY, f64::min);
        // A centre behind a surface with one side is an error anyway.
        if nearest < 0.0 || nearest > way { Ok(()) } else { self.check_crossing(place, wall, velocity) }
    }

    /// Checks that no body of a tile that moved by its radius or more went through a wall. `path` is a bound in m on
    /// the path of each centre since the list was made. In the step that makes the list it is zero and no bound.
    ///
    /// # Errors
    /// As [`check_touching`](Self::check_touching).
    pub(super) fn check_fast(&self, places: &Range<usize>, path: f64) -> Result<(), DemError> {
        let crossable = || (0..self.walls.len()).filter(|&wall| self.walls[wall].end.shape.can_be_crossed());
        if self.velocity.is_none() || crossable().next().is_none() {
            return Ok(());
        }
        let of_walls = crossable().map(|wall| self.walls[wall].way).fold(0.0, f64::max);
        let radii = self.spheres.position[places.clone()].iter().map(|&[.., radius]| radius);
        let smallest = radii.filter(|radius| *radius > 0.0).fold(f64::INFINITY, f64::min);
        if path > 0.0 && path < smallest - of_walls {
            return Ok(());
        }
        for place in places.clone() {
            let Some(velocity) = self.velocity_in_step(place) else { continue };
            let [.., radius] = self.spheres.position[place];
            let own = (radius - of_walls).max(0.0);
            if velocity.length_squared() * self.needs.elapsed.powi(2) < own * own || radius <= 0.0 {
                continue;
            }
            let body = self.spheres.order[place] as usize;
            if self.list.fixed().binary_search(&body).is_ok() {
                continue;
            }
            for wall in crossable().filter(|&wall| self.felt.has(body, wall)) {
                self.check_crossing(place, wall, velocity)?;
            }
        }
        Ok(())
    }

    /// Checks that the centre of the body at this place, which moves at this velocity (m/s), did not go through a wall.
    fn check_crossing(&self, place: usize, wall: usize, velocity: DVec3) -> Result<(), DemError> {
        let moments = &self.walls[wall];
        let [x, y, z, radius] = self.spheres.position[place];
        let to = DVec3::new(x, y, z);
        let from = to - self.needs.elapsed * velocity;
        let periods = self.list.domain().periods();
        let Some(way) = crossing(&moments.begin, &moments.end, [from, to], periods) else { return Ok(()) };
        let body = self.spheres.order[place] as usize;
        Err(DemError::Contact(ContactError::CrossedWall { body, wall, way, radius }))
    }

    /// Velocity (m/s), in the step that ends now, of the body at this place; `None` if the evaluation ends no step, or
    /// if the box deforms.
    fn velocity_in_step(&self, place: usize) -> Option<DVec3> {
        let velocity = self.velocity?;
        Some(match self.spheres.motion.get(place) {
            Some(motion) => DVec3::from_slice(&motion.velocity[..3]),
            None => velocity.get(self.spheres.order[place] as usize),
        })
    }
}
