use crate::error::{MatrixError, SolveError};
use crate::linear::sparse_cholesky::SparseCholesky;
use crate::newton::assembled_hessian::AssembledHessian;
use crate::newton::system::{NewtonSystem, StepSolver};
use crate::problem::rows::Rows;

/// Newton steps by sparse Cholesky factorisation: slower than conjugate gradients, but more robust. The pattern is
/// analysed anew only if contacts have changed.
#[derive(Debug, Default)]
pub(super) struct CholeskySteps {
    hessian: AssembledHessian,
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
        /// Factor by which the regularisation (ridge) of the Hessian grows each time that rounding has made the Hessian
        /// indefinite.
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
