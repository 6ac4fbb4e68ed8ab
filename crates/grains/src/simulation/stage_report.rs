//! Reports on stages: progress, why a stage ended, and which targets it missed.

use dem_contact::force::BoxDrive;
use rrp_geom::glam::DVec3;
use rrp_integrate::body::KineticEnergy;
use rrp_integrate::{Bodies, State, kinetic_energy};

use super::Simulation;
use crate::build::checks::wall_in_words;
use crate::error::GrainsError;
use crate::plan::ends::PlannedEnd;
use crate::value::rounded;

/// Largest relative error of a servo's load without a report at the end of a stage.
const MET: f64 = 0.05;
/// Missing share of the due grains above which a source is reported to lack space. The last attempt may leave a small
/// amount due.
const MISSING: f64 = 0.05;

impl Simulation {
    /// Takes the reports on stages since the last call, one line each: why they ended, and which contacts lost their
    /// history in the next stage. A scene of one stage reports only missed targets.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }

    /// Returns the elapsed share of the simulated time of all stages, in [0, 1]. A stage that ended early counts in
    /// full. Runs without duration, such as static equilibrium, count steps instead.
    #[must_use]
    pub fn share_done(&self) -> f64 {
        let clock = self.progress.clock;
        if clock.is_over() {
            return 1.0;
        }
        let durations = || self.plan.stages.iter().map(|stage| stage.scene.duration(self.quick));
        let whole: f64 = durations().sum();
        if whole <= 0.0 {
            return clock.step as f64 / clock.steps.max(1) as f64;
        }
        let before: f64 = durations().take(clock.stage).sum();
        let present = durations().nth(clock.stage).unwrap_or(0.0);
        (before + present.min(clock.in_stage() as f64 * clock.dt)) / whole
    }

    pub(crate) fn may_end_early(&self) -> bool {
        self.plan.stages[self.progress.clock.stage..].iter().any(|stage| stage.end.is_some())
    }

    /// Reports the end of the present stage by the condition `reached`, or by its duration.
    ///
    /// # Errors
    /// [`GrainsError::Reading`].
    pub(super) fn remember_end(&mut self, reached: Option<PlannedEnd>) -> Result<(), GrainsError> {
        let clock = self.progress.clock;
        let stage = &self.plan.stages[clock.stage];
        let undone = self.undone();
        if clock.stages == 1 && stage.end.is_none() {
            // For a single stage, its end by duration is not reported.
            self.messages.extend(undone.into_iter().map(|text| format!("at the end {text}")));
            return Ok(());
        }
        let units = &stage.scene.units;
        let why = match reached {
            Some(PlannedEnd::KineticEnergy(energy)) => format!("the kinetic energy is below {energy:?}"),
            Some(PlannedEnd::KineticTranslation(energy)) => {
                format!("the kinetic energy of translation is below {energy:?}")
            }
            Some(PlannedEnd::UnbalancedForce(share)) => format!("the unbalanced force is below {share:?}"),
            Some(PlannedEnd::Behind { .. }) => "all free bodies are behind the plane".to_owned(),
            Some(PlannedEnd::Passed { mass, .. }) => format!("more than {mass:?} {} passed the gate", units.mass),
            Some(PlannedEnd::ServoAtRest(_)) => "the servos bear their target loads".to_owned(),
            None => match stage.end {
                Some(end) => format!("its `end` was not reached within its duration{}", self.left(end)?),
                None => "its duration is over".to_owned(),
            },
        };
        let number = clock.stage + 1;
        let lasted = rounded(clock.in_stage() as f64 * clock.dt);
        let undone: String = undone.into_iter().map(|text| format!("; {text}")).collect();
        let stages = clock.stages;
        let time = &units.time;
        self.messages.push(format!("stage {number} of {stages} ended after {lasted:?} {time}: {why}{undone}"));
        Ok(())
    }

    /// Describes, after a colon, what is left until the end condition `end`; empty for servos, which
    /// [`undone`](Self::undone) reports.
    fn left(&self, end: PlannedEnd) -> Result<String, GrainsError> {
        let free = || (0..self.bodies.len()).filter(|&body| self.bodies.inverse_mass()[body] > 0.0);
        let id = |body: usize| self.progress.identities.all()[body];
        let units = self.units();
        let joule = units.named("J");
        Ok(match end {
            PlannedEnd::KineticEnergy(_) | PlannedEnd::KineticTranslation(_) => {
                let KineticEnergy { translation, rotation } = kinetic_energy(&self.bodies, &self.state);
                let energy = |&body: &usize| {
                    let own = body_energy(&self.bodies, &self.state, body);
                    if matches!(end, PlannedEnd::KineticTranslation(_)) { own.translation } else { own.total() }
                };
                let fastest = free().max_by(|one, other| energy(one).total_cmp(&energy(other)));
                let most = fastest.map_or_else(String::new, |body| {
                    format!(", most of it ({} {joule}) of body {}", rounded(energy(&body)), id(body))
                });
                format!(
                    ": {} {joule} of translation and {} {joule} of rotation are left{most}",
                    rounded(translation),
                    rounded(rotation)
                )
            }
            PlannedEnd::UnbalancedForce(_) => {
                let found = self.read_engine()?.unbalanced_force(&self.bodies, &self.state);
                found.map_or_else(
                    || ": there are no contacts, so that no force is unbalanced".to_owned(),
                    |found| format!(": the unbalanced force is {}", rounded(found)),
                )
            }
            PlannedEnd::Behind { point, normal } => {
                let height = |&body: &usize| (self.state.position().get(body) - point).dot(normal.normalize());
                let before = free().filter(|body| height(body) >= 0.0);
                let farthest = before.clone().max_by(|one, other| height(one).total_cmp(&height(other)));
                farthest.map_or_else(String::new, |body| {
                    let count = before.count();
                    let far = rounded(height(&body));
                    format!(
                        ": bodies not behind the plane: {count}; the farthest, body {}, is {far} {} in front of it",
                        id(body),
                        units.length
                    )
                })
            }
            PlannedEnd::Passed { gate, .. } => {
                let mass = rounded(self.progress.exchange.gates[gate].mass.value());
                format!(": {mass} {} have passed the gate", units.mass)
            }
            PlannedEnd::ServoAtRest(_) => String::new(),
        })
    }

    /// Lists, in words, servos that miss their target loads, and sources without space for their grains.
    fn undone(&self) -> Vec<String> {
        let stage = &self.plan.stages[self.progress.clock.stage];
        let mut undone = Vec::new();
        let time = self.state.time();
        for (number, servo) in self.servos.iter().filter(|(number, _)| self.progress.walls[*number].is_there()) {
            let force = self.progress.walls[*number].force_of(servo, time);
            // A relative tolerance is meaningless for a target force of zero.
            let wants_force = force.abs() > 0.0;
            if wants_force && !self.engine.bears(&[(*number, servo.clone())], None, time, MET) {
                let wall = wall_in_words(&stage.scene, *number);
                let force = rounded(force);
                undone.push(format!("the servo of the wall {wall} does not bear its force of {force:?}"));
            }
        }
        if let Some(drive) = self.box_drive.as_ref().filter(|drive| drive.wants_stress()) {
            undone.extend(self.engine.box_stress().into_iter().flat_map(|stress| missed_stresses(drive, stress, time)));
        }
        let tallies = self.progress.exchange.sources.iter().zip(&*self.sources);
        for (number, ((tally, source), runs)) in tallies.zip(&stage.running).enumerate() {
            if !*runs || tally.attempts == 0 || !tally.has_more(source) {
                continue;
            }
            let name = stage.scene.sources[number].column(number);
            if tally.count == 0 {
                undone.push(format!("the source `{name}` has brought nothing: is there room in front of all walls?"));
            } else if let Some(missing) = tally.missing_share(source).filter(|&missing| missing > MISSING) {
                let count = tally.count;
                let percent = (100.0 * missing).round();
                undone.push(format!(
                    "the source `{name}` found no room for {percent} % of what was due (grains that came: {count})"
                ));
            }
        }
        undone
    }
}

/// Lists, in words, the axes along which `stress` (Pa) misses the target of the box's servo at `time` (s).
fn missed_stresses(drive: &BoxDrive, stress: DVec3, time: f64) -> impl Iterator<Item = String> {
    let axes = drive.wanted(time).into_iter().zip(["x", "y", "z"]).enumerate();
    axes.filter_map(move |(axis, (wanted, name))| {
        let wanted = wanted.filter(|wanted| (wanted - stress[axis]).abs() > MET * wanted)?;
        let remedy = if drive.is_at_its_rate(axis) { ": it strains at its `rate`, which may be larger" } else { "" };
        let [found, wanted] = [stress[axis], wanted].map(rounded);
        Some(format!("the servo of the box bears {found:?} instead of {wanted:?} along {name}{remedy}"))
    })
}

fn body_energy(bodies: &Bodies, state: &State, body: usize) -> KineticEnergy {
    let velocity = state.velocity().get(body);
    let rotation = 0.5 * state.spin(bodies, body).dot(state.angular_momentum().get(body));
    KineticEnergy { translation: 0.5 * velocity.length_squared() / bodies.inverse_mass()[body], rotation }
}
