//! The search for neighbours: the rows of one block of bodies, from the cells of all size classes.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use crate::force::old::homes::Homes;
use crate::neighbor::build::candidate_columns::{PackedBodies, Probe};
use crate::neighbor::build::candidates::Candidates;
use crate::neighbor::build::cell_grid::Run;
use crate::neighbor::build::class_view::{ClassView, RowOfCells};
use crate::neighbor::build::f32_frame::F32Frame;
use crate::neighbor::build::size_classes::SizeClass;
use crate::neighbor::full_list::{Rows, SPAN};
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK, NO_SHIFT};
use crate::neighbor::list_kind::ListKind;
use crate::parallel::blocks::BLOCK;

/// Neighbours that the bodies of one block may have on average.
pub(crate) const NEIGHBORS: usize = 4096;

/// The rows of one block have more entries than a list allows.
#[derive(Debug)]
pub(crate) struct TooManyEntries;

/// The input of the search, shared by all blocks.
#[derive(Debug)]
pub(crate) struct ListBuilder<'a> {
    pub(crate) classes: &'a [SizeClass],
    pub(crate) bodies: PackedBodies<'a>,
    /// The body in each slot.
    pub(crate) order: &'a [u32],
    /// Whether each body is fixed, by body; empty if none is.
    pub(crate) fixed: &'a [bool],
    /// Pairs of bodies that are left out, in both directions, sorted.
    pub(crate) excluded: &'a [[u32; 2]],
    /// In m.
    pub(crate) skin: f64,
    pub(crate) kind: ListKind,
    pub(crate) homes: Homes,
}

/// Where the slots of some cells and of the row of cells around them end.
#[derive(Debug, Clone, Copy)]
struct CellEnds {
    cells: usize,
    row: usize,
}

/// Entries found so far. Entries beyond `end` mean nothing.
#[derive(Debug)]
struct FoundEntries {
    entries: Vec<u32>,
    end: usize,
}

impl FoundEntries {
    /// Keeps those entries from `start` on that `keep` asks for, in their order.
    fn retain_from(&mut self, start: usize, keep: impl Fn(u32) -> bool) {
        let mut kept = start;
        for k in start..self.end {
            self.entries[kept] = self.entries[k];
            kept += usize::from(keep(self.entries[k]));
        }
        self.end = kept;
    }
}

struct Fill<'a> {
    builder: &'a ListBuilder<'a>,
    first: usize,
    count: usize,
    rows: &'a mut Rows,
}

impl WithSimd for Fill<'_> {
    type Output = Result<(), TooManyEntries>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Result<(), TooManyEntries> {
        self.builder.fill_rows(self.first, self.count, self.rows)
    }
}

impl ListBuilder<'_> {
    /// Fewest bodies that are worth candidates of their own.
    const FEW: usize = 5;

    /// Candidates of another size class that are read together.
    const TOGETHER: u32 = 1024;

    /// Largest number of entries in the rows of one block.
    ///
    /// [`NEIGHBORS`] for each of its bodies, and more where bodies are large, since few large bodies find room around a
    /// small one. Only thousands of bodies at one point need more.
    fn most_entries(&self) -> usize {
        NEIGHBORS * BLOCK + 32 * self.bodies.packed.len()
    }

    /// Fills the rows of the `count` slots from `first` on. They are empty after an error.
    pub(crate) fn fill(&self, first: usize, count: usize, rows: &mut Rows) -> Result<(), TooManyEntries> {
        Arch::new().dispatch(Fill { builder: self, first, count, rows })
    }

    #[inline(always)]
    fn fill_rows(&self, first: usize, count: usize, rows: &mut Rows) -> Result<(), TooManyEntries> {
        rows.start.clear();
        rows.start.reserve_exact(count + 1);
        let mut found = FoundEntries { entries: Vec::with_capacity(16 * BLOCK), end: 0 };
        let mut views: Vec<ClassView> = self.classes.iter().map(|_| ClassView::default()).collect();
        let (mut runs, mut others) = (Vec::new(), Candidates::default());
        let (mut class, mut ends) = (0, CellEnds { cells: first, row: first });
        let is_half = self.kind == ListKind::Half;
        for slot in first..first + count {
            rows.start.push(found.end as u32);
            let [x, y, z, radius] = self.bodies.packed[slot];
            if radius <= 0.0 {
                continue;
            }
            while self.classes[class].end <= slot {
                class += 1;
            }
            let (row, probe) = (found.end, Probe { center: [x, y, z], shell_radius: radius + self.skin });
            if slot >= ends.cells {
                ends = self.enter(&mut views[..=class], slot..first + count, ends.row);
            }
            // Larger bodies have lower slots; a half list sees them from there.
            let seen = if is_half { class } else { 0 };
            for (k, view) in (seen..).zip(&mut views[seen..=class]) {
                view.candidates.mark(self.bodies, probe);
                if k == class && !is_half {
                    view.candidates.leave_out(view.own(slot));
                }
                view.candidates.collect(&mut found.entries, &mut found.end);
            }
            if is_half {
                found.retain_from(row, |entry| self.homes.is_home(slot, (entry & INDEX_MASK) as usize));
            }
            for smaller in &self.classes[class + 1..] {
                let cutoff = probe.shell_radius + smaller.largest;
                smaller.cells.all_within([probe.center; 2], cutoff, &mut runs);
                others.columns.frame = F32Frame::new(probe.center, cutoff);
                self.add_from_runs(&runs, probe, &mut others, &mut found);
            }
            if self.is_fixed(slot) {
                found.retain_from(row, |entry| !self.is_fixed((entry & INDEX_MASK) as usize));
            }
            if !self.excluded.is_empty() {
                self.drop_excluded(slot, row, &mut found);
            }
            if found.end > self.most_entries() {
                *rows = Rows::default();
                return Err(TooManyEntries);
            }
        }
        let FoundEntries { entries: mut found, end } = found;
        rows.start.push(end as u32);
        found.truncate(end);
        found.extend([(NO_SHIFT << INDEX_BITS) | first as u32; SPAN]);
        // Rows take the most memory of all, so they get no more room than they need.
        rows.entries.clear();
        if rows.entries.capacity() > found.len() + found.len() / 16 {
            rows.entries = Vec::new();
        }
        rows.entries.reserve_exact(found.len());
        rows.entries.extend_from_slice(&found);
        Ok(())
    }

    /// Reads the surroundings of the cell of the first of these slots, and of the next cells as long as they hold few
    /// bodies: those of its own class and, for full rows, those of classes of larger bodies.
    ///
    /// Returns where these cells and their row of cells end. A row of cells is new if `former_row_end` is not beyond
    /// it.
    #[inline(always)]
    fn enter(&self, views: &mut [ClassView], slots: Range<usize>, former_row_end: usize) -> CellEnds {
        let Some((view, views)) = views.split_last_mut() else {
            return CellEnds { cells: slots.end, row: slots.end };
        };
        let (bodies, own) = (self.bodies, &self.classes[views.len()]);
        let cell_of = |slot: usize| {
            let [x, y, z, _] = bodies.packed[slot];
            own.cells.locate([x, y, z])
        };
        let [x, y, z] = cell_of(slots.start);
        let row_end = own.cells.row(y, z).end.min(slots.end);
        let (mut to, mut end) = (x, own.cells.cell_end([x, y, z]));
        while end < row_end.min(slots.start + Self::FEW) {
            to += 1;
            end = own.cells.cell_end([to, y, z]);
        }
        let end = end.min(row_end);
        let is_new_row = slots.start >= former_row_end;
        if is_new_row {
            // The surroundings of a short row are read in full length, so that the next row can share them.
            let whole = own.cells.row(y, z);
            let [last, ..] = cell_of(row_end - 1);
            let [from, to] = if whole.len() <= BLOCK { [0, own.cells.row_length() - 1] } else { [x, last] };
            let [x0, y0, z0, _] = bodies.packed[slots.start];
            let homes = (self.kind == ListKind::Half).then_some(self.homes);
            let frame = F32Frame::new([x0, y0, z0], 2.0 * own.largest + self.skin);
            view.enter_row(&own.cells, bodies, RowOfCells { from, to, y, z }, frame, homes);
        }
        view.enter_cells(&own.cells, [x, y, z], to);
        let ends = CellEnds { cells: end, row: row_end };
        if self.kind == ListKind::Half {
            return ends;
        }
        let (row, cells) = (&bodies.packed[slots.start..row_end], &bodies.packed[slots.start..end]);
        for (view, class) in views.iter_mut().zip(self.classes) {
            let cutoff = own.largest + self.skin + class.largest;
            if is_new_row {
                view.enter_row_of_others(&class.cells, bodies, row, cutoff);
            }
            view.enter_cells_of_others(&class.cells, cells, cutoff);
        }
        ends
    }

    /// Appends the bodies of `runs`, which are of another size class, that are near to `probe`. They are read some at a
    /// time, since there may be very many around a large body.
    #[inline(always)]
    fn add_from_runs(&self, mut runs: &[Run], probe: Probe, candidates: &mut Candidates, found: &mut FoundEntries) {
        while !runs.is_empty() {
            let mut bodies = 0;
            let few = runs.iter().take_while(|run| {
                bodies += run.end - run.start;
                bodies <= Self::TOGETHER
            });
            let (now, later) = runs.split_at(few.count().max(1));
            candidates.read(self.bodies, now);
            candidates.mark(self.bodies, probe);
            candidates.collect(&mut found.entries, &mut found.end);
            runs = later;
        }
    }

    /// Drops the excluded pairs from the row of a slot, which begins at entry `row`.
    fn drop_excluded(&self, slot: usize, row: usize, found: &mut FoundEntries) {
        let body = self.order[slot];
        let from = self.excluded.partition_point(|pair| pair[0] < body);
        let own = &self.excluded[from..];
        let own = &own[..own.partition_point(|pair| pair[0] == body)];
        let other = |entry: u32| self.order[(entry & INDEX_MASK) as usize];
        found.retain_from(row, |entry| own.binary_search(&[body, other(entry)]).is_err());
    }

    fn is_fixed(&self, slot: usize) -> bool {
        !self.fixed.is_empty() && self.fixed.get(self.order[slot] as usize).copied().unwrap_or(false)
    }
}
