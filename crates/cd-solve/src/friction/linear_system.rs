use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Spec};

use crate::error::MatrixError;
use crate::friction::block_lu::{BlockLu, BlockedColumns};
use crate::friction::problem::norm;

/// Thresholds of the residual after a solve by block factors, relative to the norm of the right-hand side: above the
/// first the solution is refined, above the second factors with pivoting are computed.
const RESIDUALS: [f64; 2] = [1e-13, 1e-9];

/// Sparse LU solver for a matrix with a fixed pattern and varying values. It works on one thread, so that bits do not
/// depend on the number of threads. Block factors are tried first; if they are inaccurate, factors with exchanges of
/// all rows are computed.
#[derive(Default)]
pub(super) struct SparseLu {
    block: usize,
    by_blocks: Option<BlockLu>,
    right: Vec<f64>,
    left: Vec<f64>,
    start: Vec<usize>,
    row: Vec<usize>,
    pub(crate) values: Vec<f64>,
    symbolic: Option<SymbolicLu<usize>>,
    numeric: NumericLu<usize, f64>,
    scratch: Option<MemBuffer>,
}

const FAILED: MatrixError = MatrixError::Factorization { reason: "it is singular, or memory is short" };

impl SparseLu {
    /// Sets and analyses the pattern of a square matrix by columns, in blocks of `block` rows. The analysis is kept
    /// while the pattern stays the same.
    pub(super) fn analyze(&mut self, block: usize, start: &[usize], row: &[usize]) -> Result<(), MatrixError> {
        self.set_pattern(block, start, row);
        self.order_blocks()
    }

    /// Sets the pattern of a square matrix; the analysis follows when factors are needed.
    pub(super) fn set_pattern(&mut self, block: usize, start: &[usize], row: &[usize]) {
        if self.block == block && self.start == start && self.row == row {
            return;
        }
        (self.symbolic, self.by_blocks) = (None, None);
        self.block = block;
        self.start = start.to_vec();
        self.row = row.to_vec();
        self.values.clear();
        self.values.resize(row.len(), 0.0);
    }

    fn order_blocks(&mut self) -> Result<(), MatrixError> {
        if self.by_blocks.is_none() {
            let pattern = BlockedColumns { block: self.block, start: &self.start, row: &self.row };
            self.by_blocks = Some(BlockLu::analyze(pattern)?);
        }
        Ok(())
    }

    /// Factorises the matrix with the entries `values` and overwrites the right-hand side `x` with the solution.
    ///
    /// # Errors
    /// [`MatrixError::Factorization`] if the matrix is singular; `x` is then invalid.
    pub(super) fn factorize_and_solve(&mut self, x: &mut [f64]) -> Result<(), MatrixError> {
        self.order_blocks()?;
        self.right.clear();
        self.right.extend_from_slice(x);
        if self.solves_by_blocks(x) {
            return Ok(());
        }
        x.copy_from_slice(&self.right);
        self.factorize_with_exchanges(x)
    }

    /// Solves by block factors and refines the solution once if needed. Returns whether it is accurate.
    fn solves_by_blocks(&mut self, x: &mut [f64]) -> bool {
        let Some(factors) = &mut self.by_blocks else { return false };
        let pattern = BlockedColumns { block: self.block, start: &self.start, row: &self.row };
        factors.factorize(pattern, &self.values, 0.0);
        factors.solve(x);
        let size = norm(self.right.iter().copied());
        let right = &self.right;
        let values = &self.values;
        let residual = |x: &[f64], left: &mut Vec<f64>| {
            left.clear();
            left.extend_from_slice(right);
            pattern.subtract_product(values, x, left);
            norm(left.iter().copied())
        };
        let [close, far] = RESIDUALS;
        if residual(x, &mut self.left) <= close * size {
            return true;
        }
        factors.solve(&mut self.left);
        x.iter_mut().zip(&self.left).for_each(|(x, change)| *x += change);
        residual(x, &mut self.left) <= far * size
    }

    fn factorize_with_exchanges(&mut self, x: &mut [f64]) -> Result<(), MatrixError> {
        let n = self.start.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.start, None, &self.row);
        if self.symbolic.is_none() {
            let symbolic = factorize_symbolic_lu(pattern, Default::default()).map_err(|_| FAILED)?;
            let need = symbolic
                .factorize_numeric_lu_scratch::<f64>(Par::Seq, Spec::default())
                .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
            self.scratch = Some(MemBuffer::try_new(need).map_err(|_| FAILED)?);
            self.numeric = NumericLu::new();
            self.symbolic = Some(symbolic);
        }
        let (Some(symbolic), Some(scratch)) = (&self.symbolic, &mut self.scratch) else { return Err(FAILED) };
        let stack = MemStack::new(scratch);
        let matrix = SparseColMatRef::new(pattern, &self.values);
        let factor = symbolic
            .factorize_numeric_lu(&mut self.numeric, matrix, Par::Seq, stack, Spec::default())
            .map_err(|_| FAILED)?;
        let rows = x.len();
        factor.solve_in_place_with_conj(Conj::No, MatMut::from_column_major_slice_mut(x, rows, 1), Par::Seq, stack);
        // `faer` reports no error for a singular matrix but returns NaN or infinities.
        if x.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(FAILED) }
    }
}

impl Clone for SparseLu {
    /// Returns an empty solver, which analyses its pattern and computes factors anew.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl std::fmt::Debug for SparseLu {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SparseLu").field("entries", &self.row.len()).finish_non_exhaustive()
    }
}
