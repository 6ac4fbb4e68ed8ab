//! Deliberately broken maps: claims are worth something only if these maps fail them.
use std::sync::atomic::{AtomicBool, Ordering};

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, ForceField, IntegrateError, Integrator, Scheme, State, StepReport};

static ORDERED: AtomicBool = AtomicBool::new(false);

/// Change of the angular velocity in each step in rad/s, about the vertical.
const KICK: DVec3 = DVec3::new(0.0, 0.0, 1e-9);

/// Makes every map of the pendulum add 1e-9 rad/s to the spin in each step from now on.
pub(crate) fn order() {
    ORDERED.store(true, Ordering::Relaxed);
}

/// Returns the map unchanged, or broken after a call of [`order`].
pub(super) fn applied(map: Box<dyn Integrator>) -> Box<dyn Integrator> {
    if ORDERED.load(Ordering::Relaxed) { Box::new(Kicking(map)) } else { map }
}

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
