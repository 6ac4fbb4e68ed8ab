//! Refusals of keys that cannot be combined with a box that deforms.

use dem_contact::source::GateShape;

use super::drives::key_of_motion;
use super::parts::Handover;
use crate::error::GrainsError;
use crate::plan::{Plan, PlannedStage};
use crate::scene::Scene;

/// Refuses keys that need a box of constant shape, if the box deforms in any stage.
///
/// # Errors
/// [`GrainsError::Conflict`].
pub(crate) fn refuse_beside_a_box_that_deforms(
    scene: &Scene,
    plan: &Plan,
    handover: &Handover,
) -> Result<(), GrainsError> {
    if !scene.deforms_in_any_stage() {
        return Ok(());
    }
    if scene.ties.is_some() {
        return Err(GrainsError::conflict("ties", "cannot be used in a box that deforms: leave them out"));
    }
    if handover.ties.is_some() {
        let problem = "the bodies of the `start` have ties, which cannot be used in a box that deforms";
        return Err(GrainsError::conflict("start", problem));
    }
    if let Some(gate) = scene.gates.iter().position(|gate| !matches!(gate.shape, GateShape::Plane { .. })) {
        let key = format!("gates[{gate}].shape");
        return Err(GrainsError::conflict(key, "must be a `plane` in a box that deforms"));
    }
    for (index, measure) in scene.measures.iter().enumerate() {
        let given = [("region", measure.region.is_some()), ("grid", measure.grid.is_some())];
        let problem = "cannot be used in a box that deforms: leave it out";
        GrainsError::refuse_given(&format!("measure[{index}]"), &given, problem)?;
    }
    plan.stages.iter().try_for_each(|stage| {
        refuse_stage(&stage.scene).map_err(|error| stage.locate(error))?;
        refuse_pressure_on_the_box(stage)
    })
}

/// Refuses integrators that cannot deform the box, and walls in a box with a servo, which reads forces between bodies
/// only.
fn refuse_stage(scene: &Scene) -> Result<(), GrainsError> {
    if !scene.integrator.is_explicit() {
        let problem = "a box deforms with explicit integrators only: write `\"verlet\"` in all stages";
        return Err(GrainsError::conflict("integrator", problem));
    }
    if !scene.walls.is_empty() && scene.simulation_box.as_ref().is_some_and(|space| space.motion().servo.is_some()) {
        let problem = "the servo of a box reads forces between bodies only: leave out all walls";
        return Err(GrainsError::conflict("box.servo", problem));
    }
    Ok(())
}

/// Refuses servos of walls with a pressure but without an area, since the cross section of the box changes.
fn refuse_pressure_on_the_box(stage: &PlannedStage) -> Result<(), GrainsError> {
    for (index, wall) in stage.scene.walls.iter().enumerate() {
        if wall.drive.servo.as_ref().is_some_and(|servo| servo.pressure.is_some() && servo.area.is_none()) {
            let key = format!("{}.servo", key_of_motion(stage, index));
            let problem = "needs an `area`, since the cross section of a box that deforms changes";
            return Err(GrainsError::conflict(key, problem));
        }
    }
    Ok(())
}
