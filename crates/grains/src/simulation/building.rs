//! Checks of a scene: its plan, the steps of its stages, and whether each later stage can begin.

use dem_contact::wall::Wall;

use crate::build::bodies::smallest_radius;
use crate::build::measures::{planned_measures, refuse_fragments_without_bonds};
use crate::build::parts::Parts;
use crate::build::situation::Situation;
use crate::build::sources::{PlannedSource, with_coming};
use crate::build::steps::{RecommendedStep, Steps, steps};
use crate::build::walls::check as check_walls;
use crate::build::{drives, speeds};
use crate::engine;
use crate::error::{GrainsError, Note};
use crate::plan::Plan;
use crate::progress::clock::Clock;
use crate::progress::walls::{StagedWall, begin_stage};
use crate::scene::Scene;
use crate::scene::measures::check_samples;

/// Checks outputs, motions and measures of all stages, without the bodies.
///
/// # Errors
/// For invalid keys.
pub(super) fn check_plan(scene: &Scene, plan: &Plan) -> Result<(), GrainsError> {
    plan.stages.iter().try_for_each(|stage| stage.scene.output.check().map_err(|error| stage.locate(error)))?;
    plan.stages.iter().try_for_each(drives::check)?;
    planned_measures(scene)?;
    refuse_fragments_without_bonds(scene)
}

/// The steps of all stages, as far as known at the start.
pub(super) struct PlannedSteps {
    pub(super) clock: Clock,
    pub(super) first_recommended: Option<RecommendedStep>,
    pub(super) notes: Vec<Note>,
}

/// Plans the steps of all stages for the bodies of `situation` and those of `sources`.
///
/// # Errors
/// For invalid steps, durations and samples; the error names the key.
pub(super) fn planned_steps(
    plan: &Plan,
    sources: &[PlannedSource],
    situation: &Situation<'_>,
    quick: bool,
) -> Result<PlannedSteps, GrainsError> {
    let mut first = None;
    let mut notes = Vec::new();
    let mut steps_of_all = 0_u64;
    for stage in &plan.stages {
        let driven = speeds::driven_groups(&stage.driven, situation.state);
        let situation = Situation { driven, ..*situation };
        let planned = with_coming(&stage.scene, sources, &situation, |all| steps(&stage.scene, all, quick));
        let planned = planned.map_err(|error| stage.locate(error))?;
        check_samples(&stage.scene.measures, planned.dt)?;
        notes.extend(planned.note.clone().map(|note| stage.locate_note(note)).filter(|it| !notes.contains(it)));
        steps_of_all = steps_of_all.saturating_add(planned.count);
        first.get_or_insert(planned);
    }
    let Some(Steps { dt, count, recommended, .. }) = first else {
        return Err(GrainsError::conflict("stage", "there is no stage"));
    };
    let clock = Clock { step: 0, steps: steps_of_all, stage: 0, stages: plan.stages.len(), first: 0, last: count, dt };
    Ok(PlannedSteps { clock, first_recommended: recommended, notes })
}

/// Checks that an engine can be built for each later stage, so that errors are reported before the first step. `walls`
/// and `dt` (s) are those of the first stage.
///
/// # Errors
/// For the first stage that cannot begin, with its key.
pub(super) fn check_later_stages(
    plan: &Plan,
    mut walls: Vec<StagedWall>,
    situation: &Situation<'_>,
    dt: f64,
    quick: bool,
) -> Result<(), GrainsError> {
    let mut time = situation.state.time();
    for (before, stage) in plan.stages.iter().zip(&plan.stages[1..]) {
        time += before.scene.duration(quick);
        begin_stage(&mut walls, stage, time)?;
        let acting: Vec<Wall> = walls.iter().map(StagedWall::as_it_acts).collect();
        check_walls(&stage.scene, &acting, |group| stage.key_of_wall(group))?;
        let built = Parts::bare(&stage.scene, smallest_radius(situation.bodies)).and_then(|mut parts| {
            parts.contacts.walls = acting;
            parts.contacts.materials.walls.clone_from(&situation.materials.walls);
            engine::build(&stage.scene, parts, dt)
        });
        built.map_err(|error| stage.locate(error))?;
    }
    Ok(())
}
