//! Forces at a state, checked, and what all steps have in common.

use rrp_geom::glam::DVec3;

use crate::{Bodies, ForceField, IntegrateError, State, StepReport, Wrenches};

/// Takes one step from `state` to `next` by `advance`, which finds current wrenches at `state`, and accepts it.
///
/// `advance` returns the force evaluations and iterations that it took; it makes room for angular momenta itself. If it fails, state,
/// wrenches and the memory of the field are as before.
pub(crate) fn step(
    bodies: &Bodies,
    field: &mut dyn ForceField,
    state: &mut State,
    next: &mut State,
    advance: impl FnOnce(&mut dyn ForceField, &State, &mut State) -> Result<StepReport, IntegrateError>,
) -> Result<StepReport, IntegrateError> {
    state.check_length(bodies.len())?;
    next.make_room_after(state);
    let fresh = refresh(bodies, field, state)?;
    match advance(field, state, next) {
        Ok(report) => {
            std::mem::swap(state, next);
            field.commit();
            Ok(StepReport { evaluations: report.evaluations + usize::from(fresh), ..report })
        }
        Err(error) => {
            // A state that came without wrenches leaves without: they may be what is wrong.
            state.wrenches_current = !fresh;
            Err(error)
        }
    }
}

/// Evaluates `field` at a state without wrenches; returns whether it had none.
pub(crate) fn refresh(bodies: &Bodies, field: &mut dyn ForceField, state: &mut State) -> Result<bool, IntegrateError> {
    let fresh = !state.wrenches_current;
    if fresh {
        evaluate(bodies, field, state, 0.0)?;
    }
    Ok(fresh)
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
    if wrenches.check_length(bodies.len()).is_err() {
        wrenches = Wrenches::zeros(bodies.len());
    }
    wrenches.force.set_aside();
    wrenches.torque.set_aside();
    let outcome = field.accumulate(bodies, state, elapsed, &mut wrenches);
    let length = wrenches.check_length(bodies.len());
    if outcome.is_ok() && length.is_ok() {
        for &body in bodies.fixed() {
            wrenches.force.set(body, DVec3::ZERO);
            if !wrenches.torque.is_untouched() {
                wrenches.torque.set(body, DVec3::ZERO);
            }
        }
        // Kicks want a column of forces, zero or not; torques they can do without.
        wrenches.force.touch();
    }
    state.wrenches = wrenches;
    outcome.map_err(IntegrateError::Field)?;
    length?;
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
