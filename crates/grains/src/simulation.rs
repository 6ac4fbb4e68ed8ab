//! A scene in motion.
//!
//! [`beginning`] has its first bodies, [`stages`] goes from one stage to the next, [`exchange`] brings and takes away
//! bodies, [`names`] tells who the bodies in an error are.

mod beginning;
mod exchange;
mod names;
mod stages;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_contact::bond::Bonds;
use dem_contact::error::DemError;
use dem_contact::source::Gate;
use rrp_integrate::{Bodies, State};

use self::beginning::Beginning;
use self::names::ids_in_words;
use crate::build::bodies::{InitialBodies, smallest_radius};
use crate::build::checks::{refuse_overlaps, refuse_walls};
use crate::build::parts::{Parts, Situation};
use crate::build::sources::{gates, with_coming};
use crate::build::steps::{Steps, steps};
use crate::build::walls::walls;
use crate::energy_guard::{EnergyGuard, Growth};
use crate::engine::{self, Engine};
use crate::error::{GrainsError, Location, Note};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::progress::account::Account;
use crate::progress::clock::Clock;
use crate::progress::exchange::{Exchange, GateTally, SourceTally};
use crate::progress::identities::Identities;
use crate::progress::walls::{StagedWall, begin_stage};
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
    pub(crate) plan: Plan,
    /// Whether stages have their short durations.
    pub(crate) quick: bool,
    pub(crate) progress: Progress,
    /// The files that it was built from; none after a restart.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) notes: Vec<Note>,
}

impl Simulation {
    /// Builds `scene`. Its files are read from `folder`; `quick` shortens its duration.
    ///
    /// # Errors
    /// Those of a scene without meaning, with the key.
    pub fn new(scene: &Scene, folder: impl AsRef<Path>, quick: bool) -> Result<Self, GrainsError> {
        let folder = folder.as_ref();
        let plan = Plan::new(scene)?;
        plan.stages.iter().try_for_each(|stage| stage.scene.output.check().map_err(|error| stage.locate(error)))?;
        let first = &plan.stages[0];
        let Beginning { initial, materials, identities, handover } = Beginning::new(scene, folder)?;
        let situation = Situation { bodies: &initial.bodies, state: &initial.state, materials: &materials };
        let mut walls: Vec<StagedWall> = walls(scene, folder)?.into_iter().map(StagedWall::new).collect();
        begin_stage(&mut walls, first, initial.state.time());
        let acting = walls.iter().map(StagedWall::as_it_acts).collect();
        let parts = Parts::new(&first.scene, &situation, acting, handover).map_err(|error| first.locate(error))?;
        refuse_walls(scene, &initial, &parts)?;
        refuse_overlaps(&initial, &parts)?;
        let (mut clock, mut notes) = (None, Vec::new());
        let mut steps_of_all = 0_u64;
        for stage in &plan.stages {
            let Steps { dt, count, note } =
                with_coming(&stage.scene, &situation, |all| steps(&stage.scene, all, quick))
                    .map_err(|error| stage.locate(error))?;
            notes.extend(note);
            steps_of_all = steps_of_all.saturating_add(count);
            clock.get_or_insert(Clock {
                step: 0,
                steps: 0,
                stage: 0,
                stages: plan.stages.len(),
                first: 0,
                last: count,
                dt,
            });
        }
        let Some(clock) = clock.map(|clock| Clock { steps: steps_of_all, ..clock }) else {
            let problem = "there is no stage";
            return Err(GrainsError::Conflict { at: Location::of("stage"), problem });
        };
        // What is wrong with a later stage is told before the first step.
        for stage in &plan.stages[1..] {
            let parts = Parts::bare(&stage.scene, smallest_radius(&initial.bodies));
            let built = parts.and_then(|parts| engine::build(&stage.scene, parts, clock.dt));
            built.map_err(|error| stage.locate(error))?;
        }
        let engine = engine::build(&first.scene, parts, clock.dt).map_err(|error| first.locate(error))?;
        let InitialBodies { bodies, state, notes: about_bodies, .. } = initial;
        let inputs = scene.files().map(|path| folder.join(path)).collect();
        let unused = plan.stages.iter().find_map(|stage| engine::unused(&stage.scene));
        let notes = about_bodies.into_iter().chain(notes).chain(unused).collect();
        let exchange = first_exchange(&first.scene, &bodies, &state, &identities)?;
        let progress = Progress {
            clock,
            iterations: 0,
            identities,
            materials,
            walls,
            exchange,
            account: Account::default(),
            has_no_attitudes: false,
            is_ledger_closed: false,
            guard: EnergyGuard::new(&first.scene, &bodies, &state),
        };
        let mut simulation = Self { bodies: Arc::new(bodies), state, engine, plan, quick, progress, inputs, notes };
        if simulation.progress.guard.is_on() || clock.has_next() {
            let start = simulation.read()?;
            simulation.progress.guard.begin(&start);
        }
        Ok(simulation)
    }

    /// Takes a step and returns the number of steps taken so far. A step after the last one of a stage begins the next
    /// stage first.
    ///
    /// # Errors
    /// [`GrainsError::Step`]; the state is then as before. [`GrainsError::EnergyGrown`], which is looked for in some
    /// steps and in the last one; the step is then taken. Those of a stage that does not fit the bodies as they are.
    pub fn step(&mut self) -> Result<u64, GrainsError> {
        while self.progress.clock.is_stage_over() && self.progress.clock.has_next() {
            self.begin_next_stage()?;
        }
        if self.progress.clock.is_over() && self.plan.stages.len() > 1 {
            // The last stage has no steps.
            return Ok(self.progress.clock.step);
        }
        self.exchange_bodies()?;
        let taken = self.engine.step(&self.bodies, &mut self.state);
        let (step, time) = (self.progress.clock.step + 1, self.state.time());
        self.progress.iterations = taken.map_err(|source| {
            let ids = ids_in_words(&source, self.progress.identities.all());
            GrainsError::Step { step, time, source, ids }
        })?;
        self.progress.clock.step = step;
        self.end_stage_if_done();
        if self.progress.guard.is_due(step, self.progress.clock.steps) {
            self.check_energy(&self.read()?)?;
        }
        Ok(step)
    }

    /// Stops a run whose energy grows without a source.
    ///
    /// # Errors
    /// [`GrainsError::EnergyGrown`].
    pub(crate) fn check_energy(&self, reading: &Reading) -> Result<(), GrainsError> {
        let (step, time) = (self.progress.clock.step, reading.time);
        // An engine may know its own work where that of an earlier one is not known.
        let is_unknown = reading.energies.wall_work.is_none() && self.progress.clock.stage > 0;
        let own = if is_unknown { self.wall_work_of(&self.read_engine()?) } else { self.engine.wall_work() };
        let wall_work = self.progress.account.about_wall_work(own);
        match self.progress.guard.growth(reading, wall_work) {
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
        Ok(self.progress.account.added_to(self.read_engine()?))
    }

    /// What the present engine knows.
    fn read_engine(&self) -> Result<Reading, GrainsError> {
        let time = self.state.time();
        let unreadable = |source: DemError| GrainsError::Reading { time, source: Box::new(source) };
        self.engine.read(&self.bodies, &self.state).map_err(unreadable)
    }

    /// The work of walls in J that the present engine has recorded, as a reading of it says, or to the order of a step.
    fn wall_work_of(&self, own: &Reading) -> f64 {
        own.energies.wall_work.unwrap_or(self.engine.wall_work())
    }

    /// Drops what no output shows: work without a time series, attitudes without frames. Centres, velocities and
    /// contacts keep their bits. The guard of the energy needs the work of moving walls.
    pub(crate) fn keep_what_is_written(&mut self) {
        let written = self.plan.output();
        if written.series.is_none() && !(self.progress.guard.is_on() && self.plan.has_moving_walls()) {
            self.progress.is_ledger_closed = true;
            self.engine.close_ledger();
        }
        if written.frames.is_none() && self.plan.is_explicit() && !self.engine.needs_attitudes() {
            self.progress.has_no_attitudes = true;
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

    /// The permanent id of each body, ascending: numbers change when bodies come and leave, ids do not.
    #[must_use]
    pub fn ids(&self) -> &[u64] {
        self.progress.identities.all()
    }

    /// The bonds, if the scene has any.
    #[must_use]
    pub fn bonds(&self) -> Option<&Bonds> {
        self.engine.bonds()
    }

    /// The present stage, from zero.
    #[must_use]
    pub fn stage(&self) -> usize {
        self.progress.clock.stage
    }

    /// The time step in s.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.progress.clock.dt
    }

    /// Number of steps that the scene lasts, as far as is known: a stage may end before its time.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.progress.clock.steps
    }

    /// Whether all steps of all stages are taken.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.progress.clock.is_over()
    }

    /// Number of steps taken.
    #[must_use]
    pub fn steps_taken(&self) -> u64 {
        self.progress.clock.step
    }

    /// Iterations of the solver in the last step; zero for explicit ones.
    #[must_use]
    pub fn iterations(&self) -> usize {
        self.progress.iterations
    }
}

/// Sources that have brought nothing yet, and gates that nothing has passed.
fn first_exchange(
    scene: &Scene,
    bodies: &Bodies,
    state: &State,
    identities: &Identities,
) -> Result<Exchange, GrainsError> {
    let free = |body: &usize| bodies.inverse_mass()[*body] > 0.0;
    let grains = || (0..bodies.len()).filter(free).map(|body| (identities.all()[body], state.position().get(body)));
    let gate = |(index, shape)| {
        let gate = Gate::new(shape, grains()).map_err(GrainsError::refused(format!("gates[{index}].shape")))?;
        Ok(GateTally { gate, count: 0, mass: 0.0 })
    };
    Ok(Exchange {
        sources: vec![SourceTally::default(); scene.sources.len()],
        gates: gates(scene)?.into_iter().enumerate().map(gate).collect::<Result<_, GrainsError>>()?,
        passages: Vec::new(),
    })
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("bodies", &self.bodies.len())
            .field("clock", &self.progress.clock)
            .finish_non_exhaustive()
    }
}
