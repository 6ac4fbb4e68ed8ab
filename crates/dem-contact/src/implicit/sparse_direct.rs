//! Sparse direct solution with the Jacobian of a step.

use cd_solve::faer::dyn_stack::{MemBuffer, MemStack};
use cd_solve::faer::sparse::linalg::lu::{NumericLu, SymbolicLu, factorize_symbolic_lu};
use cd_solve::faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use cd_solve::faer::{Conj, MatMut, Par};
use cd_solve::linear::SparseCholesky;
use rrp_parallel::BLOCK;

use crate::bond::ties::Ties;
use crate::implicit::block_jacobian::WholeBlocks;
use crate::neighbor::NeighborList;
use crate::neighbor::image_shift::INDEX_MASK;

/// The Jacobian as a sparse matrix, and its factors: of the lower triangle by Cholesky, of the whole matrix by LU. Its
/// pattern is that of the neighbour list and is analysed once for each list.
#[derive(Default)]
pub(super) struct SparseDirect {
    pattern: Option<Pattern>,
    column_start: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
    cholesky: Option<SparseCholesky>,
    lu: Option<Lu>,
}

/// Key of a sparsity pattern: all that the pattern depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pattern {
    /// Number of neighbour lists built so far, which identifies the list of the pattern.
    build: u64,
    factors: Factors,
    /// Number of unknowns of each body: 3, or 6 if bodies turn.
    unknowns: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Factors {
    /// Cholesky factors of the lower triangle, for positive definite matrices only.
    Cholesky,
    /// LU factors of the whole matrix, which need not be symmetric.
    Lu,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct NotFactorized;

struct Lu {
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    scratch: MemBuffer,
}

impl SparseDirect {
    /// Solves A x = `b` for the Jacobian A with these blocks, which couple only listed pairs and ties.
    pub(super) fn solve<const D: usize>(
        &mut self,
        list: &NeighborList,
        ties: Option<&Ties>,
        blocks: WholeBlocks<'_, D>,
        factors: Factors,
        b: &[f64],
        x: &mut [f64],
    ) -> Result<(), NotFactorized> {
        let lower = factors == Factors::Cholesky;
        self.analyze_pattern::<D>(list, ties, factors);
        self.fill(blocks, lower);
        x.copy_from_slice(b);
        let solved = match factors {
            Factors::Cholesky => self.solve_cholesky(x),
            Factors::Lu => self.solve_lu(x),
        };
        solved.filter(|()| x.iter().all(|x| x.is_finite())).ok_or(NotFactorized)
    }

    /// Builds the sparsity pattern of all pairs that may touch while the list is valid, unless already analysed.
    fn analyze_pattern<const D: usize>(&mut self, list: &NeighborList, ties: Option<&Ties>, factors: Factors) {
        let lower = factors == Factors::Cholesky;
        let wanted = Some(Pattern { build: list.builds(), factors, unknowns: D });
        if self.pattern == wanted {
            return;
        }
        (self.pattern, self.cholesky, self.lu) = (wanted, None, None);
        self.column_start.clear();
        self.column_start.push(0);
        self.rows.clear();
        let mut others = Vec::new();
        for place in 0..list.len() {
            let row = list.full_rows().row(place);
            others.clear();
            others.push(place);
            others.extend(row.iter().map(|entry| (entry & INDEX_MASK) as usize));
            let tied = ties.map_or(&[][..], |ties| ties.of_body(list.order()[place] as usize));
            others.extend(tied.iter().map(|&[_, body]| list.place()[body as usize] as usize));
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

    fn fill<const D: usize>(&mut self, blocks: WholeBlocks<'_, D>, lower: bool) {
        let WholeBlocks { rows, own } = blocks;
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
        for (place, own) in own.iter().enumerate() {
            let block = &rows[place / BLOCK];
            let k = place % BLOCK;
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
            let scratch = MemBuffer::try_new(need).ok()?;
            self.lu = Some(Lu { symbolic, numeric: NumericLu::new(), scratch });
        }
        let Lu { symbolic, numeric, scratch } = self.lu.as_mut()?;
        let matrix = SparseColMatRef::new(pattern, &self.values);
        let stack = MemStack::new(scratch);
        let factor = symbolic.factorize_numeric_lu(numeric, matrix, Par::Seq, stack, Default::default()).ok()?;
        let n = x.len();
        factor.solve_in_place_with_conj(Conj::No, MatMut::from_column_major_slice_mut(x, n, 1), Par::Seq, stack);
        Some(())
    }
}

impl std::fmt::Debug for SparseDirect {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SparseDirect").field("pattern", &self.pattern).finish_non_exhaustive()
    }
}

/// Clones the solver without pattern and factors, which the clone computes when needed.
impl Clone for SparseDirect {
    fn clone(&self) -> Self {
        Self::default()
    }
}
