use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side, Spec};

use crate::error::{MatrixError, SolveError, check_finite, check_length};

/// The factor L of a sparse symmetric positive definite matrix, A = L Lᵀ up to the order of its rows.
///
/// The pattern is analysed once; matrices of this pattern are then factorised without allocation, on one thread, so
/// that bits do not depend on the number of threads. Only the lower triangle is read, and not compared with the upper
/// one. A pattern of the upper triangle alone is refused.
pub struct SparseCholesky {
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    scratch: MemBuffer,
    /// Column starts of the analysed pattern, for comparison with the pattern of a matrix.
    column_start: Vec<usize>,
    rows: Vec<usize>,
    factorized: bool,
}

impl SparseCholesky {
    /// Analyses the pattern of the lower triangle of a matrix; the order is approximate minimum degree.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`], or [`MatrixError::Factorization`] if there is an upper triangle but no lower one, or
    /// memory is short.
    pub fn analyze(pattern: SymbolicSparseColMatRef<'_, usize>) -> Result<Self, SolveError> {
        let columns = pattern.ncols();
        if pattern.nrows() != columns {
            return Err(MatrixError::NotSquare { rows: pattern.nrows(), columns }.into());
        }
        let places =
            || (0..columns).flat_map(|column| pattern.row_idx_of_col_raw(column).iter().map(move |&row| (row, column)));
        // Only the diagonal would be factorised.
        if places().any(|(row, column)| row < column) && !places().any(|(row, column)| row > column) {
            let reason = "it has only its upper triangle, but the lower one is read; transpose it";
            return Err(MatrixError::Factorization { reason }.into());
        }
        const SHORT: SolveError = SolveError::Matrix(MatrixError::Factorization { reason: "memory is short" });
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, Default::default())
            .map_err(|_| SHORT)?;
        let need = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let scratch = MemBuffer::try_new(need).map_err(|_| SHORT)?;
        let values = vec![0.0; symbolic.len_val()];
        let mut column_start = vec![0];
        let mut rows = Vec::with_capacity(pattern.compute_nnz());
        for column in 0..columns {
            rows.extend(pattern.row_idx_of_col_raw(column));
            column_start.push(rows.len());
        }
        Ok(Self { symbolic, values, scratch, column_start, rows, factorized: false })
    }

    /// Number of rows of the matrix whose pattern was analysed.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.symbolic.nrows()
    }

    /// Factorises `matrix`, which must have the analysed pattern.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`] or [`MatrixError::Factorization`] for another pattern, [`SolveError::NotFinite`],
    /// or [`MatrixError::Factorization`] if the matrix is not positive definite.
    pub fn factorize(&mut self, matrix: SparseColMatRef<'_, usize, f64>) -> Result<(), SolveError> {
        self.factorized = false;
        for (what, expected, found) in [
            ("rows of the matrix", self.dimension(), matrix.nrows()),
            ("columns of the matrix", self.dimension(), matrix.ncols()),
            ("entries of the matrix", self.rows.len(), matrix.compute_nnz()),
        ] {
            if expected != found {
                return Err(SolveError::LengthMismatch { what, expected, found });
            }
        }
        let same = |(column, range): (usize, &[usize])| {
            self.rows[range[0]..range[1]] == *matrix.symbolic().row_idx_of_col_raw(column)
        };
        if !self.column_start.windows(2).enumerate().all(same) {
            return Err(MatrixError::Factorization { reason: "its pattern is not the one that was analysed" }.into());
        }
        check_finite("matrix entry", matrix.val())?;
        let stack = MemStack::new(&mut self.scratch);
        let outcome = self.symbolic.factorize_numeric_llt(
            &mut self.values,
            matrix,
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            stack,
            Spec::default(),
        );
        if outcome.is_err() || self.values.iter().any(|value| !value.is_finite()) {
            return Err(MatrixError::Factorization { reason: "it is not positive definite" }.into());
        }
        self.factorized = true;
        Ok(())
    }

    /// Overwrites the right-hand side `x` with the solution A⁻¹ `x`.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`SolveError::NotFinite`], or [`MatrixError::Factorization`] before a successful
    /// factorisation.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        check_length("right-hand sides", x, self.dimension())?;
        check_finite("right-hand side", x)?;
        if !self.factorized {
            return Err(MatrixError::Factorization { reason: "no factor is at hand" }.into());
        }
        let rows = x.len();
        let stack = MemStack::new(&mut self.scratch);
        LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, rows, 1),
            Par::Seq,
            stack,
        );
        Ok(())
    }
}

impl std::fmt::Debug for SparseCholesky {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SparseCholesky")
            .field("dimension", &self.dimension())
            .field("factor_entries", &self.values.len())
            .field("factorized", &self.factorized)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use faer::sparse::{SparseColMat, Triplet};

    use super::*;

    #[test]
    fn another_pattern_of_the_same_size_is_refused() {
        let lower = |row, column| {
            let entries = (0..3).map(|i| Triplet::new(i, i, 2.0)).chain([Triplet::new(row, column, 1.0)]);
            SparseColMat::try_new_from_triplets(3, 3, &entries.collect::<Vec<_>>()).unwrap()
        };
        let mut factor = SparseCholesky::analyze(lower(1, 0).symbolic()).unwrap();
        factor.factorize(lower(1, 0).as_ref()).unwrap();
        let error = factor.factorize(lower(2, 1).as_ref());
        assert!(matches!(error, Err(SolveError::Matrix(MatrixError::Factorization { .. }))));
        assert!(factor.solve(&mut [1.0; 3]).is_err());
    }

    #[test]
    fn an_upper_triangle_alone_is_refused() {
        let matrix = |more: &[(usize, usize)]| {
            let entries = (0..2).map(|i| Triplet::new(i, i, 2.0));
            let entries = entries.chain(more.iter().map(|&(row, column)| Triplet::new(row, column, 1.0)));
            SparseColMat::try_new_from_triplets(2, 2, &entries.collect::<Vec<_>>()).unwrap()
        };
        for whole in [&[(1, 0)][..], &[(0, 1), (1, 0)]] {
            let mut factor = SparseCholesky::analyze(matrix(whole).symbolic()).unwrap();
            factor.factorize(matrix(whole).as_ref()).unwrap();
            let mut x = [3.0; 2];
            factor.solve(&mut x).unwrap();
            assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-15), "{x:?}");
        }
        let refused = SparseCholesky::analyze(matrix(&[(0, 1)]).symbolic());
        assert!(matches!(refused, Err(SolveError::Matrix(MatrixError::Factorization { .. }))), "{refused:?}");
    }

    #[test]
    fn nothing_at_all_is_solved() {
        let nothing = SparseColMat::<usize, f64>::try_new_from_triplets(0, 0, &[]).unwrap();
        let mut factor = SparseCholesky::analyze(nothing.symbolic()).unwrap();
        factor.factorize(nothing.as_ref()).unwrap();
        factor.solve(&mut []).unwrap();
    }
}
