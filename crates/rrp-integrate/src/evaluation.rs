//! Forces at a state, checked.

use rrp_geom::glam::DVec3;

use crate::{Bodies, ForceField, IntegrateError, State, Wrenches};

/// Evaluates `field` at `state` into the state's own wrenches, unless they are there already; returns the evaluations.
pub(crate) fn ensure_wrenches(
    bodies: &Bodies,
    field: &mut dyn ForceField,
    state: &mut State,
) -> Result<usize, IntegrateError> {
    if state.wrenches_current {
        return Ok(0);
    }
    evaluate(bodies, field, state, 0.0)?;
    if let Some(error) = first_bad_wrench(&state.wrenches) {
        // Or the next step would take these for good, whatever the field says then.
        state.wrenches_current = false;
        return Err(error);
    }
    Ok(1)
}

/// Evaluates `field` at `state` into the state's own wrenches.
pub(crate) fn evaluate(
    bodies: &Bodies,
    field: &mut dyn ForceField,
    state: &mut State,
    elapsed: f64,
) -> Result<(), IntegrateError> {
    state.wrenches_current = false;
    // The field reads the state while it writes the wrenches, so they step out of it meanwhile.
    let mut wrenches = std::mem::take(&mut state.wrenches);
    wrenches.clear();
    let outcome = field.accumulate(bodies, state, elapsed, &mut wrenches);
    let found = wrenches.len();
    state.wrenches = if found == bodies.len() { wrenches } else { Wrenches::zeros(bodies.len()) };
    outcome.map_err(IntegrateError::Field)?;
    if found != bodies.len() {
        return Err(IntegrateError::LengthMismatch { column: "wrenches", expected: bodies.len(), found });
    }
    state.wrenches_current = true;
    Ok(())
}

/// The first body with a force or torque that is not finite.
pub(crate) fn first_bad_wrench(wrenches: &Wrenches) -> Option<IntegrateError> {
    let rows = wrenches.force.iter().zip(wrenches.torque.iter()).enumerate();
    rows.into_iter()
        .find(|(_, (force, torque))| !(force.is_finite() && torque.is_finite()))
        .map(|(body, (force, torque))| IntegrateError::ForceNotFinite { body, force, torque })
}

/// Why a step from or to `state` went wrong: a bad wrench or a bad value of the state.
pub(crate) fn explain(bodies: &Bodies, state: &State) -> Option<IntegrateError> {
    first_bad_wrench(&state.wrenches).or_else(|| state.check(bodies).err())
}

/// The value of `next` that finite forces at a finite state have carried beyond the range of f64.
pub(crate) fn overflow(bodies: &Bodies, next: &State) -> IntegrateError {
    let lost = IntegrateError::StateNotFinite { column: "attitude", body: 0, value: DVec3::NAN };
    next.check(bodies).err().unwrap_or(lost)
}
