//! What the bodies of a row of cells see of one size class.

use std::ops::Range;

use crate::force::old::homes::Homes;
use crate::neighbor::build::candidates::Candidates;
use crate::neighbor::build::cell_grid::CellGrid;
use crate::neighbor::build::f32_frame::F32Frame;
use crate::neighbor::build::stencil::Stencil;

/// The bodies of one class around some cells of a row, and those around a few of these cells.
#[derive(Debug, Default)]
pub(crate) struct ClassView {
    strip: Stencil,
    pub(crate) candidates: Candidates,
    /// CellGrid of the class in the direction of the row whose bodies are the candidates.
    seen: Range<isize>,
    /// The row of the strip that the cells are in, of the same class, where it has all rows around.
    row: isize,
    /// The first place of the cells, and its number among the candidates.
    own: [usize; 2],
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
    /// Looks at what is around the cells `from` to `to` along x of the row at `y` and `z`, of the same class: for half rows, at
    /// rows of cells that may have other places of pairs whose homes are here, as `homes` says.
    #[inline(always)]
    pub(crate) fn enter_row(
        &mut self,
        cells: &CellGrid,
        bodies: (&[[f64; 4]], &[[f64; 4]; 32]),
        (([from, to], [y, z]), frame): (([usize; 2], [usize; 2]), F32Frame),
        homes: Option<Homes>,
    ) {
        let around = [cells.around(0, from, to), cells.around(1, y, y), cells.around(2, z, z)];
        // Which of the rows around is the one itself.
        let row = (z as isize - around[2].start) * around[1].len() as isize + y as isize - around[1].start;
        let own = cells.row(y, z);
        let wanted = |seen| homes.is_none_or(|homes| homes.may_be_home(&own, &cells.seen_row(seen)));
        self.row = row;
        self.strip.read(cells, bodies, (&around, frame), &wanted);
        self.seen = 0..0;
    }

    /// Takes the candidates for the cells from this one to `to` in its row.
    #[inline(always)]
    pub(crate) fn enter_cells(&mut self, cells: &CellGrid, [x, y, z]: [usize; 3], to: usize) {
        let around = cells.around(0, x, to);
        let own = self.strip.select(&around, [x as isize, self.row], &mut self.candidates.columns);
        self.candidates.close();
        self.own = [cells.first_place([x, y, z]), own];
    }

    /// The number of a place in these cells among the candidates.
    #[inline(always)]
    pub(crate) fn own(&self, place: usize) -> usize {
        self.own[1] + place - self.own[0]
    }

    /// Looks at what is nearer than `reach` to bodies of another class.
    #[inline(always)]
    pub(crate) fn enter_row_of_others(
        &mut self,
        cells: &CellGrid,
        bodies: (&[[f64; 4]], &[[f64; 4]; 32]),
        (others, reach): (&[[f64; 4]], f64),
    ) {
        self.strip.forget();
        let frame = F32Frame::new(std::array::from_fn(|c| others[0][c]), reach);
        self.strip.read(cells, bodies, (&cells.within(bounds(others), reach), frame), &|_| true);
        self.seen = 0..0;
    }

    /// Takes the candidates for some of them.
    #[inline(always)]
    pub(crate) fn enter_cells_of_others(&mut self, cells: &CellGrid, others: &[[f64; 4]], reach: f64) {
        let [x, ..] = cells.within(bounds(others), reach);
        if x != self.seen {
            self.strip.select(&x, [x.start, -1], &mut self.candidates.columns);
            self.candidates.close();
            self.seen = x;
        }
    }
}
