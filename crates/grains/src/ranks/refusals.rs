//! What is not done on several ranks: a scene that has it is refused before anything runs.

use crate::error::{GrainsError, Location};
use crate::plan::{Plan, PlannedStage};

/// Refuses a scene with what is not done on several ranks.
///
/// # Errors
/// [`GrainsError::Conflict`] with the key.
pub(crate) fn refuse(plan: &Plan) -> Result<(), GrainsError> {
    for stage in &plan.stages {
        refuse_steps(stage).map_err(|error| stage.locate(error))?;
    }
    Ok(())
}

fn refuse_steps(stage: &PlannedStage) -> Result<(), GrainsError> {
    let scene = &stage.scene;
    if !scene.integrator.is_explicit() {
        return conflict(
            "integrator",
            "several ranks take explicit steps only: `verlet`, `rodrigues-23`, `rodrigues-25`",
        );
    }
    Ok(())
}

fn conflict(key: &str, problem: &'static str) -> Result<(), GrainsError> {
    Err(GrainsError::Conflict { at: Location::of(key), problem })
}
