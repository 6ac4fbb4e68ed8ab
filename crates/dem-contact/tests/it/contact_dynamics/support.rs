//! Solvers and shortcuts for several tests of contact dynamics.

use cd_solve::{Apgd, LcpSolver, Options, ProjectedGaussSeidel};
use dem_contact::contact_dynamics::ContactDynamics;
use dem_contact::neighbor::{Domain, NeighborList};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, ForceField, Gravity, Integrator, State};

pub(crate) const GRAVITY: f64 = 9.81;

pub(crate) fn gravity() -> Gravity {
    Gravity { acceleration: DVec3::NEG_Z * GRAVITY }
}

pub(crate) fn open_list(skin: f64) -> NeighborList {
    NeighborList::new(Domain::OPEN, skin).unwrap()
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

/// Returns the largest difference of two vectors.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, |most, d| if d > most || d.is_nan() { d } else { most })
}
