use faer::MatRef;
use faer::sparse::SparseColMatRef;
use rrp_parallel::for_each_part;

use crate::error::{MatrixError, SolveError, check_finite, check_length, check_sizes};
use crate::leaves::leaves;
use crate::problem::delassus::Delassus;
use crate::problem::operator::LinearOperator;
use crate::report::Report;

/// The linear complementarity problem 0 ≤ z ⟂ A z + b ≥ 0, A symmetric positive semidefinite.
///
/// In contact dynamics, `[OK18] (11)`, z are the contact forces, A = B dt M⁻¹ Bᵀ with contact Jacobian B and masses M,
/// and A z + b are the gaps after the step over dt, a velocity. For a singular A, A z is unique but z is not.
#[derive(Debug, Clone, Copy)]
pub struct Lcp<'a> {
    matrix: LcpMatrix<'a>,
    offset: &'a [f64],
    /// Least reference value (unit of b) of each row, by which the residual of A z + b is divided; empty if the caller
    /// states none.
    sizes: &'a [f64],
}

/// Matrix A of an [`Lcp`], in one of several forms.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum LcpMatrix<'a> {
    /// The operator B W Bᵀ of contact Jacobian B and inverse masses W, not assembled.
    Delassus(&'a Delassus<'a>),
    /// A sparse matrix with both triangles stored.
    Sparse(SparseColMatRef<'a, usize, f64>),
    /// A dense matrix with both triangles stored.
    Dense(MatRef<'a, f64>),
    /// An operator that only provides products with vectors, and its diagonal.
    Operator(&'a dyn LinearOperator, &'a [f64]),
}

/// A solver of linear complementarity problems.
pub trait LcpSolver {
    /// Solves `problem`: `z` is the guess on entry and the best iterate on return.
    ///
    /// # Errors
    /// If the solver cannot treat the problem; `z` is then untouched. Stopping early is not an error but a
    /// [`Status`](crate::Status).
    fn solve(&mut self, problem: &Lcp<'_>, z: &mut [f64]) -> Result<Report, SolveError>;
}

impl<S: LcpSolver + ?Sized> LcpSolver for Box<S> {
    fn solve(&mut self, problem: &Lcp<'_>, z: &mut [f64]) -> Result<Report, SolveError> {
        (**self).solve(problem, z)
    }
}

impl<'a> Lcp<'a> {
    /// Poses the problem 0 ≤ z ⟂ A z + b ≥ 0 of `matrix` A and `offset` b.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite), [`NotSquare`](MatrixError::NotSquare),
    /// [`NotSymmetric`](MatrixError::NotSymmetric) or [`NegativeDiagonal`](MatrixError::NegativeDiagonal).
    pub fn new(matrix: LcpMatrix<'a>, offset: &'a [f64]) -> Result<Self, SolveError> {
        matrix.check()?;
        check_length("offsets", offset, matrix.dimension())?;
        check_finite("offset", offset)?;
        Ok(Self { matrix, offset, sizes: &[] })
    }

    /// Sets the least reference value `sizes[i]` (unit of the offset b) of row i: the residual of A z + b there is
    /// divided by this value or, if larger, by the row's own one, see [`residual_of_slack`](Self::residual_of_slack).
    ///
    /// Use it where an offset is a difference of large velocities. Such an offset may be a rounding error; without a
    /// reference value the solver would try to solve for it. See [`residual`](Self::residual).
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite) or
    /// [`InvalidParameter`](SolveError::InvalidParameter) for a negative size.
    pub fn with_sizes(self, sizes: &'a [f64]) -> Result<Self, SolveError> {
        check_sizes("sizes of rows", sizes, self.len())?;
        Ok(Self { sizes, ..self })
    }

    /// Least reference value of row `i`, by which its residual is divided: |bᵢ|, or a larger number of
    /// [`with_sizes`](Self::with_sizes).
    pub(crate) fn least_size(&self, i: usize) -> f64 {
        self.offset[i].abs().max(self.sizes.get(i).copied().unwrap_or(0.0))
    }

    /// Number of unknowns z of the complementarity problem.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offset.len()
    }

    /// Whether the complementarity problem has no unknowns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.offset.is_empty()
    }

    /// Matrix A of the complementarity problem.
    #[must_use]
    pub fn matrix(&self) -> LcpMatrix<'a> {
        self.matrix
    }

    /// Offset b of the complementarity problem.
    #[must_use]
    pub fn offset(&self) -> &'a [f64] {
        self.offset
    }

    /// Computes the slack A `z` + b. `work` is scratch memory.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn slack(&self, z: &[f64], slack: &mut [f64], work: &mut Vec<f64>) -> Result<(), SolveError> {
        check_length("unknowns", z, self.len())?;
        check_length("slacks", slack, self.len())?;
        self.matrix.apply(z, slack, work);
        slack.iter_mut().zip(self.offset).for_each(|(slack, b)| *slack += b);
        Ok(())
    }
}

/// Diagonal of the matrix of a complementarity problem: a stored one, or entries read from the matrix.
#[derive(Clone, Copy)]
pub(crate) enum Diagonal<'a> {
    Stored(&'a [f64]),
    Sparse(SparseColMatRef<'a, usize, f64>),
    Dense(MatRef<'a, f64>),
}

impl Diagonal<'_> {
    pub(crate) fn at(&self, i: usize) -> f64 {
        match self {
            Self::Stored(values) => values[i],
            Self::Sparse(matrix) => matrix.get(i, i).copied().unwrap_or(0.0),
            Self::Dense(matrix) => matrix[(i, i)],
        }
    }
}

impl<'a> LcpMatrix<'a> {
    /// Number of rows of the matrix A of a complementarity problem.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match self {
            Self::Delassus(operator) => operator.dimension(),
            Self::Sparse(matrix) => matrix.nrows(),
            Self::Dense(matrix) => matrix.nrows(),
            Self::Operator(operator, _) => operator.dimension(),
        }
    }

    /// Computes the product `y` = A `x` with the matrix A of a complementarity problem; `work` is scratch space.
    ///
    /// # Panics
    /// If the lengths are not [`dimension`](Self::dimension).
    pub fn apply(&self, x: &[f64], y: &mut [f64], work: &mut Vec<f64>) {
        match self {
            Self::Delassus(operator) => operator.apply(x, y, work),
            Self::Operator(operator, _) => operator.apply(x, y, work),
            Self::Sparse(matrix) => {
                // By symmetry column i is row i, so every entry of y is a separate sum.
                for_each_part(leaves(y.len()), y, &|part, y| {
                    for (i, y) in part.rows.zip(y) {
                        let rows = matrix.row_idx_of_col_raw(i);
                        let values = matrix.val_of_col(i);
                        *y = rows.iter().zip(values).map(|(&row, value)| value * x[row]).sum();
                    }
                });
            }
            Self::Dense(matrix) => {
                for (i, y) in y.iter_mut().enumerate() {
                    *y = (0..x.len()).map(|j| matrix[(j, i)] * x[j]).sum();
                }
            }
        }
    }

    pub(crate) fn diagonal(&self) -> Diagonal<'a> {
        match *self {
            Self::Delassus(operator) => Diagonal::Stored(operator.diagonal()),
            Self::Operator(_, diagonal) => Diagonal::Stored(diagonal),
            Self::Sparse(matrix) => Diagonal::Sparse(matrix),
            Self::Dense(matrix) => Diagonal::Dense(matrix),
        }
    }

    fn check(&self) -> Result<(), SolveError> {
        match self {
            Self::Delassus(_) => {}
            Self::Sparse(matrix) => {
                check_square(matrix.nrows(), matrix.ncols())?;
                check_finite("matrix entry", matrix.val())?;
                for entry in matrix.triplet_iter() {
                    let mirrored = matrix.get(entry.col, entry.row).copied().unwrap_or(0.0);
                    check_symmetric((entry.row, entry.col), self.diagonal(), *entry.val, mirrored)?;
                }
            }
            Self::Dense(matrix) => {
                check_square(matrix.nrows(), matrix.ncols())?;
                for column in 0..matrix.ncols() {
                    for row in 0..matrix.nrows() {
                        let value = matrix[(row, column)];
                        if !value.is_finite() {
                            let index = column * matrix.nrows() + row;
                            return Err(SolveError::NotFinite { what: "matrix entry", index, value });
                        }
                        check_symmetric((row, column), self.diagonal(), value, matrix[(column, row)])?;
                    }
                }
            }
            Self::Operator(operator, diagonal) => {
                check_length("diagonal entries", diagonal, operator.dimension())?;
                check_finite("diagonal entry", diagonal)?;
            }
        }
        let diagonal = self.diagonal();
        match (0..self.dimension()).map(|i| diagonal.at(i)).enumerate().find(|&(_, value)| value < 0.0) {
            None => Ok(()),
            Some((index, value)) => Err(MatrixError::NegativeDiagonal { index, value }.into()),
        }
    }
}

fn check_square(rows: usize, columns: usize) -> Result<(), SolveError> {
    if rows == columns { Ok(()) } else { Err(MatrixError::NotSquare { rows, columns }.into()) }
}

/// Checks that a matrix entry equals its mirror image, up to rounding on the scale of the diagonal.
fn check_symmetric(
    (row, column): (usize, usize),
    diagonal: Diagonal<'_>,
    value: f64,
    mirrored: f64,
) -> Result<(), SolveError> {
    // Two roots, because the product can underflow or overflow.
    let scale = diagonal.at(row).abs().sqrt() * diagonal.at(column).abs().sqrt();
    if (value - mirrored).abs() <= 1e-10 * scale.max(value.abs()) {
        return Ok(());
    }
    let (upper, lower) = if row < column { (value, mirrored) } else { (mirrored, value) };
    Err(MatrixError::NotSymmetric { row: row.min(column), column: row.max(column), upper, lower }.into())
}

impl std::fmt::Debug for LcpMatrix<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self {
            Self::Delassus(_) => "Delassus",
            Self::Sparse(_) => "Sparse",
            Self::Dense(_) => "Dense",
            Self::Operator(..) => "Operator",
        };
        write!(formatter, "{kind}({0} × {0})", self.dimension())
    }
}
