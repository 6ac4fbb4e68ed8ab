//! The solver of compatibility problems to start with.

use crate::newton::Newton;
use crate::newton_cg;
use crate::newton_cholesky::Factorized;
use crate::sweep_cg::SweepCg;
use crate::{CompatibilityProblem, CompatibilitySolver, Options, Report, SolveError, Status};

/// The default: Newton with conjugate gradients, and with sparse factorisations where those stall.
///
/// Conjugate gradients give up on stiffnesses that differ by many orders and on some packings that hardly hold together;
/// the report then counts the work of both, and the better of the two results is returned.
#[derive(Debug)]
pub struct Compatible {
    options: Options,
    iterative: Newton<SweepCg<f32>>,
    direct: Newton<Factorized>,
    displacement: Vec<f64>,
}

impl Compatible {
    /// Stops at the residual of `options`, ‖Bᵀ f − F‖ / ‖F‖.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, iterative: Newton::default(), direct: Newton::default(), displacement: Vec::new() }
    }

    /// The displacement of the bodies (`D n_b`) in the last solve, for the stiffnesses as given; the evidence where the load
    /// is infeasible.
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.displacement
    }
}

impl Default for Compatible {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 500))
    }
}

impl CompatibilitySolver for Compatible {
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        let Self { options, iterative, direct, displacement } = self;
        let first = newton_cg::solve(iterative, problem, options, displacement, force)?;
        if matches!(first.status, Status::Converged | Status::Infeasible) {
            return Ok(first);
        }
        // Where there is no factor, for want of memory say, the first attempt is what there is.
        let Ok(second) = newton_cg::minimize(direct, problem, options) else {
            return Ok(first);
        };
        if second.is_better_than(&first) {
            newton_cg::write(direct, problem, displacement, force);
            return Ok(second.after(&first));
        }
        Ok(first.after(&second))
    }
}
