//! Checkpoints: everything that a run needs to continue with bitwise equal results.

use std::path::Path;
use std::sync::Arc;

use crate::build::bodies::smallest_radius;
use crate::build::drives::box_drive;
use crate::build::drives::servos;
use crate::build::parts::Parts;
use crate::build::sources::sources;
use crate::engine;
use crate::error::GrainsError;
use crate::plan::Plan;
use crate::progress::Progress;
use crate::scene::Scene;
use crate::scene::sources::FaceRegion;
use crate::simulation::Simulation;
use crate::simulation::watch::Said;
use crate::storage::{self, FilePositions, SceneFile, StoredRun};

/// Contents of a checkpoint that belong to the run rather than to its simulation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunHeader<'a> {
    /// Scene of the run as TOML text; `file` is the file of this scene.
    pub(crate) scene: &'a str,
    pub(crate) file: Option<&'a SceneFile>,
    pub(crate) quick: bool,
    /// Energy balance at the start of the run in J, the reference for later balances.
    pub(crate) baseline: Option<f64>,
}

/// A checkpoint that was read and is ready to continue.
#[derive(Debug)]
pub struct Checkpoint {
    /// The scene of the stored run.
    pub scene: Scene,
    /// The simulation at the checkpoint, ready to continue.
    pub simulation: Simulation,
    /// Whether the stored run is the short version of its scene, which lasts `time.quick`.
    pub quick: bool,
    /// The file of the run's scene; none for a scene in memory.
    pub(crate) file: Option<SceneFile>,
    pub(crate) baseline: Option<f64>,
    pub(crate) positions: FilePositions,
}

///
/// # Errors
/// [`GrainsError::Unstorable`].
pub(crate) fn encode(run: RunHeader<'_>, simulation: &Simulation) -> Result<Vec<u8>, GrainsError> {
    let unstorable = |error: postcard::Error| GrainsError::Unstorable { problem: error.to_string() };
    let stored = StoredRun {
        scene: run.scene.to_owned(),
        file: run.file.cloned(),
        quick: run.quick,
        baseline: run.baseline,
        faces: simulation.sources.iter().map(|source| source.faces().cloned()).collect(),
        progress: simulation.progress.clone(),
        bodies: (*simulation.bodies).clone(),
        state: simulation.state.clone(),
        engine: simulation.engine.store().map_err(unstorable)?,
    };
    postcard::to_stdvec(&stored).map_err(unstorable)
}

impl Checkpoint {
    /// Reads the checkpoint at `path`.
    ///
    /// # Errors
    /// [`GrainsError::Unreadable`] and [`GrainsError::Checkpoint`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, GrainsError> {
        let path = path.as_ref();
        let unusable = storage::unusable(path);
        let (stored, scene, positions) = storage::read(path, "checkpoint")?;
        let StoredRun { file, quick, baseline, faces, progress, bodies, state, engine, .. } = stored;
        let plan = Plan::new(&scene).map_err(|error| unusable(error.to_string()))?;
        let clock = progress.clock;
        let checked = clock.check(plan.stages.len()).and_then(|()| check_files(&plan, &progress, &positions));
        checked.map_err(|problem| unusable(problem.to_owned()))?;
        let present = &plan.stages[clock.stage].scene;
        let parts = Parts::bare(present, smallest_radius(&bodies)).map_err(|error| unusable(error.to_string()))?;
        let engine = engine::restore(present, parts, clock.dt, &engine).map_err(|error| unusable(error.to_string()))?;
        let stored_faces = |index: usize, _: &FaceRegion| {
            let missing = || GrainsError::conflict(format!("sources[{index}]"), "the checkpoint has no mesh for it");
            faces.get(index).cloned().flatten().ok_or_else(missing)
        };
        let sources = sources(present, stored_faces).map_err(|error| unusable(error.to_string()))?.into();
        let servos = servos(present, clock.dt).map_err(|error| unusable(error.to_string()))?;
        let box_drive = box_drive(present, progress.domain).map_err(|error| unusable(error.to_string()))?;
        let box_drive = box_drive.map(|drive| drive.remembering(progress.box_memory)).transpose();
        let box_drive = box_drive.map_err(|error| unusable(error.to_string()))?;
        let mut simulation = Simulation {
            bodies: Arc::new(bodies),
            state,
            engine,
            plan: Arc::new(plan),
            sources,
            quick,
            progress,
            servos,
            box_drive,
            inputs: Vec::new(),
            notes: Vec::new(),
            messages: Vec::new(),
            said: Said::default(),
            first_recommended: None,
            team: None,
        };
        simulation.spin_fixed_bodies();
        Ok(Self { scene, file, simulation, quick, baseline, positions })
    }
}

/// Checks that the result files in a checkpoint fit the scene and the steps taken; an error says what does not fit.
fn check_files(plan: &Plan, progress: &Progress, positions: &FilePositions) -> Result<(), &'static str> {
    let written = plan.output();
    let clock = progress.clock;
    let is_given = [written.series.is_some(), written.contacts.is_some(), !progress.exchange.gates.is_empty()];
    if [positions.series.is_some(), positions.contacts.is_some(), positions.passed.is_some()] != is_given {
        return Err("its files of results are not those of its scene");
    }
    let tables = [positions.measures.len(), progress.measured.len()];
    if plan.stages.first().is_none_or(|stage| tables != [stage.scene.measures.len(); 2]) {
        return Err("its measurements are not those of its scene");
    }
    // Earlier stages had their own steps and intervals, so that only the number of steps bounds their frames.
    let most = match written.frames {
        Some(interval) if clock.stage == 0 => clock.step / interval.steps(clock.dt) + 2,
        Some(_) => clock.step + 2,
        None => 0,
    };
    if positions.frames.len() as u64 > most || positions.frames.iter().any(|frame| !frame.time.is_finite()) {
        return Err("its frames are not those of its scene");
    }
    Ok(())
}
