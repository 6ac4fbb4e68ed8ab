//! The surroundings of a row of cells, read once for all of them.

use crate::cells::Cells;
use crate::columns::Columns;

/// What is around consecutive cells of one row.
#[derive(Debug, Default)]
pub(crate) struct Strip {
    columns: Columns,
    /// By row of cells around, in the order in which neighbours are listed, and by cell from that before the first one to
    /// that after the last one: where its bodies begin, and where those of the last one end.
    offset: Vec<u32>,
    first: usize,
    /// Entries of `offset` in a row.
    width: usize,
    /// Which row has the cells themselves.
    middle: usize,
}

impl Strip {
    /// Reads what is around the cells from `first` to `last` of the row at `y` and `z`.
    #[inline(always)]
    pub(crate) fn read(
        &mut self,
        cells: &Cells,
        (packed, shifts): (&[[f64; 4]], &[[f64; 4]; 32]),
        [first, last]: [usize; 2],
        [y, z]: [usize; 2],
    ) {
        let Self { columns, offset, .. } = self;
        columns.len = 0;
        offset.clear();
        (self.first, self.width) = (first, last - first + 4);
        for row in cells.rows_around(y, z) {
            if row.is_middle {
                self.middle = offset.len() / self.width;
            }
            let [before, within, after] = cells.runs_around(&row, first, last);
            columns.reserve(columns.len + [before, within, after].iter().map(|run| run.len()).sum::<usize>());
            if first == 0 {
                offset.push(columns.len as u32);
            }
            columns.append(packed, shifts, before);
            let ends = cells.starts(&row, first, last);
            offset.extend(ends.iter().map(|&start| columns.len as u32 + start - within.start));
            columns.append(packed, shifts, within);
            if last + 1 == cells.row_length() {
                offset.push(columns.len as u32);
            }
            columns.append(packed, shifts, after);
            offset.push(columns.len as u32);
        }
    }

    /// Puts what is around the cell at `x` into `candidates`; gives the number among them of its first body.
    #[inline(always)]
    pub(crate) fn select(&self, x: usize, candidates: &mut Columns) -> usize {
        let at = x - self.first;
        let around = |row: &[u32]| (row[at] as usize, row[at + 3] as usize);
        candidates.len = 0;
        candidates.reserve(self.offset.chunks_exact(self.width).map(|row| around(row).1 - around(row).0).sum());
        let mut own = 0;
        for (k, row) in self.offset.chunks_exact(self.width).enumerate() {
            let (from, to) = around(row);
            if k == self.middle {
                own = candidates.len + row[at + 1] as usize - from;
            }
            candidates.copy(&self.columns, from, to);
        }
        own
    }
}
