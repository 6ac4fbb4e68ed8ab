//! The bodies of one size class around a row of cells.

use std::ops::Range;

use crate::force::old::homes::Homes;
use crate::neighbor::build::candidate_columns::PackedBodies;
use crate::neighbor::build::candidates::Candidates;
use crate::neighbor::build::cell_grid::CellGrid;
use crate::neighbor::build::f32_frame::F32Frame;
use crate::neighbor::build::stencil::Stencil;

/// The bodies of one class around a row of cells, and the candidates around a few of these cells.
#[derive(Debug, Default)]
pub(crate) struct ClassView {
    stencil: Stencil,
    pub(crate) candidates: Candidates,
    /// The cells along x whose bodies are the candidates, where the row is of another class.
    seen: Range<isize>,
    /// Index in the stencil of the row that the cells are in, where the row is of the same class.
    row: isize,
    /// The first slot of the cells, and its index among the candidates.
    own: [usize; 2],
}

/// The cells `from` to `to` along x of the row of cells at `y` and `z`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowOfCells {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) y: usize,
    pub(crate) z: usize,
}

/// Lower and upper corner of the box around the centres of these bodies.
#[inline(always)]
pub(crate) fn bounds(packed: &[[f64; 4]]) -> [[f64; 3]; 2] {
    packed.iter().fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], row| {
        std::array::from_fn(|side| {
            std::array::from_fn(|c| if side == 0 { low[c].min(row[c]) } else { high[c].max(row[c]) })
        })
    })
}

impl ClassView {
    /// Reads the surroundings of a row of cells of the same class, seen in `frame`.
    ///
    /// For half rows only rows of cells are read that may hold the other slot of a pair whose home, by `homes`, is
    /// here.
    #[inline(always)]
    pub(crate) fn enter_row(
        &mut self,
        cells: &CellGrid,
        bodies: PackedBodies<'_>,
        RowOfCells { from, to, y, z }: RowOfCells,
        frame: F32Frame,
        homes: Option<Homes>,
    ) {
        let around = [cells.around(0, from, to), cells.around(1, y, y), cells.around(2, z, z)];
        // The index of the row itself among the rows around.
        let row = (z as isize - around[2].start) * around[1].len() as isize + y as isize - around[1].start;
        let own = cells.row(y, z);
        let wanted = |seen| homes.is_none_or(|homes| homes.may_be_home(&own, &cells.seen_row(seen)));
        self.row = row;
        self.stencil.read(cells, bodies, &around, frame, &wanted);
        self.seen = 0..0;
    }

    /// Selects the candidates for the cells from this one to `to` in its row.
    #[inline(always)]
    pub(crate) fn enter_cells(&mut self, cells: &CellGrid, [x, y, z]: [usize; 3], to: usize) {
        let around = cells.around(0, x, to);
        let own = self.stencil.select(&around, [x as isize, self.row], &mut self.candidates.columns);
        self.candidates.close();
        self.own = [cells.first_slot([x, y, z]), own];
    }

    /// The index among the candidates of a slot in these cells.
    #[inline(always)]
    pub(crate) fn own(&self, slot: usize) -> usize {
        self.own[1] + slot - self.own[0]
    }

    /// Reads the bodies nearer than `cutoff` (m) to `others`, bodies of another class.
    #[inline(always)]
    pub(crate) fn enter_row_of_others(
        &mut self,
        cells: &CellGrid,
        bodies: PackedBodies<'_>,
        others: &[[f64; 4]],
        cutoff: f64,
    ) {
        self.stencil.forget();
        let frame = F32Frame::new(std::array::from_fn(|c| others[0][c]), cutoff);
        self.stencil.read(cells, bodies, &cells.within(bounds(others), cutoff), frame, &|_| true);
        self.seen = 0..0;
    }

    /// Selects the candidates for some of these bodies.
    #[inline(always)]
    pub(crate) fn enter_cells_of_others(&mut self, cells: &CellGrid, others: &[[f64; 4]], cutoff: f64) {
        let [x, ..] = cells.within(bounds(others), cutoff);
        if x != self.seen {
            self.stencil.select(&x, [x.start, -1], &mut self.candidates.columns);
            self.candidates.close();
            self.seen = x;
        }
    }
}
