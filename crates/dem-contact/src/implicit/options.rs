use crate::error::DemError;
use crate::error::parameter::positive;

/// Solver for the linear systems of Newton's method.
///
/// [`ConjugateGradient`](Self::ConjugateGradient) and [`Cholesky`](Self::Cholesky) use the symmetric part of the
/// Jacobian, which lacks the turning of damping and friction with the normal and the unsymmetric terms of exact energy.
/// [`BiCgStab`](Self::BiCgStab) and [`Lu`](Self::Lu) use the exact Jacobian. A step changes to the exact Jacobian if
/// the symmetric part gives no Newton step, or hardly reduces the residual after twelve iterations, and back if the
/// exact one gives none. Conjugate gradients without tangential forces have only the symmetric part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LinearMethod {
    /// [`Cholesky`](Self::Cholesky) for at most [`DIRECT`](Self::DIRECT) bodies, else
    /// [`ConjugateGradient`](Self::ConjugateGradient). Short steps are first tried by fixed-point iterations without a
    /// matrix, except for exact energy. They do not count as Newton iterations, so that a step may report none.
    #[default]
    BySize,
    /// Conjugate gradients with the symmetric part of the Jacobian, to the accuracy that Newton's method can use. If no
    /// law has tangential forces, they begin in single precision, and go on in double precision only where that is not
    /// enough.
    ConjugateGradient,
    /// Sparse Cholesky factors of the symmetric part of the Jacobian, analysed once for each neighbour list.
    Cholesky,
    /// Stabilised biconjugate gradients with the exact Jacobian.
    BiCgStab,
    /// Sparse LU factors of the exact Jacobian.
    Lu,
}

impl LinearMethod {
    /// Largest number of bodies for which [`BySize`](Self::BySize) chooses Cholesky factors.
    pub const DIRECT: usize = 24;

    /// Returns the choice of `BySize` for this many bodies, or else this solver itself.
    pub(super) fn for_bodies(self, bodies: usize) -> Self {
        match self {
            Self::BySize if bodies <= Self::DIRECT => Self::Cholesky,
            Self::BySize => Self::ConjugateGradient,
            chosen => chosen,
        }
    }

    pub(super) fn is_exact(self) -> bool {
        matches!(self, Self::BiCgStab | Self::Lu)
    }

    /// Returns the solver for the exact Jacobian: LU factors if this solver factorises, else an iterative one.
    pub(super) fn with_exact_jacobian(self) -> Self {
        if self.is_direct() { Self::Lu } else { Self::BiCgStab }
    }

    pub(super) fn is_direct(self) -> bool {
        matches!(self, Self::Cholesky | Self::Lu)
    }
}

/// Options of Newton's method in an implicit step: tolerance, limits and linear solver.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct NewtonOptions {
    /// Tolerance of the equations: largest residual over the largest momentum or impulse of a body in the step.
    /// Residuals within the rounding of positions meet any tolerance.
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

    pub(super) fn check(&self) -> Result<(), DemError> {
        positive("the tolerance", self.tolerance).map(|_| ())
    }
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self { tolerance: 1e-11, max_iterations: 50, max_linear_iterations: 5000, linear: LinearMethod::BySize }
    }
}
