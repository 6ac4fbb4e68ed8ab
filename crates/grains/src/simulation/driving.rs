//! Driven groups of fixed bodies: look-up by name, and changes of motion at the start of a stage.

use dem_contact::bond::Bonds;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::error::GrainsError;
use crate::plan::{Plan, PlannedStage};
use crate::progress::drivers::Driver;
use crate::progress::groups::Groups;
use crate::scene::Scene;
use crate::scene::bodies::BodyMotion;
use crate::value::named;

/// Makes the drivers of groups of fixed bodies in `scene` that turn, or move by an oscillation or a table, from the
/// time of `state` on.
///
/// # Errors
/// For groups that cannot be driven, and for invalid motions; the error names the key.
pub(super) fn first_drivers(
    scene: &Scene,
    plan: &Plan,
    groups: &Groups,
    state: &State,
) -> Result<Vec<Driver>, GrainsError> {
    let mut drivers = Vec::new();
    for (index, group) in scene.bodies.iter().enumerate() {
        let Some(motion) = group.motion() else { continue };
        let key = format!("bodies[{index}]");
        if !group.fixed {
            let problem =
                "only fixed bodies move by an `oscillation`, a `table` or about a `pivot`: add `fixed = true`";
            return Err(GrainsError::conflict(key, problem));
        }
        refuse_other_integrators(plan, &motion, &key)?;
        refuse_bonds(plan, group.name.as_ref(), &motion, &key)?;
        let mut members = (0..state.len()).filter(|&body| groups.all()[body] == index as u32);
        if members.any(|body| state.velocity().get(body) != DVec3::from_array(group.velocity)) {
            let own = if group.velocities.is_empty() { "place.file.path" } else { "velocities" };
            let problem =
                "bodies of a group that turns or is driven have one velocity, its `velocity`: give each body a group";
            return Err(GrainsError::conflict(format!("{key}.{own}"), problem));
        }
        let mut driver = Driver::new(index as u32);
        driver.begin(&motion, state.time(), &key)?;
        drivers.push(driver);
    }
    Ok(drivers)
}

///
/// # Errors
/// For unknown groups and invalid motions; the error names the key.
pub(super) fn begin_stage(
    drivers: &mut Vec<Driver>,
    groups: &Groups,
    stage: &PlannedStage,
    time: f64,
) -> Result<(), GrainsError> {
    for (name, motion) in &stage.motions {
        let key = stage.key_of(&format!("bodies.{name}"));
        let group = named(groups.names(), name, &key)? as u32;
        let index = drivers.iter().position(|driver| driver.group == group).unwrap_or_else(|| {
            drivers.push(Driver::new(group));
            drivers.len() - 1
        });
        drivers[index].begin(motion, time, &key)?;
    }
    Ok(())
}

/// Reason, in an error, why fixed bodies with bonds do not turn.
const SPIN_BESIDE_BONDS: &str = "fixed bodies with a spin cannot have bonds, which would not turn with them";

/// Checks that the groups driven by stages exist, have only fixed bodies, and do not turn if the `start` has bonds.
///
/// # Errors
/// With the key of the stage.
pub(super) fn check_stages(
    plan: &Plan,
    groups: &Groups,
    bodies: &Bodies,
    bonds_of_start: Option<&Bonds>,
) -> Result<(), GrainsError> {
    for stage in &plan.stages {
        begin_stage(&mut Vec::new(), groups, stage, 0.0)?;
        for (name, motion) in &stage.motions {
            let key = stage.key_of(&format!("bodies.{name}"));
            refuse_other_integrators(plan, motion, &key)?;
            refuse_bonds(plan, Some(name), motion, &key)?;
            let group = named(groups.names(), name, &key)? as u32;
            let is_bonded = |bonds: &Bonds| bonds.intact_pairs().flatten().any(|body| groups.all()[body] == group);
            if motion.turns() && bonds_of_start.is_some_and(is_bonded) {
                return Err(GrainsError::conflict(format!("{key}.spin"), SPIN_BESIDE_BONDS));
            }
            let mut members = (0..bodies.len()).filter(|&body| groups.all()[body] == group).peekable();
            if members.peek().is_none() || members.any(|body| bodies.inverse_mass()[body] > 0.0) {
                let problem = "only groups of fixed bodies are driven: add `fixed = true` to its `[[bodies]]`";
                return Err(GrainsError::conflict(key, problem));
            }
        }
    }
    Ok(())
}

/// Refuses a motion that turns a group whose bodies have bonds in at least one stage. Fixed bodies keep their attitudes,
/// so their bonds would not turn with the group.
fn refuse_bonds(plan: &Plan, name: Option<&String>, motion: &BodyMotion, key: &str) -> Result<(), GrainsError> {
    let is_of = |names: &[String; 2]| name.is_some_and(|name| names.contains(name));
    let bonds = plan.stages.last().map_or(&[][..], |last| last.scene.bonds.all());
    let has_bonds = bonds.iter().any(|group| group.between.as_ref().is_none_or(is_of));
    if !has_bonds || !motion.turns() {
        return Ok(());
    }
    Err(GrainsError::conflict(format!("{key}.spin"), SPIN_BESIDE_BONDS))
}

fn refuse_other_integrators(plan: &Plan, motion: &BodyMotion, key: &str) -> Result<(), GrainsError> {
    if plan.is_explicit() {
        return Ok(());
    }
    if motion.turns() {
        let problem = "fixed bodies spin with explicit integrators only: leave it out, or take `verlet` in all stages";
        return Err(GrainsError::conflict(format!("{key}.spin"), problem));
    }
    let problem = "groups of fixed bodies are driven with explicit integrators only, in all stages";
    Err(GrainsError::conflict(key, problem))
}
