//! Simulation for `[DK21]` Fig. 9: an undamped sphere of diameter d that bounces between two walls 1.01 d apart.
use anyhow::Result;
use dem_contact::wall::Wall;
use grains_pages::number::larger;
use rayon::prelude::*;
use rrp_geom::glam::DVec3;
use rrp_integrate::{State, kinetic_energy};

use super::run::Run;
use super::scene::{Scene, contact_time};
use super::scheme::Scheme;

/// Number of collisions with the walls in a simulation, as in `[DK21]` Fig. 9.
pub(super) const COLLISIONS: usize = 250;
/// Half of the distance in d over which the centre of the sphere can move freely between the walls.
const ROOM: f64 = 0.005;

/// One simulation of the bouncing sphere: its integrator, time step and initial condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounces {
    pub(super) scheme: Scheme,
    /// Number of time steps h in the contact time `t_c` of two spheres.
    pub(super) per_contact: f64,
    /// Initial speed of the sphere in √(g d).
    pub(super) speed: f64,
    /// Shift of the initial position towards the first wall, in tenths of the way of one time step.
    pub(super) phase: usize,
}

/// Relative errors E/E₀ − 1 of the energy E in a simulation that starts with the energy E₀.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// Error after each collision, while the sphere flies freely.
    pub(super) free: Vec<f64>,
    /// Largest absolute error over all time steps.
    pub(super) worst: f64,
    /// Number of the time step and error, for each step from the argument `from` of [`Bounces::run`] on.
    pub(super) tail: Vec<(usize, f64)>,
}

impl Course {
    /// Returns the error after the last collision; NaN without collisions.
    pub(super) fn end(&self) -> f64 {
        self.free.last().copied().unwrap_or(f64::NAN)
    }
}

impl Bounces {
    /// Simulates [`COLLISIONS`] collisions, and records the energy error of each time step from the number `from` on.
    pub(super) fn run(self, from: usize) -> Result<Course> {
        let h = contact_time() / self.per_contact;
        let start = DVec3::X * (self.speed * h * self.phase as f64 / 10.0);
        let mut scene = Scene::spheres(&[(start, DVec3::X * self.speed)])?;
        scene.walls = [-1.0, 1.0].map(|side| Wall::plane(DVec3::X * (0.5 + ROOM) * side, -DVec3::X * side)).into();
        let mut run = Run::new(scene, self.scheme, h)?;
        let initial = run.energy()?;
        let mut course = Course::default();
        let mut touching = false;
        let mut step = 0;
        while course.free.len() < COLLISIONS {
            let flight = free_steps(&run.state, h).min(from.saturating_sub(step + 1));
            fly(&mut run.state, flight, h);
            run.step()?;
            step += flight + 1;
            let now = run.state.position().get(0).x.abs() > ROOM;
            if now || touching || step >= from {
                let error = run.energy()? / initial - 1.0;
                course.worst = larger(course.worst, error.abs());
                if step >= from {
                    course.tail.push((step, error));
                }
            }
            if touching && !now {
                course.free.push(kinetic_energy(&run.bodies, &run.state).total() / initial - 1.0);
            }
            touching = now;
            // Algorithm 1 may come to rest before 250 collisions.
            if step as f64 > 4.0 * self.flight_steps() {
                break;
            }
        }
        Ok(course)
    }

    /// Estimates the number of time steps in [`COLLISIONS`] collisions.
    fn flight_steps(self) -> f64 {
        let flight = 2.0 * ROOM / (self.speed * contact_time());
        COLLISIONS as f64 * self.per_contact * (flight + 2f64.sqrt())
    }

    /// Runs simulations with each of these initial speeds and ten phases of the first touch within a time step.
    pub(super) fn ensemble(self, speeds: &[f64]) -> Result<Vec<Course>> {
        let starts: Vec<Self> =
            speeds.iter().flat_map(|&speed| (0..10).map(move |phase| Self { speed, phase, ..self })).collect();
        starts.into_par_iter().map(|start| start.run(usize::MAX)).collect()
    }
}

/// Returns a number of time steps of length h that the sphere can take before it touches a wall.
fn free_steps(state: &State, h: f64) -> usize {
    let place = state.position().get(0).x;
    let velocity = state.velocity().get(0).x;
    let ahead = ROOM - place * velocity.signum();
    let behind = ROOM + place * velocity.signum();
    if ahead.min(behind) <= 0.0 { 0 } else { ((ahead / (velocity.abs() * h)) as usize).min(LONGEST).saturating_sub(2) }
}

/// Largest number of time steps that are taken at once. It keeps sums of steps from overflowing if the sphere hardly
/// moves.
const LONGEST: usize = 1_000_000;

/// Takes `steps` time steps of free flight at once, in which all schemes move the sphere along a straight line.
fn fly(state: &mut State, steps: usize, h: f64) {
    if steps > 0 {
        let time = steps as f64 * h;
        let way = time * state.velocity().get(0);
        state.position_mut().add(0, way);
        state.set_time(state.time() + time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flight_taken_at_once_leads_to_the_same_bounces() {
        for scheme in Scheme::ALL {
            let start = Bounces { scheme, per_contact: 32.0, speed: 1.0, phase: 3 };
            let [at_once, by_steps] = [usize::MAX, 0].map(|from| start.run(from).unwrap());
            assert_eq!(at_once.free.len(), by_steps.free.len());
            let away = at_once.free.iter().zip(&by_steps.free).map(|(a, b)| (a - b).abs()).fold(0.0, larger);
            assert!(away < 1e-9, "{}: {away:e}", scheme.name());
        }
    }
}
