//! Options for the solution of an implicit step.

use crate::error::DemError;
use crate::error::parameter::positive;

/// The solver for the linear systems of Newton's method.
///
/// [`ConjugateGradient`](Self::ConjugateGradient) and [`Cholesky`](Self::Cholesky) use the symmetric part of the
/// Jacobian. This part lacks the turning of damping and friction with the normal, and the unsymmetric terms of exact
/// energy. The other two use the exact Jacobian. A step changes over to the exact Jacobian where the symmetric part
/// gives no step, or hardly reduces the residual after twelve iterations, and back where the exact one gives no step.
/// Conjugate gradients without tangential forces have only the symmetric part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LinearMethod {
    /// [`Cholesky`](Self::Cholesky) for at most [`DIRECT`](Self::DIRECT) bodies, else
    /// [`ConjugateGradient`](Self::ConjugateGradient). Short steps are first tried by fixed-point iterations without a
    /// matrix, unless energy is to be exact. Fixed-point iterations do not count as Newton iterations, so a step may
    /// report none.
    #[default]
    BySize,
    /// Conjugate gradients with the symmetric part of the Jacobian, for any number of bodies, to the accuracy that
    /// Newton's method can use; in single precision without tangential forces.
    ConjugateGradient,
    /// Sparse Cholesky factors of the symmetric part of the Jacobian; its pattern is analysed once for each neighbour
    /// list.
    Cholesky,
    /// Stabilised biconjugate gradients with the exact Jacobian.
    BiCgStab,
    /// Sparse LU factors of the exact Jacobian.
    Lu,
}

impl LinearMethod {
    /// Largest number of bodies for which [`BySize`](Self::BySize) chooses Cholesky factors.
    pub const DIRECT: usize = 24;

    /// Returns the linear solver for a step with this many bodies: the choice of `BySize`, or else this solver itself.
    pub(crate) fn for_bodies(self, bodies: usize) -> Self {
        match self {
            Self::BySize if bodies <= Self::DIRECT => Self::Cholesky,
            Self::BySize => Self::ConjugateGradient,
            chosen => chosen,
        }
    }

    /// Whether the linear solver uses the exact Jacobian instead of its symmetric part.
    pub(crate) fn is_exact(self) -> bool {
        matches!(self, Self::BiCgStab | Self::Lu)
    }

    /// Returns the linear solver for the exact Jacobian: LU factors if this solver factorises, else an iterative one.
    pub(crate) fn with_exact_jacobian(self) -> Self {
        if self.is_direct() { Self::Lu } else { Self::BiCgStab }
    }

    /// Whether the linear solver factorises the Jacobian instead of iterating.
    pub(crate) fn is_direct(self) -> bool {
        matches!(self, Self::Cholesky | Self::Lu)
    }
}

/// Options of Newton's method in an implicit step: tolerance, limits and linear solver.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct NewtonOptions {
    /// Tolerance of the equations: largest residual of a body over the largest momentum or impulse of a body in the
    /// step. A residual within the rounding of positions meets any tolerance.
    pub tolerance: f64,
    /// Largest number of Newton iterations of a step, not counting fixed-point iterations before them.
    pub max_iterations: usize,
    /// Largest number of iterations of the linear solver in one Newton iteration.
    pub max_linear_iterations: usize,
    /// Solver for the linear systems of Newton's method.
    pub linear: LinearMethod,
}

impl NewtonOptions {
    /// Sets the tolerance to which the equations of an implicit step are solved.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Sets the solver for the linear systems of Newton's method.
    #[must_use]
    pub fn with_linear(self, linear: LinearMethod) -> Self {
        Self { linear, ..self }
    }

    /// Checks that the tolerance of the equations of a step is finite and positive.
    pub(crate) fn check(&self) -> Result<(), DemError> {
        positive("the tolerance", self.tolerance).map(|_| ())
    }
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self { tolerance: 1e-11, max_iterations: 50, max_linear_iterations: 5000, linear: LinearMethod::BySize }
    }
}
