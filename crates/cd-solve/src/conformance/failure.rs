use crate::error::SolveError;
use crate::friction::FrictionReport;
use crate::report::Report;

/// Failure of a solver in a conformance test: the case, and what was wrong with the answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{case}: {defect}")]
pub struct Failure {
    /// Name of the test case in which the solver failed.
    pub case: String,
    /// What is wrong with the answer of the solver.
    #[source]
    pub defect: Defect,
}

/// What can be wrong with the answer of a solver in a conformance test.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Defect {
    /// The solver refused a valid problem with this error.
    #[error("refused: {0}")]
    Refused(SolveError),
    /// The solver accepted a slice of the wrong length instead of an error.
    #[error("a slice of the wrong length passed")]
    Accepted,
    /// The solver returned an error, but had changed the slice for the result, which callers expect untouched.
    #[error("there was an error, but the result was changed")]
    Touched,
    /// The solver did not converge on a complementarity or compatibility problem that has a solution.
    #[error("not solved: {0:?}")]
    NotConverged(Report),
    /// The solver reported convergence on a complementarity or compatibility problem that has no solution.
    #[error("there is no solution, but one is reported: {0:?}")]
    FalselyConverged(Report),
    /// The solver did not converge on a friction problem that has a solution.
    #[error("not solved: {0:?}")]
    FrictionNotConverged(FrictionReport),
    /// The solver reported convergence on a friction problem that has no solution.
    #[error("there is no solution, but one is reported: {0:?}")]
    FrictionFalselyConverged(FrictionReport),
    /// A contact force that the solver returned is NaN, infinite or negative.
    #[error("force {index} is {value}")]
    Inadmissible {
        /// Index of the contact force that is NaN, infinite or negative.
        index: usize,
        /// Value of the contact force that is NaN, infinite or negative.
        value: f64,
    },
    /// A contact force that the solver returned differs from the reference force of the test case.
    #[error("force {index} is {found} instead of {expected}")]
    Wrong {
        /// Index of the contact force that differs from the known one of this test case.
        index: usize,
        /// Contact force that the solver found instead of the known one.
        found: f64,
        /// Known force of the contact for which the solver found another one.
        expected: f64,
    },
    /// The residual, recomputed from the forces, is too large although the solver reports convergence.
    #[error("the residual is {found:e} where {reported:e} is reported")]
    Residual {
        /// Residual in the report of the solver.
        reported: f64,
        /// Residual recomputed from the returned forces.
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

/// Checks that a solver refused a slice of the wrong length, filled with 1/2, and left it untouched.
pub(super) fn check_refused<R>(solved: Result<R, SolveError>, force: &[f64]) -> Result<(), Defect> {
    match solved {
        Ok(_) => Err(Defect::Accepted),
        Err(_) if force.iter().all(|f| f.to_bits() == 0.5_f64.to_bits()) => Ok(()),
        Err(_) => Err(Defect::Touched),
    }
}

pub(super) fn check_forces(force: &[f64]) -> Result<(), Defect> {
    match force.iter().position(|f| !(f.is_finite() && *f >= 0.0)) {
        None => Ok(()),
        Some(index) => Err(Defect::Inadmissible { index, value: force[index] }),
    }
}
