//! A run: a simulation whose results are written.

use std::path::{Path, PathBuf};

use crate::output::{self, CHECKPOINT, Lock, Order, Writer};
use crate::source::Source;
use crate::{Checkpoint, GrainsError, Interval, OutputPlan, Reading, Scene, Simulation, checkpoint};

/// A simulation whose results are written to a folder.
///
/// Dropped before it [ends](Self::finish), it leaves what a killed program leaves, and [`Run::resume`] goes on with it to
/// the same results, bit for bit.
#[derive(Debug)]
pub struct Run {
    simulation: Simulation,
    plan: OutputPlan,
    /// The scene as it is stored.
    scene: String,
    quick: bool,
    folder: PathBuf,
    writer: Writer,
    /// Behind the writer, so that it is let go of when that has ended.
    _lock: Lock,
    baseline: Option<f64>,
}

impl Run {
    /// Begins to run the scene file at `path`, with results in `folder` or where the scene says.
    ///
    /// # Errors
    /// Those of reading and building the scene, with file, key and line; [`GrainsError::Occupied`] if there are results
    /// and `overwrite` is not set, [`GrainsError::Busy`] if another process is writing there; [`GrainsError::Io`].
    pub fn of_file(
        path: impl AsRef<Path>,
        folder: Option<&Path>,
        quick: bool,
        overwrite: bool,
    ) -> Result<Self, GrainsError> {
        let path = path.as_ref();
        let (scene, source) = Source::from_path(path)?;
        let home = path.parent().unwrap_or(Path::new(""));
        let simulation = Simulation::new(&scene, home, quick).map_err(|error| source.locate(error))?;
        let named = scene.output.folder.as_ref().map(|folder| home.join(folder));
        let folder = folder.map(Path::to_owned).or(named).unwrap_or_else(|| path.with_extension("out"));
        Self::new(&scene, simulation, &folder, (quick, overwrite)).map_err(|error| source.locate(error))
    }

    /// Begins to run `simulation`, which was built from `scene`.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn new(
        scene: &Scene,
        simulation: Simulation,
        folder: &Path,
        (quick, overwrite): (bool, bool),
    ) -> Result<Self, GrainsError> {
        check_plan(&scene.output)?;
        let (reading, text) = (simulation.read()?, scene.to_toml()?);
        // Only a scene that can be run takes the place of older results.
        std::fs::create_dir_all(folder).map_err(GrainsError::io(folder))?;
        let lock = Lock::take(folder)?;
        output::make_room(folder, overwrite)?;
        let writer = Writer::create(folder, &scene.output, &output::header(reading.wall_forces.len()))?;
        let mut run = Self {
            simulation,
            plan: scene.output.clone(),
            scene: text,
            quick,
            folder: folder.to_owned(),
            writer,
            _lock: lock,
            baseline: reading.balance(),
        };
        run.write_due()?;
        Ok(run)
    }

    /// Goes on with the run in `folder`, or with the checkpoint that `folder` is. What was written after the checkpoint is
    /// taken back first.
    ///
    /// # Errors
    /// Those of [`Checkpoint::read`]; [`GrainsError::Busy`] if another process is writing there;
    /// [`GrainsError::ResultsChanged`] if results that the checkpoint counts on are gone.
    pub fn resume(folder: impl AsRef<Path>) -> Result<Self, GrainsError> {
        let path = folder.as_ref();
        let path = if path.is_dir() { path.join(CHECKPOINT) } else { path.to_owned() };
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")).to_owned();
        // A run that has only just begun has a lock and no checkpoint yet; what has neither gets no lock.
        if !Lock::is_in(&folder) {
            path.metadata().map_err(|source| GrainsError::Unreadable {
                at: crate::Location::of("checkpoint"),
                path: path.clone(),
                source,
            })?;
        }
        let lock = Lock::take(&folder)?;
        let Checkpoint { scene, simulation, quick, baseline, marks } = Checkpoint::read(&path)?;
        let writer = Writer::resume(&folder, &scene.output, &marks)?;
        let text = scene.to_toml()?;
        Ok(Self { simulation, plan: scene.output, scene: text, quick, folder, writer, _lock: lock, baseline })
    }

    /// Takes a step and writes what is due; false once the run has reached its end.
    ///
    /// # Errors
    /// [`GrainsError::Step`], after which the run can still be [ended](Self::finish), and those of writing.
    pub fn advance(&mut self) -> Result<bool, GrainsError> {
        if self.simulation.step >= self.simulation.steps {
            return Ok(false);
        }
        self.simulation.step()?;
        self.write_due()?;
        Ok(self.simulation.step < self.simulation.steps)
    }

    /// Takes all steps.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn complete(&mut self) -> Result<(), GrainsError> {
        while self.advance()? {}
        Ok(())
    }

    /// Writes a checkpoint of the present state, whether one is due or not.
    ///
    /// # Errors
    /// [`GrainsError::Unstorable`], or what went wrong with results before.
    pub fn checkpoint(&mut self) -> Result<(), GrainsError> {
        let bytes = checkpoint::encode(&self.scene, &self.simulation, (self.quick, self.baseline))?;
        self.writer.order(Order::Checkpoint(bytes))
    }

    /// Waits until all results are written.
    ///
    /// # Errors
    /// Whatever went wrong with results.
    pub fn finish(self) -> Result<(), GrainsError> {
        self.writer.finish()
    }

    /// The simulation.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Where results are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How far energy is from its balance at the start, in terms of the energies now; none where it is not recorded.
    #[must_use]
    pub fn energy_error(&self, reading: &Reading) -> Option<f64> {
        let scale = reading.kinetic.total() + reading.energies.elastic.abs() + reading.energies.bonds.abs();
        let (now, start) = (reading.balance()?, self.baseline?);
        let scale = scale.max(now.abs()).max(start.abs());
        Some(if scale > 0.0 { (now - start) / scale } else { 0.0 })
    }

    fn is_due(&self, interval: Option<Interval>) -> bool {
        let Simulation { step, steps, dt, .. } = self.simulation;
        interval.is_some_and(|interval| step == 0 || step == steps || step.is_multiple_of(interval.steps(dt)))
    }

    fn write_due(&mut self) -> Result<(), GrainsError> {
        let [series, contacts, frames] =
            [self.plan.series, self.plan.contacts, self.plan.frames].map(|interval| self.is_due(interval));
        let Simulation { step, steps, .. } = self.simulation;
        if series || contacts {
            let reading = self.simulation.read()?;
            if series {
                self.writer.order(Order::Series(output::line(step, &reading, self.simulation.iterations)))?;
            }
            if contacts {
                let lines = output::contact_lines(step, reading.time, &reading.contacts);
                self.writer.order(Order::Contacts(lines))?;
            }
        }
        if frames {
            let Simulation { bodies, state, engine, .. } = &self.simulation;
            let bonds = engine.bonds().cloned().map(Box::new);
            let order = Order::Frame(std::sync::Arc::clone(bodies), Box::new(state.clone()), bonds);
            self.writer.order(order)?;
        }
        // With one at the start a run can be resumed whenever it is killed.
        if step == 0 || step == steps || self.is_due(self.plan.checkpoints) {
            self.checkpoint()?;
        }
        Ok(())
    }
}

/// Passes intervals that are positive.
fn check_plan(plan: &OutputPlan) -> Result<(), GrainsError> {
    let intervals = [
        ("series", plan.series),
        ("contacts", plan.contacts),
        ("frames", plan.frames),
        ("checkpoints", plan.checkpoints),
    ];
    for (name, interval) in intervals {
        match interval {
            Some(Interval::Time(time)) => crate::build::positive(format!("output.{name}.time"), time).map(|_| ())?,
            Some(Interval::Steps(steps)) => {
                crate::build::positive(format!("output.{name}.steps"), steps as f64).map(|_| ())?;
            }
            None => {}
        }
    }
    Ok(())
}
