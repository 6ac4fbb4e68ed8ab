//! The search for neighbours in cells.

use pulp::{Arch, Simd, WithSimd};

use crate::cells::{Cells, INDEX_BITS, INDEX_MASK, NO_SHIFT, Run};
use crate::par::BLOCK;

/// Neighbours that the bodies of one block may have on average.
pub(crate) const NEIGHBORS: usize = 4096;

/// The rows of one block of places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// Where the row of each place begins, and where the last one ends.
    pub(crate) start: Vec<u32>,
    /// Places of the neighbours with the code of their shift, in the order of the places up to the wrap.
    pub(crate) entries: Vec<u32>,
    /// The row of each entry.
    pub(crate) owner: Vec<u16>,
}

impl Rows {
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
    pub(crate) frozen: &'a [bool],
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
        rows.entries.clear();
        rows.owner.clear();
        let (mut runs, mut candidates) = (Vec::new(), Candidates::default());
        let mut cell = [usize::MAX; 3];
        for place in first..first + count {
            rows.start.push(rows.entries.len() as u32);
            let [x, y, z, radius] = self.packed[place];
            if radius <= 0.0 {
                continue;
            }
            let here = self.cells.locate([x, y, z]);
            if here != cell {
                cell = here;
                self.cells.runs(cell, &mut runs);
                candidates.read(self, &runs);
            }
            candidates.mark([x, y, z], radius + self.skin);
            let row = rows.entries.len();
            candidates.collect((NO_SHIFT << INDEX_BITS) | place as u32, &mut rows.entries);
            if self.is_frozen(place) {
                let mut kept = row;
                for k in row..rows.entries.len() {
                    rows.entries[kept] = rows.entries[k];
                    kept += usize::from(!self.is_frozen((rows.entries[k] & INDEX_MASK) as usize));
                }
                rows.entries.truncate(kept);
            }
            if rows.entries.len() > Self::MOST {
                *rows = Rows::default();
                return false;
            }
            rows.owner.resize(rows.entries.len(), (place - first) as u16);
        }
        rows.start.push(rows.entries.len() as u32);
        // Room for rows that grow a little, not for what doubling left behind.
        let room = rows.entries.len() + rows.entries.len() / 8;
        rows.entries.shrink_to(room);
        rows.owner.shrink_to(room);
        true
    }

    fn is_frozen(&self, place: usize) -> bool {
        !self.frozen.is_empty() && self.frozen.get(self.order[place] as usize).copied().unwrap_or(false)
    }
}

impl Candidates {
    /// Entries that are marked together.
    const GROUP: usize = 8;

    /// Reads the bodies in `runs`.
    #[inline(always)]
    fn read(&mut self, search: &Search<'_>, runs: &[Run]) {
        let len: usize = runs.iter().map(|run| (run.end - run.start) as usize).sum();
        let full = len.next_multiple_of(Self::GROUP);
        self.body.resize(full, [0.0; 4]);
        self.entry.resize(full, 0);
        self.near.resize(full, 0);
        self.body[len..].fill([0.0, 0.0, 0.0, f64::NAN]);
        let mut slots = self.body.iter_mut().zip(&mut self.entry);
        for run in runs {
            let shift = search.shifts[(run.code >> INDEX_BITS) as usize];
            let bodies = &search.packed[run.start as usize..run.end as usize];
            for (place, (body, (slot, entry))) in (run.start..).zip(bodies.iter().zip(&mut slots)) {
                let radius = if body[3] > 0.0 { body[3] } else { f64::NAN };
                *slot = [body[0] + shift[0], body[1] + shift[1], body[2] + shift[2], radius];
                *entry = place | run.code;
            }
        }
    }

    /// Marks who is nearer to `center` than its radius and `reach`.
    #[inline(always)]
    fn mark(&mut self, center: [f64; 3], reach: f64) {
        for (&[x, y, z, radius], near) in self.body.iter().zip(&mut self.near) {
            let [dx, dy, dz] = [x - center[0], y - center[1], z - center[2]];
            let cutoff = reach + radius;
            *near = u64::from(dx * dx + dy * dy + dz * dz < cutoff * cutoff);
        }
    }

    /// Appends the marked entries but `own`.
    #[inline(always)]
    fn collect(&self, own: u32, entries: &mut Vec<u32>) {
        let row = entries.len();
        entries.resize(row + self.entry.len(), 0);
        let found = &mut entries[row..];
        let mut hits = 0;
        for (&entry, &near) in self.entry.iter().zip(&self.near) {
            found[hits] = entry;
            hits += near as usize & usize::from(entry != own);
        }
        entries.truncate(row + hits);
    }
}
