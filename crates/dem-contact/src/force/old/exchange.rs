//! What the bodies of one block get from contacts that are evaluated in another.
//!
//! A contact that is worth evaluating once is evaluated in the block of its [home](crate::force::old::homes::Homes). The other body may be
//! in another block: what it gets waits for that block, which takes it in the order of the senders. So sums do not depend on
//! threads. Which blocks a block may send to is known with the list; a body is sent one sum, whatever number of contacts
//! it is made of.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::force::old::pool::Pool;
use crate::force::old::relay::Links;
use crate::neighbor::NeighborList;
use crate::parallel::fork_join::{PerBlock, all_blocks};

/// Force and torque.
pub(crate) type Parcel = [f64; 6];

/// What all blocks send.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    /// By block of the list with the number `list`.
    outboxes: Vec<Outbox>,
    /// By block, in order: who may send to it.
    sources: Vec<Vec<u32>>,
    list: Option<u64>,
    /// To how many bodies a block may send at most; 0 where most blocks send to far fewer.
    widest: usize,
    /// Storage that is free again: most blocks are done with theirs soon.
    spare: Pool<Storage>,
}

/// What one block sends.
#[derive(Debug, Default)]
struct Outbox {
    /// Blocks that it may send to, in order.
    targets: Vec<u32>,
    sent: Mutex<Sent>,
}

#[derive(Debug, Default)]
struct Sent {
    storage: Storage,
    /// Where it is given back to, when so many blocks more have got it.
    seat: usize,
    left: usize,
}

impl Outbox {
    /// Shows what was sent to one of the targets; it is given back when all of them have seen it. Who is shown it may wait for columns,
    /// since nobody who has them asks for what was sent.
    fn read(&self, spare: &Pool<Storage>, show: impl FnOnce(&Storage)) {
        let mut sent = self.sent();
        show(&sent.storage);
        sent.left = sent.left.saturating_sub(1);
        if sent.left == 0 {
            spare.give(sent.seat, std::mem::take(&mut sent.storage));
        }
    }

    fn sent(&self) -> MutexGuard<'_, Sent> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sums by place beyond the block, in the order of [`HalfRows::beyond`].
#[derive(Debug, Default)]
pub(crate) struct Storage {
    pub(crate) parcels: Vec<Parcel>,
    /// Forces that are not elastic, where they are asked for.
    pub(crate) dissipative: Vec<[f64; 4]>,
}

/// What some places get.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parcels<'a> {
    pub(crate) wrenches: &'a [Parcel],
    /// Forces that are not elastic, where they are asked for.
    pub(crate) dissipative: &'a [[f64; 4]],
}

impl Links for Exchange {
    fn sources(&self, block: usize) -> &[u32] {
        self.sources.get(block).map_or(&[], Vec::as_slice)
    }

    /// In order.
    fn targets(&self, block: usize) -> &[u32] {
        self.outboxes.get(block).map_or(&[], |outbox| &outbox.targets)
    }
}

impl Exchange {
    /// Makes ready for `list`.
    pub(crate) fn follow(&mut self, list: &NeighborList) {
        let cut = list.blocks();
        if self.list == Some(list.builds()) && self.outboxes.len() == cut.count() {
            return;
        }
        self.list = Some(list.builds());
        let pairs = list.half_rows();
        let widths = pairs.iter().map(|pairs| pairs.beyond.len());
        let (widest, all) = (widths.clone().max().unwrap_or(0), widths.sum::<usize>());
        self.widest = if widest * pairs.len() <= 4 * all { widest } else { 0 };
        self.outboxes.resize_with(cut.count(), Outbox::default);
        all_blocks(list.len(), PerBlock(&mut self.outboxes), &|first, _, outbox| {
            outbox.0.iter_mut().for_each(|outbox| outbox.targets = pairs[cut.at(first)].blocks_beyond(cut));
            true
        });
        self.sources.iter_mut().for_each(Vec::clear);
        self.sources.resize_with(cut.count(), Vec::new);
        for (source, outbox) in (0..).zip(&self.outboxes) {
            for &target in &outbox.targets {
                self.sources[target as usize].push(source);
            }
        }
    }

    /// Makes ready for so many [seats](crate::parallel::fork_join::crew).
    pub(crate) fn open(&mut self, seats: usize) {
        self.spare.open(seats);
    }

    /// For how many bodies beyond a block there is to be room from the beginning.
    pub(crate) fn widest(&self) -> usize {
        self.widest
    }

    /// Gives up all storage.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Has `write` write what a block sends to others, on a [seat](crate::parallel::fork_join::crew).
    pub(crate) fn send(&self, seat: usize, block: usize, write: impl FnOnce(&mut Storage)) {
        let mut storage = self.spare.take(seat);
        // All of one size, so that there are no gaps where one was.
        storage.parcels.clear();
        storage.parcels.reserve_exact(self.widest);
        write(&mut storage);
        match self.outboxes.get(block) {
            Some(outbox) if !outbox.targets.is_empty() => {
                *outbox.sent() = Sent { storage, seat, left: outbox.targets.len() };
            }
            _ => self.spare.give(seat, storage),
        }
    }

    /// Shows what was sent to a block, places and what they get, source by source in their order; once in each evaluation, when all of
    /// them have sent.
    pub(crate) fn deliver(&self, list: &NeighborList, block: usize, show: &impl Fn(&[u32], Parcels<'_>)) {
        let (pairs, own) = (list.half_rows(), list.blocks().range(block));
        for &source in self.sources.get(block).into_iter().flatten() {
            let (outbox, beyond) = (&self.outboxes[source as usize], &pairs[source as usize].beyond);
            let begin = beyond.partition_point(|&place| (place as usize) < own.start);
            let end = begin + beyond[begin..].partition_point(|&place| (place as usize) < own.end);
            outbox.read(&self.spare, |Storage { parcels, dissipative }| {
                let dissipative = dissipative.get(begin..end).unwrap_or_default();
                show(&beyond[begin..end], Parcels { wrenches: &parcels[begin..end], dissipative });
            });
        }
    }
}
