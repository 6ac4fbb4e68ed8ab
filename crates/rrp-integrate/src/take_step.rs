//! What integrators of other crates share with those of this one.

use crate::evaluation::{self, evaluate, explain};
use crate::{Bodies, ForceField, IntegrateError, State, StepReport};

/// Takes one step of length `dt` (s) from `state` by `advance`: for integrators with a step of their own.
///
/// `advance` gets the state, whose [wrenches](State::wrenches) are those of `field` there, and the next state to write
/// positions, attitudes, velocities and angular momenta to, all of them: what it finds there is left over from elsewhere.
/// It returns the iterations that it took. The field is then evaluated at the next state, for the step that follows, and
/// told to commit; `next` belongs to the integrator and is exchanged with `state`.
///
/// # Errors
/// Those of the field and of `advance`, [`IntegrateError::LengthMismatch`], or whichever tells what is not finite; the state
/// and the committed memory of the field are then as before.
pub fn take_step(
    bodies: &Bodies,
    field: &mut dyn ForceField,
    state: &mut State,
    next: &mut State,
    dt: f64,
    advance: impl FnOnce(&State, &mut State) -> Result<usize, IntegrateError>,
) -> Result<StepReport, IntegrateError> {
    evaluation::step(bodies, field, state, next, |field, state, next| {
        next.angular_momentum.resize(state.len());
        explain(bodies, state).map_or(Ok(()), Err)?;
        let iterations = advance(state, next)?;
        next.check_length(bodies.len())?;
        next.set_time_after(state, dt);
        evaluate(bodies, field, next, dt)?;
        explain(bodies, next).map_or(Ok(()), Err)?;
        Ok(StepReport { evaluations: 1, iterations })
    })
}
