use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;
use crate::step::integrator::{Integrator, Scheme, StepReport, check_time_step};
use crate::step::kick_drift_kick::KickDriftKick;
use crate::step::map::Map;

/// An explicit [`Map`] with its time step, and memory for a second state.
///
/// A step reads one state, writes the other, and exchanges their columns on success, so a failed step changes nothing.
/// From the second step on, no memory is allocated unless the number of bodies changes.
#[derive(Debug, Clone)]
pub struct Explicit {
    map: Map,
    dt: f64,
    next: State,
}

impl Explicit {
    /// Makes an integrator of the map `map` with the time step `dt` in s.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidTimeStep`] unless `dt` is finite and positive.
    pub fn new(map: Map, dt: f64) -> Result<Self, IntegrateError> {
        check_time_step(dt)?;
        Ok(Self { map, dt, next: State::at_rest(0) })
    }

    /// Takes `steps` steps, and returns their total iterations and force evaluations. Use [`run`](crate::run) to
    /// observe each state, or for other integrators.
    ///
    /// # Errors
    /// Those of [`step`](Integrator::step). The state and the committed history of the field are then those after the
    /// last successful step.
    pub fn run(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
        steps: usize,
    ) -> Result<StepReport, IntegrateError> {
        self.map.turn().check_inertia(bodies)?;
        state.check_columns(bodies)?;
        let step = KickDriftKick { map: self.map, h: self.dt, bodies };
        let mut all = StepReport { evaluations: 0, iterations: 0 };
        for _ in 0..steps {
            let one = step.step(field, state, &mut self.next)?;
            all.evaluations += one.evaluations;
            all.iterations += one.iterations;
        }
        Ok(all)
    }
}

impl Integrator for Explicit {
    fn scheme(&self) -> Scheme {
        let first_order = self.map == Map::Rodrigues27;
        Scheme { dt: self.dt, order: if first_order { 1 } else { 2 }, symplectic: true, reversible: !first_order }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        self.run(bodies, field, state, 1)
    }
}
