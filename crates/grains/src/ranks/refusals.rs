//! What is not done on several ranks: a scene that has it is refused before anything runs.

use crate::error::{GrainsError, Location};
use crate::plan::{Plan, PlannedStage};
use crate::scene::bodies::BodyMotion;

/// Refuses a scene with what is not done on several ranks.
///
/// # Errors
/// [`GrainsError::Conflict`] with the key.
pub(crate) fn refuse(plan: &Plan) -> Result<(), GrainsError> {
    plan.stages.iter().try_for_each(|stage| refuse_stage(stage).map_err(|error| stage.locate(error)))
}

fn refuse_stage(stage: &PlannedStage) -> Result<(), GrainsError> {
    let scene = &stage.scene;
    if !scene.integrator.is_explicit() {
        return conflict(
            "integrator",
            "several ranks take explicit steps only: `verlet`, `rodrigues-23`, `rodrigues-25`",
        );
    }
    if stage.driven.iter().any(BodyMotion::turns) {
        return conflict("bodies", "several ranks know no fixed bodies with a `spin` yet: run it without `--ranks`");
    }
    Ok(())
}

fn conflict(key: &str, problem: &'static str) -> Result<(), GrainsError> {
    Err(GrainsError::Conflict { at: Location::of(key), problem })
}
