//! LU factors of matrices in blocks with a symmetric pattern: one block for each contact, or for each body.
//!
//! Blocks are eliminated in the order of approximate minimum degree, Amestoy, Davis and Duff (1996), and rows are
//! exchanged only within blocks. Exchanges of all rows would be unknown when columns are ordered, and would increase
//! fill. Without them factors may be inaccurate: the caller checks the residual.
//!
//! Incomplete factors keep the blocks of the matrix and first-level fill; they serve as preconditioners.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use crate::error::MatrixError;
use crate::friction::problem::with_block;
use crate::friction::small_matrix::inverted;

const FAILED: MatrixError = MatrixError::Factorization { reason: "memory is short" };

/// A square matrix stored by columns, in blocks of contacts or bodies: all columns of a block have the same rows, in
/// whole blocks in rising order.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockedColumns<'a> {
    /// Number of rows in one block of the matrix: the unknowns of a contact or body.
    pub(super) block: usize,
    pub(super) start: &'a [usize],
    pub(super) row: &'a [usize],
}

impl BlockedColumns<'_> {
    fn blocks(&self) -> usize {
        (self.start.len() - 1) / self.block
    }

    fn members(&self, column: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.block * column;
        let rows = &self.row[self.start[first]..self.start[first + 1]];
        rows.iter().step_by(self.block).map(|row| row / self.block)
    }

    /// Subtracts the product A `x` from `out`, for the matrix A with this pattern and the entries `values`.
    pub(super) fn subtract_product(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        for (column, x) in x.iter().enumerate() {
            let entries = self.start[column]..self.start[column + 1];
            self.row[entries.clone()].iter().zip(&values[entries]).for_each(|(&row, value)| out[row] -= value * x);
        }
    }
}

/// LU factors (1 + L)(D + U) of a matrix in blocks, in the order of elimination.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockLu {
    block: usize,
    /// Number of the block that each step eliminates, and the step that eliminates each block.
    order: Vec<usize>,
    step: Vec<usize>,
    /// For each step, the later steps that it changes, in one list: block rows of L and block columns of U.
    start: Vec<usize>,
    later: Vec<usize>,
    /// For each step, the earlier steps that change its block column, in one list.
    earlier_start: Vec<usize>,
    earlier: Vec<Earlier>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Inverses of the diagonal blocks D, in the order of elimination.
    inverse: Vec<f64>,
    /// For each step, whether its block column of L is zero, as for an open contact: such a step changes no later step.
    alone: Vec<bool>,
    work: Vec<f64>,
    turned: Vec<f64>,
    /// For each step, the last factorised block column that has a block in the row of this step. Fill in other columns
    /// is dropped.
    seen: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Earlier {
    step: usize,
    /// Index, in the list of later steps, of the entry for the changed step.
    place: usize,
}

impl BlockLu {
    pub(super) fn analyze(pattern: BlockedColumns<'_>) -> Result<Self, MatrixError> {
        let neighbours = neighbours(pattern);
        let blocks = neighbours.len();
        let (order, step) = least_degree(&neighbours)?;
        // The later steps of a step are those of its neighbours and of its children: earlier steps whose first later
        // step it is.
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); blocks];
        let mut later: Vec<Vec<usize>> = Vec::with_capacity(blocks);
        for at in 0..blocks {
            let own = neighbours[order[at]].iter().map(|&block| step[block]);
            let inherited = children[at].iter().flat_map(|&child: &usize| later[child].iter().copied());
            let list = sorted(own.chain(inherited).filter(|&other| other > at).collect());
            if let Some(&parent) = list.first() {
                children[parent].push(at);
            }
            later.push(list);
        }
        Ok(Self::of_pattern(pattern.block, order, step, later))
    }

    /// Finds the pattern of incomplete factors; blocks are eliminated in the order of their numbers.
    pub(super) fn analyze_incomplete(pattern: BlockedColumns<'_>) -> Self {
        let neighbours = neighbours(pattern);
        let blocks = neighbours.len();
        let own = |at: usize| neighbours[at].iter().copied().filter(move |&other| other > at);
        let mut later: Vec<Vec<usize>> = (0..blocks).map(|at| own(at).collect()).collect();
        for at in 0..blocks {
            for first in own(at) {
                later[first].extend(own(at).filter(|&other| other > first));
            }
        }
        let later = later.into_iter().map(sorted).collect();
        Self::of_pattern(pattern.block, (0..blocks).collect(), (0..blocks).collect(), later)
    }

    fn of_pattern(block: usize, order: Vec<usize>, step: Vec<usize>, later: Vec<Vec<usize>>) -> Self {
        let blocks = order.len();
        let mut lu = Self { block, order, step, ..Self::default() };
        let mut earlier: Vec<Vec<Earlier>> = vec![Vec::new(); blocks];
        lu.start.push(0);
        for (at, list) in later.iter().enumerate() {
            for &other in list {
                earlier[other].push(Earlier { step: at, place: lu.later.len() });
                lu.later.push(other);
            }
            lu.start.push(lu.later.len());
        }
        lu.earlier_start.push(0);
        for list in earlier {
            lu.earlier.extend(list);
            lu.earlier_start.push(lu.earlier.len());
        }
        let size = block * block;
        lu.lower.resize(size * lu.later.len(), 0.0);
        lu.upper.resize(size * lu.later.len(), 0.0);
        lu.inverse.resize(size * blocks, 0.0);
        lu.work.resize(size * blocks, 0.0);
        lu.alone.resize(blocks, false);
        lu.turned.resize(block * blocks, 0.0);
        lu.seen.resize(blocks, usize::MAX);
        lu
    }

    /// Factorises A + `shift` I for the matrix A with the entries `values`, stored by columns.
    pub(super) fn factorize(&mut self, pattern: BlockedColumns<'_>, values: &[f64], shift: f64) {
        self.seen.fill(usize::MAX);
        with_block!(self.block, M => self.factorize_blocks::<M>(pattern, values, shift));
    }

    fn factorize_blocks<const M: usize>(&mut self, pattern: BlockedColumns<'_>, values: &[f64], shift: f64) {
        let work = self.work.as_chunks_mut::<M>().0.as_chunks_mut::<M>().0;
        let lower = self.lower.as_chunks_mut::<M>().0.as_chunks_mut::<M>().0;
        let upper = self.upper.as_chunks_mut::<M>().0.as_chunks_mut::<M>().0;
        let inverse = self.inverse.as_chunks_mut::<M>().0.as_chunks_mut::<M>().0;
        for at in 0..self.order.len() {
            let column = self.order[at];
            for (k, row) in pattern.members(column).enumerate() {
                let block = &mut work[self.step[row]];
                for q in 0..M {
                    let entries = &values[pattern.start[M * column + q] + M * k..][..M];
                    (0..M).for_each(|p| block[p][q] = entries[p]);
                }
            }
            let earlier = &self.earlier[self.earlier_start[at]..self.earlier_start[at + 1]];
            earlier.iter().for_each(|earlier| self.seen[earlier.step] = at);
            self.later[self.start[at]..self.start[at + 1]].iter().for_each(|&row| self.seen[row] = at);
            self.seen[at] = at;
            for &Earlier { step, place } in earlier {
                let u = std::mem::replace(&mut work[step], [[0.0; M]; M]);
                upper[place] = u;
                if self.alone[step] || u.as_flattened().iter().all(|&x| x == 0.0) {
                    continue;
                }
                let range = self.start[step]..self.start[step + 1];
                for (&row, l) in self.later[range.clone()].iter().zip(&lower[range]) {
                    if self.seen[row] == at {
                        subtract(&mut work[row], l, &u);
                    }
                }
            }
            let mut own = std::mem::replace(&mut work[at], [[0.0; M]; M]);
            (0..M).for_each(|p| own[p][p] += shift);
            inverse[at] = inverted(own);
            let mut alone = true;
            for place in self.start[at]..self.start[at + 1] {
                let block = std::mem::replace(&mut work[self.later[place]], [[0.0; M]; M]);
                alone &= block.as_flattened().iter().all(|&x| x == 0.0);
                let mut l = [[0.0; M]; M];
                (0..M)
                    .for_each(|p| (0..M).for_each(|k| (0..M).for_each(|q| l[p][q] += block[p][k] * inverse[at][k][q])));
                lower[place] = l;
            }
            self.alone[at] = alone;
        }
    }

    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        with_block!(self.block, M => self.solve_blocks::<M>(x));
    }

    fn solve_blocks<const M: usize>(&mut self, x: &mut [f64]) {
        let x = x.as_chunks_mut::<M>().0;
        let y = self.turned.as_chunks_mut::<M>().0;
        let lower = self.lower.as_chunks::<M>().0.as_chunks::<M>().0;
        let upper = self.upper.as_chunks::<M>().0.as_chunks::<M>().0;
        let inverse = self.inverse.as_chunks::<M>().0.as_chunks::<M>().0;
        self.order.iter().zip(y.iter_mut()).for_each(|(&block, y)| *y = x[block]);
        for at in 0..self.order.len() {
            let own = y[at];
            for place in self.start[at]..self.start[at + 1] {
                let product = times(&lower[place], &own);
                let y = &mut y[self.later[place]];
                (0..M).for_each(|p| y[p] -= product[p]);
            }
        }
        for at in (0..self.order.len()).rev() {
            let mut own = y[at];
            for place in self.start[at]..self.start[at + 1] {
                let product = times(&upper[place], &y[self.later[place]]);
                (0..M).for_each(|p| own[p] -= product[p]);
            }
            y[at] = times(&inverse[at], &own);
        }
        self.order.iter().zip(y.iter()).for_each(|(&block, y)| x[block] = *y);
    }
}

/// Subtracts the product of the blocks `l` and `u` of the LU factors from the block `out`.
#[inline(always)]
fn subtract<const M: usize>(out: &mut [[f64; M]; M], l: &[[f64; M]; M], u: &[[f64; M]; M]) {
    for p in 0..M {
        for k in 0..M {
            (0..M).for_each(|q| out[p][q] -= l[p][k] * u[k][q]);
        }
    }
}

#[inline(always)]
fn times<const M: usize>(rows: &[[f64; M]; M], x: &[f64; M]) -> [f64; M] {
    std::array::from_fn(|p| {
        let mut sum = 0.0;
        (0..M).for_each(|q| sum += rows[p][q] * x[q]);
        sum
    })
}

/// For each block row, the block columns with which it has a block in either triangle.
fn neighbours(pattern: BlockedColumns<'_>) -> Vec<Vec<usize>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); pattern.blocks()];
    for column in 0..pattern.blocks() {
        for row in pattern.members(column).filter(|&row| row != column) {
            neighbours[column].push(row);
            neighbours[row].push(column);
        }
    }
    neighbours.into_iter().map(sorted).collect()
}

fn sorted(mut list: Vec<usize>) -> Vec<usize> {
    list.sort_unstable();
    list.dedup();
    list
}

/// Orders blocks by minimum degree; returns the block of each step, and the step of each block.
fn least_degree(neighbours: &[Vec<usize>]) -> Result<(Vec<usize>, Vec<usize>), MatrixError> {
    let blocks = neighbours.len();
    let mut start = vec![0];
    let row: Vec<usize> = neighbours.iter().flatten().copied().collect();
    neighbours.iter().for_each(|list| start.push(start.last().copied().unwrap_or(0) + list.len()));
    let pattern = SymbolicSparseColMatRef::new_checked(blocks, blocks, &start, None, &row);
    let mut order = vec![0; blocks];
    let mut step = vec![0; blocks];
    let mut scratch = MemBuffer::try_new(amd::order_scratch::<usize>(blocks, row.len())).map_err(|_| FAILED)?;
    amd::order(&mut order, &mut step, pattern, amd::Control::default(), MemStack::new(&mut scratch))
        .map_err(|_| FAILED)?;
    Ok((order, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of blocks with a chord, and a separate block; off-diagonal blocks are not symmetric.
    fn ring<const M: usize>() -> (Vec<usize>, Vec<usize>, Vec<f64>) {
        const BLOCKS: usize = 9;
        let near =
            |a: usize, b: usize| a == b || (a + 1) % 8 == b || (b + 1) % 8 == a || [a, b] == [1, 5] || [a, b] == [5, 1];
        let touch = |a: usize, b: usize| a == b || (a < 8 && b < 8 && near(a, b));
        let mut start = vec![0];
        let mut row = Vec::new();
        let mut values = Vec::new();
        for column in 0..M * BLOCKS {
            for block in (0..BLOCKS).filter(|&block| touch(block, column / M)) {
                for p in M * block..M * (block + 1) {
                    row.push(p);
                    values.push(((3 * p + 5 * column + 1) as f64).sin() + if p == column { 5.0 } else { 0.0 });
                }
            }
            start.push(row.len());
        }
        (start, row, values)
    }

    fn residual<const M: usize>() -> f64 {
        let (start, row, mut values) = ring::<M>();
        let pattern = BlockedColumns { block: M, start: &start, row: &row };
        // Columns of an open contact have only their own entries.
        for column in 2 * M..3 * M {
            for k in start[column]..start[column + 1] {
                values[k] = if row[k] == column { 0.5 } else { 0.0 };
            }
        }
        let right: Vec<f64> = (0..start.len() - 1).map(|k| (k as f64).cos()).collect();
        let mut x = right.clone();
        let mut left = right;
        let mut lu = BlockLu::analyze(pattern).unwrap();
        for _ in 0..2 {
            lu.factorize(pattern, &values, 0.0);
        }
        assert_eq!(lu.alone.iter().filter(|&&alone| alone).count(), 3, "{M}");
        lu.solve(&mut x);
        pattern.subtract_product(&values, &x, &mut left);
        left.iter().fold(0.0, |most, x| most.max(x.abs()))
    }

    #[test]
    fn blocks_of_all_sizes_are_solved() {
        for worst in [residual::<3>(), residual::<5>(), residual::<6>()] {
            assert!(worst < 1e-13, "{worst:e}");
        }
    }
}
