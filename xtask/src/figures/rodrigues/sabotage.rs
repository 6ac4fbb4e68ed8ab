//! Deliberately broken integration maps, with which tests check that a wrong map makes claims fail.
use std::sync::atomic::{AtomicBool, Ordering};

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, ForceField, IntegrateError, Integrator, Scheme, State, StepReport};

/// Whether [`order`] was called.
static ORDERED: AtomicBool = AtomicBool::new(false);

/// Angular velocity in rad/s about the vertical that a broken map adds in each time step.
const KICK: DVec3 = DVec3::new(0.0, 0.0, 1e-9);

/// Breaks all maps of the pendulum that are made from now on: they add 1e-9 rad/s to the spin in each time step.
pub(crate) fn order() {
    ORDERED.store(true, Ordering::Relaxed);
}

/// Returns the integrator `map`, unchanged by default, or broken if [`order`] was called before.
pub(super) fn applied(map: Box<dyn Integrator>) -> Box<dyn Integrator> {
    if ORDERED.load(Ordering::Relaxed) { Box::new(Kicking(map)) } else { map }
}

/// Map that adds [`KICK`] to the angular velocity of every body after each time step.
struct Kicking(Box<dyn Integrator>);

impl Integrator for Kicking {
    fn scheme(&self) -> Scheme {
        self.0.scheme()
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        let report = self.0.step(bodies, field, state)?;
        for body in 0..bodies.len() {
            let spin = state.spin(bodies, body);
            state.set_spin(bodies, body, spin + KICK);
        }
        Ok(report)
    }
}
