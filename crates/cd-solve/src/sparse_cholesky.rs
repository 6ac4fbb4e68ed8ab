//! Sparse Cholesky factors that reuse what they know of the pattern.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side, Spec};

use crate::SolveError;
use crate::error::{check_finite, check_length};

/// The factor L of a sparse symmetric positive definite matrix, A = L Lᵀ up to the order of its rows.
///
/// The pattern is analysed once; matrices of the same pattern are then factorised without allocation. Only the lower
/// triangle is read. Runs on one thread unless told otherwise, so that its bits do not depend on their number.
pub struct SparseCholesky {
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    scratch: MemBuffer,
    parallelism: Par,
    nonzeros: usize,
    factorized: bool,
}

impl SparseCholesky {
    /// Analyses the pattern of a matrix, of which only the lower triangle counts; the order is that of approximate minimum
    /// degree.
    ///
    /// # Errors
    /// [`SolveError::NotSquare`], or [`SolveError::Factorization`] if memory is short.
    pub fn analyze(pattern: SymbolicSparseColMatRef<'_, usize>) -> Result<Self, SolveError> {
        Self::analyze_with(pattern, Par::Seq)
    }

    /// As [`analyze`](Self::analyze), with faer's threads; bits may then depend on their number.
    ///
    /// # Errors
    /// As [`analyze`](Self::analyze).
    pub fn analyze_with(pattern: SymbolicSparseColMatRef<'_, usize>, parallelism: Par) -> Result<Self, SolveError> {
        let (rows, columns) = (pattern.nrows(), pattern.ncols());
        if rows != columns {
            return Err(SolveError::NotSquare { rows, columns });
        }
        let short = |_| SolveError::Factorization { reason: "memory is short" };
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, Default::default())
            .map_err(short)?;
        let need = symbolic
            .factorize_numeric_llt_scratch::<f64>(parallelism, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, parallelism));
        let scratch = MemBuffer::try_new(need).map_err(|_| SolveError::Factorization { reason: "memory is short" })?;
        let values = vec![0.0; symbolic.len_val()];
        Ok(Self { symbolic, values, scratch, parallelism, nonzeros: pattern.compute_nnz(), factorized: false })
    }

    /// Number of rows.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.symbolic.nrows()
    }

    /// Entries of the factor.
    #[must_use]
    pub fn factor_entries(&self) -> usize {
        self.values.len()
    }

    /// Factorises `matrix`, which has the pattern that was analysed.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`] if the pattern is another one, [`SolveError::NotFinite`], or
    /// [`SolveError::Factorization`] if the matrix is not positive definite.
    pub fn factorize(&mut self, matrix: SparseColMatRef<'_, usize, f64>) -> Result<(), SolveError> {
        self.factorized = false;
        for (what, expected, found) in [
            ("rows of the matrix", self.dimension(), matrix.nrows()),
            ("columns of the matrix", self.dimension(), matrix.ncols()),
            ("entries of the matrix", self.nonzeros, matrix.compute_nnz()),
        ] {
            if expected != found {
                return Err(SolveError::LengthMismatch { what, expected, found });
            }
        }
        check_finite("matrix entry", matrix.val())?;
        let stack = MemStack::new(&mut self.scratch);
        let outcome = self.symbolic.factorize_numeric_llt(
            &mut self.values,
            matrix,
            Side::Lower,
            LltRegularization::default(),
            self.parallelism,
            stack,
            Spec::default(),
        );
        if outcome.is_err() || self.values.iter().any(|value| !value.is_finite()) {
            return Err(SolveError::Factorization { reason: "it is not positive definite" });
        }
        self.factorized = true;
        Ok(())
    }

    /// Overwrites `x` by the solution of A x' = x.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`SolveError::NotFinite`], or [`SolveError::Factorization`] if nothing was factorised.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<(), SolveError> {
        check_length("right-hand sides", x, self.dimension())?;
        check_finite("right-hand side", x)?;
        if !self.factorized {
            return Err(SolveError::Factorization { reason: "no factor is at hand" });
        }
        let rows = x.len();
        let stack = MemStack::new(&mut self.scratch);
        LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, rows, 1),
            self.parallelism,
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
            .field("factor_entries", &self.factor_entries())
            .field("factorized", &self.factorized)
            .finish_non_exhaustive()
    }
}
