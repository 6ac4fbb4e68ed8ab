//! The stages of a scene as scenes of their own: what a run does one after another.

use crate::error::{GrainsError, Location};
use crate::scene::Scene;
use crate::scene::output::OutputPlan;
use crate::scene::stages::{Stage, StageEnd, StageOutput, WallChange};
use crate::scene::time::Timing;
use crate::scene::walls::{WallMotion, WallShape};
use crate::value::{direction, nearest_name, not_negative, positive, vector};

/// What a run does, stage after stage. There is at least one.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) stages: Vec<PlannedStage>,
}

/// One stage.
#[derive(Debug, Clone)]
pub(crate) struct PlannedStage {
    /// The whole scene as it is in this stage: its integrator, gravity, times, intervals and motions of walls.
    pub(crate) scene: Scene,
    /// When it ends before its time, and not before it has lasted so long, in s.
    pub(crate) end: Option<StageEnd>,
    pub(crate) at_least: f64,
    /// What becomes of the groups of walls, by their indices.
    pub(crate) changes: Vec<(usize, WallChange)>,
    /// Whether bodies move on as in the stage before: it changes nothing but what is written and how long.
    pub(crate) goes_on: bool,
    /// The key of the stage; none for a scene without stages.
    key: Option<String>,
    /// The keys that the stage itself has.
    own: Vec<&'static str>,
}

impl Plan {
    /// The stages of `scene`.
    ///
    /// # Errors
    /// For stages without meaning, with the key.
    pub(crate) fn new(scene: &Scene) -> Result<Self, GrainsError> {
        if scene.format != 1 {
            let range = "1, the only format that this program knows";
            return Err(GrainsError::OutOfRange { at: Location::of("format"), range, value: scene.format.into() });
        }
        check_names(scene)?;
        if scene.stages.is_empty() {
            let scene = without_bodies(scene);
            let (changes, own) = (Vec::new(), Vec::new());
            let only = PlannedStage { scene, end: None, at_least: 0.0, changes, goes_on: false, key: None, own };
            return Ok(Self { stages: vec![only] });
        }
        for (key, given) in [("duration", scene.time.duration.is_some()), ("quick", scene.time.quick.is_some())] {
            if given {
                let problem = "is given by each stage in a scene with stages";
                return Err(GrainsError::Conflict { at: Location::of(format!("time.{key}")), problem });
            }
        }
        let mut present = without_bodies(scene);
        let mut stages: Vec<PlannedStage> = Vec::with_capacity(scene.stages.len());
        for (index, stage) in scene.stages.iter().enumerate() {
            let planned = PlannedStage::new(&present, stage, index)?;
            present = planned.scene.clone();
            stages.push(planned);
        }
        Ok(Self { stages })
    }

    /// Which results are written in any stage.
    pub(crate) fn output(&self) -> OutputPlan {
        let mut all = self.stages[0].scene.output.clone();
        for PlannedStage { scene, .. } in &self.stages {
            let OutputPlan { series, contacts, frames, checkpoints, .. } = scene.output;
            all.series = all.series.or(series);
            all.contacts = all.contacts.or(contacts);
            all.frames = all.frames.or(frames);
            all.checkpoints = all.checkpoints.or(checkpoints);
        }
        all
    }

    /// Whether any wall moves in any stage.
    pub(crate) fn has_moving_walls(&self) -> bool {
        self.stages.iter().any(|stage| stage.scene.has_moving_walls())
    }

    /// Whether the steps of all stages are explicit.
    pub(crate) fn is_explicit(&self) -> bool {
        self.stages.iter().all(|stage| stage.scene.integrator.is_explicit())
    }
}

impl PlannedStage {
    /// The stage with this index, after another one left the scene as `before`.
    fn new(before: &Scene, stage: &Stage, index: usize) -> Result<Self, GrainsError> {
        let key = format!("stage[{index}]");
        let at_least = not_negative(format!("{key}.at-least"), stage.at_least.unwrap_or(0.0))?;
        check_end(stage, &key)?;
        let mut scene = before.clone();
        scene.time =
            Timing { dt: stage.dt.unwrap_or(before.time.dt), duration: Some(stage.duration), quick: stage.quick };
        scene.gravity = stage.gravity.unwrap_or(before.gravity);
        scene.integrator = stage.integrator.clone().unwrap_or_else(|| before.integrator.clone());
        if let Some(StageOutput { series, contacts, frames, checkpoints }) = stage.output {
            let plan = &mut scene.output;
            plan.series = series.or(plan.series);
            plan.contacts = contacts.or(plan.contacts);
            plan.frames = frames.or(plan.frames);
            plan.checkpoints = checkpoints.or(plan.checkpoints);
        }
        let mut changes = Vec::with_capacity(stage.walls.len());
        for (name, &change) in &stage.walls {
            let under = format!("{key}.walls.{name}");
            let group = group_named(before, name, &under)?;
            check_change(&before.walls[group].shape, change, &under)?;
            let motion = match change {
                WallChange::Move(motion) => Some(motion),
                WallChange::Rest => Some(WallMotion::default()),
                WallChange::Gone | WallChange::There => None,
            };
            if let Some(motion) = motion {
                scene.walls[group].shape.set_motion(motion);
            }
            changes.push((group, change));
        }
        let own = [
            ("integrator", stage.integrator.is_some()),
            ("time.dt", stage.dt.is_some()),
            ("gravity", stage.gravity.is_some()),
            ("output", stage.output.is_some()),
            ("time.duration", true),
            ("time.quick", true),
        ];
        let changes_motion = [stage.integrator.is_some(), stage.dt.is_some(), stage.gravity.is_some()];
        Ok(Self {
            scene,
            end: stage.end,
            at_least,
            goes_on: index > 0 && changes.is_empty() && !changes_motion.contains(&true),
            changes,
            key: Some(key),
            own: own.into_iter().filter_map(|(key, given)| given.then_some(key)).collect(),
        })
    }

    /// The key of the stage with one below it.
    pub(crate) fn key_of(&self, name: &str) -> String {
        self.key.as_ref().map_or_else(|| name.to_owned(), |key| format!("{key}.{name}"))
    }

    /// The same error with the key that the scene file has: that of the stage, where it is the stage's own.
    pub(crate) fn locate(&self, mut error: GrainsError) -> GrainsError {
        let Some(stage) = &self.key else { return error };
        if let Some(Location { key, .. }) = error.location_mut()
            && let Some(own) = self.own.iter().find(|own| key.starts_with(**own))
        {
            let rest = &key[own.len()..];
            *key = format!("{stage}.{}{rest}", own.strip_prefix("time.").unwrap_or(own));
        }
        error
    }
}

/// The scene of a stage: lists of bodies can be long, and no stage needs them.
fn without_bodies(scene: &Scene) -> Scene {
    Scene { bodies: Vec::new(), stages: Vec::new(), ..scene.clone() }
}

/// Checks that no two walls have one name.
fn check_names(scene: &Scene) -> Result<(), GrainsError> {
    let mut known = std::collections::HashSet::new();
    for (index, wall) in scene.walls.iter().enumerate() {
        if wall.name.as_ref().is_some_and(|name| !known.insert(name)) {
            let at = Location::of(format!("walls[{index}].name"));
            return Err(GrainsError::Conflict { at, problem: "there is another wall of this name" });
        }
    }
    Ok(())
}

/// The index of the group of walls with this name, which stands at `key`.
fn group_named(scene: &Scene, name: &str, key: &str) -> Result<usize, GrainsError> {
    let found = scene.walls.iter().position(|wall| wall.name.as_deref() == Some(name));
    found.ok_or_else(|| {
        let known: Vec<String> = scene.walls.iter().filter_map(|wall| wall.name.clone()).collect();
        let (at, nearest) = (Location::of(key), nearest_name(name, &known));
        GrainsError::UnknownName { at, found: name.into(), nearest, known }
    })
}

fn check_end(stage: &Stage, key: &str) -> Result<(), GrainsError> {
    match stage.end {
        Some(StageEnd::KineticEnergy(energy)) => positive(format!("{key}.end.kinetic-energy"), energy).map(|_| ()),
        Some(StageEnd::Behind { point, normal }) => {
            vector(format!("{key}.end.behind.point"), point)?;
            direction(format!("{key}.end.behind.normal"), normal).map(|_| ())
        }
        None => Ok(()),
    }
}

/// Checks that a wall of this shape can change like this.
fn check_change(shape: &WallShape, change: WallChange, key: &str) -> Result<(), GrainsError> {
    let conflict = |problem| Err(GrainsError::Conflict { at: Location::of(key), problem });
    match (shape, change) {
        (WallShape::Elastic { .. }, _) => conflict("elastic walls stay where they are in all stages"),
        (WallShape::Box { .. }, WallChange::Move(_)) => conflict("a box stands still: write its sides as planes"),
        (_, WallChange::Move(WallMotion { velocity, spin, pivot })) => {
            vector(format!("{key}.move.velocity"), velocity)?;
            vector(format!("{key}.move.spin"), spin)?;
            pivot.map_or(Ok(()), |pivot| vector(format!("{key}.move.pivot"), pivot).map(|_| ()))
        }
        _ => Ok(()),
    }
}
