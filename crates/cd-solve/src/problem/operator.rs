//! Matrices that are known by their products.

/// A square matrix that solvers know only by its products with vectors.
///
/// The matrix has to be symmetric and positive semidefinite wherever a solver asks for that; no solver can check it.
pub trait LinearOperator: Sync {
    /// Number of rows (and columns) of the square matrix.
    fn dimension(&self) -> usize;

    /// Computes `y` = A `x`. `work` is scratch space that the caller keeps between products; it is resized as needed.
    ///
    /// Called with slices of length [`dimension`](Self::dimension).
    fn apply(&self, x: &[f64], y: &mut [f64], work: &mut Vec<f64>);
}
