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
    /// A proof without rounding shows that there is no solution: for a compatibility problem a displacement proves that
    /// no contact forces balance the load, for a complementarity problem forces prove that no velocity satisfies all
    /// constraints. Without a proof, the status is [`Stalled`](Self::Stalled).
    Infeasible,
}

/// Outcome of a solve: status, effort and residual.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use = "the status says whether the result can be used"]
pub struct Report {
    /// Status that says how the solve ended.
    pub status: Status,
    /// Number of iterations of the outermost loop.
    pub iterations: usize,
    /// Iterations of the inner solver in all outer iterations: CG iterations or factorisations; zero without inner
    /// solver.
    pub inner_iterations: usize,
    /// Residual of the returned iterate, dimensionless; the constructor of each solver defines it.
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
    /// Residual to reach, dimensionless: for complementarity problems [`Lcp::residual`](crate::Lcp::residual), for
    /// compatible forces [`CompatibilityProblem::residual`](crate::CompatibilityProblem::residual), in which each row
    /// or body is measured relative to its own forces or velocities. Constructors of other solvers define theirs.
    pub tolerance: f64,
    /// Largest number of iterations of the outermost loop.
    pub max_iterations: usize,
}

impl Options {
    /// Makes options that stop a solver at the residual `tolerance` or after `max_iterations` iterations.
    #[must_use]
    pub const fn new(tolerance: f64, max_iterations: usize) -> Self {
        Self { tolerance, max_iterations }
    }

    pub(crate) fn is_met_by(&self, residual: f64) -> bool {
        residual <= self.tolerance
    }

    /// Checks that the tolerance is finite and not negative.
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
