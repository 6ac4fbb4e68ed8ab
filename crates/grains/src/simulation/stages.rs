//! Changes from one stage to the next: the new engine takes over bonds, contacts and walls.

use dem_contact::bond::Bonds;
use dem_contact::force::{BoxDrive, FeltWalls};
use dem_contact::neighbor::Domain;
use dem_contact::wall::Wall;
use rrp_geom::glam::DMat3;
use rrp_integrate::kinetic_energy;

use super::{Simulation, driving};
use crate::build::bonds::BondedBodies;
use crate::build::checks::ComingWalls;
use crate::build::drives::{box_drive, servos};
use crate::build::parts::{Handover, Parts};
use crate::build::situation::Situation;
use crate::build::sources::with_coming;
use crate::build::speeds::driven_groups;
use crate::build::steps::{RecommendedStep, Steps, recommended_step, steps};
use crate::energy_guard::{EnergyGuard, Flows};
use crate::engine::{self, Built};
use crate::error::GrainsError;
use crate::plan::PlannedStage;
use crate::plan::ends::PlannedEnd;
use crate::progress::exchange::{Border, Running};
use crate::progress::walls::{StagedWall, begin_stage};
use crate::scene::sources::Amount;
use crate::scene::time::TimeStep;

/// Number of steps between two checks of a stage's end condition.
const LOOK: u64 = 64;
/// Number of consecutive checks at which servos must bear their target loads to count as at rest.
const LOOKS: u32 = 16;

impl Simulation {
    /// Ends the present stage if its condition for an early end holds.
    pub(super) fn end_stage_if_done(&mut self) -> Result<(), GrainsError> {
        let clock = &self.progress.clock;
        let stage = &self.plan.stages[clock.stage];
        let is_looked_at =
            clock.in_stage().is_multiple_of(LOOK) && clock.in_stage() as f64 * clock.dt >= stage.at_least(self.quick);
        let mut reached = None;
        if let Some(end) = stage.end.filter(|_| is_looked_at) {
            self.gather()?;
            reached = self.is_reached(end)?.then_some(end);
        }
        if reached.is_some() {
            self.progress.clock.end_stage();
        }
        if self.progress.clock.is_stage_over() {
            // Gathers bodies of all ranks for the report.
            self.gather()?;
            self.remember_end(reached)?;
        }
        Ok(())
    }

    fn is_reached(&mut self, end: PlannedEnd) -> Result<bool, GrainsError> {
        let is_free = |inverse_mass: f64| inverse_mass > 0.0;
        let has_bodies = || self.bodies.inverse_mass().iter().any(|&inverse_mass| is_free(inverse_mass));
        Ok(match end {
            PlannedEnd::Passed { gate, mass } => self.progress.exchange.gates[gate].mass.value() > mass,
            PlannedEnd::ServoAtRest(share) => {
                let walls = &self.progress.walls;
                let there = self.servos.iter().filter(|(number, _)| walls[*number].is_there()).cloned();
                let there: Vec<_> = there.collect();
                let has_servo = !there.is_empty() || self.box_drive.as_ref().is_some_and(BoxDrive::wants_stress);
                let bears = has_servo && self.engine.bears(&there, self.box_drive.as_ref(), self.state.time(), share);
                self.progress.looks_at_rest = if bears { self.progress.looks_at_rest.saturating_add(1) } else { 0 };
                self.progress.looks_at_rest >= LOOKS
            }
            // Without free bodies all conditions would hold vacuously. If a source will still insert some, the stage
            // goes on.
            _ if !has_bodies() && self.brings_more() => false,
            PlannedEnd::KineticEnergy(energy) => kinetic_energy(&self.bodies, &self.state).total() < energy,
            PlannedEnd::KineticTranslation(energy) => kinetic_energy(&self.bodies, &self.state).translation < energy,
            PlannedEnd::UnbalancedForce(share) => {
                self.read_engine()?.unbalanced_force(&self.bodies, &self.state).is_some_and(|found| found < share)
            }
            PlannedEnd::Behind { point, normal } => {
                let mut centres = self.state.position().iter().zip(self.bodies.inverse_mass().iter());
                centres.all(|(centre, &inverse_mass)| !is_free(inverse_mass) || (centre - point).dot(normal) < 0.0)
            }
        })
    }

    /// Returns whether a running source of the present stage has more grains.
    fn brings_more(&self) -> bool {
        let running = &self.plan.stages[self.progress.clock.stage].running;
        let mut tallies = self.progress.exchange.sources.iter().zip(&*self.sources).zip(running);
        tallies.any(|((tally, source), &runs)| runs && tally.has_more(source))
    }

    /// Begins the next stage of the run.
    ///
    /// # Errors
    /// For a stage that does not fit the present bodies, with its key. Nothing is then changed.
    pub(super) fn begin_next_stage(&mut self) -> Result<(), GrainsError> {
        self.call_together()?;
        let number = self.progress.clock.stage + 1;
        let stage = self.plan.stages[number].clone();
        let own = self.read_engine()?;
        let mut walls = self.progress.walls.clone();
        let came = begin_stage(&mut walls, &stage, self.state.time())?;
        let mut drivers = self.progress.drivers.clone();
        driving::begin_stage(&mut drivers, &self.progress.groups, &stage, self.state.time())?;
        let steps = self.steps_of(&stage, stage.goes_on).map_err(|error| stage.locate(error))?;
        let servos = servos(&stage.scene, steps.dt).map_err(|error| stage.locate(error))?;
        let box_drive = box_drive(&stage.scene, self.progress.domain).map_err(|error| stage.locate(error))?;
        let box_memory = self.progress.box_memory;
        let box_memory = if stage.goes_on { box_memory } else { box_memory.at_rest() };
        let box_memory = if stage.moves_box_anew() { box_memory.begun_anew() } else { box_memory };
        let box_drive = box_drive.map(|drive| drive.remembering(box_memory)).transpose();
        let box_drive = box_drive.map_err(GrainsError::refused("box"))?;
        let time = self.state.time();
        let still = |domain: Domain| domain.deforming(time, DMat3::ZERO);
        let still = self.progress.domain.map(still).transpose().map_err(GrainsError::refused("box"))?;
        let later: u64 = self.plan.stages[number + 1..].iter().map(|stage| self.estimated_steps(stage)).sum();
        if !stage.goes_on {
            let mut new_bonds = None;
            let box_will_deform = self.plan.box_deforms_from(number);
            let mut handover = Handover { domain: still, box_will_deform, ..self.engine.hand_over() };
            if !stage.bonds.is_empty() {
                let box_now = still.map_or_else(|| self.domain(), Ok)?;
                let before = handover.bonds.as_ref().map_or(0, Bonds::len);
                // Notes on missing bonds are dropped, since the number of bonds is reported below.
                let made = self.bonded_bodies(box_now).add(&stage.bonds, handover.bonds, &mut Vec::new());
                handover.bonds = made.map_err(|error| stage.locate(error))?;
                let made = handover.bonds.as_ref().map_or(0, Bonds::len) - before;
                new_bonds = Some(format!("bonds that are made where stage {} begins: {made}", number + 1));
            }
            servos.iter().for_each(|(number, _)| walls[*number].glide(time));
            let acting: Vec<Wall> = walls.iter().map(StagedWall::as_it_acts).collect();
            self.check_coming(&stage, &acting, &came, &handover.felt)?;
            let parts = Parts::new(&stage.scene, &self.situation(&stage), acting, handover);
            let made = parts.and_then(|parts| engine::build(&stage.scene, parts, steps.dt));
            let Built { mut engine, lost_histories } = made.map_err(|error| stage.locate(error))?;
            if self.progress.is_ledger_closed {
                engine.close_ledger();
            }
            let after = engine.read(&self.bodies, &self.state).map_err(GrainsError::unreadable(time))?;
            let wall_work = self.wall_work_of(&own);
            let before = self.progress.account.added_to(own);
            self.progress.account.settle(&before, &after, wall_work);
            let wall_work = self.progress.account.about_wall_work(engine.wall_work());
            let flows = Flows { wall_work, exchanged: self.progress.account.scale() };
            let after = self.progress.account.added_to(after);
            self.progress.guard = EnergyGuard::of_next_stage(&stage.scene, &self.bodies, &self.state, &after, flows);
            self.engine = engine;
            self.messages.extend(new_bonds);
            if lost_histories > 0 {
                let text = format!("contacts whose laws are not those of stage {number} begin anew: {lost_histories}");
                self.messages.push(text);
            }
            // Forces by the former laws, walls and gravity are outdated.
            self.state.discard_wrenches();
        }
        self.progress.walls = walls;
        self.progress.guard = self.progress.guard.unless_driven(!drivers.is_empty());
        self.progress.drivers = drivers;
        let clock = self.progress.clock;
        let border = Border { step: clock.step, dt_before: clock.dt, dt_after: steps.dt };
        let runs = self.plan.stages[clock.stage].running.iter().zip(&stage.running).zip(&stage.scene.sources);
        let runs = runs.map(|((&before, &after), source)| {
            let rate = source.rate.map_or(0.0, Amount::value);
            Running { before, after, rate }
        });
        self.progress.exchange.cross(border, runs);
        self.servos = servos;
        self.box_drive = box_drive;
        self.progress.box_memory = box_memory;
        self.progress.looks_at_rest = 0;
        self.progress.clock.begin_next(steps.dt, steps.count, later);
        Ok(())
    }

    /// Returns the recommended step of the present stage, if a time scale is known.
    pub(crate) fn recommended_step(&self) -> Result<Option<RecommendedStep>, GrainsError> {
        let clock = &self.progress.clock;
        if clock.stage == 0 && clock.step == 0 && self.first_recommended.is_some() {
            return Ok(self.first_recommended.clone());
        }
        let stage = &self.plan.stages[self.progress.clock.stage];
        with_coming(&stage.scene, &self.sources, &self.situation(stage), |all| recommended_step(&stage.scene, all))
    }

    /// Describes the automatic step length of the first stage and its cause, before the first step; none if the scene
    /// gives the length.
    pub(crate) fn first_step_in_words(&self) -> Result<Option<String>, GrainsError> {
        let clock = &self.progress.clock;
        let scene = &self.plan.stages[clock.stage].scene;
        if clock.step > 0 || scene.time.dt != TimeStep::Auto {
            return Ok(None);
        }
        let recommended = self.recommended_step()?;
        let unit = &scene.units.time;
        Ok(recommended.map(|step| format!("time.dt = {:.6e} {unit}, decided by {}", clock.dt, step.decided_by)))
    }

    fn situation(&self, stage: &PlannedStage) -> Situation<'_> {
        let driven = driven_groups(&stage.driven, &self.state);
        Situation {
            bodies: &self.bodies,
            state: &self.state,
            materials: &self.progress.materials,
            groups: self.progress.groups.all(),
            names: self.progress.groups.names(),
            bonds: self.bonds(),
            driven,
        }
    }

    fn bonded_bodies(&self, domain: Domain) -> BondedBodies<'_> {
        let groups = &self.progress.groups;
        BondedBodies { bodies: &self.bodies, state: &self.state, domain, names: groups.names(), groups: groups.all() }
    }

    /// Chooses length and number of the steps of a stage for the present state; with `keeps_dt` the length stays the
    /// same.
    fn steps_of(&self, stage: &PlannedStage, keeps_dt: bool) -> Result<Steps, GrainsError> {
        if !keeps_dt {
            return with_coming(&stage.scene, &self.sources, &self.situation(stage), |all| {
                steps(&stage.scene, all, self.quick)
            });
        }
        let count = self.estimated_steps(stage);
        Ok(Steps { dt: self.progress.clock.dt, count, recommended: None, note: None })
    }

    /// Returns the number of steps of a stage at the present step length.
    fn estimated_steps(&self, stage: &PlannedStage) -> u64 {
        let dt = self.progress.clock.dt;
        (stage.scene.duration(self.quick) / dt * (1.0 - 1e-12)).ceil() as u64
    }

    fn check_coming(
        &self,
        stage: &PlannedStage,
        walls: &[Wall],
        came: &[usize],
        felt: &FeltWalls,
    ) -> Result<(), GrainsError> {
        let bodies = &*self.bodies;
        let state = &self.state;
        let ids = self.progress.identities.all();
        let domain = self.domain()?.at(state.time()).map_err(GrainsError::refused("box"))?;
        let coming = ComingWalls { scene: &stage.scene, domain, bodies, state, ids, walls, came, felt };
        coming.check(|group| stage.key_of_wall(group))
    }
}
