//! Sparse LU factors of matrices that are not symmetric.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Spec};

use crate::error::MatrixError;

/// A matrix whose pattern is analysed once and whose values change. On one thread, so that bits do not depend on how
/// many there are.
#[derive(Default)]
pub(crate) struct SparseLu {
    start: Vec<usize>,
    row: Vec<usize>,
    pub(crate) values: Vec<f64>,
    symbolic: Option<SymbolicLu<usize>>,
    numeric: NumericLu<usize, f64>,
    scratch: Option<MemBuffer>,
}

const FAILED: MatrixError = MatrixError::Factorization { reason: "it is singular, or memory is short" };

impl SparseLu {
    /// Takes the pattern of a square matrix by columns, with rising rows. A pattern that it has already costs a
    /// comparison.
    pub(crate) fn analyze(&mut self, start: &[usize], row: &[usize]) -> Result<(), MatrixError> {
        self.set_pattern(start, row);
        self.find_factors()
    }

    /// Takes a pattern, which is analysed when factors are asked for.
    pub(crate) fn set_pattern(&mut self, start: &[usize], row: &[usize]) {
        if self.start == start && self.row == row {
            return;
        }
        self.symbolic = None;
        self.start = start.to_vec();
        self.row = row.to_vec();
        self.values.clear();
        self.values.resize(row.len(), 0.0);
    }

    fn find_factors(&mut self) -> Result<(), MatrixError> {
        if self.symbolic.is_some() {
            return Ok(());
        }
        let symbolic = factorize_symbolic_lu(self.pattern(), Default::default()).map_err(|_| FAILED)?;
        let need = symbolic
            .factorize_numeric_lu_scratch::<f64>(Par::Seq, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        self.scratch = Some(MemBuffer::try_new(need).map_err(|_| FAILED)?);
        self.numeric = NumericLu::new();
        self.symbolic = Some(symbolic);
        Ok(())
    }

    fn pattern(&self) -> SymbolicSparseColMatRef<'_, usize> {
        let n = self.start.len() - 1;
        SymbolicSparseColMatRef::new_checked(n, n, &self.start, None, &self.row)
    }

    /// Factorises the matrix of `values` and solves with it in place.
    ///
    /// # Errors
    /// [`MatrixError::Factorization`] if it is singular; `x` is then useless.
    pub(crate) fn factorize_and_solve(&mut self, x: &mut [f64]) -> Result<(), MatrixError> {
        self.find_factors()?;
        let pattern = {
            let n = self.start.len() - 1;
            SymbolicSparseColMatRef::new_checked(n, n, &self.start, None, &self.row)
        };
        let (Some(symbolic), Some(scratch)) = (&self.symbolic, &mut self.scratch) else { return Err(FAILED) };
        let stack = MemStack::new(scratch);
        let matrix = SparseColMatRef::new(pattern, &self.values);
        let factor = symbolic
            .factorize_numeric_lu(&mut self.numeric, matrix, Par::Seq, stack, Spec::default())
            .map_err(|_| FAILED)?;
        let rows = x.len();
        factor.solve_in_place_with_conj(Conj::No, MatMut::from_column_major_slice_mut(x, rows, 1), Par::Seq, stack);
        // A singular matrix is no error there: it leaves NaN or infinities.
        if x.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(FAILED) }
    }
}

impl Clone for SparseLu {
    /// An empty one: factors are found again.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl std::fmt::Debug for SparseLu {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SparseLu").field("entries", &self.row.len()).finish_non_exhaustive()
    }
}
