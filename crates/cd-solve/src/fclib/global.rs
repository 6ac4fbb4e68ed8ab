use faer::sparse::{SparseColMat, Triplet};

use crate::error::{MatrixError, SolveError};
use crate::fclib::FclibError;
use crate::fclib::triplets::Triplets;
use crate::friction::block_matrix::{BlockMatrix, Entry};
use crate::linear::SparseCholesky;

/// A friction problem over bodies, M v = H r + f, u = Hᵀ v + w, with masses M, loads f, offsets w and contact map Hᵀ.
#[derive(Debug, Clone)]
pub(super) struct GlobalProblem {
    pub(super) mass: Triplets,
    pub(super) transposed_map: Triplets,
    pub(super) load: Vec<f64>,
    pub(super) offset: Vec<f64>,
}

impl GlobalProblem {
    /// Eliminates the bodies: u = W r + q with W = Hᵀ M⁻¹ H, q = w + Hᵀ M⁻¹ f. One triangle of M is sufficient.
    pub(super) fn reduce(&self, block: usize) -> Result<(BlockMatrix, Vec<f64>), FclibError> {
        let mass = &self.mass;
        let map = &self.transposed_map;
        let symmetric = mass.symmetric("M")?;
        for (what, expected, found) in [
            ("rows of H", mass.rows, map.rows),
            ("loads", mass.rows, self.load.len()),
            ("offsets", map.columns, self.offset.len()),
        ] {
            if expected != found {
                return Err(SolveError::LengthMismatch { what, expected, found }.into());
            }
        }
        let triplets: Vec<_> = symmetric.iter().map(|e| Triplet::new(e.row, e.column, e.value)).collect();
        let matrix = SparseColMat::try_new_from_triplets(mass.rows, mass.columns, &triplets)
            .map_err(|_| MatrixError::Factorization { reason: "its entries could not be ordered" })?;
        let mut factor = SparseCholesky::analyze(matrix.symbolic())?;
        factor.factorize(matrix.as_ref())?;
        // Entries of H by coordinate and by contact: a column of W needs only a few of them.
        let mut of_coordinate = vec![Vec::new(); map.rows];
        let mut of_contact = vec![Vec::new(); map.columns];
        for entry in &map.entries {
            of_coordinate[entry.row].push((entry.column, entry.value));
            of_contact[entry.column].push((entry.row, entry.value));
        }
        let mut entries = Vec::new();
        let mut velocity = vec![0.0; map.rows];
        let mut column_of_w = vec![0.0; map.columns];
        for (column, own) in of_contact.iter().enumerate() {
            velocity.fill(0.0);
            own.iter().for_each(|&(row, value)| velocity[row] += value);
            factor.solve(&mut velocity)?;
            column_of_w.fill(0.0);
            for (v, reached) in velocity.iter().zip(&of_coordinate).filter(|(v, _)| v.abs() > 0.0) {
                reached.iter().for_each(|&(row, value)| column_of_w[row] += value * v);
            }
            let found = column_of_w.iter().enumerate().filter(|(_, value)| value.abs() > 0.0);
            entries.extend(found.map(|(row, &value)| Entry { row, column, value }));
        }
        let mut velocity = self.load.clone();
        factor.solve(&mut velocity)?;
        let mut offset = map.transposed_times(&velocity);
        offset.iter_mut().zip(&self.offset).for_each(|(q, w)| *q += w);
        if !map.columns.is_multiple_of(block) {
            return Err(
                SolveError::from(crate::error::FrictionError::NotWholeContacts { rows: map.columns, block }).into()
            );
        }
        Ok((BlockMatrix::from_entries(block, map.columns / block, entries), offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fclib::StoredProblem;
    use crate::friction::{CoulombSolver, FrictionSolver};
    use crate::report::Options;

    /// Makes a problem of one contact at a body with three coordinates, with the contact map H = 1 and these entries of
    /// the mass matrix M.
    fn problem(mass: &[(usize, usize, f64)]) -> GlobalProblem {
        let matrix = |entries: &[(usize, usize, f64)]| Triplets {
            rows: 3,
            columns: 3,
            entries: entries.iter().map(|&(row, column, value)| Entry { row, column, value }).collect(),
        };
        GlobalProblem {
            mass: matrix(mass),
            transposed_map: matrix(&[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)]),
            load: vec![-3.0, 1.0, 0.5],
            offset: vec![0.1, 0.0, 0.0],
        }
    }

    const DIAGONAL: [(usize, usize, f64); 3] = [(0, 0, 2.0), (1, 1, 2.0), (2, 2, 1.0)];

    #[test]
    fn one_triangle_of_masses_is_the_whole_matrix() {
        let with = |more: &[(usize, usize, f64)]| problem(&[&DIAGONAL[..], more].concat());
        let forms = [
            with(&[(0, 1, 1.0), (1, 0, 1.0)]),
            with(&[(0, 1, 1.0)]),
            with(&[(1, 0, 1.0)]),
            // Triplets of one place add up, and stored zeros have no effect.
            with(&[(0, 1, 0.25), (1, 0, 0.0), (0, 1, 0.75)]),
        ];
        let mut found = Vec::new();
        for form in forms {
            let (matrix, offset) = form.reduce(3).unwrap();
            let expected =
                [((0, 0), 2.0 / 3.0), ((0, 1), -1.0 / 3.0), ((1, 0), -1.0 / 3.0), ((1, 1), 2.0 / 3.0), ((2, 2), 1.0)];
            let entries: Vec<_> = matrix.entries().collect();
            assert_eq!(entries.len(), expected.len());
            for (entry, (place, value)) in entries.iter().zip(expected) {
                assert!((entry.row, entry.column) == place && (entry.value - value).abs() < 1e-15, "{entry:?}");
            }
            let stored =
                StoredProblem { title: String::new(), matrix, offset, sliding: vec![0.3], rolling: Vec::new() };
            let mut force = vec![0.0; 3];
            let report = CoulombSolver::new(Options::new(1e-10, 100)).solve(&stored.problem().unwrap(), &mut force);
            assert!(report.unwrap().converged() && force[0] > 1.0);
            let bits: Vec<u64> = force.iter().map(|r| r.to_bits()).collect();
            found.push((stored.matrix, stored.offset, bits));
        }
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn of_triangles_that_nearly_mirror_each_other_the_mean_is_taken() {
        let of = |lower: f64, upper: f64| problem(&[&DIAGONAL[..], &[(1, 0, lower), (0, 1, upper)]].concat()).reduce(3);
        assert_eq!(of(1.0, 1.0 + 1.0 / 512.0).unwrap(), of(1.0 + 1.0 / 1024.0, 1.0 + 1.0 / 1024.0).unwrap());
    }

    #[test]
    fn triangles_that_differ_are_refused() {
        for (lower, upper) in [(1.0, 1.1), (1.0, -1.0), (1e-300, 1.0)] {
            let mass = [&DIAGONAL[..], &[(1, 0, lower), (0, 1, upper), (2, 1, 0.1), (1, 2, 0.1)]].concat();
            let error = problem(&mass).reduce(3).unwrap_err();
            let expected =
                FclibError::NotSymmetric { what: "M".to_owned(), row: 0, column: 1, value: upper, mirrored: lower };
            assert_eq!(error, expected);
        }
        let mass = [&DIAGONAL[..], &[(1, 0, 1.0), (1, 2, 0.1)]].concat();
        let error = problem(&mass).reduce(3).unwrap_err();
        let expected = FclibError::NotSymmetric { what: "M".to_owned(), row: 1, column: 0, value: 1.0, mirrored: 0.0 };
        assert_eq!(error, expected);
    }
}
