//! The trait of solvers of friction problems, and their report.

use crate::error::SolveError;
use crate::friction::problem::FrictionProblem;
use crate::report::Status;

/// A solver of friction problems.
pub trait FrictionSolver {
    /// Solves `problem`: `force` is the guess on entry and the best iterate on return.
    ///
    /// # Errors
    /// If the solver cannot treat the problem; `force` is then untouched. Stopping early is no error but a [`Status`].
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError>;
}

impl<S: FrictionSolver + ?Sized> FrictionSolver for Box<S> {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        (**self).solve(problem, force)
    }
}

/// How a solve of a friction problem ended, and its effort.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use = "the status says whether the result can be used"]
pub struct FrictionReport {
    /// How it ended. [`Status::Infeasible`] where normal forces that move nothing prove that no velocity opens all
    /// contacts, so that forces grow without bound.
    pub status: Status,
    /// Sweeps over all contacts.
    pub sweeps: usize,
    /// Factorisations of a matrix.
    pub factorizations: usize,
    /// [`FrictionProblem::residual`] at the returned forces.
    pub residual: f64,
    /// The norm of the last forces over that of the forces after the first sweep or step: large where forces diverge.
    pub growth: f64,
}

impl FrictionReport {
    /// Whether the tolerance was met.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.status == Status::Converged
    }
}

/// Passes if a solver of `treats` may treat `problem` from `force`.
pub(crate) fn check_start(
    problem: &FrictionProblem<'_>,
    treats: crate::friction::problem::FrictionLaw,
    force: &[f64],
) -> Result<(), SolveError> {
    use crate::friction::problem::FrictionLaw::{Convex, Coulomb};
    crate::error::check_length("local forces", force, problem.len())?;
    crate::error::check_finite("local force", force)?;
    let name = |law| match law {
        Coulomb => "Coulomb's law",
        Convex => "the convex law",
    };
    if problem.law() == treats {
        return Ok(());
    }
    Err(crate::error::FrictionError::WrongLaw { treats: name(treats), found: name(problem.law()) }.into())
}
