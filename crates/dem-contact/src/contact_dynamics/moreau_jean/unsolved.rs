//! Steps whose contact problem is not solved to the tolerance of the solver.

use cd_solve::Status;
use cd_solve::friction::FrictionReport;

use crate::error::StepError;

/// Relative residual of a friction problem above which forces are refused; zero forces have about one.
const LARGEST_RESIDUAL: f64 = 0.1;

/// Policy for a step whose contact problem is not solved to the tolerance of its solver.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Unsolved {
    /// Policy that a step fails if its contact problem is not solved.
    #[default]
    Error,
    /// Policy that the step is taken with the best forces found. The step fails if its contact problem has no solution,
    /// if the residual is above 0.1, or if it is the second step in a row with a residual above the field `residual`.
    Accept {
        /// Largest accepted relative residual (no unit), see
        /// [`residual_of_velocity`](cd_solve::friction::FrictionProblem::residual_of_velocity).
        residual: f64,
    },
}

impl Unsolved {
    /// Checks that the forces of this report may be used; `was_above` tells whether the last step exceeded the bound.
    ///
    /// # Errors
    /// [`StepError::ContactsNotSolved`], with the name of the problem.
    pub(super) fn check(
        self,
        problem: &'static str,
        report: &FrictionReport,
        was_above: bool,
    ) -> Result<(), StepError> {
        let is_accepted = match self {
            Self::Error => false,
            Self::Accept { residual } => {
                let is_below = report.residual <= residual || !was_above && report.residual <= LARGEST_RESIDUAL;
                is_below && report.status != Status::Infeasible
            }
        };
        if report.converged() || is_accepted {
            return Ok(());
        }
        Err(StepError::ContactsNotSolved {
            problem,
            status: report.status,
            iterations: report.sweeps + report.factorizations,
            residual: report.residual,
        })
    }

    pub(super) fn is_above(self, report: &FrictionReport) -> bool {
        match self {
            Self::Error => false,
            Self::Accept { residual } => !report.converged() && report.residual > residual,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(status: Status, residual: f64) -> FrictionReport {
        FrictionReport { status, sweeps: 1, factorizations: 0, residual, growth: 1.0 }
    }

    #[test]
    fn a_poor_step_is_taken_once_and_one_above_the_largest_residual_never() {
        let policy = Unsolved::Accept { residual: 1e-3 };
        let is_taken = |report: FrictionReport, was_above| policy.check("a problem", &report, was_above).is_ok();
        for was_above in [false, true] {
            assert!(is_taken(ended(Status::Stalled, 9e-4), was_above));
            assert!(is_taken(ended(Status::Converged, 0.01), was_above));
            assert!(!is_taken(ended(Status::Infeasible, 1e-5), was_above));
            assert!(!is_taken(ended(Status::Stalled, 0.2), was_above));
            assert!(!is_taken(ended(Status::Stalled, f64::NAN), was_above));
            assert_eq!(is_taken(ended(Status::IterationLimit, 0.01), was_above), !was_above);
        }
        assert!(Unsolved::Error.check("a problem", &ended(Status::Stalled, 1e-7), false).is_err());
        assert!(policy.is_above(&ended(Status::Stalled, 0.01)) && !policy.is_above(&ended(Status::Converged, 0.01)));
    }
}
