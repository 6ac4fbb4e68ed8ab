//! Steps of contact dynamics whose contact problem was not solved to its tolerance.

use serde::{Deserialize, Serialize};

/// Tally of steps whose contact problem was not solved to its tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct UnsolvedTally {
    /// Number of such steps since the start.
    pub(crate) steps: u64,
    /// Largest relative residual of these steps.
    pub(crate) residual: f64,
}

impl UnsolvedTally {
    /// The tally after a step that was solved, or that has this residual.
    pub(crate) fn and(self, residual: Option<f64>) -> Self {
        residual.map_or(self, |residual| Self { steps: self.steps + 1, residual: self.residual.max(residual) })
    }
}
