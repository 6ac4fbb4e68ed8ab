//! The clock of a run: its stages and steps.

use serde::{Deserialize, Serialize};

/// The present stage and step of a run, and the length of its steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clock {
    /// Number of steps taken since the start of the run.
    pub(crate) step: u64,
    /// Number of steps of the whole run, as far as is known: a stage may end before its duration is over.
    pub(crate) steps: u64,
    /// Index of the present stage, from zero; the next field is the number of stages.
    pub(crate) stage: usize,
    pub(crate) stages: usize,
    /// Number of steps taken when the present stage began; the next field is the number at which it ends at the latest.
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// Length of a step of the present stage in s.
    pub(crate) dt: f64,
}

impl Clock {
    pub(crate) fn in_stage(&self) -> u64 {
        self.step - self.first
    }

    pub(crate) fn is_stage_over(&self) -> bool {
        self.step >= self.last
    }

    pub(crate) fn has_next(&self) -> bool {
        self.stage + 1 < self.stages
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_stage_over() && !self.has_next()
    }

    /// Ends the present stage after the last step taken.
    pub(crate) fn end_stage(&mut self) {
        self.steps -= self.last - self.step;
        self.last = self.step;
    }

    /// Begins the next stage, of `count` steps of `dt` (s); later stages have about `later` steps.
    pub(crate) fn begin_next(&mut self, dt: f64, count: u64, later: u64) {
        let first = self.step;
        let last = first.saturating_add(count);
        *self = Self { stage: self.stage + 1, first, last, steps: last.saturating_add(later), dt, ..*self };
    }

    /// Checks that the numbers of a stored clock are consistent with each other and with the number of stages. Returns
    /// the inconsistency.
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
