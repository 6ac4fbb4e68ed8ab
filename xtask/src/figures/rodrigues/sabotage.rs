//! Maps that are broken on purpose: the claims are worth something only if these fail them.
use std::sync::atomic::{AtomicBool, Ordering};

use rrp_integrate::{Bodies, ForceField, IntegrateError, Integrator, Scheme, State, StepReport};

static ORDERED: AtomicBool = AtomicBool::new(false);

/// From now on every map of the pendulum loses a billionth of the spin in each step.
pub(crate) fn order() {
    ORDERED.store(true, Ordering::Relaxed);
}

/// The map as it is, or broken if that was ordered.
pub(super) fn applied(map: Box<dyn Integrator>) -> Box<dyn Integrator> {
    if ORDERED.load(Ordering::Relaxed) { Box::new(Leaking(map)) } else { map }
}

struct Leaking(Box<dyn Integrator>);

impl Integrator for Leaking {
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
            state.set_spin(bodies, body, spin * (1.0 - 1e-9));
        }
        Ok(report)
    }
}
