//! Steps whose contact problem is not solved to the tolerance of the solver.

use cd_solve::Status;

use crate::contact_dynamics::moreau_jean::friction_problem::{Answer, NAME};
use crate::error::{DemError, StepError};

/// What becomes of a step whose contact problem is not solved to the tolerance of its solver.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Unsolved {
    /// The step fails.
    #[default]
    Error,
    /// The step is taken with the best forces found. Two steps in a row whose residual is above this bound fail, as does
    /// a step without a solution.
    Accept {
        /// Largest relative residual, see
        /// [`FrictionProblem::residual_of_velocity`](cd_solve::friction::FrictionProblem::residual_of_velocity); no unit.
        residual: f64,
    },
}

impl Unsolved {
    /// The answer, if it may be used; `was_above` says whether the step before was above the bound.
    ///
    /// # Errors
    /// [`StepError::ContactsNotSolved`].
    pub(super) fn judge(self, answer: Answer, was_above: bool) -> Result<Answer, DemError> {
        let report = answer.report;
        let is_accepted = match self {
            Self::Error => false,
            Self::Accept { residual } => report.residual <= residual || report.residual.is_finite() && !was_above,
        };
        if report.converged() || is_accepted && report.status != Status::Infeasible {
            return Ok(answer);
        }
        Err(DemError::Step(StepError::ContactsNotSolved {
            problem: NAME,
            status: report.status,
            iterations: report.sweeps + report.factorizations,
            residual: report.residual,
        }))
    }

    /// Whether a residual is above the bound.
    pub(super) fn is_above(self, residual: f64) -> bool {
        match self {
            Self::Error => false,
            Self::Accept { residual: bound } => residual > bound,
        }
    }
}
