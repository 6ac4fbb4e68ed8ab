use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;
use crate::step::evaluation::{evaluate, explain};
use crate::step::integrator::StepReport;
use crate::step::trial::Trial;

/// Takes one step of length `dt` (s) from `state`, for integrators of other crates; `advance` moves the bodies.
///
/// `advance` gets the state, with current [wrenches](State::wrenches), and the next state, which has arbitrary
/// contents. It must write all positions, attitudes, velocities and angular momenta of the next state, and return its
/// number of iterations. Then the field is evaluated at the next state, and commits. `next` belongs to the integrator
/// and is exchanged with `state`.
///
/// # Errors
/// Those of the field and of `advance`, [`IntegrateError::LengthMismatch`], or the error of the first value that is not
/// finite. The state, its wrenches and the committed history of the field are then as before, to the bit, also if the
/// field or `advance` panics.
pub fn take_step(
    bodies: &Bodies,
    field: &mut dyn ForceField,
    state: &mut State,
    next: &mut State,
    dt: f64,
    advance: impl FnOnce(&State, &mut State) -> Result<usize, IntegrateError>,
) -> Result<StepReport, IntegrateError> {
    let trial = Trial::begin(bodies, field, state, next)?;
    trial.next.angular_momentum.resize(bodies.len());
    explain(bodies, trial.state).map_or(Ok(()), Err)?;
    let iterations = advance(trial.state, trial.next)?;
    trial.next.check_length(bodies.len())?;
    trial.next.set_time_after(trial.state, dt);
    evaluate(bodies, field, trial.next, dt)?;
    explain(bodies, trial.next).map_or(Ok(()), Err)?;
    Ok(trial.accept(field, StepReport { evaluations: 1, iterations }))
}
