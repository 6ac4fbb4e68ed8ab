//! What contacts remember: committed and pending, entry by entry of the list, and carried from list to list.

use crate::NeighborList;
use crate::cells::INDEX_MASK;
use crate::par::BLOCK;

/// Memory by `[a, b]`: both directions of each pair, sorted.
pub(crate) type ByPair<M> = Vec<([u32; 2], M)>;

/// The memory of all directed contacts.
#[derive(Debug, Clone)]
pub(crate) struct PairMemory<M> {
    /// By block and entry of the list with the number `list`.
    committed: Vec<Vec<M>>,
    pending: Vec<Vec<M>>,
    list: Option<u64>,
    /// The committed memory, while it was committed with another list than this one.
    carried: Option<ByPair<M>>,
}

impl<M: Copy + Default> PairMemory<M> {
    /// Laws without memory need no storage.
    const NOTHING: bool = size_of::<M>() == 0;

    /// Memory as [`by_pair`](Self::by_pair) gave it.
    pub(crate) fn new(mut carried: ByPair<M>) -> Self {
        carried.sort_by_key(|&(pair, _)| pair);
        Self { committed: Vec::new(), pending: Vec::new(), list: None, carried: Some(carried) }
    }

    /// The committed memory; `list` is the one that was followed last.
    pub(crate) fn by_pair(&self, list: &NeighborList) -> ByPair<M> {
        match &self.carried {
            Some(carried) => carried.clone(),
            None if Self::NOTHING => Vec::new(),
            None => {
                let mut pairs = Vec::new();
                self.each_entry(list, |block, entry, pair| pairs.push((pair, self.committed[block][entry])));
                pairs.sort_unstable_by_key(|&(pair, _)| pair);
                pairs
            }
        }
    }

    /// What is committed of one directed pair.
    pub(crate) fn of_pair(&self, list: &NeighborList, pair: [u32; 2]) -> M {
        if Self::NOTHING {
            return M::default();
        }
        if let Some(carried) = &self.carried {
            let found = carried.binary_search_by_key(&pair, |&(pair, _)| pair);
            return found.map_or_else(|_| M::default(), |at| carried[at].1);
        }
        let place = list.rank()[pair[0] as usize] as usize;
        let rows = &list.rows()[place / BLOCK];
        let first = rows.start[place % BLOCK] as usize;
        let found = list.neighbors(pair[0] as usize).position(|b| b == pair[1] as usize);
        found.map_or_else(M::default, |k| self.committed[place / BLOCK][first + k])
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
        for memory in [&mut self.committed, &mut self.pending] {
            memory.resize_with(list.rows().len(), Vec::new);
            for (slots, rows) in memory.iter_mut().zip(list.rows()) {
                slots.clear();
                slots.resize(rows.entries.len(), M::default());
            }
        }
        let Some(carried) = self.carried.as_ref().filter(|carried| !carried.is_empty()) else { return };
        let mut committed = std::mem::take(&mut self.committed);
        self.each_entry(list, |block, entry, pair| {
            if let Ok(at) = carried.binary_search_by_key(&pair, |&(pair, _)| pair) {
                committed[block][entry] = carried[at].1;
            }
        });
        self.committed = committed;
    }

    /// What was committed, to read, and what is pending, to write, by block and entry.
    pub(crate) fn slots(&mut self) -> (&[Vec<M>], &mut [Vec<M>]) {
        (&self.committed, &mut self.pending)
    }

    /// Makes the pending memory the committed one.
    pub(crate) fn commit(&mut self) {
        if !Self::NOTHING && self.list.is_some() {
            std::mem::swap(&mut self.committed, &mut self.pending);
            self.carried = None;
        }
    }

    /// Shows block, entry and bodies of each entry of `list`.
    fn each_entry(&self, list: &NeighborList, mut show: impl FnMut(usize, usize, [u32; 2])) {
        for (block, rows) in list.rows().iter().enumerate() {
            for k in 0..rows.start.len().saturating_sub(1) {
                let a = list.order()[block * BLOCK + k];
                for entry in rows.start[k] as usize..rows.start[k + 1] as usize {
                    show(block, entry, [a, list.order()[(rows.entries[entry] & INDEX_MASK) as usize]]);
                }
            }
        }
    }
}
