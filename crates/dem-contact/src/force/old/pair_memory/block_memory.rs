//! What one block remembers, in the hands of whoever evaluates it.

use pulp::Arch;

use crate::force::old::close_pairs::{self, count, each_bit, lowest};
use crate::force::old::close_watch::Watched;
use crate::force::old::slots::Slots;
use crate::neighbor::NeighborList;

/// The close pairs of one block, what is committed of them, and what is pending.
#[derive(Debug)]
pub(crate) struct BlockMemory<'a, M> {
    /// A bit for each pair that is close.
    pub(crate) close: &'a mut Vec<u64>,
    pub(crate) committed: &'a mut Slots<M>,
    pub(crate) pending: &'a mut Slots<M>,
    pub(super) watched: &'a mut Watched,
}

impl<M: Copy + Default> BlockMemory<'_, M> {
    /// Looks for the close pairs of the block, which begins at place `first`, if that is due. What is pending is anything then.
    pub(crate) fn renew(&mut self, list: &NeighborList, first: usize) {
        if let Some(gap) = self.watched.due() {
            let mut renewed = Vec::new();
            close_pairs::mark(list, (first, gap), &mut renewed);
            Arch::new().dispatch(
                #[inline(always)]
                || {
                    self.keep_remembered(&mut renewed);
                    if renewed != *self.close {
                        self.move_to(&renewed);
                    }
                },
            );
            self.watched.settle();
        }
    }

    /// Those that are remembered keep their slots, wherever their bodies are now.
    #[inline(always)]
    fn keep_remembered(&self, renewed: &mut [u64]) {
        let mut before = 0;
        for (&close, renewed) in self.close.iter().zip(renewed) {
            each_bit(&[close & !*renewed], |bit| {
                let slot = before + (close & lowest(bit)).count_ones() as usize;
                if self.committed.get(slot).is_some() {
                    *renewed |= 1 << bit;
                }
            });
            before += close.count_ones() as usize;
        }
    }

    /// Has what is committed in the slots of other close pairs, all that are remembered among them.
    #[inline(always)]
    fn move_to(&mut self, renewed: &[u64]) {
        std::mem::swap(self.committed, self.pending);
        let slots = count(renewed);
        self.committed.clear(slots);
        let (mut from, mut to) = (0, 0);
        for (&close, &renewed) in self.close.iter().zip(renewed) {
            each_bit(&[close & renewed], |bit| {
                let before = |pairs: u64| (pairs & lowest(bit)).count_ones() as usize;
                if let Some(memory) = self.pending.get(from + before(close)) {
                    self.committed.set(to + before(renewed), memory);
                }
            });
            from += close.count_ones() as usize;
            to += renewed.count_ones() as usize;
        }
        self.pending.clear(slots);
        // Into the room that there is: blocks may change threads.
        self.close.clear();
        self.close.extend_from_slice(renewed);
    }
}
