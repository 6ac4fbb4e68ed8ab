use rrp_geom::glam::DVec3;

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;
use crate::kernel::turn::Turn;
use crate::step::evaluation::{evaluate, explain};
use crate::step::integrator::{Integrator, Scheme, StepReport, check_time_step};
use crate::step::trial::Trial;

/// Fixed-point iterations after which an implicit step fails.
const MAX_ITERATIONS: usize = 200;

/// Relative change of velocities and angular momenta at which the fixed-point iteration stops: a few last bits.
const TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// The map `[BG21] (26)` of order 1 for spheres: v' = v + h/m [φ F + (1−φ) F'], x' = x + h v', and angular momenta
/// likewise, then [`Turn::Cayley`]. F and F' are the forces at the start and at the end of a step of length h, φ is the
/// weight of F.
///
/// For φ = 1 the map is explicit and symplectic, (27); for φ < 1 it is not symplectic, and dissipates. Fixed-point
/// iteration from the explicit guess solves the equations, and converges for h below about 1/√(1−φ) over the highest
/// angular frequency.
#[derive(Debug, Clone)]
pub struct ImplicitRodrigues {
    dt: f64,
    weight: f64,
    next: State,
}

impl ImplicitRodrigues {
    /// Makes the map with the weight φ = `weight` ∈ [0, 1] of the force at the start of the step; `dt` in s.
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
}

/// Largest change of a velocity or angular momentum in one fixed-point iteration, by which convergence is judged.
struct Change {
    /// Number of the body that changed most in the fixed-point iteration.
    body: usize,
    /// Change of the velocity of the body in the last iteration over the largest speed of any body; for rotations the
    /// change of its angular momentum over the largest angular momentum.
    relative: f64,
    /// Largest change of any body, relative to the change that moves positions and attitudes by their last bits.
    rounded: f64,
}

struct FixedPoint<'a> {
    h: f64,
    weight: f64,
    bodies: &'a Bodies,
}

impl FixedPoint<'_> {
    /// Iterates until `next` solves the implicit equations of the step from `state`, which has current wrenches.
    fn solve(&self, field: &mut dyn ForceField, state: &State, next: &mut State) -> Result<StepReport, IntegrateError> {
        if let Some(error) = explain(self.bodies, state) {
            return Err(error);
        }
        next.wrenches.force.copy_from(&state.wrenches.force);
        next.wrenches.torque.copy_from(&state.wrenches.torque);
        next.set_time_after(state, self.h);
        let mut last = f64::INFINITY;
        let mut worst = 0;
        for iterations in 0..MAX_ITERATIONS {
            let change = self.iterate(state, next)?;
            evaluate(self.bodies, field, next, self.h)?;
            if let Some(error) = explain(self.bodies, next) {
                return Err(error);
            }
            // Forces depend on positions and attitudes. Once only the rounding of these changes, iteration improves
            // nothing.
            let stagnant = change.relative >= last && change.rounded <= 1.0;
            if self.weight >= 1.0 || (iterations > 0 && (change.relative <= TOLERANCE || stagnant)) {
                return Ok(StepReport { evaluations: iterations + 1, iterations });
            }
            (last, worst) = (change.relative, change.body);
        }
        Err(IntegrateError::NotConverged { body: worst, iterations: MAX_ITERATIONS, residual: last })
    }

    /// Moves bodies from `state` to `next` by weighted forces and torques: those at `state`, and the latest at `next`.
    fn iterate(&self, state: &State, next: &mut State) -> Result<Change, IntegrateError> {
        let h = self.h;
        let old = self.weight;
        let new = 1.0 - self.weight;
        let bodies = self.bodies;
        let mut velocity_scale = f64::MIN_POSITIVE;
        let mut momentum_scale = f64::MIN_POSITIVE;
        let mut velocity_change = (0, 0.0);
        let mut momentum_change = (0, 0.0);
        let mut position_scale = 0.0_f64;
        let mut inertia_scale = 0.0_f64;
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
            let inertia = bodies.inertia().get(i);
            let inverse = bodies.inverse_inertia().get(i);
            position_scale = position_scale.max(size(state.position.get(i)));
            if inertia.x.is_finite() {
                inertia_scale = inertia_scale.max(inertia.x);
            }
            let turned = Turn::Cayley.one(h, inertia, inverse, momentum, state.attitude.get(i));
            let column = "angular momentum";
            let fault = |_| IntegrateError::StateNotFinite { column, body: i, value: momentum };
            next.attitude.set(i, turned.map_err(fault)?.attitude);
            next.velocity.set(i, velocity);
            next.angular_momentum.set(i, momentum);
            next.position.set(i, state.position.get(i) + h * velocity);
        }
        let change = |(body, change): (usize, f64), scale: f64, rounded: f64| Change {
            body,
            relative: change / scale,
            rounded: change / (TOLERANCE * scale.max(rounded)),
        };
        let velocity = change(velocity_change, velocity_scale, position_scale / h);
        let momentum = change(momentum_change, momentum_scale, inertia_scale / h);
        let (worst, other) =
            if velocity.relative >= momentum.relative { (velocity, momentum) } else { (momentum, velocity) };
        Ok(Change { rounded: worst.rounded.max(other.rounded), ..worst })
    }
}

fn size(vector: DVec3) -> f64 {
    vector.abs().max_element()
}

/// Keeps the larger of two changes with its body; NaN counts as the largest.
fn larger(kept: &mut (usize, f64), body: usize, value: f64) {
    if value > kept.1 || value.is_nan() {
        *kept = (body, value);
    }
}

impl Integrator for ImplicitRodrigues {
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
        bodies.check_spherical()?;
        state.check_attitudes()?;
        let trial = Trial::begin(bodies, field, state, &mut self.next)?;
        trial.next.angular_momentum.resize(bodies.len());
        let step = FixedPoint { h: self.dt, weight: self.weight, bodies };
        let report = step.solve(field, trial.state, trial.next)?;
        Ok(trial.accept(field, report))
    }
}
