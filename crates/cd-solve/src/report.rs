//! How a solve ended.

/// How a solve ended. Only [`Converged`](Self::Converged) means that the tolerance was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Status {
    /// The residual of the returned iterate is within the tolerance.
    Converged,
    /// The limit of iterations was reached; the best iterate is returned.
    IterationLimit,
    /// The solver makes no further progress; the best iterate is returned.
    Stalled,
    /// There is no solution, by a proof without rounding: for a compatibility problem no contact forces balance the
    /// load, and there is a displacement that says so; for a complementarity problem no velocity satisfies all
    /// constraints, and there are forces that say so. A problem without a proof is [`Stalled`](Self::Stalled).
    Infeasible,
}

/// Outcome of a solve: how it ended, its effort and its residual.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use = "the status says whether the result can be used"]
pub struct Report {
    /// Status that says how the solve ended.
    pub status: Status,
    /// Number of iterations of the outermost loop of the solver.
    pub iterations: usize,
    /// Iterations of the inner solver over all outer ones: CG iterations or factorisations; zero where there is none.
    pub inner_iterations: usize,
    /// Residual of the returned iterate, no unit; the constructor of each solver states its definition.
    pub residual: f64,
}

impl Report {
    /// Makes the report of a solve that starts where the residual is `residual`: converged, until more is known.
    pub(crate) fn start(residual: f64) -> Self {
        Self { status: Status::Converged, iterations: 0, inner_iterations: 0, residual }
    }

    /// Whether the solve reached its tolerance.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.status == Status::Converged
    }

    /// Whether this attempt converged, was proved infeasible or has no larger residual than the `inconclusive` one.
    pub(crate) fn is_better_than(&self, inconclusive: &Self) -> bool {
        matches!(self.status, Status::Converged | Status::Infeasible)
            || self.residual <= inconclusive.residual
            || inconclusive.residual.is_nan()
    }

    /// Returns this report with the iterations of `other`, another attempt, added.
    pub(crate) fn with_work_of(self, other: &Self) -> Self {
        Self {
            iterations: self.iterations + other.iterations,
            inner_iterations: self.inner_iterations + other.inner_iterations,
            ..self
        }
    }
}

/// Stopping conditions of a solver: residual and number of iterations.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// Residual to reach, no unit: an answer within it is good. For complementarity problems it is
    /// [`Lcp::residual`](crate::Lcp::residual), for compatible forces
    /// [`CompatibilityProblem::residual`](crate::CompatibilityProblem::residual): each row or body relative to its own
    /// size. Other solvers state theirs at their constructor.
    pub tolerance: f64,
    /// Largest number of iterations of the outermost loop of the solver.
    pub max_iterations: usize,
}

impl Options {
    /// Makes options that stop a solver at the residual `tolerance` or after `max_iterations` iterations.
    #[must_use]
    pub const fn new(tolerance: f64, max_iterations: usize) -> Self {
        Self { tolerance, max_iterations }
    }

    /// Whether `residual` is within the tolerance; never if it is NaN.
    pub(crate) fn is_met_by(&self, residual: f64) -> bool {
        residual <= self.tolerance
    }

    /// Passes if the tolerance of these options is finite and not negative.
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
