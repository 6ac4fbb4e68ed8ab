//! Newton's method with sparse factorisations: slower than conjugate gradients, and hard to stop.

use crate::assembled_hessian::AssembledHessian;
use crate::newton::{Newton, NewtonSystem, StepSolver};
use crate::newton_cg;
use crate::rows::Rows;
use crate::{CompatibilityProblem, CompatibilitySolver, Options, Report, SolveError, SparseCholesky};

/// Primal Newton with sparse Cholesky factors: for problems that conjugate gradients find too hard, stiffnesses that differ by
/// 1e6 say.
#[derive(Debug)]
pub struct NewtonCholesky {
    options: Options,
    newton: Newton<Factorized>,
    displacement: Vec<f64>,
}

impl NewtonCholesky {
    /// Stops at the residual of `options`, ‖Bᵀ f − F‖ / ‖F‖.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, newton: Newton::default(), displacement: Vec::new() }
    }

    /// The displacement of the bodies (`D n_b`) in the last solve, for the stiffnesses as given; the evidence where the load
    /// is infeasible.
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
        newton_cg::solve(&mut self.newton, problem, &self.options, &mut self.displacement, force)
    }
}

/// Newton steps by factorisation, analysed anew only where the contacts are other ones.
#[derive(Debug, Default)]
pub(crate) struct Factorized {
    hessian: AssembledHessian,
    /// The bodies of each contact that was analysed.
    bodies: Vec<[u32; 2]>,
    dimension: usize,
    factor: Option<SparseCholesky>,
}

impl StepSolver for Factorized {
    fn prepare<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>) -> Result<(), SolveError> {
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

    fn solve<const D: usize, const K: usize>(
        &mut self,
        system: &NewtonSystem<'_, D, K>,
        step: &mut [f64],
    ) -> Result<usize, SolveError> {
        /// The ridge grows by this where rounding has made the matrix indefinite.
        const STRETCH: f64 = 100.0;
        let factor = self.factor.as_mut().ok_or(SolveError::Factorization { reason: "no pattern was analysed" })?;
        let mut stretch = 1.0;
        for factorizations in 1.. {
            self.hessian.assemble(system, stretch);
            match factor.factorize(self.hessian.matrix()) {
                Ok(()) => {
                    step.iter_mut().zip(system.gradient).for_each(|(step, g)| *step = -g);
                    factor.solve(step)?;
                    return Ok(factorizations);
                }
                Err(error) if factorizations > 6 => return Err(error),
                Err(_) => stretch *= STRETCH,
            }
        }
        unreachable!("the loop returns")
    }
}
