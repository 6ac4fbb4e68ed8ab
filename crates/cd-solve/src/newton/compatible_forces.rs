//! The default solver of compatibility problems.

use crate::error::SolveError;
use crate::newton::newton_cholesky::CholeskySteps;
use crate::newton::scaling;
use crate::newton::semismooth::Minimizer;
use crate::newton::sweep::ssor_cg::SsorCg;
use crate::problem::compatibility::{CompatibilityProblem, CompatibilitySolver};
use crate::report::{Options, Report, Status};

/// The default solver: Newton with conjugate gradients, and with sparse factorisations if those stall.
///
/// Conjugate gradients may stall on stiffnesses that differ by many orders, and on packings with few contacts. The
/// report then counts the work of both, and the better of the two results is returned.
#[derive(Debug)]
pub struct CompatibleForces {
    options: Options,
    iterative: Minimizer<SsorCg<f32>>,
    direct: Minimizer<CholeskySteps>,
    displacement: Vec<f64>,
}

impl CompatibleForces {
    /// Stops at the residual of `options`, ‖Bᵀ f − F‖ / max(‖F‖, ‖Bᵀ f‖).
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, iterative: Minimizer::default(), direct: Minimizer::default(), displacement: Vec::new() }
    }

    /// The displacement of the bodies (`D n_b`) in the last solve, for the stiffnesses as given. If the load is
    /// infeasible it proves so, see [`CompatibilityProblem::least_force_sum`].
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.displacement
    }
}

impl Default for CompatibleForces {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 500))
    }
}

impl CompatibilitySolver for CompatibleForces {
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        let Self { options, iterative, direct, displacement } = self;
        let first = scaling::solve(iterative, problem, options, displacement, force)?;
        if matches!(first.status, Status::Converged | Status::Infeasible) {
            return Ok(first);
        }
        // Without a factor, if memory is short for example, the first attempt is the answer.
        let Ok(second) = scaling::minimize(direct, problem, options) else {
            return Ok(first);
        };
        if second.is_better_than(&first) {
            scaling::write(direct, problem, displacement, force);
            return Ok(second.with_work_of(&first));
        }
        Ok(first.with_work_of(&second))
    }
}
