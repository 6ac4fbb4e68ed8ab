//! The surroundings of a row of cells, read once for all its cells and shared with the next row.

use std::ops::Range;

use crate::neighbor::build::candidate_columns::{CandidateColumns, PackedBodies};
use crate::neighbor::build::cell_grid::CellGrid;
use crate::neighbor::build::f32_frame::F32Frame;

/// Some rows of cells along x, all of the same length.
#[derive(Debug, Default)]
pub(crate) struct Stencil {
    columns: CandidateColumns,
    /// Where the rows are in y and z, in the order in which neighbours are listed.
    rows: Vec<[isize; 2]>,
    /// By row and cell: the first of its bodies, and the end of the last cell of a row.
    offset: Vec<u32>,
    /// The first cell along x.
    first: isize,
    /// Entries of `offset` for one row.
    width: usize,
    /// The rows of the stencil before, and their offsets.
    former: (Vec<[isize; 2]>, Vec<u32>),
}

impl Stencil {
    /// Largest number of bodies that are kept for the next row: a cache has room for them.
    const MOST: usize = 8192;

    /// Shares nothing with the next row.
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.rows.clear();
    }

    /// Reads the bodies in a box of cells, of those rows of cells that are wanted.
    ///
    /// Rows of the same cells along x that were read before are kept, with their frame; otherwise the frame is `frame`.
    #[inline(always)]
    pub(crate) fn read(
        &mut self,
        cells: &CellGrid,
        bodies: PackedBodies<'_>,
        [x, y, z]: &[Range<isize>; 3],
        frame: F32Frame,
        wanted: &impl Fn([isize; 2]) -> bool,
    ) {
        let shared = self.rows.iter().any(|[row_y, row_z]| y.contains(row_y) && z.contains(row_z));
        if (self.first, self.width) != (x.start, x.len() + 1) || self.columns.len > Self::MOST || !shared {
            self.forget();
        }
        std::mem::swap(&mut self.former.0, &mut self.rows);
        std::mem::swap(&mut self.former.1, &mut self.offset);
        self.rows.clear();
        self.offset.clear();
        let Self { columns, rows, offset, former, .. } = self;
        if former.0.is_empty() {
            (columns.len, columns.frame) = (0, frame);
        }
        (self.first, self.width) = (x.start, x.len() + 1);
        for z in z.clone() {
            for y in y.clone() {
                if !wanted([y, z]) {
                    continue;
                }
                rows.push([y, z]);
                if let Some(row) = former.0.iter().position(|&row| row == [y, z]) {
                    offset.extend_from_slice(&former.1[row * self.width..(row + 1) * self.width]);
                    continue;
                }
                cells.offsets(x, [y, z], columns.len as u32, offset);
                columns.reserve(offset.last().map_or(0, |&end| end as usize));
                // A closure might not get the instructions that the search is compiled for.
                for run in cells.runs(x, [y, z]) {
                    columns.append(bodies, run);
                }
            }
        }
    }

    /// Copies the bodies in the cells `x` of all rows into `candidates`. Returns the index among them of the first body
    /// in cell `own` of row `own_row`.
    #[inline(always)]
    pub(crate) fn select(
        &self,
        x: &Range<isize>,
        [own, own_row]: [isize; 2],
        candidates: &mut CandidateColumns,
    ) -> usize {
        let at = |x: isize| (x - self.first).clamp(0, self.width as isize - 1) as usize;
        let (from, to, own) = (at(x.start), at(x.end), at(own));
        (candidates.len, candidates.frame) = (0, self.columns.frame);
        let rows = || self.offset.chunks_exact(self.width);
        candidates.reserve(rows().map(|row| (row[to] - row[from]) as usize).sum());
        let mut first_own = 0;
        for (k, offset) in (0..).zip(rows()) {
            if k == own_row {
                first_own = candidates.len + (offset[own] - offset[from]) as usize;
            }
            candidates.copy(&self.columns, offset[from] as usize, offset[to] as usize);
        }
        first_own
    }
}
