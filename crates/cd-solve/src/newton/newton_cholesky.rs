//! Newton's method with sparse factorisations: slower than conjugate gradients, but more robust.

use crate::error::{MatrixError, SolveError};
use crate::linear::sparse_cholesky::SparseCholesky;
use crate::newton::assembled_hessian::AssembledHessian;
use crate::newton::exact_forces::LastResort;
use crate::newton::scaling;
use crate::newton::semismooth::Minimizer;
use crate::newton::system::{NewtonSystem, StepSolver};
use crate::problem::compatibility::{CompatibilityProblem, CompatibilitySolver};
use crate::problem::rows::Rows;
use crate::report::{Options, Report};

/// Primal Newton with sparse Cholesky factors: for problems that are too hard for conjugate gradients, such as
/// stiffnesses that differ by 1e6. Where it stalls, sets of up to 240 connected coordinates are solved without
/// rounding.
#[derive(Debug)]
pub struct NewtonCholesky {
    options: Options,
    newton: Minimizer<CholeskySteps>,
    displacement: Vec<f64>,
    last_resort: LastResort,
}

impl NewtonCholesky {
    /// A solver that stops where [`CompatibilityProblem::residual`] is within the tolerance of `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, newton: Minimizer::default(), displacement: Vec::new(), last_resort: LastResort::default() }
    }

    /// The displacement of the bodies (`D n_b`) in the last solve, for the stiffnesses as given. An infeasible load is
    /// refuted by this displacement, see [`CompatibilityProblem::least_force_sum`].
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.displacement
    }
}

impl Default for NewtonCholesky {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 500))
    }
}

impl CompatibilitySolver for NewtonCholesky {
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        let Self { options, newton, displacement, last_resort } = self;
        let report = scaling::solve(newton, problem, options, displacement, force)?;
        Ok(if report.converged() { report } else { last_resort.improve(problem, options, report, displacement, force) })
    }
}

/// Newton steps by factorisation. The pattern is analysed again only if the contacts have changed.
#[derive(Debug, Default)]
pub(crate) struct CholeskySteps {
    hessian: AssembledHessian,
    /// The bodies of each contact that was analysed.
    bodies: Vec<[u32; 2]>,
    dimension: usize,
    factor: Option<SparseCholesky>,
}

impl<const D: usize, const K: usize> StepSolver<D, K> for CholeskySteps {
    fn prepare(&mut self, rows: &Rows<D, K>) -> Result<(), SolveError> {
        let dimension = D * rows.bodies();
        let same = self.factor.is_some()
            && self.dimension == dimension
            && self.bodies.len() == rows.contacts.len()
            && self.bodies.iter().zip(&rows.contacts).all(|(bodies, row)| *bodies == row.body);
        if same {
            return Ok(());
        }
        self.factor = None;
        self.hessian.lay_out(rows);
        self.factor = Some(SparseCholesky::analyze(self.hessian.pattern())?);
        self.bodies.clear();
        self.bodies.extend(rows.contacts.iter().map(|row| row.body));
        self.dimension = dimension;
        Ok(())
    }

    fn solve(&mut self, system: &NewtonSystem<'_, D, K>, step: &mut [f64]) -> Result<usize, SolveError> {
        /// Growth of the ridge where rounding has made the matrix indefinite.
        const GROWTH: f64 = 100.0;
        let factor = self
            .factor
            .as_mut()
            .ok_or(SolveError::Matrix(MatrixError::Factorization { reason: "no pattern was analysed" }))?;
        let mut ridge_factor = 1.0;
        for factorizations in 1.. {
            self.hessian.assemble(system, ridge_factor);
            match factor.factorize(self.hessian.matrix()) {
                Ok(()) => {
                    step.iter_mut().zip(system.gradient).for_each(|(step, g)| *step = -g);
                    factor.solve(step)?;
                    return Ok(factorizations);
                }
                Err(error) if factorizations > 6 => return Err(error),
                Err(_) => ridge_factor *= GROWTH,
            }
        }
        unreachable!("the loop returns")
    }
}
