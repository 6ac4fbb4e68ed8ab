//! Failures of a solver.

use crate::error::SolveError;
use crate::friction::FrictionReport;
use crate::report::Report;

/// In which case a solver failed, and how.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{case}: {defect}")]
pub struct Failure {
    /// The case.
    pub case: String,
    /// The defect.
    #[source]
    pub defect: Defect,
}

/// A wrong answer of a solver.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Defect {
    /// A sound problem was refused.
    #[error("refused: {0}")]
    Refused(SolveError),
    /// A mistake of the caller passed.
    #[error("a slice of the wrong length passed")]
    Accepted,
    /// The result was changed although there was an error.
    #[error("there was an error, but the result was changed")]
    Touched,
    /// There is a solution, which was not found.
    #[error("not solved: {0:?}")]
    NotConverged(Report),
    /// There is no solution, but one was reported.
    #[error("there is no solution, but one is reported: {0:?}")]
    FalselyConverged(Report),
    /// There is a solution of a friction problem, which was not found.
    #[error("not solved: {0:?}")]
    FrictionNotConverged(FrictionReport),
    /// There is no solution of a friction problem, but one was reported.
    #[error("there is no solution, but one is reported: {0:?}")]
    FrictionFalselyConverged(FrictionReport),
    /// A value that is NaN or infinite, or a negative force.
    #[error("force {index} is {value}")]
    Inadmissible {
        /// Contact.
        index: usize,
        /// Force of the contact.
        value: f64,
    },
    /// A force that is not the only right one.
    #[error("force {index} is {found} instead of {expected}")]
    Wrong {
        /// Contact.
        index: usize,
        /// Force of the contact.
        found: f64,
        /// The right force.
        expected: f64,
    },
    /// The residual, recomputed, is too large although convergence is reported.
    #[error("the residual is {found:e} where {reported:e} is reported")]
    Residual {
        /// Residual in the report.
        reported: f64,
        /// Residual recomputed from the forces.
        found: f64,
    },
}

impl Defect {
    pub(super) fn of(self, case: impl Into<String>) -> Failure {
        Failure { case: case.into(), defect: self }
    }
}

impl From<SolveError> for Defect {
    fn from(error: SolveError) -> Self {
        Self::Refused(error)
    }
}

/// Passes if all forces are finite and at least zero.
pub(super) fn check_forces(force: &[f64]) -> Result<(), Defect> {
    match force.iter().position(|f| !(f.is_finite() && *f >= 0.0)) {
        None => Ok(()),
        Some(index) => Err(Defect::Inadmissible { index, value: force[index] }),
    }
}
