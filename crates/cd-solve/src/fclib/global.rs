//! W and q of a problem that is given by masses and a contact map.

use faer::sparse::{SparseColMat, Triplet};

use crate::error::{MatrixError, SolveError};
use crate::fclib::FclibError;
use crate::fclib::triplets::Triplets;
use crate::friction::block_matrix::{BlockMatrix, Entry};
use crate::linear::SparseCholesky;

/// M v = H r + f, u = Hᵀ v + w: the transpose of H is the contact map.
#[derive(Debug, Clone)]
pub(super) struct GlobalProblem {
    pub(super) mass: Triplets,
    pub(super) transposed_map: Triplets,
    pub(super) load: Vec<f64>,
    pub(super) offset: Vec<f64>,
}

impl GlobalProblem {
    /// W = Hᵀ M⁻¹ H and q = w + Hᵀ M⁻¹ f of contacts with `block` components.
    pub(super) fn reduce(&self, block: usize) -> Result<(BlockMatrix, Vec<f64>), FclibError> {
        let (mass, map) = (&self.mass, &self.transposed_map);
        if mass.rows != mass.columns {
            return Err(MatrixError::NotSquare { rows: mass.rows, columns: mass.columns }.into());
        }
        for (what, expected, found) in [
            ("rows of H", mass.rows, map.rows),
            ("loads", mass.rows, self.load.len()),
            ("offsets", map.columns, self.offset.len()),
        ] {
            if expected != found {
                return Err(SolveError::LengthMismatch { what, expected, found }.into());
            }
        }
        let triplets: Vec<_> = mass.entries.iter().map(|e| Triplet::new(e.row, e.column, e.value)).collect();
        let matrix = SparseColMat::try_new_from_triplets(mass.rows, mass.columns, &triplets)
            .map_err(|_| MatrixError::Factorization { reason: "its entries could not be ordered" })?;
        let mut factor = SparseCholesky::analyze(matrix.symbolic())?;
        factor.factorize(matrix.as_ref())?;
        // The rows of Hᵀ, for products with the few of them that a column reaches.
        let mut of_coordinate = vec![Vec::new(); map.rows];
        let mut of_contact = vec![Vec::new(); map.columns];
        for entry in &map.entries {
            of_coordinate[entry.row].push((entry.column, entry.value));
            of_contact[entry.column].push((entry.row, entry.value));
        }
        let mut entries = Vec::new();
        let (mut velocity, mut column_of_w) = (vec![0.0; map.rows], vec![0.0; map.columns]);
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
