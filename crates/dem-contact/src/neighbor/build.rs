//! The search for neighbours in cells.

pub(crate) mod candidate_columns;
pub(crate) mod candidates;
pub(crate) mod cell_grid;
pub(crate) mod class_view;
pub(crate) mod f32_frame;
pub(crate) mod size_classes;
pub(crate) mod stencil;

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use crate::force::old::homes::Homes;
use crate::force::old::kernel::SPAN;
use crate::neighbor::build::candidates::Candidates;
use crate::neighbor::build::cell_grid::{INDEX_BITS, INDEX_MASK, NO_SHIFT, Run};
use crate::neighbor::build::class_view::ClassView;
use crate::neighbor::build::f32_frame::F32Frame;
use crate::neighbor::build::size_classes::SizeClass;
use crate::neighbor::list_kind::ListKind;
use crate::parallel::blocks::BLOCK;

/// Neighbours that the bodies of one block may have on average.
pub(crate) const NEIGHBORS: usize = 4096;

/// The rows of one block of places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// Where the row of each place begins, and where the last one ends.
    pub(crate) start: Vec<u32>,
    /// Places of the neighbours with the code of their shift, in the order of the places up to the wrap. After the last
    /// row [`SPAN`] more for the kernel to read and forget.
    pub(crate) entries: Vec<u32>,
}

impl Rows {
    /// Entries of all rows.
    pub(crate) fn len(&self) -> usize {
        self.start.last().map_or(0, |&end| end as usize)
    }

    pub(crate) fn row(&self, k: usize) -> &[u32] {
        &self.entries[self.start[k] as usize..self.start[k + 1] as usize]
    }
}

/// What the search reads; bodies by place.
#[derive(Debug)]
pub(crate) struct ListBuilder<'a> {
    pub(crate) classes: &'a [SizeClass],
    /// Wrapped centres and radii.
    pub(crate) packed: &'a [[f64; 4]],
    pub(crate) order: &'a [u32],
    /// By body; empty if none is.
    pub(crate) fixed: &'a [bool],
    /// Pairs of bodies that are left out, in both directions, sorted.
    pub(crate) excluded: &'a [[u32; 2]],
    pub(crate) shifts: [[f64; 4]; 32],
    pub(crate) skin: f64,
    pub(crate) form: ListKind,
    pub(crate) homes: Homes,
}

struct Fill<'a> {
    search: &'a ListBuilder<'a>,
    first: usize,
    count: usize,
    rows: &'a mut Rows,
}

impl WithSimd for Fill<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        self.search.fill_rows(self.first, self.count, self.rows)
    }
}

impl ListBuilder<'_> {
    /// Bodies that are worth candidates of their own.
    const FEW: usize = 5;

    /// Candidates of another size that are looked at together.
    const TOGETHER: u32 = 1024;

    /// Entries that the rows of one block may have: [`NEIGHBORS`] for each of its bodies, and more where they are large,
    /// since few large bodies find room around a small one. Thousands of bodies on one point would need more.
    fn most(&self) -> usize {
        NEIGHBORS * BLOCK + 32 * self.packed.len()
    }

    /// Fills the rows of `count` places from `first` on; false if there are too many entries.
    pub(crate) fn fill(&self, first: usize, count: usize, rows: &mut Rows) -> bool {
        Arch::new().dispatch(Fill { search: self, first, count, rows })
    }

    #[inline(always)]
    fn fill_rows(&self, first: usize, count: usize, rows: &mut Rows) -> bool {
        rows.start.clear();
        rows.start.reserve_exact(count + 1);
        let (mut found, mut end) = (Vec::with_capacity(16 * BLOCK), 0);
        let mut views: Vec<ClassView> = self.classes.iter().map(|_| ClassView::default()).collect();
        let (mut runs, mut others) = (Vec::new(), Candidates::default());
        let (mut class, mut row_end, mut cells_end) = (0, first, first);
        let half = self.form == ListKind::Half;
        for place in first..first + count {
            rows.start.push(end as u32);
            let [x, y, z, radius] = self.packed[place];
            if radius <= 0.0 {
                continue;
            }
            while self.classes[class].end <= place {
                class += 1;
            }
            let (center, reach, row) = ([x, y, z], radius + self.skin, end);
            if place >= cells_end {
                [cells_end, row_end] = self.enter(&mut views[..=class], place..first + count, row_end);
            }
            // The places of larger bodies are lower.
            let seen = if half { class } else { 0 };
            for (k, view) in (seen..).zip(&mut views[seen..=class]) {
                view.candidates.mark((self.packed, &self.shifts), (center, reach));
                if k == class && !half {
                    view.candidates.leave_out(view.own(place));
                }
                view.candidates.collect(&mut found, &mut end);
            }
            if half {
                end = retain(&mut found, row..end, |entry| self.homes.is_home(place, (entry & INDEX_MASK) as usize));
            }
            for smaller in &self.classes[class + 1..] {
                smaller.cells.all_within([center; 2], reach + smaller.largest, &mut runs);
                others.columns.frame = F32Frame::new(center, reach + smaller.largest);
                self.fill_from(&runs, (center, reach), &mut others, (&mut found, &mut end));
            }
            if self.is_fixed(place) {
                end = retain(&mut found, row..end, |entry| !self.is_fixed((entry & INDEX_MASK) as usize));
            }
            if !self.excluded.is_empty() {
                end = self.leave_out(place, row..end, &mut found);
            }
            if end > self.most() {
                *rows = Rows::default();
                return false;
            }
        }
        rows.start.push(end as u32);
        found.truncate(end);
        found.extend([(NO_SHIFT << INDEX_BITS) | first as u32; SPAN]);
        // No more room than is needed: rows are what takes the most memory.
        rows.entries.clear();
        if rows.entries.capacity() > found.len() + found.len() / 16 {
            rows.entries = Vec::new();
        }
        rows.entries.reserve_exact(found.len());
        rows.entries.extend_from_slice(&found);
        true
    }

    /// Looks from the cell of the first of these places, and from those after it as long as there are few bodies, at its
    /// own class and, for full rows, at those of larger bodies. Returns where the places of these cells and of their row end; where that of
    /// the row was before says whether it is a new one.
    #[inline(always)]
    fn enter(&self, views: &mut [ClassView], places: Range<usize>, former_end: usize) -> [usize; 2] {
        let Some((view, views)) = views.split_last_mut() else { return [places.end; 2] };
        let (bodies, own) = ((self.packed, &self.shifts), &self.classes[views.len()]);
        let cell_of = |place: usize| {
            let [x, y, z, _] = self.packed[place];
            own.cells.locate([x, y, z])
        };
        let [x, y, z] = cell_of(places.start);
        let row_end = own.cells.row(y, z).end.min(places.end);
        let (mut to, mut end) = (x, own.cells.cell_end([x, y, z]));
        while end < row_end.min(places.start + Self::FEW) {
            to += 1;
            end = own.cells.cell_end([to, y, z]);
        }
        let end = end.min(row_end);
        let is_new_row = places.start >= former_end;
        if is_new_row {
            // What is around short rows is read in full length: the next row can then share it.
            let whole = own.cells.row(y, z);
            let [last, ..] = cell_of(row_end - 1);
            let seen = if whole.len() <= BLOCK { [0, own.cells.row_length() - 1] } else { [x, last] };
            let [x0, y0, z0, _] = self.packed[places.start];
            let homes = (self.form == ListKind::Half).then_some(self.homes);
            let frame = F32Frame::new([x0, y0, z0], 2.0 * own.largest + self.skin);
            view.enter_row(&own.cells, bodies, ((seen, [y, z]), frame), homes);
        }
        view.enter_cells(&own.cells, [x, y, z], to);
        if self.form == ListKind::Half {
            return [end, row_end];
        }
        let (row, cells) = (&self.packed[places.start..row_end], &self.packed[places.start..end]);
        for (view, class) in views.iter_mut().zip(self.classes) {
            let reach = own.largest + self.skin + class.largest;
            if is_new_row {
                view.enter_row_of_others(&class.cells, bodies, (row, reach));
            }
            view.enter_cells_of_others(&class.cells, cells, reach);
        }
        [end, row_end]
    }

    /// Appends who in `runs`, those of another size, is near to `center`; some at a time, since there may be very many
    /// around a large body.
    #[inline(always)]
    fn fill_from(
        &self,
        mut runs: &[Run],
        (center, reach): ([f64; 3], f64),
        candidates: &mut Candidates,
        (found, end): (&mut Vec<u32>, &mut usize),
    ) {
        while !runs.is_empty() {
            let mut bodies = 0;
            let few = runs.iter().take_while(|run| {
                bodies += run.end - run.start;
                bodies <= Self::TOGETHER
            });
            let (now, later) = runs.split_at(few.count().max(1));
            candidates.read(self.packed, &self.shifts, now);
            candidates.mark((self.packed, &self.shifts), (center, reach));
            candidates.collect(found, end);
            runs = later;
        }
    }

    /// Drops the pairs of this place that are not to be listed; returns where its row ends then.
    fn leave_out(&self, place: usize, row: Range<usize>, found: &mut [u32]) -> usize {
        let body = self.order[place];
        let from = self.excluded.partition_point(|pair| pair[0] < body);
        let own = &self.excluded[from..];
        let own = &own[..own.partition_point(|pair| pair[0] == body)];
        let other = |entry: u32| self.order[(entry & INDEX_MASK) as usize];
        retain(found, row, |entry| own.binary_search(&[body, other(entry)]).is_err())
    }

    fn is_fixed(&self, place: usize) -> bool {
        !self.fixed.is_empty() && self.fixed.get(self.order[place] as usize).copied().unwrap_or(false)
    }
}

/// Moves the entries of a row that are to be kept together; returns where they end.
fn retain(found: &mut [u32], row: Range<usize>, keep: impl Fn(u32) -> bool) -> usize {
    let mut kept = row.start;
    for k in row {
        found[kept] = found[k];
        kept += usize::from(keep(found[k]));
    }
    kept
}
