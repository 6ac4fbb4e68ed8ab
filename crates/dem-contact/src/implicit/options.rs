//! How the equations of an implicit step are solved.

use crate::error::DemError;
use crate::error::parameter::positive;

/// What solves the linear systems of Newton's method.
///
/// The first two use the symmetric part of the Jacobian, without what damping and friction add by turning with the normal
/// and without what the form of exact energy has beside its symmetric part; the others the exact one. A step in which the
/// symmetric part leads nowhere, or hardly on after twelve iterations, goes on with the exact one, and one in which that leads
/// nowhere with the symmetric part; conjugate gradients without tangential forces have the symmetric part alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LinearMethod {
    /// [`Cholesky`](Self::Cholesky) for at most [`DIRECT`](Self::DIRECT) bodies, else
    /// [`ConjugateGradient`](Self::ConjugateGradient). Steps that are short against a contact are first tried without any
    /// matrix, unless energy is to be exact: such plain iterations are no Newton iterations, so that a step may have none.
    #[default]
    BySize,
    /// Conjugate gradients, solved as far as Newton's method can use; in single precision without tangential forces. For any
    /// number of bodies.
    ConjugateGradient,
    /// Sparse Cholesky factors, whose pattern is that of the neighbour list and analysed with it.
    Cholesky,
    /// Stabilised biconjugate gradients with the exact Jacobian.
    BiCgStab,
    /// Sparse LU factors of the exact Jacobian.
    Lu,
}

impl LinearMethod {
    /// Bodies up to which [`BySize`](Self::BySize) factorises.
    pub const DIRECT: usize = 24;

    /// The method for this many bodies.
    pub(crate) fn for_bodies(self, bodies: usize) -> Self {
        match self {
            Self::BySize if bodies <= Self::DIRECT => Self::Cholesky,
            Self::BySize => Self::ConjugateGradient,
            chosen => chosen,
        }
    }

    /// Whether the method takes a matrix that is not symmetric.
    pub(crate) fn is_exact(self) -> bool {
        matches!(self, Self::BiCgStab | Self::Lu)
    }

    /// Factors for factors, else iterations, with the exact Jacobian.
    pub(crate) fn with_exact_jacobian(self) -> Self {
        if self.is_direct() { Self::Lu } else { Self::BiCgStab }
    }

    /// Whether the method factorises.
    pub(crate) fn is_direct(self) -> bool {
        matches!(self, Self::Cholesky | Self::Lu)
    }
}

/// Tolerance, limits and linear solver of an implicit step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct NewtonOptions {
    /// Largest residual of a body, a momentum, in terms of the largest momentum or impulse of a body in the step. What
    /// rounding leaves of positions is met by any tolerance.
    pub tolerance: f64,
    /// Largest number of Newton iterations; plain ones before them are not counted.
    pub max_iterations: usize,
    /// Largest number of iterations in one linear solve.
    pub max_linear_iterations: usize,
    /// What solves the linear systems.
    pub linear: LinearMethod,
}

impl NewtonOptions {
    /// These options with another tolerance.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// These options with another linear solver.
    #[must_use]
    pub fn with_linear(self, linear: LinearMethod) -> Self {
        Self { linear, ..self }
    }

    /// Passes a finite positive tolerance.
    pub(crate) fn check(&self) -> Result<(), DemError> {
        positive("the tolerance", self.tolerance).map(|_| ())
    }
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self { tolerance: 1e-11, max_iterations: 50, max_linear_iterations: 5000, linear: LinearMethod::BySize }
    }
}
