//! A run: a simulation and the folder of its results.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_ranks::Ranks;
use rrp_integrate::Instructions;

use crate::checkpoint::{self, Checkpoint, RunHeader};
use crate::error::{CheckpointError, GrainsError, Location, Note};
use crate::output::columns::{contact_lines, passage_lines, series_line};
use crate::output::frames::Frame;
use crate::output::lock::Lock;
use crate::output::measured::{DueMeasure, measure_due};
use crate::output::names::{friction_problem, refuse_what_is_in_the_way};
use crate::output::writer::{WriteRequest, Writer, make_room};
use crate::reading::Reading;
use crate::scene::Scene;
use crate::scene::output::Interval;
use crate::simulation::Simulation;
use crate::source::Source;
use crate::storage::{self, SceneFile};

/// Options of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunOptions {
    /// Whether the short version of the scene is run, of duration `time.quick`.
    pub quick: bool,
    /// Whether results of an earlier run in the folder are removed.
    pub overwrite: bool,
    /// Assignments that override keys of the scene file, each as `key=value`: `time.dt=1e-5`, `walls[0].name=lid`.
    pub set: Vec<String>,
}

/// A simulation whose results are written to a folder.
///
/// A run that is dropped before [`finish`](Self::finish) leaves files like those of a killed program. [`Run::resume`]
/// continues it, with bitwise equal results.
#[derive(Debug)]
pub struct Run {
    simulation: Simulation,
    /// Scene of the run as TOML text, for checkpoints.
    scene: String,
    file: Option<SceneFile>,
    quick: bool,
    folder: PathBuf,
    writer: Writer,
    /// Lock of the folder of results. Fields are dropped in order, so that the writer ends before the lock.
    _lock: Lock,
    baseline: Option<f64>,
}

impl Run {
    /// Starts a run of the scene file at `path`. Results go to `folder`, by default the folder in the scene.
    ///
    /// # Errors
    /// Errors of reading and building the scene, with file, key and line; [`GrainsError::Occupied`] if the folder has
    /// files with names of results and `overwrite` is not set, unless they are of a run that ended before its first
    /// checkpoint; [`GrainsError::InputInTheWay`] if one of them is an input; [`GrainsError::Busy`] if another process
    /// is writing there; [`GrainsError::Io`].
    pub fn of_file(path: impl AsRef<Path>, folder: Option<&Path>, options: RunOptions) -> Result<Self, GrainsError> {
        Self::begin(path.as_ref(), folder, options, Ok)
    }

    /// Starts a run of a scene file as [`of_file`](Self::of_file) does, with steps on several ranks; see
    /// [`Simulation::on_ranks`]. Results are the same.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file) and [`Simulation::on_ranks`].
    pub fn of_file_on(
        ranks: Box<dyn Ranks + Send>,
        path: impl AsRef<Path>,
        folder: Option<&Path>,
        options: RunOptions,
    ) -> Result<Self, GrainsError> {
        Self::begin(path.as_ref(), folder, options, |simulation| simulation.on_ranks(ranks))
    }

    fn begin(
        path: &Path,
        folder: Option<&Path>,
        options: RunOptions,
        placed: impl FnOnce(Simulation) -> Result<Simulation, GrainsError>,
    ) -> Result<Self, GrainsError> {
        let source = Source::from_path(path)?.with(&options.set)?;
        let scene: Scene = source.read()?;
        let home = path.parent().unwrap_or(Path::new(""));
        let simulation = Simulation::new(&scene, home, options.quick).and_then(placed);
        let mut simulation = simulation.map_err(|error| source.locate(error))?;
        simulation.inputs.push(path.to_owned());
        let file = std::path::absolute(path).ok().map(|path| SceneFile { path, set: options.set.clone() });
        simulation.notes.extend(source.notes());
        simulation.notes.iter_mut().for_each(|note| source.find(&mut note.at));
        let folder = folder.map_or_else(|| scene.output.folder_of(path), Path::to_owned);
        Self::create(&scene, file, simulation, &folder, options).map_err(|error| source.locate(error))
    }

    /// Starts a run of `simulation`, which was built from `scene`. A missing folder of results is created.
    ///
    /// Without a time series the run records no work unless walls move; without frames the state has attitudes only if
    /// forces depend on them.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn new(scene: &Scene, simulation: Simulation, folder: &Path, options: RunOptions) -> Result<Self, GrainsError> {
        Self::create(scene, None, simulation, folder, options)
    }

    fn create(
        scene: &Scene,
        file: Option<SceneFile>,
        mut simulation: Simulation,
        folder: &Path,
        options: RunOptions,
    ) -> Result<Self, GrainsError> {
        simulation.drop_unwritten();
        let reading = simulation.read()?;
        let text = scene.to_toml()?;
        // Check before locking, so that a refused folder gets no lock file.
        let refuse = || refuse_what_is_in_the_way(folder, &simulation.inputs, options.overwrite);
        refuse()?;
        std::fs::create_dir_all(folder).map_err(|source| GrainsError::NoFolder { path: folder.to_owned(), source })?;
        let mut lock = Lock::take(folder)?;
        refuse()?;
        // Older results are removed only for a scene that can be run. From here on, a stopped run has either a
        // checkpoint to resume from, or a mark in the lock file that it starts anew.
        lock.mark(folder)?;
        make_room(folder)?;
        let writer = Writer::create(folder, &lock, &simulation, scene)?;
        let mut run = Self {
            simulation,
            scene: text,
            file,
            quick: options.quick,
            folder: folder.to_owned(),
            writer,
            _lock: lock,
            baseline: reading.balance(),
        };
        run.write_due()?;
        Ok(run)
    }

    /// Continues the run in `folder`, or at the path of its checkpoint. Results after the checkpoint are removed.
    ///
    /// # Errors
    /// Errors of [`Checkpoint::read`]; [`CheckpointError::NoneYet`] inside [`GrainsError::Checkpoint`] if the run ended
    /// before its first checkpoint and must be started again; [`GrainsError::Busy`] if another process is writing
    /// there; [`GrainsError::ResultsChanged`] or [`GrainsError::ResultsReplaced`] if results before the checkpoint are
    /// missing or replaced.
    pub fn resume(folder: impl AsRef<Path>) -> Result<Self, GrainsError> {
        Self::go_on(folder.as_ref(), Ok)
    }

    /// Continues a run as [`resume`](Self::resume) does, with steps on several ranks; see [`Simulation::on_ranks`]. The
    /// number of ranks may differ from that before.
    ///
    /// # Errors
    /// As [`resume`](Self::resume) and [`Simulation::on_ranks`].
    pub fn resume_on(ranks: Box<dyn Ranks + Send>, folder: impl AsRef<Path>) -> Result<Self, GrainsError> {
        Self::go_on(folder.as_ref(), |simulation| simulation.on_ranks(ranks))
    }

    fn go_on(
        path: &Path,
        placed: impl FnOnce(Simulation) -> Result<Simulation, GrainsError>,
    ) -> Result<Self, GrainsError> {
        let path = if path.is_dir() { path.join(storage::FILE) } else { path.to_owned() };
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")).to_owned();
        // The checkpoint of a folder without a lock file is read first, so that a refused folder gets no lock file.
        if !Lock::exists_in(&folder) {
            Checkpoint::read(&path)?;
        }
        let lock = Lock::take(&folder)?;
        if !path.exists() && Lock::is_before_checkpoint(&folder) {
            return Err(GrainsError::Checkpoint { path, source: CheckpointError::NoneYet });
        }
        let Checkpoint { scene, file, simulation, quick, baseline, positions } = Checkpoint::read(&path)?;
        let mut simulation = placed(simulation)?;
        let writer = Writer::resume(&folder, &simulation, &scene, &positions)?;
        Lock::clear(lock.file(), &folder)?;
        simulation.notes.extend(file.as_ref().and_then(|file| edits(&scene, file)));
        simulation.notes.extend(other_instructions(&path));
        let text = scene.to_toml()?;
        Ok(Self { simulation, scene: text, file, quick, folder, writer, _lock: lock, baseline })
    }

    /// Takes a step and writes the results that are due. Returns whether steps remain.
    ///
    /// # Errors
    /// [`GrainsError::Step`], after which [`finish`](Self::finish) still works, and errors of writing.
    pub fn advance(&mut self) -> Result<bool, GrainsError> {
        if self.simulation.progress.clock.is_over() {
            return Ok(false);
        }
        let before = self.simulation.progress.clock.step;
        // Final stages without steps write nothing, since their state is that at the end of the stage before.
        let step = self.simulation.step().map_err(|error| self.locate(error))?;
        if step > before {
            self.write_due()?;
        } else {
            self.checkpoint()?;
        }
        if self.simulation.is_over() {
            let reading = self.simulation.read()?;
            let doubts = self.simulation.doubts(&reading, self.energy_error(&reading))?;
            self.simulation.messages.extend(doubts);
        }
        Ok(!self.simulation.progress.clock.is_over())
    }

    /// Takes all remaining steps and writes their results.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn complete(&mut self) -> Result<(), GrainsError> {
        while self.advance()? {}
        Ok(())
    }

    /// Writes a checkpoint of the present state at once.
    ///
    /// # Errors
    /// [`GrainsError::Unstorable`], or the first error of writing.
    pub fn checkpoint(&mut self) -> Result<(), GrainsError> {
        self.simulation.gather().map_err(|error| self.locate(error))?;
        let run =
            RunHeader { scene: &self.scene, file: self.file.as_ref(), quick: self.quick, baseline: self.baseline };
        let bytes = checkpoint::encode(run, &self.simulation)?;
        self.writer.request(WriteRequest::Checkpoint(bytes))
    }

    /// Waits until all results are written, and checks that nothing else has changed them.
    ///
    /// # Errors
    /// The first error of writing; [`GrainsError::ResultsChanged`] and [`GrainsError::ResultsReplaced`] if something
    /// else has changed or removed results.
    pub fn finish(self) -> Result<(), GrainsError> {
        self.writer.finish()
    }

    /// The simulation of this run.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Gathers all bodies on this rank; see [`Simulation::gather`].
    ///
    /// # Errors
    /// As [`Simulation::gather`].
    pub fn gather(&mut self) -> Result<(), GrainsError> {
        self.simulation.gather()
    }

    /// Takes the reasons why stages ended since the last call, one line each.
    pub fn take_messages(&mut self) -> Vec<String> {
        self.simulation.take_messages()
    }

    /// Path of the folder of the results.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Computes the change of the energy balance since the start, relative to the largest turned-over energy so far:
    /// kinetic and elastic energy, energy of bonds, and all energy that was dissipated or converted by work. The
    /// maximum is over the rows of the time series, the checks of the energy and the present state. None if the balance
    /// is not recorded.
    #[must_use]
    pub fn energy_error(&self, reading: &Reading) -> Option<f64> {
        let now = reading.balance()?;
        let start = self.baseline?;
        let scale = self.simulation.progress.extremes.and(reading).turned_over;
        Some(if scale > 0.0 { (now - start) / scale } else { 0.0 })
    }

    /// Adds file and line to an error, unless the scene file has changed since the start of the run.
    fn locate(&self, mut error: GrainsError) -> GrainsError {
        if error.location_mut().is_none() {
            return error;
        }
        let is_same = |scene: &Scene| Scene::parse(&self.scene).is_ok_and(|begun| begun == *scene);
        match self.file.as_ref().and_then(read_again) {
            Some((source, scene)) if is_same(&scene) => source.locate(error),
            _ => error,
        }
    }

    /// Returns whether results of this interval are due. The first state of a run and the last state of each stage are
    /// always due.
    fn is_due(&self, interval: Option<Interval>) -> bool {
        let clock = &self.simulation.progress.clock;
        let is_end = clock.step == 0 || clock.is_stage_over();
        interval.is_some_and(|interval| is_end || clock.in_stage().is_multiple_of(interval.steps(clock.dt)))
    }

    fn write_due(&mut self) -> Result<(), GrainsError> {
        let clock = self.simulation.progress.clock;
        let stages = Arc::clone(&self.simulation.plan);
        let scene = &stages.stages[clock.stage].scene;
        let plan = &scene.output;
        let measures = scene.measures.iter().enumerate();
        let measured = measures.filter_map(|(number, measure)| {
            let ends_row = self.is_due(Some(measure.every));
            let is_sampled = measure.is_sampled(clock.in_stage(), clock.dt);
            (ends_row || is_sampled).then_some(DueMeasure { number, ends_row })
        });
        let measured: Vec<DueMeasure> = measured.collect();
        let [series, contacts, frames] =
            [plan.series, plan.contacts, plan.frames].map(|interval| self.is_due(interval));
        let checkpoints = self.is_due(plan.checkpoints);
        let passages = &self.simulation.progress.exchange.passages;
        if !passages.is_empty() {
            let lines = passage_lines(passages, &self.simulation.plan.stages[clock.stage].scene.gates);
            self.writer.request(WriteRequest::Passed(lines))?;
        }
        let is_read = series || contacts || frames || !measured.is_empty();
        if is_read {
            self.simulation.gather()?;
        }
        let reading = is_read.then(|| self.simulation.read()).transpose()?;
        if let Some(reading) = &reading {
            if series {
                self.simulation.note_extremes(reading);
                let fragments = self.simulation.tally_fragments()?;
                let places = self.simulation.plan.servo_walls();
                let line = series_line(reading, &self.simulation.progress, &places, fragments);
                self.writer.request(WriteRequest::Series(line))?;
            }
            if contacts {
                let lines = contact_lines(
                    clock.step,
                    reading.time,
                    &reading.contacts,
                    self.simulation.bodies(),
                    self.simulation.ids(),
                );
                self.writer.request(WriteRequest::Contacts(lines))?;
            }
            for (number, lines) in measure_due(&mut self.simulation, reading, &measured)? {
                self.writer.request(WriteRequest::Measured(number, lines))?;
            }
        }
        if self.is_due(plan.fclib)
            && let Some(problem) = self.simulation.friction_problem()
        {
            let path = self.folder.join(friction_problem(clock.step));
            let problem = problem.map_err(|source| GrainsError::Fclib { path, source })?;
            self.writer.request(WriteRequest::Fclib(clock.step, Box::new(problem)))?;
        }
        if let Some(reading) = reading.filter(|_| frames) {
            let frame = Frame::of(&self.simulation, &reading)?;
            self.writer.request(WriteRequest::Frame(Box::new(frame)))?;
        }
        if clock.step == 0 || clock.is_over() || checkpoints {
            self.checkpoint()?;
        }
        Ok(())
    }
}

fn other_instructions(path: &Path) -> Option<Note> {
    let here = Instructions::here();
    let code = storage::instructions_of(path)?;
    if code == here.code() {
        return None;
    }
    let there = Instructions::of_code(code).map_or_else(|| format!("number {code}"), |there| there.to_string());
    let text = format!(
        "was written with the vector instructions {there}, and this machine has {here}: bits stay the same, except \
         where sines and other functions of the system's library differ"
    );
    Some(Note { at: Location { file: Some(path.to_owned()), ..Location::default() }, text })
}

/// Reads the scene file of a run again. None if the file is missing or invalid: the run then counts as not edited.
fn read_again(SceneFile { path, set }: &SceneFile) -> Option<(Source, Scene)> {
    let source = Source::from_path(path).and_then(|source| source.with(set)).ok()?;
    let scene = source.read().ok()?;
    Some((source, scene))
}

/// Returns a note with the keys that were changed in the scene file since the start of the run, if any.
fn edits(scene: &Scene, file: &SceneFile) -> Option<Note> {
    let (_, now) = read_again(file)?;
    if now == *scene {
        return None;
    }
    let tables = [scene, &now].map(|scene| scene.to_toml().ok()?.parse::<toml::Table>().ok());
    let [Some(before), Some(after)] = tables else { return None };
    let differs = |key: &&String| before.get(key.as_str()) != after.get(key.as_str());
    let keys: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).filter(differs).collect();
    let keys = keys.into_iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "was edited since the run began, in {keys}; nothing of that is taken: the run goes on with the scene that it \
         began with. For another scene with these bodies, write one with `start`"
    );
    let at = Location { file: Some(file.path.clone()), ..Location::default() };
    Some(Note { at, text })
}
