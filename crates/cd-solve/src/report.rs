//! How a solve ended.

/// How a solve ended. Only [`Converged`](Self::Converged) means that the tolerance was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Status {
    /// The residual is below the tolerance.
    Converged,
    /// The iterations ran out; the best iterate is returned.
    IterationLimit,
    /// Further iterations make no progress; the best iterate is returned.
    Stalled,
    /// There is no solution, by a proof without rounding: for a compatibility problem no contact forces balance the load,
    /// and there is a displacement that says so; for a complementarity problem no velocity satisfies all constraints, and
    /// there are forces that say so. A problem without a proof is [`Stalled`](Self::Stalled).
    Infeasible,
}

/// How a solve ended, and its effort.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use = "the status says whether the result can be used"]
pub struct Report {
    /// How the solve ended.
    pub status: Status,
    /// Iterations of the outermost loop.
    pub iterations: usize,
    /// Iterations of the solver inside, over all outer ones: CG iterations, factorisations; zero where there is none.
    pub inner_iterations: usize,
    /// The residual at the returned iterate, no unit: the one that the constructor of the solver states.
    pub residual: f64,
}

impl Report {
    /// Whether the tolerance was met.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.status == Status::Converged
    }

    /// Whether this attempt is conclusive, or has a smaller residual than an inconclusive one.
    pub(crate) fn is_better_than(&self, inconclusive: &Self) -> bool {
        matches!(self.status, Status::Converged | Status::Infeasible)
            || self.residual <= inconclusive.residual
            || inconclusive.residual.is_nan()
    }

    /// This report, with the work of another attempt counted in.
    pub(crate) fn with_work_of(self, other: &Self) -> Self {
        Self {
            iterations: self.iterations + other.iterations,
            inner_iterations: self.inner_iterations + other.inner_iterations,
            ..self
        }
    }
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// Residual to reach, no unit: an answer within it is good. For complementarity problems it is
    /// [`Lcp::residual`](crate::Lcp::residual), for compatible forces
    /// [`CompatibilityProblem::residual`](crate::CompatibilityProblem::residual): each row or body in its own size. Other
    /// solvers state theirs at their constructor.
    pub tolerance: f64,
    /// Largest number of iterations of the outermost loop.
    pub max_iterations: usize,
}

impl Options {
    /// Stops at the residual `tolerance` or after `max_iterations`.
    #[must_use]
    pub const fn new(tolerance: f64, max_iterations: usize) -> Self {
        Self { tolerance, max_iterations }
    }

    /// Whether `residual` is within the tolerance; never if it is NaN.
    pub(crate) fn is_met_by(&self, residual: f64) -> bool {
        residual <= self.tolerance
    }

    /// Passes if the tolerance is finite and not negative.
    ///
    /// # Errors
    /// [`SolveError::InvalidParameter`](crate::SolveError::InvalidParameter).
    pub fn check(&self) -> Result<(), crate::error::SolveError> {
        let value = self.tolerance;
        if value.is_finite() && value >= 0.0 {
            return Ok(());
        }
        Err(crate::error::SolveError::InvalidParameter {
            what: "the tolerance",
            value,
            expected: "finite and at least 0",
        })
    }
}
