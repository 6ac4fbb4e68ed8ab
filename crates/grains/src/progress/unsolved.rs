//! Steps of contact dynamics whose contact problem was not solved to its tolerance.

use serde::{Deserialize, Serialize};

/// Tally of the steps of contact dynamics whose contact problem was not solved to its tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct UnsolvedTally {
    /// Number of steps with an unsolved contact problem since the start.
    pub(crate) steps: u64,
    /// Largest relative residual of the unsolved contact problems.
    pub(crate) residual: f64,
}

impl UnsolvedTally {
    /// Returns the tally after another step; `residual` is that of an unsolved contact problem.
    pub(crate) fn and(self, residual: Option<f64>) -> Self {
        residual.map_or(self, |residual| Self { steps: self.steps + 1, residual: self.residual.max(residual) })
    }
}
