use rrp_geom::glam::DVec3;

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;

/// Evaluates the forces and torques of `field` at `state` and stores them in the state. Steps do so themselves; use
/// this function for a state of new bodies, see [`Renumbering::apply_with`](crate::Renumbering::apply_with).
///
/// # Errors
/// Those of the field, and [`IntegrateError::LengthMismatch`]. The state then has no wrenches.
pub fn evaluate_wrenches(bodies: &Bodies, field: &mut dyn ForceField, state: &mut State) -> Result<(), IntegrateError> {
    state.check_length(bodies.len())?;
    evaluate(bodies, field, state, 0.0)
}

/// Evaluates `field` at `state`, `elapsed` (s) after the last [`commit`](ForceField::commit), and stores the wrenches
/// in the state. After a failure the state has no current wrenches.
pub(crate) fn evaluate(
    bodies: &Bodies,
    field: &mut dyn ForceField,
    state: &mut State,
    elapsed: f64,
) -> Result<(), IntegrateError> {
    state.wrenches_current = false;
    // The field reads the state while it writes the wrenches, so the wrenches are taken out of the state.
    let mut wrenches = std::mem::take(&mut state.wrenches);
    if wrenches.check_length(bodies.len()).is_err() {
        wrenches = Wrenches::zeros(bodies.len());
    }
    wrenches.clear();
    let outcome = field.accumulate(bodies, state, elapsed, &mut wrenches);
    let length = wrenches.check_length(bodies.len());
    if outcome.is_ok() && length.is_ok() {
        for &body in bodies.fixed() {
            wrenches.force.set(body, DVec3::ZERO);
            if !wrenches.torque.is_untouched() {
                wrenches.torque.set(body, DVec3::ZERO);
            }
        }
        // Kicks need stored forces, even if they are zero, but can do without torques.
        wrenches.force.touch();
    }
    state.wrenches = wrenches;
    outcome.map_err(IntegrateError::Field)?;
    length?;
    state.wrenches_current = true;
    Ok(())
}

pub(crate) fn first_bad_wrench(wrenches: &Wrenches) -> Option<IntegrateError> {
    let rows = wrenches.force.iter().zip(wrenches.torque.iter()).enumerate();
    rows.into_iter()
        .find(|(_, (force, torque))| !(force.is_finite() && torque.is_finite()))
        .map(|(body, (force, torque))| IntegrateError::ForceNotFinite { body, force, torque })
}

/// Finds why a step from or to `state` failed: a force, torque or value of the state that is not finite.
pub(crate) fn explain(bodies: &Bodies, state: &State) -> Option<IntegrateError> {
    first_bad_wrench(&state.wrenches).or_else(|| state.check(bodies).err())
}

/// Returns the error of the first value of `next` that overflowed in a step from a finite state with finite forces.
pub(crate) fn overflow(bodies: &Bodies, next: &State) -> IntegrateError {
    let lost = IntegrateError::StateNotFinite { column: "attitude", body: 0, value: DVec3::NAN };
    next.check(bodies).err().unwrap_or(lost)
}
