use crate::error::SolveError;
use crate::error::{check_finite, check_length};
use crate::problem::operator::LinearOperator;
use crate::report::Report;

/// A solver of linear systems A x = b.
pub trait LinearSolver {
    /// Solves A `x` = `b`, with a preconditioner if there is one: `x` is the guess on entry and the best iterate on
    /// return. The residual of the report is ‖b − A x‖ / ‖b‖, computed anew before convergence is reported.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`] or [`NotFinite`](SolveError::NotFinite); `x` is then untouched. Stopping early is
    /// not an error but a [`Status`](crate::Status).
    fn solve(
        &mut self,
        matrix: &dyn LinearOperator,
        preconditioner: Option<&dyn Preconditioner>,
        b: &[f64],
        x: &mut [f64],
    ) -> Result<Report, SolveError>;
}

/// An approximate inverse of a matrix, symmetric and positive definite if a solver requires it.
pub trait Preconditioner: Sync {
    /// Number of rows of the preconditioner, as many as the matrix has.
    fn dimension(&self) -> usize;

    /// Computes `z` ≈ A⁻¹ `r` for the matrix A. Called with slices of length [`dimension`](Self::dimension).
    fn apply(&self, r: &[f64], z: &mut [f64]);
}

/// Checks that matrix, preconditioner and vectors of a linear system fit and are finite.
pub(super) fn check(
    matrix: &dyn LinearOperator,
    preconditioner: Option<&dyn Preconditioner>,
    b: &[f64],
    x: &[f64],
) -> Result<(), SolveError> {
    let n = matrix.dimension();
    check_length("right-hand sides", b, n)?;
    check_length("unknowns", x, n)?;
    if let Some(found) = preconditioner.map(Preconditioner::dimension).filter(|&found| found != n) {
        return Err(SolveError::LengthMismatch { what: "rows of the preconditioner", expected: n, found });
    }
    check_finite("right-hand side", b)?;
    check_finite("unknown", x)
}

/// Computes `z` = P `r` with the preconditioner P, or copies `r` without one.
pub(super) fn precondition(preconditioner: Option<&dyn Preconditioner>, r: &[f64], z: &mut [f64]) {
    match preconditioner {
        Some(preconditioner) => preconditioner.apply(r, z),
        None => z.copy_from_slice(r),
    }
}
