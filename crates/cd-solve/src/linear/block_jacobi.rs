//! The inverses of diagonal blocks as a preconditioner.

use crate::error::{ContactError, MatrixError, SolveError, check_finite, check_length};
use crate::linear::solver::Preconditioner;
use rrp_parallel::for_each_part;

use crate::leaves::leaves;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::body_blocks::{cholesky, cholesky_solve};
use crate::problem::rows::chunks_mut;

/// Block-Jacobi: the inverse of each diagonal block of 1 to 6 rows, one per body.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockJacobi {
    size: usize,
    blocks: usize,
    /// Cholesky factors, `size`² numbers per block.
    factors: Vec<f64>,
}

impl BlockJacobi {
    /// The preconditioner of diagonal blocks: `size`² numbers per block, symmetric and positive definite.
    ///
    /// # Errors
    /// [`ContactError::InvalidDof`] for the size of a block, [`LengthMismatch`](SolveError::LengthMismatch) unless the
    /// length is a multiple of its square, [`NotFinite`](SolveError::NotFinite), or
    /// [`NotPositiveDefinite`](MatrixError::NotPositiveDefinite).
    pub fn new(size: usize, values: &[f64]) -> Result<Self, SolveError> {
        let mut jacobi = Self { size, blocks: 0, factors: Vec::new() };
        jacobi.update(size, values)?;
        Ok(jacobi)
    }

    /// The preconditioner of a diagonal: blocks of one row.
    ///
    /// # Errors
    /// As [`BlockJacobi::new`].
    pub fn diagonal(values: &[f64]) -> Result<Self, SolveError> {
        Self::new(1, values)
    }

    /// The preconditioner of a block-diagonal matrix such as M.
    ///
    /// # Errors
    /// As [`BlockJacobi::new`].
    pub fn of_blocks(blocks: &BodyBlocks) -> Result<Self, SolveError> {
        let size = blocks.dof();
        let entry = |i: usize| blocks.entry(i / (size * size), i / size % size, i % size);
        let values: Vec<f64> = (0..size * size * blocks.bodies()).map(entry).collect();
        Self::new(size, &values)
    }

    /// Takes other blocks, in the memory of the present ones where they have the same sizes.
    ///
    /// # Errors
    /// As [`BlockJacobi::new`]; the preconditioner is then as before.
    pub fn update(&mut self, size: usize, values: &[f64]) -> Result<(), SolveError> {
        if !(1..=6).contains(&size) {
            return Err(ContactError::InvalidDof { found: size }.into());
        }
        let square = size * size;
        check_length("entries of blocks", values, values.len().next_multiple_of(square))?;
        check_finite("entry of a block", values)?;
        // Each block is factorised twice, so that a failure changes nothing.
        let mut factor = [0.0; 36];
        for (block, entries) in values.chunks_exact(square).enumerate() {
            cholesky(size, entries, &mut factor).map_err(|_| MatrixError::NotPositiveDefinite { block })?;
        }
        (self.size, self.blocks) = (size, values.len() / square);
        self.factors.clear();
        for entries in values.chunks_exact(square) {
            let checked = cholesky(size, entries, &mut factor);
            debug_assert!(checked.is_ok(), "the same block had a factor above");
            self.factors.extend_from_slice(&factor[..square]);
        }
        Ok(())
    }

    fn solve_blocks<const D: usize>(&self, z: &mut [f64]) {
        for_each_part(leaves(self.blocks), chunks_mut::<D>(z), &|part, z| {
            let mut factor = [0.0; 36];
            for (block, z) in part.rows.zip(z) {
                factor[..D * D].copy_from_slice(&self.factors[block * D * D..(block + 1) * D * D]);
                cholesky_solve(D, &factor, z);
            }
        });
    }
}

impl Preconditioner for BlockJacobi {
    fn dimension(&self) -> usize {
        self.size * self.blocks
    }

    fn apply(&self, r: &[f64], z: &mut [f64]) {
        z.copy_from_slice(r);
        match self.size {
            1 => self.solve_blocks::<1>(z),
            2 => self.solve_blocks::<2>(z),
            3 => self.solve_blocks::<3>(z),
            4 => self.solve_blocks::<4>(z),
            5 => self.solve_blocks::<5>(z),
            _ => self.solve_blocks::<6>(z),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_inverted_and_bad_ones_change_nothing() {
        let mut jacobi = BlockJacobi::new(2, &[4.0, 1.0, 1.0, 3.0, 2.0, 0.0, 0.0, 5.0]).unwrap();
        let mut z = [0.0; 4];
        jacobi.apply(&[5.0, 4.0, 2.0, 5.0], &mut z);
        assert!(z.iter().all(|z| (z - 1.0).abs() < 1e-15), "{z:?}");
        let before = jacobi.clone();
        let error = jacobi.update(2, &[1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 1.0]);
        assert_eq!(error, Err(SolveError::Matrix(MatrixError::NotPositiveDefinite { block: 1 })));
        assert_eq!(jacobi, before);
        assert!(BlockJacobi::new(7, &[]).is_err() && BlockJacobi::new(2, &[1.0; 3]).is_err());
        assert!(BlockJacobi::diagonal(&[1.0, f64::NAN]).is_err());
    }
}
