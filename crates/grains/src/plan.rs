//! The stages of a scene as scenes of their own, which a run takes one after another. [`ends`] has the conditions for
//! the early end of a stage.

pub(crate) mod ends;

use std::collections::HashSet;

use self::ends::PlannedEnd;
use crate::error::{GrainsError, Location, Note};
use crate::scene::Scene;
use crate::scene::bodies::{BodyGroup, BodyMotion};
use crate::scene::bonds::BondGroups;
use crate::scene::integrator::Method;
use crate::scene::output::{LeftOut, OutputPlan};
use crate::scene::stages::{Stage, StageOutput, Switch, WallChange};
use crate::scene::time::Timing;
use crate::scene::walls::WallShape;
use crate::scene::walls::motion::WallMotion;
use crate::value::{named, not_negative, vector};

/// The stages of a run, in order; one stage for a scene without stages.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) stages: Vec<PlannedStage>,
}

#[derive(Debug, Clone)]
pub(crate) struct PlannedStage {
    /// The whole scene in this stage, with its integrator, gravity, times, intervals and motions of walls, and all
    /// bonds made up to here.
    pub(crate) scene: Scene,
    /// The bonds that this stage makes at its start.
    pub(crate) bonds: BondGroups,
    /// Condition for an early end; none for a stage that lasts its duration.
    pub(crate) end: Option<PlannedEnd>,
    at_least: f64,
    /// Changes of groups of walls by this stage, with group indices.
    pub(crate) changes: Vec<(usize, WallChange)>,
    /// Motions of groups of fixed bodies that begin with this stage, with group names.
    pub(crate) motions: Vec<(String, BodyMotion)>,
    /// Motions of all groups of fixed bodies that are driven in this stage, started by this stage, an earlier stage or
    /// the scene.
    pub(crate) driven: Vec<BodyMotion>,
    /// Whether each source runs in this stage.
    pub(crate) running: Vec<bool>,
    /// Whether the engine of the stage before continues, since this stage changes only output, duration, running
    /// sources and the motion of the box.
    pub(crate) goes_on: bool,
    /// Key of the stage, such as `stage[0]`, if the scene has stages.
    key: Option<String>,
    /// Keys of the scene that this stage overrides, such as `time.dt`.
    own: Vec<&'static str>,
}

impl Plan {
    ///
    /// # Errors
    /// For invalid stages; the error names the key.
    pub(crate) fn new(scene: &Scene) -> Result<Self, GrainsError> {
        if scene.format != 1 {
            let range = "1, the only format that this program knows";
            return Err(GrainsError::out_of_range("format", range, scene.format.into()));
        }
        check_names(scene)?;
        let mut driven: Vec<DrivenGroup> = DrivenGroup::of_scene(scene).collect();
        if scene.stages.is_empty() {
            let only = PlannedStage {
                scene: without_bodies(scene),
                bonds: BondGroups::default(),
                end: None,
                at_least: 0.0,
                changes: Vec::new(),
                motions: Vec::new(),
                driven: driven.into_iter().map(|group| group.motion).collect(),
                running: vec![true; scene.sources.len()],
                goes_on: false,
                key: None,
                own: Vec::new(),
            };
            return Self { stages: vec![only] }.checked();
        }
        let given = [("duration", scene.time.duration.is_some()), ("quick", scene.time.quick.is_some())];
        GrainsError::refuse_given("time", &given, "is given by each stage in a scene with stages")?;
        let mut present = without_bodies(scene);
        let mut running = vec![true; scene.sources.len()];
        let mut stages: Vec<PlannedStage> = Vec::with_capacity(scene.stages.len());
        for (index, stage) in scene.stages.iter().enumerate() {
            for (name, motion) in &stage.bodies {
                driven.retain(|group| group.name.as_ref() != Some(name));
                driven.push(DrivenGroup { name: Some(name.clone()), motion: motion.clone() });
            }
            let mut planned = PlannedStage::new(&present, &running, stage, index)?;
            planned.driven = driven.iter().map(|group| group.motion.clone()).collect();
            present = planned.scene.clone();
            running.clone_from(&planned.running);
            stages.push(planned);
        }
        Self { stages }.checked()
    }

    /// Refuses plans that add or remove bodies although an integrator, bonds or ties do not allow it, and results, such
    /// as friction problems, that no stage can give.
    fn checked(self) -> Result<Self, GrainsError> {
        let is_rigid = |stage: &PlannedStage| matches!(stage.scene.integrator, Method::ContactDynamics(_));
        if self.output().fclib.is_some() && !self.stages.iter().any(is_rigid) {
            let problem = "only contact dynamics has friction problems";
            return Err(GrainsError::conflict("output.fclib", problem));
        }
        if self.output().dissipation.is_some() && self.output().series.is_none() {
            let problem = "is a part of the time series: add `series`";
            return Err(GrainsError::conflict("output.dissipation", problem));
        }
        let OutputPlan { frames, frames_without, face_forces, .. } = self.output();
        if face_forces && (frames.is_none() || frames_without.contains(&LeftOut::Walls)) {
            let problem = "is a part of walls in frames: add `frames`, and leave `\"walls\"` out of `frames-without`";
            return Err(GrainsError::conflict("output.face-forces", problem));
        }
        if !frames_without.is_empty() && frames.is_none() {
            let problem = "leaves parts out of frames, of which there are none: add `frames`";
            return Err(GrainsError::conflict("output.frames-without", problem));
        }
        let is_late = |stage: &&PlannedStage| {
            !stage.scene.integrator.is_explicit() && !stage.scene.bonds.is_empty() && stage.bonds.is_empty()
        };
        if let Some(stage) = self.stages.iter().filter(|stage| stage.own.contains(&"integrator")).find(is_late) {
            let problem = "the bodies have bonds by then, which need an explicit integrator, such as `verlet`";
            return Err(GrainsError::conflict(stage.key_of("integrator"), problem));
        }
        let scene = &self.stages[0].scene;
        let removing = scene.gates.iter().position(|gate| gate.remove);
        if let Some(gate) = removing.filter(|_| self.has_bonds() || scene.ties.is_some()) {
            let problem = "bodies with bonds or ties cannot be taken away";
            return Err(GrainsError::conflict(format!("gates[{gate}].remove"), problem));
        }
        let key = match removing {
            _ if self.is_explicit() => return Ok(self),
            _ if !scene.sources.is_empty() => "sources[0]".to_owned(),
            Some(gate) => format!("gates[{gate}].remove"),
            None => return Ok(self),
        };
        let problem = "bodies come and leave with explicit integrators only, in all stages";
        Err(GrainsError::conflict(key, problem))
    }

    /// Returns the results that any stage writes, each with the interval of the first stage that writes it.
    pub(crate) fn output(&self) -> OutputPlan {
        let mut all = self.stages[0].scene.output.clone();
        for PlannedStage { scene, .. } in &self.stages {
            let mut later = scene.output.clone();
            all.intervals().into_iter().zip(later.intervals()).for_each(|(known, later)| *known = known.or(*later));
        }
        all
    }

    pub(crate) fn has_bonds(&self) -> bool {
        self.stages.last().is_some_and(|stage| !stage.scene.bonds.is_empty())
    }

    pub(crate) fn box_deforms_from(&self, stage: usize) -> bool {
        self.stages[stage..].iter().any(|stage| stage.scene.deforms())
    }

    pub(crate) fn has_moving_walls(&self) -> bool {
        self.stages.iter().any(|stage| stage.scene.has_moving_walls())
    }

    pub(crate) fn servo_walls(&self) -> Vec<usize> {
        let mut number = 0;
        let groups = self.stages[0].scene.walls.iter().enumerate().map(|(group, wall)| {
            number += wall.shape.count();
            (group, number - wall.shape.count()..number)
        });
        let is_driven = |group: usize| self.stages.iter().any(|stage| stage.scene.walls[group].drive.servo.is_some());
        groups.filter(|&(group, _)| is_driven(group)).flat_map(|(_, numbers)| numbers).collect()
    }

    pub(crate) fn is_explicit(&self) -> bool {
        self.stages.iter().all(|stage| stage.scene.integrator.is_explicit())
    }
}

impl PlannedStage {
    /// Plans the stage with this index after a stage with the scene `before`. The caller adds driven motions of earlier
    /// stages.
    fn new(before: &Scene, running: &[bool], stage: &Stage, index: usize) -> Result<Self, GrainsError> {
        let key = format!("stage[{index}]");
        let at_least = not_negative(format!("{key}.at-least"), stage.at_least.unwrap_or(0.0))?;
        check_at_least(stage, at_least, &key)?;
        let end = PlannedEnd::of(stage, before, &key)?;
        let mut running = running.to_vec();
        for (name, &switch) in &stage.sources {
            let names = before.sources.iter().map(|source| &source.name);
            running[named(names, name, &format!("{key}.sources.{name}"))?] = switch == Switch::On;
        }
        let mut scene = before.clone();
        scene.time =
            Timing { dt: stage.dt.unwrap_or(before.time.dt), duration: Some(stage.duration), quick: stage.quick };
        scene.gravity = stage.gravity.unwrap_or(before.gravity);
        scene.bonds = before.bonds.and(&stage.bonds);
        scene.global_damping = stage.global_damping.or(before.global_damping);
        scene.integrator = stage.integrator.clone().unwrap_or_else(|| before.integrator.clone());
        if let Some(StageOutput { series, contacts, frames, fclib, checkpoints }) = stage.output {
            let own = [series, contacts, frames, fclib, checkpoints];
            scene.output.intervals().into_iter().zip(own).for_each(|(known, own)| *known = own.or(*known));
        }
        if let Some(motion) = &stage.simulation_box {
            let Some(space) = &mut scene.simulation_box else {
                let problem = "needs a `box` of the scene";
                return Err(GrainsError::conflict(format!("{key}.box"), problem));
            };
            space.set_motion(motion.clone());
        }
        let mut changes = Vec::with_capacity(stage.walls.len());
        for (name, change) in &stage.walls {
            let under = format!("{key}.walls.{name}");
            let group = named(before.walls.iter().map(|wall| &wall.name), name, &under)?;
            check_change(&before.walls[group].shape, change, &under)?;
            let motion = match change {
                WallChange::Move(motion) => Some(motion.as_ref().clone()),
                WallChange::Rest => Some(WallMotion::default()),
                WallChange::Gone | WallChange::There => None,
            };
            if let Some(motion) = motion {
                scene.walls[group].set_motion(&motion);
            }
            changes.push((group, change.clone()));
        }
        let own = [
            ("integrator", stage.integrator.is_some()),
            ("time.dt", stage.dt.is_some()),
            ("gravity", stage.gravity.is_some()),
            ("global-damping", stage.global_damping.is_some()),
            ("box", stage.simulation_box.is_some()),
            ("output", stage.output.is_some()),
            ("bonds", !stage.bonds.is_empty()),
            ("time.duration", true),
            ("time.quick", true),
        ];
        let changes_motion = own[..4].iter().any(|(_, is_given)| *is_given) || !stage.bonds.is_empty();
        Ok(Self {
            scene,
            bonds: stage.bonds.clone(),
            end,
            at_least,
            running,
            goes_on: index > 0 && changes.is_empty() && stage.bodies.is_empty() && !changes_motion,
            changes,
            motions: stage.bodies.iter().map(|(name, motion)| (name.clone(), motion.clone())).collect(),
            driven: Vec::new(),
            key: Some(key),
            own: own.into_iter().filter_map(|(key, given)| given.then_some(key)).collect(),
        })
    }

    /// Shortest duration of the stage in s, before which its end condition is not checked. A quick run shortens it by
    /// the same factor as the whole duration.
    pub(crate) fn at_least(&self, quick: bool) -> f64 {
        // Without this test, a stage of zero duration would divide zero by zero.
        if quick && self.at_least > 0.0 {
            return self.at_least * self.scene.duration(true) / self.scene.duration(false);
        }
        self.at_least
    }

    pub(crate) fn moves_box_anew(&self) -> bool {
        self.own.contains(&"box")
    }

    /// Returns the key of the scene file for the key `name` of this stage, such as `stage[0].duration`.
    pub(crate) fn key_of(&self, name: &str) -> String {
        self.key.as_ref().map_or_else(|| name.to_owned(), |key| format!("{key}.{name}"))
    }

    /// Returns the key of this stage's change of a group of walls, or the key of the group if the stage does not change
    /// it.
    pub(crate) fn key_of_wall(&self, group: usize) -> String {
        let is_changed = self.changes.iter().any(|(changed, _)| *changed == group);
        match &self.scene.walls[group].name {
            Some(name) if is_changed => self.key_of(&format!("walls.{name}")),
            _ => format!("walls[{group}]"),
        }
    }

    /// Renames the key of the error as in the scene file: below `stage[...]` for keys that the stage itself sets.
    pub(crate) fn locate(&self, mut error: GrainsError) -> GrainsError {
        if let Some(Location { key, .. }) = error.location_mut() {
            self.rename(key);
        }
        error
    }

    /// Renames the key of the note as in the scene file: below `stage[...]` for keys that the stage itself sets.
    pub(crate) fn locate_note(&self, mut note: Note) -> Note {
        self.rename(&mut note.at.key);
        note
    }

    /// Replaces a key of the stage's scene by the key of the scene file, such as `stage[0].dt`, if the stage itself
    /// sets it.
    fn rename(&self, key: &mut String) {
        let Some(stage) = &self.key else { return };
        if let Some(own) = self.own.iter().find(|own| key.starts_with(**own)) {
            let rest = &key[own.len()..];
            *key = format!("{stage}.{}{rest}", own.strip_prefix("time.").unwrap_or(own));
        }
    }
}

struct DrivenGroup {
    name: Option<String>,
    motion: BodyMotion,
}

impl DrivenGroup {
    fn of_scene(scene: &Scene) -> impl Iterator<Item = Self> {
        let driven = |group: &BodyGroup| Some(Self { name: group.name.clone(), motion: group.motion()? });
        scene.bodies.iter().filter_map(driven)
    }
}

/// Copies the scene without its bodies and stages: lists of bodies can be long, and are not needed in stages.
fn without_bodies(scene: &Scene) -> Scene {
    Scene { bodies: Vec::new(), stages: Vec::new(), ..scene.clone() }
}

/// Checks that names of walls, of groups of bodies and of sources are unique, as are the columns of sources and gates
/// in the time series.
fn check_names(scene: &Scene) -> Result<(), GrainsError> {
    let conflict =
        |kind: &str, index: usize, problem| Err(GrainsError::conflict(format!("{kind}[{index}].name"), problem));
    let mut known = HashSet::new();
    for (index, wall) in scene.walls.iter().enumerate() {
        if wall.name.as_ref().is_some_and(|name| !known.insert(name)) {
            return conflict("walls", index, "there is another wall of this name");
        }
    }
    let mut groups = HashSet::new();
    for (index, group) in scene.bodies.iter().enumerate() {
        if group.name.as_ref().is_some_and(|name| !groups.insert(name.clone())) {
            return conflict("bodies", index, "there is another group of bodies of this name");
        }
    }
    let mut known = HashSet::new();
    for (index, source) in scene.sources.iter().enumerate() {
        let column = source.column(index);
        if groups.contains(&column) || !known.insert(column) {
            return conflict("sources", index, "there is another source or group of bodies of this name");
        }
    }
    let mut labels = HashSet::new();
    for (index, gate) in scene.gates.iter().enumerate() {
        // Gates are labelled by name or number in `series.csv` and `passed.csv`; both labels must be unique.
        if !known.insert(gate.column(index)) || !labels.insert(gate.label(index)) {
            return conflict("gates", index, "there is another gate or a source of this name");
        }
    }
    Ok(())
}

fn check_at_least(stage: &Stage, at_least: f64, key: &str) -> Result<(), GrainsError> {
    let at = format!("{key}.at-least");
    if stage.at_least.is_some() && stage.end.is_none() {
        return Err(GrainsError::conflict(at, "is for a stage with an `end`"));
    }
    // The duration itself is checked elsewhere.
    if at_least > 0.0 && at_least > stage.duration {
        return Err(GrainsError::out_of_range(at, "at most the duration", at_least));
    }
    Ok(())
}

/// Checks that a wall of this shape allows the change of a stage at `key`.
fn check_change(shape: &WallShape, change: &WallChange, key: &str) -> Result<(), GrainsError> {
    let conflict = |problem| Err(GrainsError::conflict(key, problem));
    match (shape, change) {
        (WallShape::Elastic { .. }, _) => conflict("elastic walls stay where they are in all stages"),
        (WallShape::Box { .. }, WallChange::Move(_)) => conflict("a box stands still: write its sides as planes"),
        (_, WallChange::Move(motion)) => {
            let WallMotion { velocity, spin, pivot, .. } = motion.as_ref();
            vector(format!("{key}.move.velocity"), *velocity)?;
            vector(format!("{key}.move.spin"), *spin)?;
            pivot.map_or(Ok(()), |pivot| vector(format!("{key}.move.pivot"), pivot).map(|_| ()))
        }
        _ => Ok(()),
    }
}
