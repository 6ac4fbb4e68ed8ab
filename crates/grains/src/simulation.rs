//! A simulation: a scene in motion.
//!
//! [`beginning`] makes the initial bodies, [`building`] checks the plan and all later stages, [`stages`] changes from
//! one stage to the next, [`exchange`] adds and removes bodies, [`crossing`] finds bodies that went through walls,
//! [`steering`] lets servos move walls and the box, [`driving`] finds driven groups of fixed bodies, [`on_ranks`] takes
//! steps on several ranks, [`measures`] takes measurements, [`names`] adds names of bodies and walls to errors,
//! [`stage_report`] reports why a stage ended, [`energy`] checks that energy does not grow without a source, [`watch`]
//! warns of bodies that are too fast or fall without end.

mod beginning;
mod building;
mod crossing;
mod driving;
mod energy;
mod exchange;
mod measures;
mod names;
mod on_ranks;
mod stage_report;
mod stages;
mod steering;
pub(crate) mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cd_solve::fclib::{FclibError, StoredProblem};
use dem_contact::bond::Bonds;
use dem_contact::force::{BoxDrive, BoxMemory};
use dem_contact::wall::Servo;
use rrp_integrate::{Bodies, State};

pub(crate) use self::measures::{FragmentTally, Means, Measurable, Measured, NamedFragment, touches};

use self::beginning::{Beginning, note_on_lost_histories};
use self::building::{PlannedSteps, check_later_stages, check_plan, planned_steps};
use self::exchange::{first_exchange, gates_that_take_all};
use self::names::in_words;
use self::watch::Said;
use crate::build::bodies::InitialBodies;
use crate::build::bonds::{self, BondedBodies};
use crate::build::checks::{
    pours_past_walls, refuse_blocked_motion, refuse_overlaps, refuse_walls, too_wide_for_cylinders,
};
use crate::build::coming::refuse_oversized_sources;
use crate::build::deforming::refuse_beside_a_box_that_deforms;
use crate::build::domain::domain;
use crate::build::drives::{box_drive, servos};
use crate::build::faces::read_faces;
use crate::build::felt::felt_walls;
use crate::build::idle::idle;
use crate::build::measures::left_out;
use crate::build::parts::Parts;
use crate::build::plausible::{doubts, meshes};
use crate::build::situation::Situation;
use crate::build::sources::{PlannedSource, sources, with_coming};
use crate::build::steps::RecommendedStep;
use crate::build::walls::walls;
use crate::build::{adhesion, speeds};
use crate::energy_guard::EnergyGuard;
use crate::engine::{self, Built, Engine};
use crate::error::{GrainsError, Note};
use crate::plan::{Plan, PlannedStage};
use crate::progress::Progress;
use crate::progress::account::Account;
use crate::progress::dissipation::Dissipation;
use crate::progress::extremes::Extremes;
use crate::progress::time_means::TimeSums;
use crate::progress::unsolved::UnsolvedTally;
use crate::progress::walls::{StagedWall, begin_stage};
use crate::ranks::team::Team;
use crate::reading::Reading;
use crate::scene::Scene;
use crate::scene::units::Units;

/// A scene in motion: bodies, state and engine.
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
    pub(crate) plan: Arc<Plan>,
    pub(crate) sources: Arc<[PlannedSource]>,
    /// Whether the run is a short one, with the `quick` durations of its stages.
    pub(crate) quick: bool,
    pub(crate) progress: Progress,
    /// Servos of the present stage, with the numbers of their walls.
    pub(crate) servos: Vec<(usize, Servo)>,
    /// Drive of the box in the present stage; none if the box never deforms.
    pub(crate) box_drive: Option<BoxDrive>,
    /// Paths of the files that the simulation was built from; empty after a restart.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) notes: Vec<Note>,
    /// Messages since the last call of `take_messages`, one line each: why stages ended, and warnings.
    pub(crate) messages: Vec<String>,
    pub(crate) said: Said,
    /// Recommended step of the first stage at the start; none after a restart.
    pub(crate) first_recommended: Option<RecommendedStep>,
    /// The ranks that take the steps, on rank 0; none for a run on one rank.
    pub(crate) team: Option<Team>,
}

impl Simulation {
    /// Builds `scene` with files from `folder`; `quick` shortens its duration.
    ///
    /// # Errors
    /// For an invalid scene; the error names the key.
    pub fn new(scene: &Scene, folder: impl AsRef<Path>, quick: bool) -> Result<Self, GrainsError> {
        let folder = folder.as_ref();
        let plan = Arc::new(Plan::new(scene)?);
        check_plan(scene, &plan)?;
        let first = &plan.stages[0];
        let Beginning { initial, materials, identities, groups, mut handover } = Beginning::new(scene, folder)?;
        measures::check_groups(scene, &groups)?;
        let mut drivers = driving::first_drivers(scene, &plan, &groups, &initial.state)?;
        driving::check_stages(&plan, &groups, &initial.bodies, handover.bonds.as_ref())?;
        driving::begin_stage(&mut drivers, &groups, first, initial.state.time())?;
        handover.refuse_others(scene)?;
        bonds::check(&scene.bonds, groups.names())?;
        for stage in &plan.stages {
            let checked = handover.check(&stage.scene).and_then(|()| bonds::check(&stage.bonds, groups.names()));
            checked.map_err(|error| stage.locate(error))?;
        }
        refuse_beside_a_box_that_deforms(scene, &plan, &handover)?;
        handover.felt = felt_walls(scene, &plan, groups.names(), groups.all())?;
        handover.domain = scene.deforms_in_any_stage().then(|| domain(scene)).transpose()?;
        handover.box_will_deform = plan.box_deforms_from(0);
        let present_domain = handover.domain;
        let driven = speeds::driven_groups(&first.driven, &initial.state);
        let situation = Situation {
            bodies: &initial.bodies,
            state: &initial.state,
            materials: &materials,
            groups: groups.all(),
            names: groups.names(),
            bonds: None,
            driven,
        };
        let mut walls: Vec<StagedWall> = walls(scene, folder)?.into_iter().map(StagedWall::new).collect();
        begin_stage(&mut walls, first, initial.state.time())?;
        let acting = walls.iter().map(StagedWall::as_it_acts).collect();
        let bonded = BondedBodies {
            bodies: &initial.bodies,
            state: &initial.state,
            domain: present_domain.map_or_else(|| domain(scene), Ok)?,
            names: groups.names(),
            groups: groups.all(),
        };
        let mut notes_on_bonds = Vec::new();
        handover.bonds = bonded.add(&scene.bonds, handover.bonds, &mut notes_on_bonds)?;
        let mut of_stage = Vec::new();
        handover.bonds =
            bonded.add(&first.bonds, handover.bonds, &mut of_stage).map_err(|error| first.locate(error))?;
        notes_on_bonds.extend(of_stage.into_iter().map(|note| first.locate_note(note)));
        let parts = Parts::new(&first.scene, &situation, acting, handover).map_err(|error| first.locate(error))?;
        let sources = sources(scene, |index, group| read_faces(index, group, folder))?;
        refuse_oversized_sources(&plan, &sources, &initial.bodies, quick)?;
        refuse_blocked_motion(scene, &sources, &initial)?;
        refuse_walls(scene, &initial, identities.all(), &parts)?;
        let outside = pours_past_walls(scene, &initial, &parts.contacts.walls);
        let too_wide = too_wide_for_cylinders(scene, &initial, identities.all(), &parts);
        let overlaps = refuse_overlaps(scene, &first.scene, &initial, identities.all(), &parts)?;
        let with_bonds = Situation { bonds: parts.bonds.as_ref(), ..situation };
        let PlannedSteps { clock, first_recommended, notes: notes_on_steps } =
            planned_steps(&plan, &sources, &with_bonds, quick)?;
        check_later_stages(&plan, walls.clone(), &situation, clock.dt, quick)?;
        let built = engine::build(&first.scene, parts, clock.dt).map_err(|error| first.locate(error))?;
        let Built { engine, lost_histories } = built;
        // Grains of sources may stick, too.
        let of_adhesion = with_coming(scene, &sources, &situation, |all| Ok(adhesion::numbers(scene, all.bodies)))?;
        let InitialBodies { bodies, state, notes: about_bodies, .. } = initial;
        let inputs = scene.files().map(|path| folder.join(path)).collect();
        let doubts = doubts(scene, &bodies).into_iter().chain(idle(scene, &bodies, &plan, &sources));
        let notes =
            about_bodies.into_iter().chain(note_on_lost_histories(lost_histories)).chain(doubts).chain(of_adhesion);
        let notes = notes.chain(notes_on_bonds).chain(notes_on_steps).chain(engine::unused(&plan));
        let of_meshes = meshes(scene, &bodies, walls.iter().map(StagedWall::shape), &sources);
        let exchange = first_exchange(&first.scene, &bodies, &state, &identities)?;
        let of_gates = gates_that_take_all(&first.scene, &exchange, &bodies, &state, &identities);
        let notes = notes
            .chain(left_out(scene))
            .chain(overlaps)
            .chain(outside)
            .chain(too_wide)
            .chain(of_meshes)
            .chain(of_gates);
        let notes = notes.collect();
        let mut progress = Progress {
            clock,
            iterations: 0,
            identities,
            groups,
            drivers,
            materials,
            walls,
            domain: present_domain,
            box_memory: BoxMemory::default(),
            looks_at_rest: 0,
            exchange,
            account: Account::default(),
            dissipation: Dissipation::default(),
            measured: vec![TimeSums::default(); scene.measures.len()],
            has_no_attitudes: false,
            is_ledger_closed: false,
            guard: EnergyGuard::new(&first.scene, &bodies, &state),
            extremes: Extremes::default(),
            unsolved: UnsolvedTally::default(),
        };
        progress.guard = progress.guard.unless_driven(!progress.drivers.is_empty());
        let servos = servos(&first.scene, clock.dt).map_err(|error| first.locate(error))?;
        let box_drive = box_drive(&first.scene, present_domain).map_err(|error| first.locate(error))?;
        let bodies = Arc::new(bodies);
        let mut simulation = Self {
            bodies,
            state,
            engine,
            plan,
            sources: sources.into(),
            quick,
            progress,
            servos,
            box_drive,
            inputs,
            notes,
            messages: Vec::new(),
            said: Said::default(),
            first_recommended,
            team: None,
        };
        simulation.spin_fixed_bodies();
        let sums_dissipation = scene.output.dissipation.is_some();
        if simulation.progress.guard.is_on() || clock.has_next() || sums_dissipation {
            let start = simulation.read()?;
            simulation.progress.guard.begin(&start);
            if sums_dissipation {
                simulation.progress.dissipation.look(&start);
            }
        }
        Ok(simulation)
    }

    /// Takes a step and returns the number of steps taken so far. After the last step of a stage, the next stage begins
    /// first.
    ///
    /// # Errors
    /// [`GrainsError::Step`]; the state is then as before, except for bodies inserted or removed before the step, which
    /// another call does not insert or remove again. [`GrainsError::WallCrossed`] in steps that are not explicit, and
    /// [`GrainsError::EnergyGrown`], which is checked in some steps and in the last one; the bodies have then moved.
    /// Errors of a stage that does not fit the present bodies.
    pub fn step(&mut self) -> Result<u64, GrainsError> {
        while self.progress.clock.is_stage_over() && self.progress.clock.has_next() {
            self.begin_next_stage()?;
        }
        if self.progress.clock.is_over() && self.plan.stages.len() > 1 {
            return Ok(self.progress.clock.step);
        }
        self.exchange_bodies()?;
        self.steer()?;
        let before = if self.team.is_none() { self.before_step() } else { None };
        self.progress.iterations = self.move_bodies()?;
        self.progress.clock.step += 1;
        before.map_or(Ok(()), |before| self.check_crossings(&before))?;
        self.end_stage_if_done()?;
        self.sum_dissipation()?;
        let step = self.progress.clock.step;
        if self.progress.guard.is_due(step, self.progress.clock.steps) {
            self.gather()?;
            let reading = self.read()?;
            self.check_energy(&reading)?;
        }
        Ok(step)
    }

    /// Moves all bodies by a step, and returns the solver's number of iterations.
    fn move_bodies(&mut self) -> Result<usize, GrainsError> {
        if self.team.is_some() {
            return self.step_on_ranks().map(|()| 0);
        }
        let taken = self.engine.step(&self.bodies, &mut self.state);
        if taken.is_ok() {
            self.progress.unsolved = self.progress.unsolved.and(self.engine.unsolved());
        }
        let step = self.progress.clock.step + 1;
        let time = self.state.time();
        taken.map_err(|source| {
            let scene = &self.plan.stages[self.progress.clock.stage].scene;
            let dt = self.progress.clock.dt;
            let details = in_words(&source, self.progress.identities.all(), &self.state, scene, dt);
            GrainsError::Step { step, time, source, details }
        })
    }

    /// Notes on the scene: contents of files without effect, and probable mistakes.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns energies, contacts and loads on walls at the present state.
    ///
    /// # Errors
    /// [`GrainsError::Reading`].
    pub fn read(&self) -> Result<Reading, GrainsError> {
        Ok(self.progress.account.added_to(self.read_engine()?))
    }

    /// Returns the friction problem of the last step; none if the step had none, or if the scene does not write
    /// friction problems to files.
    ///
    /// # Errors
    /// For a matrix that is too large.
    pub(crate) fn friction_problem(&self) -> Option<Result<StoredProblem, FclibError>> {
        self.engine.friction_problem()
    }

    /// Returns the reading of the present engine, without energies of earlier engines and of added or removed bodies.
    fn read_engine(&self) -> Result<Reading, GrainsError> {
        self.engine.read(&self.bodies, &self.state).map_err(GrainsError::unreadable(self.state.time()))
    }

    /// Drops quantities that no output needs: work without a time series, attitudes without frames. Results stay
    /// bitwise equal. Work is kept if walls move and the energy is guarded.
    pub(crate) fn drop_unwritten(&mut self) {
        let written = self.plan.output();
        let is_guarded = |stage: &PlannedStage| EnergyGuard::new(&stage.scene, &self.bodies, &self.state).is_on();
        let is_any_guarded = self.plan.stages.iter().any(is_guarded);
        if written.series.is_none() && !(is_any_guarded && self.plan.has_moving_walls()) {
            self.progress.is_ledger_closed = true;
            self.engine.close_ledger();
        }
        let needs_attitudes = self.engine.needs_attitudes() || self.plan.has_bonds();
        if written.frames.is_none() && self.plan.is_explicit() && !needs_attitudes {
            self.progress.has_no_attitudes = true;
            let state = std::mem::replace(&mut self.state, State::at_rest(0));
            self.state = state.without_attitudes();
        }
    }

    /// All present bodies of the run.
    #[must_use]
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// The present state of the bodies.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The permanent id of each body, ascending. Body numbers change when bodies are inserted or removed, ids do not.
    #[must_use]
    pub fn ids(&self) -> &[u64] {
        self.progress.identities.all()
    }

    /// The bonds between bodies, if the scene has any.
    #[must_use]
    pub fn bonds(&self) -> Option<&Bonds> {
        self.engine.bonds()
    }

    /// Names of the units of the scene.
    pub(crate) fn units(&self) -> &Units {
        &self.plan.stages[0].scene.units
    }

    /// Index of the present stage, from zero.
    #[must_use]
    pub fn stage(&self) -> usize {
        self.progress.clock.stage
    }

    /// Time step of the present stage in s.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.progress.clock.dt
    }

    /// Number of steps of the whole run, as far as known: a stage may end before its duration is over.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.progress.clock.steps
    }

    /// Returns whether all steps of all stages are taken.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.progress.clock.is_over()
    }

    /// Number of steps taken since the start of the run.
    #[must_use]
    pub fn steps_taken(&self) -> u64 {
        self.progress.clock.step
    }

    /// Number of iterations of the solver in the last step; zero for explicit steps.
    #[must_use]
    pub fn iterations(&self) -> usize {
        self.progress.iterations
    }
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("bodies", &self.bodies.len())
            .field("clock", &self.progress.clock)
            .finish_non_exhaustive()
    }
}
