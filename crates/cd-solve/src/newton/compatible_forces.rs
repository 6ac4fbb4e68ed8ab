use crate::error::SolveError;
use crate::newton::cholesky_steps::CholeskySteps;
use crate::newton::extended_precision::ExtendedPrecision;
use crate::newton::scaling;
use crate::newton::semismooth::Minimizer;
use crate::newton::sweep::ssor_cg::SsorCg;
use crate::problem::compatibility::{CompatibilityProblem, CompatibilitySolver};
use crate::report::{Options, Report, Status};

/// Solver of [`CompatibilityProblem`]s: Newton's method minimises the elastic energy over the displacements of the
/// bodies, first with conjugate gradients, after a stall with sparse Cholesky factors, and then in numbers of 77 digits
/// for sets of up to 240 connected coordinates.
///
/// Conjugate gradients are preconditioned by block Gauss-Seidel sweeps over the bodies, sorted by distance from the
/// fixed bodies; only blocks of single bodies are factorised. They solve only as accurately as a Newton step needs, but
/// may stall if stiffnesses differ by many orders, or contacts are few. Bodies much lighter than others, and loads at
/// the limit of what contacts can bear, may need more digits. The report then counts the work of the first two methods,
/// and the best result is returned.
#[derive(Debug)]
pub struct CompatibleForces {
    options: Options,
    factors_alone: bool,
    iterative: Minimizer<SsorCg<f32>>,
    direct: Minimizer<CholeskySteps>,
    displacement: Vec<f64>,
    other_displacement: Vec<f64>,
    other_force: Vec<f64>,
    extended_precision: ExtendedPrecision,
}

impl CompatibleForces {
    /// Makes a solver that stops where [`CompatibilityProblem::residual`] is within the tolerance of `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            factors_alone: false,
            iterative: Minimizer::default(),
            direct: Minimizer::default(),
            displacement: Vec::new(),
            other_displacement: Vec::new(),
            other_force: Vec::new(),
            extended_precision: ExtendedPrecision::default(),
        }
    }

    /// Leaves out conjugate gradients, which saves time on problems too hard for them, such as those with stiffnesses
    /// that differ by 1e6. A matrix that cannot be factorised is then an error.
    #[must_use]
    pub fn with_factors_alone(self) -> Self {
        Self { factors_alone: true, ..self }
    }

    /// Displacement of the bodies (D numbers each) in the last solve, for the given stiffnesses. For an infeasible load
    /// it is the proof, see [`CompatibilityProblem::least_force_sum`].
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

/// Largest number of body coordinates for which extended precision follows even after convergence: it then takes less
/// than a millisecond, and gives the last digits.
const SMALL_PROBLEM: usize = 24;

impl CompatibilitySolver for CompatibleForces {
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        let report = self.solve_in_53_bits(problem, force)?;
        let is_small = problem.load.len() <= SMALL_PROBLEM && report.iterations > 0;
        if report.converged() && !is_small {
            return Ok(report);
        }
        Ok(self.extended_precision.improve(problem, &self.options, report, &mut self.displacement, force))
    }
}

impl CompatibleForces {
    /// Solves in `f64` by Newton's method, first with conjugate gradients, then with sparse Cholesky factorisations.
    fn solve_in_53_bits(
        &mut self,
        problem: &CompatibilityProblem<'_>,
        force: &mut [f64],
    ) -> Result<Report, SolveError> {
        let Self { options, iterative, direct, displacement, other_displacement, other_force, .. } = self;
        if self.factors_alone {
            return scaling::solve(direct, problem, options, displacement, force);
        }
        let report = scaling::solve(iterative, problem, options, displacement, force)?;
        if matches!(report.status, Status::Converged | Status::Infeasible) {
            return Ok(report);
        }
        other_force.clear();
        other_force.resize(force.len(), 0.0);
        // If the factorisation fails, for example for lack of memory, the first attempt is the result.
        let Ok(second) = scaling::solve(direct, problem, options, other_displacement, other_force) else {
            return Ok(report);
        };
        if second.is_better_than(&report) {
            force.copy_from_slice(other_force);
            displacement.copy_from_slice(other_displacement);
            return Ok(second.with_work_of(&report));
        }
        Ok(report.with_work_of(&second))
    }
}
