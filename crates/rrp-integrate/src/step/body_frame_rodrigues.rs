use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;
use crate::kernel::rigid::Fault;
use crate::kernel::turn::Turn;
use crate::step::evaluation::{evaluate, explain};
use crate::step::integrator::{Integrator, Scheme, StepReport, check_time_step};
use crate::step::trial::Trial;

/// The map `[BG21] (21)`: [`Map::Rodrigues23`](crate::Map::Rodrigues23) with spins and torques in the body frame.
///
/// The map serves as a check: it differs from (23) only by rounding, but is slower, since it converts to the body frame
/// and back.
#[derive(Debug, Clone)]
pub struct BodyFrameRodrigues {
    dt: f64,
    next: State,
}

impl BodyFrameRodrigues {
    /// Makes an integrator of the body-frame map `[BG21] (21)` with the time step `dt` in s.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidTimeStep`] unless `dt` is finite and positive.
    pub fn new(dt: f64) -> Result<Self, IntegrateError> {
        check_time_step(dt)?;
        Ok(Self { dt, next: State::at_rest(0) })
    }
}

impl Integrator for BodyFrameRodrigues {
    fn scheme(&self) -> Scheme {
        Scheme { dt: self.dt, order: 2, symplectic: true, reversible: true }
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
        let report = advance(self.dt, bodies, field, trial.state, trial.next)?;
        Ok(trial.accept(field, report))
    }
}

fn advance(
    h: f64,
    bodies: &Bodies,
    field: &mut dyn ForceField,
    state: &State,
    next: &mut State,
) -> Result<StepReport, IntegrateError> {
    if let Some(error) = explain(bodies, state) {
        return Err(error);
    }
    for i in 0..bodies.len() {
        if bodies.inverse_mass()[i] <= 0.0 {
            next.position.set(i, state.position.get(i) + h * state.velocity.get(i));
            next.velocity.set(i, state.velocity.get(i));
            next.attitude.set(i, state.attitude.get(i));
            next.angular_momentum.set(i, state.angular_momentum.get(i));
            continue;
        }
        let mass = bodies.mass()[i];
        let inertia = bodies.inertia().get(i).x;
        let attitude = state.attitude.get(i);
        let velocity = state.velocity.get(i) + h / (2.0 * mass) * state.wrenches.force.get(i);
        let moment = attitude.rotate_inverse(state.wrenches.torque.get(i));
        let omega = attitude.rotate_inverse(state.angular_momentum.get(i)) / inertia + h / (2.0 * inertia) * moment;
        // (21b): the increment R_k [ω + h/2J M]; R_k p is J⁻¹ times the momentum at the middle of the step.
        let momentum = inertia * attitude.rotate(omega);
        let moments = bodies.inertia().get(i);
        let inverse = bodies.inverse_inertia().get(i);
        let turned = Turn::Legendre.one(h, moments, inverse, momentum, attitude);
        let turned = turned.map_err(|fault| match fault {
            Fault::TooLarge { sine } => IntegrateError::TurnTooLarge { body: i, turn: sine, dt_limit: h / sine },
            _ => IntegrateError::StateNotFinite { column: "angular momentum", body: i, value: momentum },
        })?;
        // (21a), and the first halves of (21c) and (21d).
        next.position.set(i, state.position.get(i) + h * velocity);
        next.velocity.set(i, velocity);
        next.attitude.set(i, turned.attitude);
        next.angular_momentum.set(i, momentum);
    }
    next.set_time_after(state, h);
    evaluate(bodies, field, next, h)?;
    for i in 0..bodies.len() {
        let mass = bodies.mass()[i];
        let attitude = next.attitude.get(i);
        next.velocity.add(i, h / (2.0 * mass) * next.wrenches.force.get(i));
        let moment = attitude.rotate_inverse(next.wrenches.torque.get(i));
        // J ω' = R_{k+1}ᵀ R_k J p + h/2 M_{k+1}
        let momentum = attitude.rotate_inverse(next.angular_momentum.get(i)) + 0.5 * h * moment;
        next.angular_momentum.set(i, attitude.rotate(momentum));
    }
    if let Some(error) = explain(bodies, next) {
        return Err(error);
    }
    Ok(StepReport { evaluations: 1, iterations: 0 })
}
