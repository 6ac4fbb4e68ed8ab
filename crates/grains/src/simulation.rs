//! A scene in motion.

use std::path::Path;
use std::sync::Arc;

use dem_contact::bond::Bonds;
use dem_contact::error::DemError;
use rrp_integrate::{Bodies, State};

use crate::build::bodies::Populace;
use crate::build::checks;
use crate::build::parts::Parts;
use crate::engine::{self, Engine};
use crate::scene::Scene;
use crate::{GrainsError, Reading};

/// A scene in motion: bodies, state and what moves them.
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
    /// Builds `scene`, whose files are looked for in `folder`; `quick` shortens its duration.
    ///
    /// # Errors
    /// Whatever may be wrong with a scene, with the key that is.
    pub fn new(scene: &Scene, folder: impl AsRef<Path>, quick: bool) -> Result<Self, GrainsError> {
        let populace = Populace::new(scene, folder.as_ref())?;
        let parts = Parts::new(scene, checks::smallest_radius(&populace.bodies), Some((&populace, folder.as_ref())))?;
        checks::apart(&populace, &parts)?;
        let (dt, steps) = checks::steps(scene, &populace, quick)?;
        let engine = engine::build(scene, parts, dt)?;
        let Populace { bodies, state, .. } = populace;
        Ok(Self { bodies: Arc::new(bodies), state, engine, dt, step: 0, steps, iterations: 0 })
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

    /// Reads energies, contacts and loads; changes nothing.
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
