//! What contacts remember: committed and pending, and carried from list to list.
//!
//! A pair is remembered once, in the row of the body with the lower place, its home, and only while it touches. Rows are
//! long and contacts few: which entries of a block are remembered is a bit each.

use crate::NeighborList;
use crate::cells::INDEX_MASK;
use crate::par::{BLOCK, PerBlock, all_blocks};
use crate::search::Rows;

/// Contacts that a block may win before it needs new room.
const SPARE: usize = 16;

/// Memory by `[a, b]` with a < b, sorted.
pub(crate) type ByPair<M> = Vec<([u32; 2], M)>;

/// The memory of all contacts.
#[derive(Debug, Clone)]
pub(crate) struct PairMemory<M> {
    /// By block of the list with the number `list`, if there is one.
    committed: Vec<Remembered<M>>,
    pending: Vec<Remembered<M>>,
    list: Option<u64>,
    /// What is committed of pairs that this list has not, because the state that it is for may yet be given up; all of it
    /// while there is no list.
    carried: ByPair<M>,
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

    /// Room for more, hardly more than that.
    pub(crate) fn reserve(&mut self, more: usize) {
        if self.slots.capacity() < self.slots.len() + more {
            self.slots.reserve_exact(more + SPARE);
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

impl<'a, M: Copy + Default> Memories<'a, M> {
    /// What is committed in a block.
    pub(crate) fn block(&self, block: usize) -> Option<&'a Remembered<M>> {
        self.committed.get(block)
    }

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
        Self { committed: Vec::new(), pending: Vec::new(), list: None, carried }
    }

    /// The committed memory; `list` is the one that was followed last.
    pub(crate) fn by_pair(&self, list: &NeighborList) -> ByPair<M> {
        if Self::NOTHING || self.list.is_none() {
            return self.carried.clone();
        }
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
        pairs.extend_from_slice(&self.carried);
        pairs.sort_unstable_by_key(|&(pair, _)| pair);
        pairs
    }

    /// What is committed of one pair of bodies.
    pub(crate) fn of_pair(&self, list: &NeighborList, mut pair: [u32; 2]) -> M {
        if Self::NOTHING {
            return M::default();
        }
        pair.sort_unstable();
        if let Ok(at) = self.carried.binary_search_by_key(&pair, |&(pair, _)| pair) {
            return self.carried[at].1;
        }
        let place = |body: u32| list.rank().get(body as usize).map(|&place| place as usize);
        match pair.map(place) {
            [Some(a), Some(b)] if self.list.is_some() => self.view().of_places(list.rows(), [a, b]),
            _ => M::default(),
        }
    }

    /// Saves what is committed from a list that is about to be replaced, and gives up all other storage.
    pub(crate) fn carry(&mut self, list: &NeighborList) {
        if self.list.is_some() {
            self.pending = Vec::new();
            self.carried = self.by_pair(list);
            self.committed = Vec::new();
            self.list = None;
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
        if Self::NOTHING {
            return;
        }
        let carried = std::mem::take(&mut self.carried);
        // Where what is remembered of each body begins.
        let mut start = vec![0_u32; list.len() + 1];
        for &([a, _], _) in &carried {
            start.get_mut(a as usize + 1).into_iter().for_each(|count| *count += 1);
        }
        (0..list.len()).for_each(|i| start[i + 1] += start[i]);
        let find = |a: u32, b: u32| {
            let (low, high) = (a.min(b), a.max(b));
            let known = carried.get(start[low as usize] as usize..start[low as usize + 1] as usize);
            known.into_iter().flatten().find(|&&([_, other], _)| other == high).map(|&(_, memory)| memory)
        };
        all_blocks(list.len(), PerBlock(&mut self.committed), &|first, _, committed| {
            let [committed] = committed.0 else { return true };
            let block = &rows[first / BLOCK];
            committed.clear(block.len());
            for_homes(block, first, |entry, [this, other]| {
                if let Some(memory) = find(list.order()[this], list.order()[other]) {
                    committed.push(entry, memory);
                }
            });
            committed.finish();
            committed.slots.shrink_to_fit();
            true
        });
        let found: usize = self.committed.iter().map(|block| block.slots.len()).sum();
        if found < carried.len() {
            // Pairs that are not listed stay behind.
            let listed = |body: u32| list.rank().get(body as usize).map(|&place| place as usize);
            let is_listed = |&[a, b]: &[u32; 2]| match [listed(a), listed(b)] {
                [Some(a), Some(b)] => {
                    let row = rows[a / BLOCK].row(a % BLOCK);
                    row.iter().any(|&entry| (entry & INDEX_MASK) as usize == b)
                }
                _ => false,
            };
            self.carried = carried.into_iter().filter(|(pair, _)| !is_listed(pair)).collect();
        }
    }

    /// What was committed, to read, and what is pending, to write, by block.
    pub(crate) fn slots(&mut self) -> (Memories<'_, M>, &mut [Remembered<M>]) {
        (Memories { committed: &self.committed }, &mut self.pending)
    }

    /// Makes the pending memory the committed one.
    pub(crate) fn commit(&mut self) {
        if !Self::NOTHING && self.list.is_some() {
            std::mem::swap(&mut self.committed, &mut self.pending);
            self.carried = Vec::new();
        }
    }

    fn view(&self) -> Memories<'_, M> {
        Memories { committed: &self.committed }
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
