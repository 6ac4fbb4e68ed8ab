//! A scene in motion.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_contact::bond::Bonds;
use dem_contact::error::DemError;
use rrp_integrate::{Bodies, State};

use crate::build::bodies::{InitialBodies, smallest_radius};
use crate::build::checks::{refuse_overlaps, refuse_walls};
use crate::build::parts::{Parts, Start};
use crate::build::steps::{Steps, steps};
use crate::energy_guard::{EnergyGuard, Growth};
use crate::engine::{self, Engine};
use crate::error::{GrainsError, Note};
use crate::reading::Reading;
use crate::scene::Scene;

/// A scene in motion: bodies, state and the engine that moves them.
///
/// ```
/// let scene = grains::Scene::parse(r#"
///     integrator = "verlet"
///     gravity = [0.0, 0.0, -1.0]
///     time = { duration = 1.0 }
///     contact = { normal = { hooke = { stiffness = 1e5 } } }
///     [[bodies]]
///     place = { list = [[0.0, 0.0, 1.0]] }
///     radius = 0.5
///     mass = 1.0
///     [[walls]]
///     plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
/// "#)?;
/// let mut simulation = grains::Simulation::new(&scene, ".", false)?;
/// while simulation.step()? < simulation.steps() {}
/// assert!((simulation.state().time() - 1.0).abs() < simulation.dt());
/// # Ok::<(), grains::GrainsError>(())
/// ```
pub struct Simulation {
    pub(crate) bodies: Arc<Bodies>,
    pub(crate) state: State,
    pub(crate) engine: Box<dyn Engine>,
    pub(crate) dt: f64,
    pub(crate) step: u64,
    pub(crate) steps: u64,
    pub(crate) iterations: usize,
    /// The files that it was built from; none after a restart.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) notes: Vec<Note>,
    pub(crate) guard: EnergyGuard,
}

impl Simulation {
    /// Builds `scene`. Its files are read from `folder`; `quick` shortens its duration.
    ///
    /// # Errors
    /// Those of a scene without meaning, with the key.
    pub fn new(scene: &Scene, folder: impl AsRef<Path>, quick: bool) -> Result<Self, GrainsError> {
        let folder = folder.as_ref();
        scene.output.check()?;
        let initial = InitialBodies::new(scene, folder)?;
        let start = Start { initial: &initial, folder };
        let parts = Parts::new(scene, smallest_radius(&initial.bodies), Some(start))?;
        refuse_walls(scene, &initial, &parts)?;
        refuse_overlaps(&initial, &parts)?;
        let steps = steps(scene, &initial, quick)?;
        let engine = engine::build(scene, parts, steps.dt)?;
        let InitialBodies { bodies, state, notes, .. } = initial;
        let (bodies, Steps { dt, count, note }) = (Arc::new(bodies), steps);
        let inputs = scene.files().map(|path| folder.join(path)).collect();
        let notes = notes.into_iter().chain(note).collect();
        let guard = EnergyGuard::new(scene, &bodies, &state);
        let mut simulation =
            Self { bodies, state, engine, dt, step: 0, steps: count, iterations: 0, inputs, notes, guard };
        if simulation.guard.is_on() {
            let start = simulation.read()?;
            simulation.guard.begin(&start);
        }
        Ok(simulation)
    }

    /// Takes a step and returns the number of steps taken so far.
    ///
    /// # Errors
    /// [`GrainsError::Step`]; the state is then as before. [`GrainsError::EnergyGrown`], which is looked for in some
    /// steps and in the last one; the step is then taken.
    pub fn step(&mut self) -> Result<u64, GrainsError> {
        let taken = self.engine.step(&self.bodies, &mut self.state);
        let (step, time) = (self.step + 1, self.state.time());
        self.iterations = taken.map_err(|source| GrainsError::Step { step, time, source })?;
        self.step = step;
        if self.guard.is_due(step, self.steps) {
            self.check_energy(&self.read()?)?;
        }
        Ok(step)
    }

    /// Stops a run whose energy grows without a source.
    ///
    /// # Errors
    /// [`GrainsError::EnergyGrown`].
    pub(crate) fn check_energy(&self, reading: &Reading) -> Result<(), GrainsError> {
        let (step, time) = (self.step, reading.time);
        match self.guard.growth(reading, self.engine.wall_work()) {
            Some(Growth { excess, energy }) => Err(GrainsError::EnergyGrown { step, time, excess, energy }),
            None => Ok(()),
        }
    }

    /// Remarks about the scene: what files have that it does not take over, and what may be wrong with it.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Reads energies, contacts and loads. Changes nothing.
    ///
    /// # Errors
    /// [`GrainsError::Reading`].
    pub fn read(&self) -> Result<Reading, GrainsError> {
        let time = self.state.time();
        let unreadable = |source: DemError| GrainsError::Reading { time, source: Box::new(source) };
        self.engine.read(&self.bodies, &self.state).map_err(unreadable)
    }

    /// Drops what nothing in the output of `scene` shows: work without a time series, attitudes without frames. Centres,
    /// velocities and contacts keep their bits. The guard of the energy needs the work of moving walls.
    pub(crate) fn keep_what_is_written(&mut self, scene: &Scene) {
        let plan = &scene.output;
        if plan.series.is_none() && !(self.guard.is_on() && scene.has_moving_walls()) {
            self.engine.close_ledger();
        }
        if plan.frames.is_none() && !self.engine.needs_attitudes() {
            let state = std::mem::replace(&mut self.state, State::at_rest(0));
            self.state = state.without_attitudes();
        }
    }

    /// The bodies.
    #[must_use]
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The bonds, if the scene has any.
    #[must_use]
    pub fn bonds(&self) -> Option<&Bonds> {
        self.engine.bonds()
    }

    /// The time step in s.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// Number of steps that the scene lasts.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Number of steps taken.
    #[must_use]
    pub fn steps_taken(&self) -> u64 {
        self.step
    }

    /// Iterations of the solver in the last step; zero for explicit ones.
    #[must_use]
    pub fn iterations(&self) -> usize {
        self.iterations
    }
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("bodies", &self.bodies.len())
            .field("dt", &self.dt)
            .field("step", &self.step)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
