//! What is not done on several ranks: a scene that has it is refused before anything runs.

use crate::build::damping::damping;
use crate::build::parts::Handover;
use crate::error::{GrainsError, Location};
use crate::plan::{Plan, PlannedStage};
use crate::progress::drivers::Driver;
use crate::scene::walls::WallShape;

/// Refuses a scene with what is not done on several ranks. `present` is what its engine has now, `drivers` move groups
/// of fixed bodies.
///
/// # Errors
/// [`GrainsError::Conflict`] with the key.
pub(crate) fn refuse(plan: &Plan, present: &Handover, drivers: &[Driver]) -> Result<(), GrainsError> {
    let in_stage =
        |stage: &PlannedStage| stage.motions.first().map(|(name, _)| stage.key_of(&format!("bodies.{name}")));
    let from_start = drivers.first().map(|driver| format!("bodies[{}]", driver.group));
    if let Some(key) = plan.stages.iter().find_map(in_stage).or(from_start) {
        return conflict(&key, "several ranks know no grains that are driven yet: run it without `--ranks`");
    }
    plan.stages.iter().try_for_each(|stage| refuse_stage(stage).map_err(|error| stage.locate(error)))?;
    let scene = &plan.stages[0].scene;
    for (key, is_given, is_there) in [
        ("bonds", scene.bonds.is_some(), present.bonds.is_some()),
        ("ties", scene.ties.is_some(), present.ties.is_some()),
        ("liquid", scene.liquid.is_some(), present.moisture.is_some()),
    ] {
        if is_given || is_there {
            return conflict(
                if is_given { key } else { "start" },
                "several ranks know no bonds, ties and liquid yet: run it without `--ranks`",
            );
        }
    }
    Ok(())
}

fn refuse_stage(stage: &PlannedStage) -> Result<(), GrainsError> {
    let scene = &stage.scene;
    if !scene.integrator.is_explicit() {
        return conflict(
            "integrator",
            "several ranks take explicit steps only: `verlet`, `rodrigues-23`, `rodrigues-25`",
        );
    }
    if damping(scene)?.is_some() {
        return conflict("global-damping", "several ranks know no damping of all motion yet: run it without `--ranks`");
    }
    if scene.deforms_in_any_stage() {
        return conflict("box", "several ranks know no box that deforms yet: run it without `--ranks`");
    }
    for (group, wall) in scene.walls.iter().enumerate() {
        if matches!(wall.shape, WallShape::Elastic { .. }) {
            return conflict(
                &format!("walls[{group}]"),
                "several ranks know no elastic walls yet: run it without `--ranks`",
            );
        }
        if wall.drive.servo.is_some() {
            return conflict(
                &stage.key_of_wall(group),
                "several ranks know no walls that are driven by their load yet: run it without `--ranks`",
            );
        }
    }
    Ok(())
}

fn conflict(key: &str, problem: &'static str) -> Result<(), GrainsError> {
    Err(GrainsError::Conflict { at: Location::of(key), problem })
}
