//! Closed forms of spheres and blocks with friction, rest, impacts, and what a step promises.

mod closed_forms;
mod dry_friction;
mod impacts;
mod ratios;
mod rest;
mod wedges;

use cd_solve::Options;
use cd_solve::friction::CoulombSolver;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Gravity, Integrator, State};

use crate::contact_dynamics::{ContactCoefficients, MoreauJean, RigidMaterials};
use crate::neighbor::{Domain, NeighborList};
use crate::wall::Wall;

const RADIUS: f64 = 0.5;

/// Spheres of unit mass under gravity, and the integrator with friction and walls.
struct Scene {
    bodies: Bodies,
    state: State,
    gravity: Gravity,
    dynamics: MoreauJean<CoulombSolver>,
}

/// Makes an integrator for bodies above the floor z = 0, with this tolerance of the solver.
fn above_floor(dt: f64, materials: RigidMaterials, tolerance: f64) -> MoreauJean<CoulombSolver> {
    let list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
    let solver = CoulombSolver::new(Options::new(tolerance, 1000));
    let dynamics = MoreauJean::new(dt, list, materials, solver).unwrap();
    dynamics.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap()
}

/// Makes a scene of spheres with their centres at `places` (m), on the floor z = 0 or in the air.
fn spheres(dt: f64, coefficients: ContactCoefficients, places: &[DVec3], gravity: DVec3) -> Scene {
    let bodies = Bodies::new(places.iter().map(|_| Body::sphere(1.0, RADIUS))).unwrap();
    let mut state = State::at_rest(places.len());
    places.iter().enumerate().for_each(|(i, &place)| state.position_mut().set(i, place));
    let dynamics = above_floor(dt, RigidMaterials::uniform(coefficients).unwrap(), 1e-11);
    Scene { bodies, state, gravity: Gravity { acceleration: gravity }, dynamics }
}

/// Makes a scene of one sphere that touches the floor, with this velocity (m/s) and spin (rad/s).
fn on_floor(dt: f64, coefficients: ContactCoefficients, gravity: DVec3, velocity: DVec3, spin: DVec3) -> Scene {
    let mut scene = spheres(dt, coefficients, &[RADIUS * DVec3::Z], gravity);
    scene.set(0, velocity, spin);
    scene
}

impl Scene {
    fn set(&mut self, body: usize, velocity: DVec3, spin: DVec3) {
        self.state.velocity_mut().set(body, velocity);
        self.state.set_spin(&self.bodies, body, spin);
    }

    fn with_walls(mut self, walls: impl IntoIterator<Item = Wall>) -> Self {
        self.dynamics = self.dynamics.with_walls(walls).unwrap();
        self
    }

    fn steps(&mut self, count: usize) {
        for step in 0..count {
            let taken = self.dynamics.step(&self.bodies, &mut self.gravity, &mut self.state);
            taken.unwrap_or_else(|error| panic!("step {step}: {error:?}"));
        }
    }

    fn place(&self, body: usize) -> DVec3 {
        self.state.position().get(body)
    }

    fn velocity(&self, body: usize) -> DVec3 {
        self.state.velocity().get(body)
    }

    fn spin(&self, body: usize) -> DVec3 {
        self.state.spin(&self.bodies, body)
    }

    fn kinetic(&self) -> f64 {
        rrp_integrate::kinetic_energy(&self.bodies, &self.state).total()
    }
}

fn assert_near(found: DVec3, expected: DVec3, tolerance: f64) {
    assert!((found - expected).length() <= tolerance, "{found} instead of {expected}");
}
