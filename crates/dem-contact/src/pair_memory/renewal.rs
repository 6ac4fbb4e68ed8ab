//! Other close pairs in the course of a list, and what they remember.

use std::sync::{Mutex, PoisonError};

use super::PairMemory;
use crate::close_pairs::{self, WORD, count, each_bit, lowest};
use crate::par::{BLOCK, PerBlock, all_blocks};
use crate::slots::Slots;
use crate::{ContactMemory, NeighborList};

impl<M: ContactMemory> PairMemory<M> {
    /// Looks for the close pairs of those blocks that are due.
    pub(super) fn renew(&mut self, list: &NeighborList) {
        let (watch, cramped) = (&self.watch, Mutex::new(Vec::new()));
        let output = (PerBlock(&mut self.close), (PerBlock(&mut self.committed), PerBlock(&mut self.pending)));
        all_blocks(list.len(), output, &|first, _, (close, (committed, pending))| {
            let ([close], [committed], [pending]) = (close.0, committed.0, pending.0) else { return true };
            let Some(gap) = watch.due(first / BLOCK) else { return true };
            if !Self::renew_block(list, (first, gap), close, (committed, pending), false) {
                cramped.lock().unwrap_or_else(PoisonError::into_inner).push((first, gap));
            }
            true
        });
        // They get more room by the thread that calls: see `reserve`.
        for (first, gap) in cramped.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let block = first / BLOCK;
            let slots = (&mut self.committed[block], &mut self.pending[block]);
            Self::renew_block(list, (first, gap), &mut self.close[block], slots, true);
        }
        self.clear_pending(list);
    }

    /// Looks for the close pairs of the block that begins at place `first`; false if there is no room for them, and it may not
    /// grow. What was pending is lost.
    fn renew_block(
        list: &NeighborList,
        (first, gap): (usize, f64),
        close: &mut Vec<u64>,
        (committed, pending): (&mut Slots<M>, &mut Slots<M>),
        may_grow: bool,
    ) -> bool {
        let mut renewed = Vec::new();
        close_pairs::mark(list, (first, gap), &mut renewed);
        // Those that are remembered keep their slots, wherever their bodies are now.
        let mut slot = 0;
        each_bit(close, |pair| {
            if committed.get(slot).is_some() {
                renewed[pair / WORD] |= 1 << (pair % WORD);
            }
            slot += 1;
        });
        if renewed == *close {
            return true;
        }
        if !may_grow && !pending.has_room(count(&renewed)) {
            return false;
        }
        std::mem::swap(committed, pending);
        committed.clear(count(&renewed));
        let (mut slot, mut word, mut before) = (0, 0, 0);
        each_bit(close, |pair| {
            if let Some(memory) = pending.get(slot) {
                while word < pair / WORD {
                    before += renewed[word].count_ones();
                    word += 1;
                }
                let at = before + (renewed[word] & lowest(pair % WORD)).count_ones();
                committed.set(at as usize, memory);
            }
            slot += 1;
        });
        *close = renewed;
        true
    }
}
