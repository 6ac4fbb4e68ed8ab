//! A scene in motion.

use std::path::Path;
use std::sync::Arc;

use dem_contact::bond::Bonds;
use dem_contact::error::DemError;
use rrp_integrate::{Bodies, State};

use crate::build::bodies::{InitialBodies, smallest_radius};
use crate::build::checks::{refuse_overlaps, refuse_walls};
use crate::build::parts::{Parts, Start};
use crate::build::steps;
use crate::engine::{self, Engine};
use crate::error::GrainsError;
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
}

impl Simulation {
    /// Builds `scene`. Its files are read from `folder`; `quick` shortens its duration.
    ///
    /// # Errors
    /// Those of a scene without meaning, with the key.
    pub fn new(scene: &Scene, folder: impl AsRef<Path>, quick: bool) -> Result<Self, GrainsError> {
        let folder = folder.as_ref();
        let initial = InitialBodies::new(scene, folder)?;
        let start = Start { initial: &initial, folder };
        let parts = Parts::new(scene, smallest_radius(&initial.bodies), Some(start))?;
        refuse_walls(scene, &initial, &parts)?;
        refuse_overlaps(&initial, &parts)?;
        let steps = steps::steps(scene, &initial, quick)?;
        let engine = engine::build(scene, parts, steps.dt)?;
        let InitialBodies { bodies, state, .. } = initial;
        let bodies = Arc::new(bodies);
        Ok(Self { bodies, state, engine, dt: steps.dt, step: 0, steps: steps.count, iterations: 0 })
    }

    /// Takes a step and returns the number of steps taken so far.
    ///
    /// # Errors
    /// [`GrainsError::Step`]; the state is then as before.
    pub fn step(&mut self) -> Result<u64, GrainsError> {
        let taken = self.engine.step(&self.bodies, &mut self.state);
        let (step, time) = (self.step + 1, self.state.time());
        self.iterations = taken.map_err(|source| GrainsError::Step { step, time, source })?;
        self.step = step;
        Ok(step)
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
