//! What contacts remember: committed and pending, and carried from list to list.
//!
//! A pair is remembered once, in the row of the body with the lower place, its home, and only while it touches. Rows are
//! long and contacts few: which entries of a block are remembered is a bit each.

use crate::NeighborList;
use crate::cells::INDEX_MASK;
use crate::par::{BLOCK, PerBlock, all_blocks};
use crate::search::Rows;

/// Memory by `[a, b]` with a < b, sorted.
pub(crate) type ByPair<M> = Vec<([u32; 2], M)>;

/// The memory of all contacts.
#[derive(Debug, Clone)]
pub(crate) struct PairMemory<M> {
    /// By block of the list with the number `list`.
    committed: Vec<Remembered<M>>,
    pending: Vec<Remembered<M>>,
    homes: Vec<Vec<u32>>,
    list: Option<u64>,
    /// The committed memory, while it was committed with another list than this one.
    carried: Option<ByPair<M>>,
}

/// What the entries of one block remember.
#[derive(Debug, Clone)]
pub(crate) struct Remembered<M> {
    /// Whether an entry is remembered, and how many are before each word of that.
    touched: Vec<u64>,
    before: Vec<u32>,
    slots: Vec<M>,
}

/// The committed memory, to be read.
#[derive(Debug)]
pub(crate) struct Memories<'a, M> {
    committed: &'a [Remembered<M>],
    /// By block, for each entry whose home is another row, one after the other: the entry in the block of that row.
    pub(crate) homes: &'a [Vec<u32>],
}

impl<M> Clone for Memories<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Memories<'_, M> {}

impl<M> Default for Remembered<M> {
    fn default() -> Self {
        Self { touched: Vec::new(), before: Vec::new(), slots: Vec::new() }
    }
}

impl<M: Copy + Default> Remembered<M> {
    /// Forgets all of `entries` entries.
    pub(crate) fn clear(&mut self, entries: usize) {
        self.touched.clear();
        self.touched.resize(entries.div_ceil(64), 0);
        self.slots.clear();
    }

    /// Room for more, no more than that.
    pub(crate) fn reserve(&mut self, more: usize) {
        if self.slots.capacity() < self.slots.len() + more {
            self.slots.reserve_exact(more);
        }
    }

    /// Remembers an entry behind all that are remembered yet.
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: usize, memory: M) {
        self.touched[entry / 64] |= 1 << (entry % 64);
        self.slots.push(memory);
    }

    /// Lets [`get`](Self::get) find what was pushed.
    pub(crate) fn finish(&mut self) {
        let mut count = 0;
        self.before.clear();
        self.before.extend(self.touched.iter().map(|word| {
            count += word.count_ones();
            count - word.count_ones()
        }));
    }

    #[inline(always)]
    pub(crate) fn get(&self, entry: usize) -> M {
        let (word, bit) = (self.touched.get(entry / 64).copied().unwrap_or(0), 1_u64 << (entry % 64));
        if word & bit == 0 {
            return M::default();
        }
        let slot = self.before[entry / 64] + (word & (bit - 1)).count_ones();
        self.slots[slot as usize]
    }
}

impl<M: Copy + Default> Memories<'_, M> {
    /// What is committed in the block `block` of entry `entry`.
    #[inline(always)]
    pub(crate) fn get(&self, block: usize, entry: usize) -> M {
        self.committed.get(block).map_or_else(M::default, |block| block.get(entry))
    }

    /// How much is remembered in a block.
    pub(crate) fn count(&self, block: usize) -> usize {
        self.committed.get(block).map_or(0, |block| block.slots.len())
    }

    /// What is committed of the bodies at two places, looked up.
    pub(crate) fn of_places(&self, rows: &[Rows], [this, other]: [usize; 2]) -> M {
        let (low, high) = (this.min(other), this.max(other));
        let block = low / BLOCK;
        let Some(rows) = rows.get(block) else { return M::default() };
        let found = rows.row(low % BLOCK).iter().position(|&entry| (entry & INDEX_MASK) as usize == high);
        found.map_or_else(M::default, |k| self.get(block, rows.start[low % BLOCK] as usize + k))
    }
}

impl<M: Copy + Default + Send + Sync> PairMemory<M> {
    /// Laws without memory need no storage.
    const NOTHING: bool = size_of::<M>() == 0;

    /// Memory as [`by_pair`](Self::by_pair) gave it.
    pub(crate) fn new(mut carried: ByPair<M>) -> Self {
        carried.iter_mut().for_each(|(pair, _)| pair.sort_unstable());
        carried.sort_by_key(|&(pair, _)| pair);
        Self { committed: Vec::new(), pending: Vec::new(), homes: Vec::new(), list: None, carried: Some(carried) }
    }

    /// The committed memory; `list` is the one that was followed last.
    pub(crate) fn by_pair(&self, list: &NeighborList) -> ByPair<M> {
        match &self.carried {
            Some(carried) => carried.clone(),
            None if Self::NOTHING => Vec::new(),
            None => self.collected(list),
        }
    }

    /// What is committed of one pair of bodies.
    pub(crate) fn of_pair(&self, list: &NeighborList, mut pair: [u32; 2]) -> M {
        if Self::NOTHING {
            return M::default();
        }
        if let Some(carried) = &self.carried {
            pair.sort_unstable();
            let found = carried.binary_search_by_key(&pair, |&(pair, _)| pair);
            return found.map_or_else(|_| M::default(), |at| carried[at].1);
        }
        let place = |body: u32| list.rank().get(body as usize).map(|&place| place as usize);
        let [Some(a), Some(b)] = pair.map(place) else { return M::default() };
        self.view().of_places(list.rows(), [a, b])
    }

    /// Saves what is committed from a list that is about to be replaced.
    pub(crate) fn carry(&mut self, list: &NeighborList) {
        if self.carried.is_none() {
            self.carried = Some(self.by_pair(list));
        }
    }

    /// Puts what is committed into the entries of `list`.
    pub(crate) fn follow(&mut self, list: &NeighborList) {
        if self.list == Some(list.builds()) {
            return;
        }
        self.list = Some(list.builds());
        let rows = list.rows();
        for memory in [&mut self.committed, &mut self.pending] {
            memory.resize_with(rows.len(), Remembered::default);
        }
        self.homes.resize_with(rows.len(), Vec::new);
        if Self::NOTHING {
            return;
        }
        let carried = self.carried.as_deref().unwrap_or(&[]);
        // Where what is remembered of each body begins.
        let mut start = vec![0_u32; list.len() + 1];
        for &([a, _], _) in carried {
            start.get_mut(a as usize + 1).into_iter().for_each(|count| *count += 1);
        }
        (0..list.len()).for_each(|i| start[i + 1] += start[i]);
        let find = |a: u32, b: u32| {
            let (low, high) = (a.min(b), a.max(b));
            let known = carried.get(start[low as usize] as usize..start[low as usize + 1] as usize);
            known.into_iter().flatten().find(|&&([_, other], _)| other == high).map(|&(_, memory)| memory)
        };
        let output = (PerBlock(&mut self.committed), PerBlock(&mut self.pending), PerBlock(&mut self.homes));
        all_blocks(list.len(), output, &|first, _, (committed, pending, homes)| {
            let ([committed], [pending], [homes]) = (committed.0, pending.0, homes.0) else { return true };
            let block = &rows[first / BLOCK];
            pending.clear(block.len());
            pending.slots.shrink_to_fit();
            pending.finish();
            committed.clear(block.len());
            for_homes(block, first, |entry, [this, other]| {
                if let Some(memory) = find(list.order()[this], list.order()[other]) {
                    committed.reserve(1 + usize::from(committed.slots.is_empty()) * block.len() / 3);
                    committed.push(entry, memory);
                }
            });
            committed.finish();
            find_homes(rows, first, homes);
            true
        });
    }

    /// What was committed, to read, and what is pending, to write, by block.
    pub(crate) fn slots(&mut self) -> (Memories<'_, M>, &mut [Remembered<M>]) {
        (Memories { committed: &self.committed, homes: &self.homes }, &mut self.pending)
    }

    /// Makes the pending memory the committed one.
    pub(crate) fn commit(&mut self) {
        if !Self::NOTHING && self.list.is_some() {
            std::mem::swap(&mut self.committed, &mut self.pending);
            self.carried = None;
        }
    }

    fn view(&self) -> Memories<'_, M> {
        Memories { committed: &self.committed, homes: &self.homes }
    }

    /// What is committed, by pair.
    fn collected(&self, list: &NeighborList) -> ByPair<M> {
        let mut pairs = Vec::with_capacity(self.committed.iter().map(|block| block.slots.len()).sum());
        for (block, (rows, remembered)) in list.rows().iter().zip(&self.committed).enumerate() {
            for_homes(rows, block * BLOCK, |entry, places| {
                if remembered.touched.get(entry / 64).is_some_and(|word| word >> (entry % 64) & 1 == 1) {
                    let mut pair = places.map(|place| list.order()[place]);
                    pair.sort_unstable();
                    pairs.push((pair, remembered.get(entry)));
                }
            });
        }
        pairs.sort_unstable_by_key(|&(pair, _)| pair);
        pairs
    }
}

/// Shows each entry of a block whose home is its own row, with the places of both bodies.
fn for_homes(rows: &Rows, first: usize, mut show: impl FnMut(usize, [usize; 2])) {
    for k in 0..rows.start.len().saturating_sub(1) {
        for entry in rows.start[k] as usize..rows.start[k + 1] as usize {
            let other = (rows.entries[entry] & INDEX_MASK) as usize;
            if other > first + k {
                show(entry, [first + k, other]);
            }
        }
    }
}

/// Rows from this length on are sorted before they are searched.
const LONG: usize = 48;

/// Finds where the entries of the block at `first` are in the rows of bodies with lower places.
fn find_homes(all: &[Rows], first: usize, homes: &mut Vec<u32>) {
    let rows = &all[first / BLOCK];
    homes.clear();
    homes.reserve_exact(rows.len() / 2);
    let mut sorted = std::collections::BTreeMap::new();
    for k in 0..rows.start.len().saturating_sub(1) {
        for &entry in rows.row(k) {
            let (low, high) = ((entry & INDEX_MASK) as usize, (first + k) as u32);
            if low > first + k {
                continue;
            }
            let home = &all[low / BLOCK];
            let row = home.row(low % BLOCK);
            let found = if row.len() < LONG {
                row.iter().position(|&entry| entry & INDEX_MASK == high)
            } else {
                let row = sorted.entry(low).or_insert_with(|| {
                    let mut places: Vec<(u32, usize)> = row.iter().map(|entry| entry & INDEX_MASK).zip(0..).collect();
                    places.sort_unstable();
                    places
                });
                row.binary_search_by_key(&high, |&(place, _)| place).ok().map(|at| row[at].1)
            };
            // Every entry has its opposite.
            homes.push(home.start[low % BLOCK] + found.unwrap_or(0) as u32);
        }
    }
    homes.shrink_to_fit();
}
