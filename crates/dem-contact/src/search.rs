//! The search for neighbours in cells.

use pulp::{Arch, Simd, WithSimd};

use crate::cells::{Cells, INDEX_BITS, INDEX_MASK, NO_SHIFT, Run};
use crate::kernel::SPAN;
use crate::par::BLOCK;

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
pub(crate) struct Search<'a> {
    pub(crate) cells: &'a Cells,
    /// Wrapped centres and radii.
    pub(crate) packed: &'a [[f64; 4]],
    pub(crate) order: &'a [u32],
    /// By body; empty if none is.
    pub(crate) fixed: &'a [bool],
    /// Pairs of bodies that are left out, in both directions, sorted.
    pub(crate) excluded: &'a [[u32; 2]],
    pub(crate) shifts: [[f64; 4]; 32],
    pub(crate) skin: f64,
}

/// The bodies that those in one cell can be near to.
#[derive(Default)]
struct Candidates {
    /// Centres as they are seen from the cell, and radii: NaN, which is near to nothing, for a body without contacts.
    body: Vec<[f64; 4]>,
    entry: Vec<u32>,
    /// One or zero, as wide as a number so that marking is vectorised.
    near: Vec<u64>,
    /// A place of the cell, and where it is among the candidates.
    own: [usize; 2],
}

struct Fill<'a> {
    search: &'a Search<'a>,
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

impl Search<'_> {
    /// Entries that the rows of one block may have, [`NEIGHBORS`] for each of its bodies: what one large body among
    /// many small ones has too, but not what thousands of bodies on one point would need.
    const MOST: usize = NEIGHBORS * BLOCK;

    /// Fills the rows of `count` places from `first` on; false if there are too many entries.
    pub(crate) fn fill(&self, first: usize, count: usize, rows: &mut Rows) -> bool {
        Arch::new().dispatch(Fill { search: self, first, count, rows })
    }

    #[inline(always)]
    fn fill_rows(&self, first: usize, count: usize, rows: &mut Rows) -> bool {
        rows.start.clear();
        rows.start.reserve_exact(count + 1);
        let mut found = Vec::with_capacity(16 * BLOCK);
        let (mut runs, mut candidates) = (Vec::new(), Candidates::default());
        let mut cell = [usize::MAX; 3];
        for place in first..first + count {
            rows.start.push(found.len() as u32);
            let [x, y, z, radius] = self.packed[place];
            if radius <= 0.0 {
                continue;
            }
            let here = self.cells.locate([x, y, z]);
            if here != cell {
                cell = here;
                self.cells.runs(cell, &mut runs);
                candidates.read(self, &runs, place);
            }
            candidates.mark([x, y, z], radius + self.skin, place);
            let row = found.len();
            candidates.collect(&mut found);
            if self.is_fixed(place) {
                let mut kept = row;
                for k in row..found.len() {
                    found[kept] = found[k];
                    kept += usize::from(!self.is_fixed((found[k] & INDEX_MASK) as usize));
                }
                found.truncate(kept);
            }
            if !self.excluded.is_empty() {
                self.leave_out(place, row, &mut found);
            }
            if found.len() > Self::MOST {
                *rows = Rows::default();
                return false;
            }
        }
        rows.start.push(found.len() as u32);
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

    /// Drops the pairs of this place that are not to be listed.
    fn leave_out(&self, place: usize, row: usize, found: &mut Vec<u32>) {
        let body = self.order[place];
        let from = self.excluded.partition_point(|pair| pair[0] < body);
        let own = &self.excluded[from..];
        let own = &own[..own.partition_point(|pair| pair[0] == body)];
        let mut kept = row;
        for k in row..found.len() {
            let other = self.order[(found[k] & INDEX_MASK) as usize];
            found[kept] = found[k];
            kept += usize::from(own.binary_search(&[body, other]).is_err());
        }
        found.truncate(kept);
    }

    fn is_fixed(&self, place: usize) -> bool {
        !self.fixed.is_empty() && self.fixed.get(self.order[place] as usize).copied().unwrap_or(false)
    }
}

impl Candidates {
    /// Entries that are marked together.
    const GROUP: usize = 8;

    /// Reads the bodies in `runs`, those around the cell of `place`.
    #[inline(always)]
    fn read(&mut self, search: &Search<'_>, runs: &[Run], place: usize) {
        let len: usize = runs.iter().map(|run| (run.end - run.start) as usize).sum();
        let full = len.next_multiple_of(Self::GROUP);
        self.body.resize(full, [0.0; 4]);
        self.entry.resize(full, 0);
        self.near.resize(full, 0);
        self.body[len..].fill([0.0, 0.0, 0.0, f64::NAN]);
        let mut at = 0;
        for run in runs {
            let [sx, sy, sz, _] = search.shifts[(run.code >> INDEX_BITS) as usize];
            let bodies = &search.packed[run.start as usize..run.end as usize];
            let span = at..at + bodies.len();
            if run.code == NO_SHIFT << INDEX_BITS && (run.start as usize..run.end as usize).contains(&place) {
                self.own = [place, at + place - run.start as usize];
            }
            for (slot, &[x, y, z, radius]) in self.body[span.clone()].iter_mut().zip(bodies) {
                *slot = [x + sx, y + sy, z + sz, if radius > 0.0 { radius } else { f64::NAN }];
            }
            for (entry, place) in self.entry[span].iter_mut().zip(run.start..) {
                *entry = place | run.code;
            }
            at += bodies.len();
        }
    }

    /// Marks who is nearer to `center` than its radius and `reach`, but not the body of this place, in the same cell.
    #[inline(always)]
    fn mark(&mut self, center: [f64; 3], reach: f64, place: usize) {
        for (&[x, y, z, radius], near) in self.body.iter().zip(&mut self.near) {
            let [dx, dy, dz] = [x - center[0], y - center[1], z - center[2]];
            let cutoff = reach + radius;
            *near = u64::from(dx * dx + dy * dy + dz * dz < cutoff * cutoff);
        }
        self.near[self.own[1] + place - self.own[0]] = 0;
    }

    /// Appends the marked entries.
    #[inline(always)]
    fn collect(&self, entries: &mut Vec<u32>) {
        let row = entries.len();
        entries.resize(row + self.entry.len(), 0);
        let found = &mut entries[row..];
        let mut hits = 0;
        for (&entry, &near) in self.entry.iter().zip(&self.near) {
            found[hits] = entry;
            hits += near as usize;
        }
        entries.truncate(row + hits);
    }
}
