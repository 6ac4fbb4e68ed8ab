//! Estimated time and disk space for the results of a run.

use super::spent::timed;
use crate::checkpoint::{self, RunHeader};
use crate::error::GrainsError;
use crate::output::columns::{contact_lines, series_line};
use crate::output::frames::Frame;
use crate::output::measured::measured_lines;
use crate::output::trial::TrialOutput;
use crate::scene::Scene;
use crate::scene::output::Interval;
use crate::simulation::Simulation;

/// Number of checkpoints in a folder of results: the last two.
const KEPT: f64 = 2.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Results {
    /// Time in s for measurements, readings and writing.
    pub(super) time: f64,
    pub(super) bytes: f64,
}

impl Results {
    /// Scales the costs with the number of bodies by `factor`.
    pub(super) fn times(self, factor: f64) -> Self {
        Self { time: self.time * factor, bytes: self.bytes * factor }
    }

    /// Writes results of the present state of `simulation` into a temporary folder, and returns the estimated costs of
    /// the results of `steps` steps.
    ///
    /// # Errors
    /// Errors of reading, measuring and writing.
    pub(super) fn tried(scene: &Scene, simulation: &Simulation, steps: u64, quick: bool) -> Result<Self, GrainsError> {
        let dt = simulation.dt();
        let often =
            |interval: Option<Interval>| interval.map_or(0.0, |interval| 1.0 + (steps / interval.steps(dt)) as f64);
        let plan = simulation.plan.output();
        let series = often(plan.series);
        let contacts = often(plan.contacts);
        let frames = often(plan.frames);
        // A run writes at least two checkpoints, at its start and at its end.
        let checkpoints = often(plan.checkpoints).max(2.0);
        let now = simulation.read()?;
        let mut trial = TrialOutput::create()?;
        let mut total = Self { time: 0.0, bytes: 0.0 };
        let mut add = |time: f64, bytes: usize, times: f64| {
            total.time += time * times;
            total.bytes += bytes as f64 * times;
        };
        let mut most_often = series.max(contacts).max(frames);
        for (number, measure) in scene.measures.iter().enumerate() {
            let mut bytes = 0;
            let once = timed(|| {
                let found = simulation.measure(scene, &[number], &now)?;
                let lines: Vec<String> = found.iter().map(|found| measured_lines(Some(0), 0.0, found)).collect();
                bytes = lines.iter().map(String::len).sum();
                lines.iter().try_for_each(|lines| trial.lines(lines))
            })?;
            let rows = often(Some(measure.every));
            let times = rows * measure.samples.unwrap_or(1) as f64;
            add(once, 0, times);
            add(0.0, bytes, rows);
            most_often = f64::max(most_often, times);
        }
        add(timed(|| simulation.read().map(|_| ()))?, 0, most_often);
        let mut bytes = 0;
        let once = timed(|| {
            let fragments = simulation.tally_fragments()?;
            let line = series_line(&now, &simulation.progress, &simulation.plan.servo_walls(), fragments);
            bytes = line.len();
            trial.lines(&line)
        })?;
        add(once, bytes, series);
        let once = timed(|| {
            let lines = contact_lines(0, 0.0, &now.contacts, simulation.bodies(), simulation.ids());
            bytes = lines.len();
            trial.lines(&lines)
        })?;
        add(once, bytes, contacts);
        let once = timed(|| trial.frame(&Frame::of(simulation, &now)?).map(|length| bytes = length as usize))?;
        add(once, bytes, frames);
        let text = scene.to_toml()?;
        let run = RunHeader { scene: &text, file: None, quick, baseline: None };
        let once = timed(|| {
            let encoded = checkpoint::encode(run, simulation)?;
            bytes = encoded.len();
            trial.checkpoint(&encoded)
        })?;
        add(once, 0, checkpoints);
        add(0.0, bytes, KEPT);
        Ok(total)
    }
}
