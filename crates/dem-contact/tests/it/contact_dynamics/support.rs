//! Solvers and shortcuts for several tests of contact dynamics.

use crate::prelude::*;

pub(crate) const GRAVITY: f64 = 9.81;

pub(crate) fn gravity() -> Gravity {
    Gravity { acceleration: DVec3::NEG_Z * GRAVITY }
}

/// Returns the classic solvers.
pub(crate) fn classic(tolerance: f64) -> [(&'static str, Box<dyn LcpSolver>); 2] {
    let options = Options::new(tolerance, 200_000);
    [("PGS", Box::new(ProjectedGaussSeidel::new(options))), ("APGD", Box::new(Apgd::new(options)))]
}

pub(crate) fn pgs(tolerance: f64) -> ProjectedGaussSeidel {
    ProjectedGaussSeidel::new(Options::new(tolerance, 200_000))
}

/// Returns the solver that is faster for many contacts.
pub(crate) fn apgd(tolerance: f64) -> Apgd {
    Apgd::new(Options::new(tolerance, 200_000))
}

pub(crate) fn advance<S: LcpSolver>(
    dynamics: &mut ContactDynamics<S>,
    bodies: &Bodies,
    field: &mut dyn ForceField,
    state: &mut State,
    steps: usize,
) {
    for step in 0..steps {
        dynamics.step(bodies, field, state).unwrap_or_else(|error| panic!("step {step}: {error:?}"));
    }
}

/// Makes spheres above the floor z = 0, with this restitution.
pub(crate) fn on_floor(dt: f64, tolerance: f64, restitution: f64) -> ContactDynamics<ProjectedGaussSeidel> {
    let dynamics = ContactDynamics::new(dt, open_list(0.1), pgs(tolerance)).unwrap();
    let walls = [Wall::plane(DVec3::ZERO, DVec3::Z)];
    dynamics.with_walls(walls).unwrap().with_restitution(restitution).unwrap()
}

/// Returns the largest difference of two vectors.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, |most, d| if d > most || d.is_nan() { d } else { most })
}
