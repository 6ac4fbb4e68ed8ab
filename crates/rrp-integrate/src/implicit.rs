//! The implicit map (26) of `[BG21]`, after Campello.

use rrp_geom::glam::DVec3;

use crate::evaluation::{ensure_wrenches, evaluate, explain};
use crate::integrator::check_time_step;
use crate::turn::Fault;
use crate::{Bodies, ForceField, IntegrateError, Integrator, Scheme, State, StepReport, Turn};

/// Fixed-point iterations after which a step is given up.
const MAX_ITERATIONS: usize = 200;

/// Relative change of velocities and momenta at which the iteration stops: the last bits.
const TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// `[BG21] (26)`: v' = v + h/m [φ F + (1−φ) F'], x' = x + h v', Ω' alike, α' = α ⊕ hΩ'. Order 1, spheres only.
///
/// For φ = 1 it is (27), explicit and symplectic; for φ < 1 it is neither, and dissipates. Solved by fixed-point
/// iteration from the explicit guess, which converges for h below about 1/√(1−φ) over the highest frequency.
#[derive(Debug, Clone)]
pub struct Implicit {
    dt: f64,
    weight: f64,
    next: State,
}

impl Implicit {
    /// The map with the weight φ = `weight` ∈ [0, 1] of the old force and the time step `dt` in s.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidTimeStep`], [`IntegrateError::InvalidWeight`].
    pub fn new(weight: f64, dt: f64) -> Result<Self, IntegrateError> {
        check_time_step(dt)?;
        if !(0.0..=1.0).contains(&weight) {
            return Err(IntegrateError::InvalidWeight { weight });
        }
        Ok(Self { dt, weight, next: State::at_rest(0) })
    }

    /// Moves `self.next` to where the wrenches at `state` and the latest ones at `self.next` lead, and returns the body
    /// whose velocity or momentum changed most with that change, relative to the largest velocity or momentum.
    fn iterate(&mut self, bodies: &Bodies, state: &State) -> Result<(usize, f64), IntegrateError> {
        let (h, old, new) = (self.dt, self.weight, 1.0 - self.weight);
        let next = &mut self.next;
        let (mut velocity_scale, mut momentum_scale) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE);
        let (mut velocity_change, mut momentum_change) = ((0, 0.0), (0, 0.0));
        for i in 0..bodies.len() {
            let force = old * state.wrenches.force.get(i) + new * next.wrenches.force.get(i);
            let torque = old * state.wrenches.torque.get(i) + new * next.wrenches.torque.get(i);
            let impulse = h * bodies.inverse_mass()[i] * force;
            let velocity = state.velocity.get(i) + impulse;
            let momentum = state.angular_momentum.get(i) + h * torque;
            velocity_scale = velocity_scale.max(size(velocity)).max(size(impulse));
            momentum_scale = momentum_scale.max(size(momentum)).max(size(h * torque));
            larger(&mut velocity_change, i, size(velocity - next.velocity.get(i)));
            larger(&mut momentum_change, i, size(momentum - next.angular_momentum.get(i)));
            let (inertia, inverse) = (bodies.inertia().get(i), bodies.inverse_inertia().get(i));
            let turned = Turn::Cayley.one(h, inertia, inverse, momentum, state.attitude.get(i));
            let turned = turned.map_err(|_: Fault| IntegrateError::ForceNotFinite { body: i, force, torque })?;
            next.velocity.set(i, velocity);
            next.angular_momentum.set(i, momentum);
            next.position.set(i, state.position.get(i) + h * velocity);
            next.attitude.set(i, turned);
        }
        let velocity = velocity_change.1 / velocity_scale;
        let momentum = momentum_change.1 / momentum_scale;
        Ok(if velocity >= momentum { (velocity_change.0, velocity) } else { (momentum_change.0, momentum) })
    }
}

/// The largest component.
fn size(vector: DVec3) -> f64 {
    vector.abs().max_element()
}

/// Keeps the larger value with its body; NaN counts as the largest.
fn larger(kept: &mut (usize, f64), body: usize, value: f64) {
    if value > kept.1 || value.is_nan() {
        *kept = (body, value);
    }
}

impl Integrator for Implicit {
    fn scheme(&self) -> Scheme {
        let explicit = self.weight >= 1.0;
        Scheme { dt: self.dt, order: 1, symplectic: explicit, reversible: false }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        state.check_length(bodies.len())?;
        bodies.check_spherical()?;
        if self.next.len() != bodies.len() {
            self.next = State::at_rest(bodies.len());
        }
        let evaluations = ensure_wrenches(bodies, field, state)?;
        if let Some(error) = explain(bodies, state) {
            return Err(error);
        }
        // The guess: forces do not change over the step.
        self.next.wrenches.force.copy_from(&state.wrenches.force);
        self.next.wrenches.torque.copy_from(&state.wrenches.torque);
        self.next.set_time_after(state, self.dt);
        let mut worst = (0, f64::INFINITY);
        for iterations in 0..MAX_ITERATIONS {
            let change = self.iterate(bodies, state)?;
            evaluate(bodies, field, &mut self.next, self.dt)?;
            if let Some(error) = explain(bodies, &self.next) {
                return Err(error);
            }
            let explicit = self.weight >= 1.0;
            if explicit || (iterations > 0 && change.1 <= TOLERANCE) {
                std::mem::swap(state, &mut self.next);
                field.commit();
                return Ok(StepReport { evaluations: evaluations + iterations + 1, iterations });
            }
            worst = change;
        }
        Err(IntegrateError::NotConverged { body: worst.0, iterations: MAX_ITERATIONS, residual: worst.1 })
    }
}
