use crate::error::SolveError;
use crate::friction::problem::FrictionProblem;
use crate::report::Status;

/// Largest bound on the residual that rounding of the forces may cause, as a multiple of the tolerance, at which a
/// solve counts as converged. The residual by rounding is rarely as large as this bound.
const ROUNDING: f64 = 16.0;

/// Least tolerance with which the bound on rounding is compared. Without large ratios of masses, rounding grows with
/// the number of layers of a packing, and would need 1e5 layers to exceed this tolerance.
const LEAST_TOLERANCE: f64 = 1e-10;

/// A solver of friction problems with Coulomb's or the convex law.
pub trait FrictionSolver {
    /// Solves `problem`: `force` holds the guess of the contact forces on entry and the best iterate on return.
    ///
    /// # Errors
    /// If the solver cannot treat the problem; `force` is then untouched. Stopping early is not an error but a
    /// [`Status`].
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError>;
}

impl<S: FrictionSolver + ?Sized> FrictionSolver for Box<S> {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        (**self).solve(problem, force)
    }
}

/// Outcome of the solve of a friction problem: status, effort and residual.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use = "the status says whether the result can be used"]
pub struct FrictionReport {
    /// How the solve ended. [`Status::Infeasible`] means a proof that no velocity opens all contacts, so that forces
    /// grow without bound: normal forces that move no body.
    pub status: Status,
    /// Number of sweeps over all contacts.
    pub sweeps: usize,
    /// Number of matrix factorisations in the solve.
    pub factorizations: usize,
    /// [`FrictionProblem::residual`] of the returned forces. If [`CoulombSolver`](crate::friction::CoulombSolver)
    /// refined the forces, this is the residual before they are rounded to 53 bits; rounding adds up to
    /// [`FrictionProblem::rounding`].
    pub residual: f64,
    /// Norm of the last forces over that of the forces after the first sweep or step; large for diverging forces.
    pub growth: f64,
}

impl FrictionReport {
    /// Makes the report of a solve that starts where the residual is `residual`: converged, until more is known.
    pub(crate) fn start(residual: f64) -> Self {
        Self { status: Status::Converged, sweeps: 0, factorizations: 0, residual, growth: 1.0 }
    }

    /// Whether the solve reached its tolerance.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.status == Status::Converged
    }

    /// Returns this report, or one with the status of a stalled solver if `rounding` of the forces can hide a residual above the `tolerance`.
    pub(super) fn unless_by_rounding(self, rounding: f64, tolerance: f64) -> Self {
        if self.converged() && rounding > ROUNDING * tolerance.max(LEAST_TOLERANCE) {
            return Self { status: Status::Stalled, ..self };
        }
        self
    }

    /// Whether this attempt converged or was proved infeasible, or has a smaller residual than the `inconclusive`
    /// attempt; NaN counts as largest.
    pub(super) fn is_better_than(&self, inconclusive: &Self) -> bool {
        matches!(self.status, Status::Converged | Status::Infeasible)
            || self.residual < inconclusive.residual
            || inconclusive.residual.is_nan() && !self.residual.is_nan()
    }
}

/// Checks that `problem` has the law `treats`, and that the start `force` has the right length and finite numbers.
pub(super) fn check_start(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conclusive_attempts_are_better_than_others_and_nan_is_worst() {
        let ended = |status: Status, residual: f64| FrictionReport { status, ..FrictionReport::start(residual) };
        let stalled = |residual: f64| ended(Status::Stalled, residual);
        for first in [stalled(1e-7), stalled(f64::NAN)] {
            assert!(stalled(1e-8).is_better_than(&first));
            assert!(ended(Status::Infeasible, f64::NAN).is_better_than(&first));
            assert!(ended(Status::Converged, 1e-7).is_better_than(&first));
            assert!(!stalled(f64::NAN).is_better_than(&first));
        }
        assert!(!stalled(1e-6).is_better_than(&stalled(1e-7)));
    }

    #[test]
    fn rounding_far_above_the_tolerance_stalls_and_that_of_a_tall_stack_does_not() {
        let met = FrictionReport::start(0.0);
        for (rounding, tolerance, converges) in
            [(1e-7, 1e-8, true), (1e-6, 1e-8, false), (1e-9, 1e-13, true), (1e-8, 1e-13, false)]
        {
            assert_eq!(met.unless_by_rounding(rounding, tolerance).converged(), converges, "{rounding} {tolerance}");
        }
    }
}
