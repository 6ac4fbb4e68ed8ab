//! From one stage to the next: another engine takes over what the former one knows.

use dem_contact::law::Partner;
use dem_contact::neighbor::Domain;
use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::kinetic_energy;

use super::Simulation;
use crate::build::domain::box_drive;
use crate::build::drives::servos;
use crate::build::parts::{Parts, Situation};
use crate::build::sources::with_coming;
use crate::build::steps::{Steps, recommended_step, steps};
use crate::engine;
use crate::error::{GrainsError, Location};
use crate::plan::PlannedStage;
use crate::progress::walls::{StagedWall, begin_stage};
use crate::reading::Reading;
use crate::scene::stages::StageEnd;

/// Steps between two looks at whether a stage ends.
const LOOK: u64 = 64;
/// Looks in a row at which servos at rest bear what they should.
const LOOKS: u32 = 16;
/// Share of its radius by which a body may overlap a wall that comes.
const OVERLAP: f64 = 0.1;

impl Simulation {
    /// Ends the present stage if it says so.
    pub(super) fn end_stage_if_done(&mut self) {
        let clock = &self.progress.clock;
        let PlannedStage { end, at_least, .. } = self.plan.stages[clock.stage];
        let Some(end) = end.filter(|_| clock.in_stage().is_multiple_of(LOOK)) else { return };
        if clock.in_stage() as f64 * clock.dt >= at_least && self.is_reached(end) {
            self.progress.clock.end_stage();
        }
    }

    fn is_reached(&mut self, end: StageEnd) -> bool {
        match end {
            StageEnd::KineticEnergy(energy) => kinetic_energy(&self.bodies, &self.state).total() < energy,
            StageEnd::Passed { gate, mass } => self.progress.exchange.gates[gate].mass > mass,
            StageEnd::ServoAtRest(share) => {
                let walls = &self.progress.walls;
                let there = self.servos.iter().copied().filter(|&(number, _)| walls[number].is_there());
                let bears = self.engine.bears(&there.collect::<Vec<_>>(), self.box_drive.as_ref(), share);
                self.progress.looks_at_rest = if bears { self.progress.looks_at_rest.saturating_add(1) } else { 0 };
                self.progress.looks_at_rest >= LOOKS
            }
            StageEnd::Behind { point, normal } => {
                let (point, normal) = (DVec3::from_array(point), DVec3::from_array(normal));
                let mut centres = self.state.position().iter().zip(self.bodies.inverse_mass().iter());
                centres.all(|(centre, &inverse_mass)| inverse_mass <= 0.0 || (centre - point).dot(normal) < 0.0)
            }
        }
    }

    /// Begins the next stage.
    ///
    /// # Errors
    /// Those of a stage that does not fit the bodies as they are, with its key. Nothing is then changed.
    pub(super) fn begin_next_stage(&mut self) -> Result<(), GrainsError> {
        let number = self.progress.clock.stage + 1;
        let stage = self.plan.stages[number].clone();
        let own = self.read_engine()?;
        let mut walls = self.progress.walls.clone();
        let came = begin_stage(&mut walls, &stage, self.state.time())?;
        let steps = self.steps_of(&stage, stage.goes_on).map_err(|error| stage.locate(error))?;
        let servos = servos(&stage.scene, steps.dt).map_err(|error| stage.locate(error))?;
        let box_drive = box_drive(&stage.scene, self.progress.domain).map_err(|error| stage.locate(error))?;
        let time = self.state.time();
        // The box stands still until the next step drives it.
        let still = |domain: Domain| domain.deforming(time, DMat3::ZERO);
        let still = self.progress.domain.map(still).transpose().map_err(GrainsError::refused("box"))?;
        let later: u64 = self.plan.stages[number + 1..].iter().map(|stage| self.estimated_steps(stage)).sum();
        if !stage.goes_on {
            let handover = self.engine.hand_over();
            let mut handover = handover.map_err(|error| GrainsError::Unstorable { problem: error.to_string() })?;
            handover.domain = still;
            servos.iter().for_each(|(number, _)| walls[*number].glide(time));
            let acting = walls.iter().map(StagedWall::as_it_acts).collect();
            let parts = Parts::new(&stage.scene, &self.situation(), acting, handover);
            let made = parts.and_then(|parts| engine::build(&stage.scene, parts, steps.dt));
            let mut engine = made.map_err(|error| stage.locate(error))?;
            if self.progress.is_ledger_closed {
                engine.close_ledger();
            }
            let after = engine.read(&self.bodies, &self.state);
            let after = after.map_err(|source| GrainsError::Reading { time, source: Box::new(source) })?;
            self.refuse_walls_through_bodies(&stage, &came, &after)?;
            let wall_work = self.wall_work_of(&own);
            let before = self.progress.account.added_to(own);
            self.progress.account.settle(&before, &after, wall_work);
            self.progress.guard = self.progress.guard.going_on(&stage.scene, &self.bodies, &self.state);
            self.engine = engine;
            // Forces of the former laws, walls and gravity.
            self.state.discard_wrenches();
        }
        self.progress.walls = walls;
        self.servos = servos;
        self.box_drive = box_drive;
        self.progress.looks_at_rest = 0;
        self.progress.clock.begin_next(steps.dt, steps.count, later);
        Ok(())
    }

    /// The recommended step of this stage in s, if anything sets one.
    pub(crate) fn recommended_step(&self) -> Result<Option<f64>, GrainsError> {
        let scene = &self.plan.stages[self.progress.clock.stage].scene;
        with_coming(scene, &self.situation(), |all| recommended_step(scene, all))
    }

    /// Bodies and materials as they are now.
    pub(super) fn situation(&self) -> Situation<'_> {
        Situation { bodies: &self.bodies, state: &self.state, materials: &self.progress.materials }
    }

    /// The steps of a stage from the present state on; of the same length as now if `keeps_dt`.
    fn steps_of(&self, stage: &PlannedStage, keeps_dt: bool) -> Result<Steps, GrainsError> {
        if !keeps_dt {
            return with_coming(&stage.scene, &self.situation(), |all| steps(&stage.scene, all, self.quick));
        }
        let count = self.estimated_steps(stage);
        Ok(Steps { dt: self.progress.clock.dt, count, note: None })
    }

    /// The number of steps of a stage if they are as long as now.
    fn estimated_steps(&self, stage: &PlannedStage) -> u64 {
        let dt = self.progress.clock.dt;
        (stage.scene.duration(self.quick) / dt * (1.0 - 1e-12)).ceil() as u64
    }

    fn refuse_walls_through_bodies(
        &self,
        stage: &PlannedStage,
        came: &[usize],
        reading: &Reading,
    ) -> Result<(), GrainsError> {
        for row in &reading.contacts {
            let Partner::Wall(wall) = row.b else { continue };
            let (overlap, radius) = (-row.gap, self.bodies.radius()[row.a]);
            if came.contains(&wall) && overlap > OVERLAP * radius {
                let (at, body) = (Location::of(stage.key_of("walls")), self.progress.identities.all()[row.a]);
                return Err(GrainsError::WallThroughBody { at, wall, body: body as usize, overlap, radius });
            }
        }
        Ok(())
    }
}
