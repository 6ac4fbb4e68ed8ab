//! What the bodies of one block get from contacts that are evaluated in another.
//!
//! A contact that is worth evaluating once is evaluated in the block of the lower place. The body at the higher place may be
//! in a later block: what it gets waits for that block, in the order in which it was sent. So sums do not depend on
//! threads. Which blocks a block may send to is known with the list; a body is sent one sum, whatever number of contacts
//! it is made of.

use std::ops::Range;

use crate::NeighborList;
use crate::half_rows::HalfRows;
use crate::kernel::Output;
use crate::par::{BLOCK, PerBlock, all_blocks};

/// Force and torque.
pub(crate) type Parcel = [f64; 6];

/// What all blocks send.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exchange {
    /// By block of the list with the number `list`.
    outboxes: Vec<Outbox>,
    /// By block, in order: who may send to it.
    sources: Vec<Vec<u32>>,
    list: Option<u64>,
    /// Storage that is free again: most blocks are done with theirs soon.
    spare: Vec<Storage>,
}

/// What one block sends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outbox {
    /// Blocks that it may send to, in order.
    targets: Vec<u32>,
    /// Targets that the block before has not.
    ahead: Vec<u32>,
    pub(crate) storage: Storage,
}

/// Sums by place beyond the block, in the order of [`HalfRows::beyond`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Storage {
    pub(crate) parcels: Vec<Parcel>,
    /// Forces that are not elastic, where they are asked for.
    pub(crate) dissipative: Vec<[f64; 4]>,
}

impl Outbox {
    /// Reads centres that this block is the first to want, from the first place to the last: that is fetched ahead, other
    /// than what is read as contacts want it.
    pub(crate) fn read_ahead(&self, position: &[[f64; 4]]) {
        let mut seen = 0.0;
        for &block in &self.ahead {
            let first = block as usize * BLOCK;
            let last = (first + BLOCK).min(position.len());
            seen += position[first..last].iter().step_by(2).map(|row| row[0]).sum::<f64>();
        }
        std::hint::black_box(seen);
    }
}

impl Exchange {
    /// Makes ready for `list`.
    pub(crate) fn follow(&mut self, list: &NeighborList) {
        if self.list == Some(list.builds()) && self.outboxes.len() == list.blocks() {
            return;
        }
        self.list = Some(list.builds());
        let pairs = list.halves();
        self.spare.extend(self.outboxes.iter_mut().map(|outbox| std::mem::take(&mut outbox.storage)));
        self.spare.retain(|storage| !storage.parcels.is_empty());
        self.outboxes.resize_with(list.blocks(), Outbox::default);
        all_blocks(list.len(), PerBlock(&mut self.outboxes), &|first, _, outbox| {
            outbox.0.iter_mut().for_each(|outbox| outbox.targets = pairs[first / BLOCK].blocks_beyond());
            true
        });
        for block in 0..self.outboxes.len() {
            let is_new = |target: &u32| block == 0 || self.outboxes[block - 1].targets.binary_search(target).is_err();
            let ahead = self.outboxes[block].targets.iter().copied().filter(is_new).collect();
            self.outboxes[block].ahead = ahead;
        }
        self.sources.iter_mut().for_each(Vec::clear);
        self.sources.resize_with(list.blocks(), Vec::new);
        for (source, outbox) in (0..).zip(&self.outboxes) {
            for &target in &outbox.targets {
                self.sources[target as usize].push(source);
            }
        }
    }

    /// Gives up all storage.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The later blocks that one may send to, in order.
    pub(crate) fn targets(&self, block: usize) -> &[u32] {
        self.outboxes.get(block).map_or(&[], |outbox| &outbox.targets)
    }

    /// These blocks, and those that they may send to.
    pub(crate) fn within_reach(&self, blocks: Range<usize>) -> impl Iterator<Item = u32> + '_ {
        let own = blocks.start as u32..blocks.end as u32;
        own.chain(self.outboxes[blocks].iter().flat_map(|outbox| outbox.targets.iter().copied()))
    }

    /// The outboxes of these blocks, with storage.
    pub(crate) fn outboxes(&mut self, blocks: Range<usize>) -> &mut [Outbox] {
        let outboxes = &mut self.outboxes[blocks];
        for outbox in outboxes.iter_mut().filter(|outbox| !outbox.targets.is_empty()) {
            if outbox.storage.parcels.is_empty() {
                outbox.storage = self.spare.pop().unwrap_or_default();
            }
        }
        outboxes
    }

    /// Adds what was sent to the block that begins at place `first` to its sums.
    pub(crate) fn deliver(&self, pairs: &[HalfRows], first: usize, output: Output<'_>) {
        let Output { force, torque, dissipative } = output;
        let add = |sum: &mut [f64; 4], x: f64, y: f64, z: f64| {
            sum[0] += x;
            sum[1] += y;
            sum[2] += z;
        };
        for &source in self.sources.get(first / BLOCK).into_iter().flatten() {
            let (storage, beyond) = (&self.outboxes[source as usize].storage, &pairs[source as usize].beyond);
            let begin = beyond.partition_point(|&place| (place as usize) < first);
            let end = begin + beyond[begin..].partition_point(|&place| (place as usize) < first + BLOCK);
            let places = &beyond[begin..end];
            for (&place, &[fx, fy, fz, tx, ty, tz]) in places.iter().zip(&storage.parcels[begin..end]) {
                let k = place as usize - first;
                add(&mut force[k], fx, fy, fz);
                add(&mut torque[k], tx, ty, tz);
            }
            if !dissipative.is_empty() {
                for (&place, &[x, y, z, _]) in places.iter().zip(&storage.dissipative[begin..end]) {
                    add(&mut dissipative[place as usize - first], x, y, z);
                }
            }
        }
    }

    /// Takes the storage of those that have sent their last to these blocks.
    pub(crate) fn recycle(&mut self, blocks: Range<usize>) {
        for (block, sources) in blocks.clone().zip(self.sources.get(blocks).unwrap_or(&[])) {
            for &source in sources {
                let outbox = &mut self.outboxes[source as usize];
                if outbox.targets.last() == Some(&(block as u32)) {
                    self.spare.push(std::mem::take(&mut outbox.storage));
                }
            }
        }
    }
}
