//! Newton's method with conjugate gradients: the fast solver of compatibility problems.

use crate::error::SolveError;
use crate::newton::scaling;
use crate::newton::semismooth::Minimizer;
use crate::newton::sweep::ssor_cg::SsorCg;
use crate::problem::compatibility::{CompatibilityProblem, CompatibilitySolver};
use crate::report::{Options, Report};

/// Primal Newton with conjugate gradients: minimises the elastic energy over the displacements of the bodies.
///
/// The linear systems are solved by conjugate gradients, preconditioned by block Gauss-Seidel sweeps over the bodies by
/// their distance from the fixed ones, and only as accurately as the step deserves. Only the blocks of single bodies
/// are factorised.
#[derive(Debug, Clone)]
pub struct NewtonCg {
    options: Options,
    newton: Minimizer<SsorCg<f32>>,
    displacement: Vec<f64>,
}

impl NewtonCg {
    /// A solver that stops where [`CompatibilityProblem::residual`] is within the tolerance of `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, newton: Minimizer::default(), displacement: Vec::new() }
    }

    /// The displacement of the bodies (`D n_b`) in the last solve, for the stiffnesses as given. An infeasible load is
    /// refuted by this displacement, see [`CompatibilityProblem::least_force_sum`].
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.displacement
    }
}

impl Default for NewtonCg {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 500))
    }
}

impl CompatibilitySolver for NewtonCg {
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        scaling::solve(&mut self.newton, problem, &self.options, &mut self.displacement, force)
    }
}
