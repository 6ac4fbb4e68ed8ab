//! Checks that several ranks can run a scene.

use crate::error::GrainsError;
use crate::plan::{Plan, PlannedStage};

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
    if stage.scene.integrator.is_explicit() {
        return Ok(());
    }
    let problem = "several ranks take explicit steps only: `verlet`, `rodrigues-23`, `rodrigues-25`";
    Err(GrainsError::conflict("integrator", problem))
}
