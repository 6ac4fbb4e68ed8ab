/// A square matrix of which solvers use only products with vectors.
///
/// The matrix must be symmetric and positive semidefinite if a solver requires it; solvers cannot check it.
pub trait LinearOperator: Sync {
    /// Number of rows (and columns) of the square matrix.
    fn dimension(&self) -> usize;

    /// Computes `y` = A `x`, with slices of length [`dimension`](Self::dimension). `work` is scratch memory that the
    /// caller keeps between products; it is resized as needed.
    fn apply(&self, x: &[f64], y: &mut [f64], work: &mut Vec<f64>);
}
