use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

use crate::newton::system::NewtonSystem;
use crate::problem::rows::{FIXED, Row, Rows, chunks};

/// Sparse lower triangle of the Hessian Bᵀ diag(w) B + M + diag(ridge), for the contact Jacobian B, contact weights w,
/// masses M, and a regularisation `ridge` of each coordinate.
#[derive(Debug, Clone, Default)]
pub(super) struct AssembledHessian {
    column_start: Vec<usize>,
    row: Vec<usize>,
    values: Vec<f64>,
    /// For each contact, the index of its block below the diagonal, in the columns of the body with the lower number;
    /// [`FIXED`] if one of its bodies is fixed.
    block: Vec<u32>,
    /// Numbers of both bodies (the lower one first) and of the contact, for each contact between free bodies.
    pairs: Vec<[u32; 3]>,
}

impl AssembledHessian {
    pub(super) fn lay_out<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>) {
        let Self { column_start, row, values, block, pairs } = self;
        pairs.clear();
        block.clear();
        block.resize(rows.contacts.len(), FIXED);
        for (contact, row) in rows.contacts.iter().enumerate() {
            let [a, b] = row.body;
            if a != FIXED && b != FIXED {
                pairs.push([a.min(b), a.max(b), contact as u32]);
            }
        }
        pairs.sort_unstable();
        column_start.clear();
        column_start.push(0);
        row.clear();
        let mut rest = &pairs[..];
        for body in 0..rows.bodies() {
            let (own, later) = rest.split_at(rest.partition_point(|pair| pair[0] as usize <= body));
            rest = later;
            let mut blocks = 0;
            for (k, &[_, other, contact]) in own.iter().enumerate() {
                blocks += u32::from(k == 0 || own[k - 1][1] != other);
                block[contact as usize] = blocks - 1;
            }
            for d in 0..D {
                row.extend(D * body + d..D * (body + 1));
                for (k, &[_, other, _]) in own.iter().enumerate() {
                    if k == 0 || own[k - 1][1] != other {
                        row.extend(D * other as usize..D * (other as usize + 1));
                    }
                }
                column_start.push(row.len());
            }
        }
        values.clear();
        values.resize(row.len(), 0.0);
    }

    pub(super) fn pattern(&self) -> SymbolicSparseColMatRef<'_, usize> {
        let columns = self.column_start.len() - 1;
        SymbolicSparseColMatRef::new_checked(columns, columns, &self.column_start, None, &self.row)
    }

    pub(super) fn matrix(&self) -> SparseColMatRef<'_, usize, f64> {
        SparseColMatRef::new(self.pattern(), &self.values)
    }

    pub(super) fn assemble<const D: usize, const K: usize>(
        &mut self,
        system: &NewtonSystem<'_, D, K>,
        ridge_factor: f64,
    ) {
        let Self { column_start, values, block, .. } = self;
        values.fill(0.0);
        for (body, ridge) in chunks::<D>(system.ridge).iter().enumerate() {
            for d in 0..D {
                let start = column_start[D * body + d];
                values[start] += ridge_factor * ridge[d];
                if let Some(mass) = system.mass {
                    (d..D).for_each(|e| values[start + e - d] += mass.entry(body, e, d));
                }
            }
        }
        for (contact, (row, &weight)) in system.rows.contacts.iter().zip(system.weights).enumerate() {
            if weight <= 0.0 {
                continue;
            }
            let sides = sides::<D, K>(row);
            for (body, b) in sides.iter().filter(|(body, _)| *body != FIXED) {
                for d in 0..D {
                    let start = column_start[D * *body as usize + d];
                    (d..D).for_each(|e| values[start + e - d] += weight * b[d] * b[e]);
                }
            }
            if block[contact] != FIXED {
                let [(low, in_column), (_, in_row)] = sides;
                for d in 0..D {
                    let start = column_start[D * low as usize + d] + (D - d) + D * block[contact] as usize;
                    (0..D).for_each(|e| values[start + e] += weight * in_column[d] * in_row[e]);
                }
            }
        }
    }
}

/// Numbers of both bodies of a contact, the lower one first, each with its coefficients in the row of the contact.
fn sides<const D: usize, const K: usize>(row: &Row<K>) -> [(u32, [f64; D]); 2] {
    let [a, b] = row.body;
    if a < b { [(a, row.side(0)), (b, row.side(1))] } else { [(b, row.side(1)), (a, row.side(0))] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::sparse_cholesky::SparseCholesky;
    use crate::newton::dense_hessian::Sample;

    fn lower_triangle_is_that_of_the_dense_matrix<const D: usize, const K: usize>(with_mass: bool) {
        let sample = Sample::<D, K>::new(17, with_mass);
        let system = sample.system();
        let dense = sample.dense();
        let mut hessian = AssembledHessian::default();
        hessian.lay_out(system.rows);
        for _ in 0..2 {
            hessian.assemble(&system, 1.0);
        }
        let matrix = hessian.matrix();
        for column in 0..17 * D {
            for row in column..17 * D {
                let found = matrix.get(row, column).copied().unwrap_or(0.0);
                let expected = dense[(row, column)];
                assert!((found - expected).abs() < 1e-13, "({row}, {column}): {found} for {expected}");
            }
        }
    }

    #[test]
    fn bodies_of_three_and_six_coordinates() {
        lower_triangle_is_that_of_the_dense_matrix::<3, 3>(true);
        lower_triangle_is_that_of_the_dense_matrix::<3, 6>(false);
        lower_triangle_is_that_of_the_dense_matrix::<6, 12>(true);
    }

    #[test]
    fn solves_what_the_dense_matrix_says() {
        let sample = Sample::<3, 6>::new(40, true);
        let system = sample.system();
        let dense = sample.dense();
        let mut hessian = AssembledHessian::default();
        hessian.lay_out(system.rows);
        let mut factor = SparseCholesky::analyze(hessian.pattern()).unwrap();
        for ridge_factor in [1.0, 1e3] {
            hessian.assemble(&system, ridge_factor);
            factor.factorize(hessian.matrix()).unwrap();
            let mut x = sample.gradient.clone();
            factor.solve(&mut x).unwrap();
            for (i, b) in sample.gradient.iter().enumerate() {
                let extra = (ridge_factor - 1.0) * sample.ridge[i] * x[i];
                let product: f64 = (0..x.len()).map(|j| dense[(i, j)] * x[j]).sum();
                assert!((product + extra - b).abs() < 1e-10, "row {i}: {product} + {extra} for {b}");
            }
        }
    }
}
