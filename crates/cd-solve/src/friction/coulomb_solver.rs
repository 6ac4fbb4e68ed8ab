//! The solver to use: sweeps first, Newton's method where they do not end.

use crate::error::SolveError;
use crate::friction::problem::{FrictionLaw, FrictionProblem};
use crate::friction::proximal_newton::ProximalCore;
use crate::friction::solver::{FrictionReport, FrictionSolver, check_start};
use crate::friction::sweeps::{SweepBuffers, SweepLimits};
use crate::report::{Options, Status};

/// Sweeps before Newton's method.
const FIRST_SWEEPS: usize = 200;

/// Coulomb's law by [`AcceleratedSweeps`](crate::friction::AcceleratedSweeps), and by
/// [`ProximalNewton`](crate::friction::ProximalNewton) from where 200 sweeps end.
///
/// Stops at [`FrictionProblem::residual`]. `max_iterations` counts factorisations. Statuses: converged; no progress
/// ([`Status::Stalled`]); factorisations used up ([`Status::IterationLimit`]); forces that grow without bound
/// ([`Status::Infeasible`], with their growth in the report).
#[derive(Debug, Clone)]
pub struct CoulombSolver {
    options: Options,
    first_sweeps: usize,
    sweeps: SweepBuffers,
    newton: ProximalCore,
}

impl CoulombSolver {
    /// Stops at the residual of `options` or after so many factorisations.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, first_sweeps: FIRST_SWEEPS, sweeps: SweepBuffers::default(), newton: ProximalCore::default() }
    }

    /// With another number of sweeps before Newton's method.
    #[must_use]
    pub fn with_first_sweeps(self, first_sweeps: usize) -> Self {
        Self { first_sweeps, ..self }
    }
}

impl Default for CoulombSolver {
    fn default() -> Self {
        Self::new(Options::new(1e-8, 3000))
    }
}

impl FrictionSolver for CoulombSolver {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        self.options.check()?;
        check_start(problem, FrictionLaw::Coulomb, force)?;
        let options = Options { max_iterations: self.first_sweeps, ..self.options };
        let swept = self.sweeps.run(problem, SweepLimits { options, accelerate: true }, force);
        if swept.status == Status::Converged {
            return Ok(swept);
        }
        self.newton.refine(problem, self.options, &mut self.sweeps, swept, force)
    }
}
