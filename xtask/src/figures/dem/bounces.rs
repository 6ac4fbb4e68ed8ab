//! One undamped sphere that bounces between two walls 1.01 d apart.
use anyhow::Result;
use dem_contact::wall::Wall;
use grains_pages::number::larger;
use rayon::prelude::*;
use rrp_geom::glam::DVec3;
use rrp_integrate::{State, kinetic_energy};

use super::run::Run;
use super::scene::{Scene, contact_time};
use super::scheme::Scheme;

/// Collisions of a run, as many as in the paper.
pub(super) const COLLISIONS: usize = 250;
/// Half of the room that the walls leave to the centre, in d.
const ROOM: f64 = 0.005;

/// How a sphere starts and steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounces {
    pub(super) scheme: Scheme,
    /// Steps in a contact time, `t_c`/h.
    pub(super) per_contact: f64,
    pub(super) speed: f64,
    /// Tenths of a step by which the start is moved towards the first wall.
    pub(super) phase: usize,
}

/// Errors E/E₀ − 1 of the energy in a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// Error after each collision.
    pub(super) free: Vec<f64>,
    /// The largest |E/E₀ − 1| of all steps.
    pub(super) worst: f64,
    /// Step and error, from the first step on that was asked for.
    pub(super) tail: Vec<(usize, f64)>,
}

impl Course {
    /// Error after the last collision.
    pub(super) fn end(&self) -> f64 {
        self.free.last().copied().unwrap_or(f64::NAN)
    }
}

impl Bounces {
    /// Runs 250 collisions, and records the error of every step from `from` on.
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
            // Algorithm 1 comes to rest before it has bounced that often.
            if step as f64 > 4.0 * self.flight_steps() {
                break;
            }
        }
        Ok(course)
    }

    /// Number of steps of 250 collisions, about.
    fn flight_steps(self) -> f64 {
        let flight = 2.0 * ROOM / (self.speed * contact_time());
        COLLISIONS as f64 * self.per_contact * (flight + 2f64.sqrt())
    }

    /// Runs ten phases at each of these speeds.
    pub(super) fn ensemble(self, speeds: &[f64]) -> Result<Vec<Course>> {
        let starts: Vec<Self> =
            speeds.iter().flat_map(|&speed| (0..10).map(move |phase| Self { speed, phase, ..self })).collect();
        starts.into_par_iter().map(|start| start.run(usize::MAX)).collect()
    }
}

/// Whole steps that are certain to end before the sphere touches a wall.
fn free_steps(state: &State, h: f64) -> usize {
    let place = state.position().get(0).x;
    let velocity = state.velocity().get(0).x;
    let ahead = ROOM - place * velocity.signum();
    let behind = ROOM + place * velocity.signum();
    if ahead.min(behind) <= 0.0 { 0 } else { ((ahead / (velocity.abs() * h)) as usize).min(LONGEST).saturating_sub(2) }
}

/// Upper bound of the steps in a flight, so that sums of steps do not overflow at small velocities.
const LONGEST: usize = 1_000_000;

/// Takes `steps` steps without a force at once: all schemes move the sphere along a straight line.
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
            // A run that records every step flies step by step.
            let [at_once, by_steps] = [usize::MAX, 0].map(|from| start.run(from).unwrap());
            assert_eq!(at_once.free.len(), by_steps.free.len());
            let away = at_once.free.iter().zip(&by_steps.free).map(|(a, b)| (a - b).abs()).fold(0.0, larger);
            assert!(away < 1e-9, "{}: {away:e}", scheme.name());
        }
    }
}
