//! Loads that the servos of a run should apply, according to its scene.

use std::collections::BTreeMap;

use dem_contact::wall::{Schedule, Servo, Shape, Wall};
use rrp_geom::glam::DVec3;

use super::table::Table;
use crate::build::drives::{schedule, servos};
use crate::build::walls::group_of;
use crate::output::columns::wall_columns;
use crate::plan::{Plan, PlannedStage};
use crate::scene::Scene;
use crate::scene::stages::WallChange;
use crate::scene::walls::WallGroup;
use crate::storage::StoredRun;

/// Requested loads over time (s), by the column of the time series with the measured load, such as `lid_fz`. A point
/// with NaN in both numbers is a gap: no load was requested, or the time at which the stage began is unknown.
pub(crate) type Asked = BTreeMap<String, Vec<(f64, f64)>>;

/// The stages of a run, and how far the run has come according to a checkpoint.
#[derive(Debug, Clone)]
pub(super) struct Course {
    plan: Plan,
    quick: bool,
    /// Index of the stage of the checkpoint; the next field is the number of steps taken when this stage began.
    stage: usize,
    first: u64,
}

impl Course {
    /// Returns the stages and the progress of a stored run; `None` for a scene that cannot be planned, which no run
    /// has.
    pub(super) fn of_run(run: &StoredRun, scene: &Scene) -> Option<Self> {
        let clock = run.progress.clock;
        let plan = Plan::new(scene).ok().filter(|plan| clock.stage < plan.stages.len())?;
        Some(Self { plan, quick: run.quick, stage: clock.stage, first: clock.first })
    }

    /// Returns the numbers of the walls that turn in some stage.
    pub(super) fn turning_walls(&self) -> Vec<usize> {
        let turns = |scene: &Scene, wall: usize| {
            let motion = scene.walls.get(group_of(scene, wall)).map(WallGroup::motion).unwrap_or_default();
            motion.turn.is_some() || motion.spin.iter().any(|component| *component != 0.0)
        };
        let count = wall_columns(&self.plan.stages[0].scene).len();
        let in_some_stage = |wall: &usize| self.plan.stages.iter().any(|stage| turns(&stage.scene, *wall));
        (0..count).filter(in_some_stage).collect()
    }

    /// Returns the loads that servos should apply at the times of the time series, and at the ends of stages.
    pub(super) fn asked(&self, series: &Table) -> Asked {
        let [Some(times), Some(steps)] = ["time", "step"].map(|column| series.get(column)) else { return Asked::new() };
        let [Some(&start), Some(&end)] = [times.first(), times.last()] else { return Asked::new() };
        let row = steps.iter().position(|&step| step >= self.first as f64);
        let begins = self.begins(start, row.map(|row| times[row]));
        let names = wall_columns(&self.plan.stages[0].scene);
        let mut since = Since::at_start(&self.plan.stages[0].scene, start);
        let mut asked = Asked::new();
        for (number, stage) in self.plan.stages[..=self.stage].iter().enumerate() {
            since.begin(stage, begins[number]);
            let last = if number == self.stage { Some(end) } else { begins[number + 1] };
            let (Some(from), Some(to)) = (begins[number], last) else { continue };
            let inside = times.iter().copied().filter(|time| (from..to).contains(time) && *time > from);
            let moments: Vec<f64> = [from].into_iter().chain(inside).chain([to]).collect();
            for (column, load) in since.loads(&stage.scene, &names) {
                let points = asked.entry(column).or_default();
                if points.last().is_some_and(|(time, _)| *time < from) {
                    points.push((f64::NAN, f64::NAN));
                }
                points.extend(moments.iter().map(|&time| (time, load(time))));
            }
        }
        asked
    }

    /// Returns the times in s at which stages began: the first stage at `start`, the stage of the checkpoint at
    /// `present`. The beginning of another stage is known if all stages between it and one of these two last their
    /// duration.
    fn begins(&self, start: f64, present: Option<f64>) -> Vec<Option<f64>> {
        let mut begins = vec![None; self.stage + 1];
        begins[self.stage] = present;
        begins[0] = Some(start);
        let lasts = |stage: usize| {
            let stage = &self.plan.stages[stage];
            stage.end.is_none().then(|| stage.scene.duration(self.quick))
        };
        for stage in 1..=self.stage {
            begins[stage] = begins[stage].or_else(|| Some(begins[stage - 1]? + lasts(stage - 1)?));
        }
        for stage in (0..self.stage).rev() {
            begins[stage] = begins[stage].or_else(|| Some(begins[stage + 1]? - lasts(stage)?));
        }
        begins
    }
}

/// Times in s at which servos took up their present motion; `None` for an unknown time.
struct Since {
    /// Time in s at which each group of walls took up its present motion.
    walls: Vec<Option<f64>>,
    /// Whether each group of walls exists at present.
    are_there: Vec<bool>,
    /// Time in s at which the box took up its present motion.
    space: Option<f64>,
}

/// A load as a function of time in s.
type Load = Box<dyn Fn(f64) -> f64>;

impl Since {
    fn at_start(scene: &Scene, start: f64) -> Self {
        let count = scene.walls.len();
        Self { walls: vec![Some(start); count], are_there: vec![true; count], space: Some(start) }
    }

    /// Records the changes by a stage that begins at `time` (s).
    fn begin(&mut self, stage: &PlannedStage, time: Option<f64>) {
        for (group, change) in &stage.changes {
            self.walls[*group] = time;
            self.are_there[*group] = *change != WallChange::Gone;
        }
        if stage.moves_box_anew() {
            self.space = time;
        }
    }

    /// Returns the loads that the servos of a stage with this scene should apply, each with its column.
    fn loads(&self, scene: &Scene, names: &[String]) -> Vec<(String, Load)> {
        let mut loads: Vec<(String, Load)> = Vec::new();
        // The forces of servos do not depend on the time step.
        for (wall, servo) in servos(scene, 1.0).unwrap_or_default() {
            let group = group_of(scene, wall);
            let (Some(since), Some(name)) = (self.walls[group], names.get(wall)) else { continue };
            if self.are_there[group] {
                loads.extend(components(&servo, since, name));
            }
        }
        let servo = scene.simulation_box.as_ref().and_then(|space| space.servo.as_ref());
        if let (Some(servo), Some(since)) = (servo, self.space) {
            for (axis, wanted) in [("x", &servo.x), ("y", &servo.y), ("z", &servo.z)] {
                let asked = wanted.as_ref().and_then(|wanted| schedule("box.servo", wanted).ok());
                let load = |asked: Schedule| -> Load { Box::new(move |time| asked.at(time - since)) };
                loads.extend(asked.map(|asked| (format!("stress_{axis}"), load(asked))));
            }
        }
        loads
    }
}

/// Returns the components of the force of the grains on a wall that its servo asks for: against the direction in which
/// the servo pushes.
fn components(servo: &Servo, since: f64, name: &str) -> impl Iterator<Item = (String, Load)> {
    let along = servo.direction();
    let component = move |(axis, letter): (usize, &str)| {
        let servo = servo.clone();
        let still = Wall::new(Shape::Nowhere, DVec3::ZERO);
        let load: Load = Box::new(move |time| -along[axis] * servo.force(&still, time - since));
        (along[axis].abs() > 0.0).then(|| (format!("{name}_f{letter}"), load))
    };
    ["x", "y", "z"].into_iter().enumerate().filter_map(component)
}
