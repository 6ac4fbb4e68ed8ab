//! What does not go together with a box that deforms.

use super::drives::key_of_motion;
use super::parts::Handover;
use crate::error::{GrainsError, Location};
use crate::plan::{Plan, PlannedStage};
use crate::scene::Scene;
use crate::scene::sources::GateRegion;

/// Refuses what knows a box that stands still only, where the box deforms in any stage.
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
        return conflict("ties".to_owned(), "hold bodies together in a box that stands still only");
    }
    if handover.ties.is_some() {
        return conflict("start".to_owned(), "has ties, which hold bodies together in a box that stands still only");
    }
    if let Some(gate) = scene.gates.iter().position(|gate| !matches!(gate.shape, GateRegion::Plane { .. })) {
        return conflict(format!("gates[{gate}].shape"), "must be a plane beside a box that deforms");
    }
    for (index, measure) in scene.measures.iter().enumerate() {
        for (key, given) in [("region", measure.region.is_some()), ("grid", measure.grid.is_some())] {
            if given {
                return conflict(format!("measure[{index}].{key}"), "measures in a box that stands still only");
            }
        }
    }
    plan.stages.iter().try_for_each(refuse_stage)
}

fn refuse_stage(stage: &PlannedStage) -> Result<(), GrainsError> {
    let scene = &stage.scene;
    if !scene.integrator.is_explicit() {
        let refused =
            conflict("integrator".to_owned(), "a box deforms beside explicit integrators only, in all stages");
        return refused.map_err(|error| stage.locate(error));
    }
    if !scene.walls.is_empty() && scene.simulation_box.is_some_and(|space| space.motion().servo.is_some()) {
        let refused = conflict("box.servo".to_owned(), "follows the forces between bodies: leave out the walls");
        return refused.map_err(|error| stage.locate(error));
    }
    for (index, wall) in scene.walls.iter().enumerate() {
        if wall.drive.servo.as_ref().is_some_and(|servo| servo.pressure.is_some() && servo.area.is_none()) {
            let key = format!("{}.servo", key_of_motion(stage, index));
            return conflict(key, "needs an `area`: that of the box changes");
        }
    }
    Ok(())
}

fn conflict(key: String, problem: &'static str) -> Result<(), GrainsError> {
    Err(GrainsError::Conflict { at: Location::of(key), problem })
}
