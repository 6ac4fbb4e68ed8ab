//! The clock of a run: its stages and steps.

use serde::{Deserialize, Serialize};

/// The present stage and step of a run, and the length of its steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clock {
    /// Number of steps taken.
    pub(crate) step: u64,
    /// Number of steps that the run lasts, as far as is known: a stage may end before its time.
    pub(crate) steps: u64,
    /// The present stage, from zero, and the number of stages.
    pub(crate) stage: usize,
    pub(crate) stages: usize,
    /// Steps taken when the stage began, and when it ends at the latest.
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// Length of a step in s.
    pub(crate) dt: f64,
}

impl Clock {
    /// Steps taken in this stage.
    pub(crate) fn in_stage(&self) -> u64 {
        self.step - self.first
    }

    /// Whether the stage is over.
    pub(crate) fn is_stage_over(&self) -> bool {
        self.step >= self.last
    }

    /// Whether there is another stage.
    pub(crate) fn has_next(&self) -> bool {
        self.stage + 1 < self.stages
    }

    /// Whether the run is over.
    pub(crate) fn is_over(&self) -> bool {
        self.is_stage_over() && !self.has_next()
    }

    /// Ends the stage now.
    pub(crate) fn end_stage(&mut self) {
        self.steps -= self.last - self.step;
        self.last = self.step;
    }

    /// Begins the next stage, of `count` steps of `dt` (s); the stages after it have about `later` steps.
    pub(crate) fn begin_next(&mut self, dt: f64, count: u64, later: u64) {
        let first = self.step;
        let last = first.saturating_add(count);
        *self = Self { stage: self.stage + 1, first, last, steps: last.saturating_add(later), dt, ..*self };
    }

    /// Checks that the numbers fit each other. Returns what does not.
    pub(crate) fn check(&self, stages: usize) -> Result<(), &'static str> {
        if !(self.dt.is_finite() && self.dt > 0.0) {
            return Err("the time step is not positive");
        }
        if self.stages != stages || self.stage >= stages {
            return Err("it is in a stage that the scene does not have");
        }
        if self.first > self.step || self.step > self.last || self.last > self.steps {
            return Err("it has taken more steps than the run has");
        }
        Ok(())
    }
}
