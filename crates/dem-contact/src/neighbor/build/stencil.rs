//! The surroundings of a row of cells, read once for all of them, and what they share with those of the next row.

use std::ops::Range;

use crate::neighbor::build::candidate_columns::CandidateColumns;
use crate::neighbor::build::cell_grid::CellGrid;
use crate::neighbor::build::f32_frame::F32Frame;

/// Some rows of cells along x, all of the same length.
#[derive(Debug, Default)]
pub(crate) struct Stencil {
    columns: CandidateColumns,
    /// Where the rows are across x, in the order in which neighbours are listed.
    rows: Vec<[isize; 2]>,
    /// By row and by cell: where its bodies begin, and where those of the last one end.
    offset: Vec<u32>,
    first: isize,
    /// Entries of `offset` in a row.
    width: usize,
    /// The rows that were there before, and their offsets.
    former: (Vec<[isize; 2]>, Vec<u32>),
}

impl Stencil {
    /// Rows that were read before are kept among so many bodies, which a cache has room for.
    const MOST: usize = 8192;

    /// Reads all anew the next time.
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.rows.clear();
    }

    /// Reads the bodies in a box of cells, of the rows of cells that are wanted. Rows of the same
    /// cells along x that were read before remain, with the frame that they are seen in; else it is `frame`.
    #[inline(always)]
    pub(crate) fn read(
        &mut self,
        cells: &CellGrid,
        (packed, shifts): (&[[f64; 4]], &[[f64; 4]; 32]),
        ([x, y, z], frame): (&[Range<isize>; 3], F32Frame),
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
                    columns.append(packed, shifts, run);
                }
            }
        }
    }

    /// Puts the bodies in the cells `x` of all rows into `candidates`; gives the number among them of the first one that is
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
