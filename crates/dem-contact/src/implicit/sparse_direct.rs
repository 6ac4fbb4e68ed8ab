//! Factors of the Jacobian of a step.

use cd_solve::SparseCholesky;
use cd_solve::faer::dyn_stack::{MemBuffer, MemStack};
use cd_solve::faer::sparse::linalg::lu::{NumericLu, SymbolicLu, factorize_symbolic_lu};
use cd_solve::faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use cd_solve::faer::{Conj, MatMut, Par};

use crate::bond::ties::Ties;
use crate::implicit::block_jacobian::FullRows;
use crate::implicit::step_matrix::WholeBlocks;
use crate::neighbor::NeighborList;
use crate::neighbor::image_shift::INDEX_MASK;
use crate::parallel::blocks::Blocks;

/// The Jacobian as a sparse matrix on the pattern of the neighbour list, which is analysed when the list is made, and its
/// factors: of the lower triangle by Cholesky, of the whole by LU.
#[derive(Default)]
pub(crate) struct Direct {
    /// What was analysed: the list, whether it was the lower triangle, and the unknowns of a body.
    pattern: Option<(u64, bool, usize)>,
    column_start: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
    cholesky: Option<SparseCholesky>,
    lu: Option<(SymbolicLu<usize>, NumericLu<usize, f64>, MemBuffer)>,
}

impl Direct {
    /// Solves A x = b with the matrix that has these rows, `own` blocks first; false if it has no factors.
    pub(crate) fn solve<const D: usize>(
        &mut self,
        (list, ties): (&NeighborList, Option<&Ties>),
        (rows, own): WholeBlocks<'_, D>,
        lower: bool,
        (b, x): (&[f64], &mut [f64]),
    ) -> bool {
        self.lay_out::<D>(list, ties, lower);
        self.fill(rows, own, lower);
        x.copy_from_slice(b);
        if lower { self.solve_cholesky(x) } else { self.solve_lu(x) }.is_some() && x.iter().all(|x| x.is_finite())
    }

    /// The pattern of all pairs that may touch while the list holds.
    fn lay_out<const D: usize>(&mut self, list: &NeighborList, ties: Option<&Ties>, lower: bool) {
        let wanted = Some((list.builds(), lower, D));
        if self.pattern == wanted {
            return;
        }
        (self.pattern, self.cholesky, self.lu) = (wanted, None, None);
        self.column_start.clear();
        self.column_start.push(0);
        self.rows.clear();
        let (mut others, cut) = (Vec::new(), list.blocks());
        for place in 0..list.len() {
            let (block, k) = cut.split(place);
            let row = list.rows()[block].row(k);
            others.clear();
            others.push(place);
            others.extend(row.iter().map(|entry| (entry & INDEX_MASK) as usize));
            let tied = ties.map_or(&[][..], |ties| ties.of_body(list.order()[place] as usize));
            others.extend(tied.iter().map(|&[_, body]| list.slot_of_body()[body as usize] as usize));
            others.retain(|&other| !lower || other >= place);
            others.sort_unstable();
            others.dedup();
            for j in 0..D {
                for &other in &others {
                    let from = if lower && other == place { j } else { 0 };
                    self.rows.extend((from..D).map(|i| D * other + i));
                }
                self.column_start.push(self.rows.len());
            }
        }
    }

    /// The values of the blocks.
    fn fill<const D: usize>(&mut self, rows: &[FullRows<D>], own: &[[[f64; D]; D]], lower: bool) {
        self.values.clear();
        self.values.resize(self.rows.len(), 0.0);
        #[allow(clippy::needless_range_loop, reason = "j is a column of the block and of the matrix")]
        let mut add = |row: usize, column: usize, block: &[[f64; D]; D]| {
            for j in 0..D {
                let range = self.column_start[D * column + j]..self.column_start[D * column + j + 1];
                let first = if lower && row == column { j } else { 0 };
                let found = self.rows[range.clone()].binary_search(&(D * row + first));
                let Ok(at) = found else { continue };
                for (value, row) in self.values[range.start + at..].iter_mut().zip(&block[first..]) {
                    *value += row[j];
                }
            }
        };
        let cut = Blocks::of(own.len());
        for (place, own) in own.iter().enumerate() {
            let (block, k) = cut.split(place);
            let block = &rows[block];
            add(place, place, own);
            for at in block.start[k] as usize..block.start[k + 1] as usize {
                let other = block.other[at] as usize;
                if !lower || other <= place {
                    add(place, other, &block.pair[at]);
                }
            }
        }
    }

    fn matrix<'a>(column_start: &'a [usize], rows: &'a [usize]) -> SymbolicSparseColMatRef<'a, usize> {
        let n = column_start.len() - 1;
        SymbolicSparseColMatRef::new_checked(n, n, column_start, None, rows)
    }

    fn solve_cholesky(&mut self, x: &mut [f64]) -> Option<()> {
        let pattern = Self::matrix(&self.column_start, &self.rows);
        if self.cholesky.is_none() {
            self.cholesky = SparseCholesky::analyze(pattern).ok();
        }
        let factor = self.cholesky.as_mut()?;
        factor.factorize(SparseColMatRef::new(pattern, &self.values)).ok()?;
        factor.solve(x).ok()
    }

    fn solve_lu(&mut self, x: &mut [f64]) -> Option<()> {
        let pattern = Self::matrix(&self.column_start, &self.rows);
        if self.lu.is_none() {
            let symbolic = factorize_symbolic_lu(pattern, Default::default()).ok()?;
            let need = symbolic
                .factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default())
                .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
            self.lu = Some((symbolic, NumericLu::new(), MemBuffer::try_new(need).ok()?));
        }
        let (symbolic, numeric, scratch) = self.lu.as_mut()?;
        let matrix = SparseColMatRef::new(pattern, &self.values);
        let stack = MemStack::new(scratch);
        let factor = symbolic.factorize_numeric_lu(numeric, matrix, Par::Seq, stack, Default::default()).ok()?;
        let n = x.len();
        factor.solve_in_place_with_conj(Conj::No, MatMut::from_column_major_slice_mut(x, n, 1), Par::Seq, stack);
        Some(())
    }
}

impl std::fmt::Debug for Direct {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Direct").field("pattern", &self.pattern).finish_non_exhaustive()
    }
}

/// Factors are made again where they are needed.
impl Clone for Direct {
    fn clone(&self) -> Self {
        Self::default()
    }
}
