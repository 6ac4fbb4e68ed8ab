//! Solution of the linear systems of Newton's method by the chosen solver, with fallbacks.

use cd_solve::linear::{BiCgStab, ConjugateGradient, LinearSolver, Preconditioner};
use cd_solve::{Options, SolveError, Status};

use crate::bond::ties::Ties;
use crate::implicit::options::LinearMethod;
use crate::implicit::sparse_direct::{Factors, SparseDirect};
use crate::implicit::step_matrix::StepMatrix;
use crate::neighbor::NeighborList;
use crate::stiffness::block_jacobi::InverseDiagonal;
use crate::stiffness::cg_f32::SingleCg;

/// Relative residual up to which a solution in single precision is used as it is; above it, conjugate gradients go on
/// in double precision. (A looser tolerance of the linear system raises this bound.)
const SINGLE_PRECISION: f64 = 1e-3;

/// Relative residual of a linear system below which its solution is used as a Newton direction.
const USEFUL: f64 = 0.5;

/// A linear system of Newton's method: Jacobian · step = residual.
pub(super) struct LinearSystem<'a, M> {
    pub(super) matrix: &'a M,
    /// Neighbour list, whose pairs, with the ties, are the sparsity pattern of the Jacobian.
    pub(super) list: &'a NeighborList,
    pub(super) ties: Option<&'a Ties>,
    pub(super) residual: &'a [f64],
    pub(super) tolerance: f64,
    pub(super) max_iterations: usize,
}

/// Error of a linear system for which no solver found a usable direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoDirection;

impl From<SolveError> for NoDirection {
    fn from(_: SolveError) -> Self {
        Self
    }
}

#[derive(Debug, Clone)]
pub(super) struct LinearSolvers {
    preconditioner: InverseDiagonal,
    single: SingleCg,
    conjugate_gradient: ConjugateGradient,
    bicgstab: BiCgStab,
    direct: SparseDirect,
}

impl Default for LinearSolvers {
    fn default() -> Self {
        let unset = Options::new(1e-2, 1);
        Self {
            preconditioner: InverseDiagonal::default(),
            single: SingleCg::default(),
            conjugate_gradient: ConjugateGradient::new(unset),
            bicgstab: BiCgStab::new(unset),
            direct: SparseDirect::default(),
        }
    }
}

impl LinearSolvers {
    /// Solves a linear system into `step` and adds to `iterations`; a factorisation counts as one.
    pub(super) fn solve<M: StepMatrix<D>, const D: usize>(
        &mut self,
        system: &LinearSystem<'_, M>,
        method: LinearMethod,
        step: &mut [f64],
        iterations: &mut usize,
    ) -> Result<(), NoDirection> {
        if method.is_direct() && system.matrix.full_rows().is_some() {
            return self.solve_direct(system, method, step, iterations);
        }
        self.solve_iteratively(system, method, step, iterations)
    }

    fn solve_direct<M: StepMatrix<D>, const D: usize>(
        &mut self,
        system: &LinearSystem<'_, M>,
        method: LinearMethod,
        step: &mut [f64],
        iterations: &mut usize,
    ) -> Result<(), NoDirection> {
        let blocks = system.matrix.full_rows().ok_or(NoDirection)?;
        // LU is the fallback for a matrix that is not positive definite.
        let attempts = match method {
            LinearMethod::Cholesky => &[Factors::Cholesky, Factors::Lu][..],
            _ => &[Factors::Lu],
        };
        for &factors in attempts {
            *iterations += 1;
            if self.direct.solve(system.list, system.ties, blocks, factors, system.residual, step).is_ok() {
                return Ok(());
            }
        }
        Err(NoDirection)
    }

    fn solve_iteratively<M: StepMatrix<D>, const D: usize>(
        &mut self,
        system: &LinearSystem<'_, M>,
        method: LinearMethod,
        step: &mut [f64],
        iterations: &mut usize,
    ) -> Result<(), NoDirection> {
        let LinearSystem { matrix, residual, max_iterations, .. } = *system;
        // Whether double precision continues from the solution in single precision.
        let mut begun = false;
        if let Some(pairs) = matrix.pair_blocks().filter(|_| method == LinearMethod::ConjugateGradient) {
            let wanted = system.tolerance.max(SingleCg::FINEST);
            let report = self.single.solve(pairs, residual, wanted, max_iterations, step);
            *iterations += report.iterations;
            if report.residual <= SINGLE_PRECISION.max(10.0 * wanted) {
                return Ok(());
            }
            begun = report.residual < USEFUL;
        }
        self.preconditioner.update(matrix.diagonal());
        let options = Options::new(system.tolerance, max_iterations);
        let preconditioner = Some(&self.preconditioner as &dyn Preconditioner);
        let useful = |residual: f64| if residual < USEFUL { Ok(()) } else { Err(NoDirection) };
        if method == LinearMethod::ConjugateGradient {
            if !begun {
                step.fill(0.0);
            }
            self.conjugate_gradient.set_options(options);
            let report = self.conjugate_gradient.solve(matrix, preconditioner, residual, step)?;
            *iterations += report.iterations;
            // Conjugate gradients stall at a direction of negative curvature.
            if report.status != Status::Stalled {
                return useful(report.residual);
            }
        }
        step.fill(0.0);
        self.bicgstab.set_options(options);
        let report = self.bicgstab.solve(matrix, preconditioner, residual, step)?;
        *iterations += report.iterations;
        useful(report.residual)
    }
}
