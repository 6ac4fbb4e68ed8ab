//! GMRES, Saad and Schultz (1986), for matrices in blocks of bodies.
//!
//! LU factors of packings in space fill up (docs/decisions/0023). With incomplete factors as preconditioner GMRES needs
//! some tens of products.

use crate::error::MatrixError;
use crate::friction::block_lu::{BlockLu, BlockedColumns};
use crate::friction::contact_rows::DOF;
use crate::friction::problem::norm;
use crate::leaves::dot_of_leaf;

/// Number of matrix products after which GMRES gives up; as many basis vectors are stored.
const LIMIT: usize = 250;

/// Shift of the diagonal in the preconditioner, relative to the largest entry of the matrix: without it, the block of a
/// body that turns freely is singular.
const SHIFT: f64 = 1e-9;

/// A sparse matrix by columns; rows and columns are the coordinates of bodies, six each.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyMatrix<'a> {
    pub(super) column_start: &'a [usize],
    pub(super) row: &'a [usize],
    pub(super) values: &'a [f64],
}

/// Buffers of GMRES, which solves for a matrix over bodies. The matrix may have another pattern in each call.
#[derive(Debug, Clone, Default)]
pub(super) struct Krylov {
    preconditioner: BlockLu,
    basis: Vec<Vec<f64>>,
    work: Vec<f64>,
    /// Columns of the Hessenberg matrix after the rotations that make it triangular.
    triangle: Vec<Vec<f64>>,
}

impl BodyMatrix<'_> {
    #[inline(always)]
    fn column(&self, body: usize) -> impl Iterator<Item = (usize, [[f64; DOF]; DOF])> + '_ {
        let starts: [usize; DOF] = std::array::from_fn(|d| self.column_start[DOF * body + d]);
        let blocks = (self.column_start[DOF * body + 1] - starts[0]) / DOF;
        (0..blocks).map(move |k| {
            let entry = |d: usize, e: usize| self.values[starts[d] + DOF * k + e];
            let block = std::array::from_fn(|d| std::array::from_fn(|e| entry(d, e)));
            (self.row[starts[0] + DOF * k] / DOF, block)
        })
    }

    fn times(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let x = x.as_chunks::<DOF>().0;
        let out = out.as_chunks_mut::<DOF>().0;
        for (j, x) in x.iter().enumerate() {
            for (i, block) in self.column(j) {
                add(&mut out[i], 1.0, &block, x);
            }
        }
    }
}

#[inline(always)]
fn add(out: &mut [f64; DOF], factor: f64, columns: &[[f64; DOF]; DOF], x: &[f64; DOF]) {
    for (column, x) in columns.iter().zip(x) {
        (0..DOF).for_each(|e| out[e] += factor * x * column[e]);
    }
}

impl Krylov {
    /// Solves A x = b in place, to a residual of `tolerance` times the norm of b. After an error `x` is invalid.
    ///
    /// # Errors
    /// [`MatrixError::Factorization`] if `LIMIT` products are not enough, or the preconditioner is singular.
    pub(crate) fn solve(&mut self, matrix: BodyMatrix<'_>, tolerance: f64, x: &mut [f64]) -> Result<(), MatrixError> {
        const SLOW: MatrixError = MatrixError::Factorization { reason: "products with it make no progress" };
        self.find_preconditioner(&matrix);
        let n = x.len();
        self.work.resize(n, 0.0);
        let size = norm(x.iter().copied());
        if size <= 0.0 {
            return Ok(());
        }
        self.basis.truncate(1);
        self.triangle.clear();
        let first = x.iter().map(|x| x / size);
        match self.basis.first_mut() {
            Some(basis) => {
                basis.clear();
                basis.extend(first);
            }
            None => self.basis.push(first.collect()),
        }
        let (mut rotations, mut right): (Vec<[f64; 2]>, Vec<f64>) = (Vec::new(), vec![size]);
        for k in 0..LIMIT {
            let mut next = self.basis[k].clone();
            self.preconditioner.solve(&mut next);
            matrix.times(&next, &mut self.work);
            next.copy_from_slice(&self.work);
            let mut column = Vec::with_capacity(k + 2);
            for basis in &self.basis {
                let along = dot_of_leaf(basis, &next);
                next.iter_mut().zip(basis).for_each(|(next, basis)| *next -= along * basis);
                column.push(along);
            }
            let height = norm(next.iter().copied());
            for (i, [cosine, sine]) in rotations.iter().enumerate() {
                let [a, b] = [column[i], column[i + 1]];
                (column[i], column[i + 1]) = (cosine * a + sine * b, cosine * b - sine * a);
            }
            let length = column[k].hypot(height);
            if !(length.is_finite() && length > 0.0) {
                return Err(SLOW);
            }
            let rotation = [column[k] / length, height / length];
            column[k] = length;
            rotations.push(rotation);
            let last = right[k];
            right[k] = rotation[0] * last;
            right.push(-rotation[1] * last);
            self.triangle.push(column);
            if right[k + 1].abs() <= tolerance * size {
                self.combine(&right[..=k], x);
                return if x.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(SLOW) };
            }
            next.iter_mut().for_each(|next| *next /= height);
            self.basis.push(next);
        }
        Err(SLOW)
    }

    /// Computes the solution x from the triangular equations for the coefficients of the basis.
    fn combine(&mut self, right: &[f64], x: &mut [f64]) {
        let mut weights = right.to_vec();
        for k in (0..weights.len()).rev() {
            weights[k] /= self.triangle[k][k];
            for i in 0..k {
                weights[i] -= self.triangle[k][i] * weights[k];
            }
        }
        x.fill(0.0);
        for (weight, basis) in weights.iter().zip(&self.basis) {
            x.iter_mut().zip(basis).for_each(|(x, basis)| *x += weight * basis);
        }
        self.preconditioner.solve(x);
    }

    fn find_preconditioner(&mut self, matrix: &BodyMatrix<'_>) {
        let largest = matrix.values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let pattern = BlockedColumns { block: DOF, start: matrix.column_start, row: matrix.row };
        self.preconditioner = BlockLu::analyze_incomplete(pattern);
        self.preconditioner.factorize(pattern, matrix.values, SHIFT * largest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_three_bodies() {
        let blocks = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]];
        let entry = |p: usize, q: usize| ((3 * p + 5 * q + 1) as f64).sin() + if p == q { 6.0 } else { 0.0 };
        let mut column_start = vec![0];
        let mut row = Vec::new();
        let mut values = Vec::new();
        for column in 0..18 {
            for block in blocks.iter().filter(|block| block[1] == column / 6) {
                for e in 0..6 {
                    row.push(6 * block[0] + e);
                    values.push(entry(6 * block[0] + e, column));
                }
            }
            column_start.push(row.len());
        }
        let matrix = BodyMatrix { column_start: &column_start, row: &row, values: &values };
        let right: Vec<f64> = (0..18).map(|k| (k as f64).cos()).collect();
        let mut x = right.clone();
        let mut product = vec![0.0; 18];
        Krylov::default().solve(matrix, 1e-13, &mut x).unwrap();
        matrix.times(&x, &mut product);
        assert!(product.iter().zip(&right).all(|(a, b)| (a - b).abs() < 1e-12), "{product:?}");
        let by_entries = |p: usize| -> f64 {
            let rows = |p: usize, q: usize| blocks.contains(&[p / 6, q / 6]);
            (0..18).filter(|&q| rows(p, q)).map(|q| entry(p, q) * x[q]).sum()
        };
        assert!((0..18).all(|p| (by_entries(p) - right[p]).abs() < 1e-12));
        let mut nothing = [0.0; 18];
        Krylov::default().solve(matrix, 1e-13, &mut nothing).unwrap();
        assert!(nothing.iter().all(|x| x.abs() <= 0.0));
        let zeros = vec![0.0; values.len()];
        let singular = BodyMatrix { values: &zeros, ..matrix };
        assert!(Krylov::default().solve(singular, 1e-13, &mut x).is_err());
    }
}
