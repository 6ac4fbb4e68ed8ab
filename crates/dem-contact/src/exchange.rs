//! What the bodies of one block get from contacts that are evaluated in another.
//!
//! A contact that is worth evaluating once is evaluated in the block of the lower place. The body at the higher place may be
//! in a later block: what it gets waits for that block, in the order in which it was sent. So sums do not depend on
//! threads. Which blocks a block sends to, and how many contacts that can be at most, is known with the list.

use std::ops::Range;

use crate::NeighborList;
use crate::cells::INDEX_MASK;
use crate::kernel::Output;
use crate::moving::Moving;
use crate::par::{BLOCK, PerBlock, all_blocks};
use crate::search::Rows;

/// Force, the place as a number, and torque; a cache line.
pub(crate) type Parcel = [f64; 8];

/// What all blocks send.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exchange {
    /// By block of the list with the number `list`.
    outboxes: Vec<Outbox>,
    /// By block, in order: who sends to it, and which of its targets it is.
    sources: Vec<Vec<[u32; 2]>>,
    list: Option<u64>,
    /// Storage that is free again: most blocks are done with theirs soon.
    spare: Vec<Storage>,
}

/// What one block sends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outbox {
    /// Blocks that it sends to, in order; where the parcels for each begin, where those of the last can end; how many there
    /// are.
    targets: Vec<u32>,
    start: Vec<u32>,
    count: Vec<u32>,
    /// Targets that the block before has not.
    ahead: Vec<u32>,
    storage: Storage,
}

#[derive(Debug, Clone, Default)]
struct Storage {
    parcels: Vec<Parcel>,
    /// Forces that are not elastic, where they are asked for.
    dissipative: Vec<[f64; 4]>,
}

impl Outbox {
    /// Finds the targets of the block that begins at place `first`.
    fn prepare(&mut self, rows: &Rows, first: usize) {
        let Self { targets, start, count, .. } = self;
        let end = first + BLOCK;
        let mut sent: Vec<u32> = rows.entries[..rows.len()].iter().map(|&entry| entry & INDEX_MASK).collect();
        sent.retain(|&place| place as usize >= end);
        sent.iter_mut().for_each(|place| *place /= BLOCK as u32);
        sent.sort_unstable();
        targets.clear();
        start.clear();
        for (k, &target) in (0..).zip(&sent) {
            if targets.last() != Some(&target) {
                targets.push(target);
                start.push(k);
            }
        }
        start.push(sent.len() as u32);
        *count = vec![0; targets.len()];
    }

    /// Reads what this block is the first to want, from the first place to the last: that is fetched ahead, other than what
    /// is read as contacts want it.
    pub(crate) fn read_ahead(&self, position: &[[f64; 4]], moving: &[Moving]) {
        let mut seen = 0.0;
        for &block in &self.ahead {
            let first = block as usize * BLOCK;
            let last = (first + BLOCK).min(moving.len()).min(position.len());
            seen += position[first..last].iter().step_by(2).map(|row| row[0]).sum::<f64>();
            seen += moving[first..last].iter().map(|row| row.velocity[0]).sum::<f64>();
        }
        std::hint::black_box(seen);
    }

    /// Makes all parcels empty.
    pub(crate) fn clear(&mut self, apart: bool) {
        self.count.fill(0);
        let (most, Storage { parcels, dissipative }) =
            (self.start.last().map_or(0, |&end| end as usize), &mut self.storage);
        if parcels.len() < most {
            parcels.resize(most, [0.0; 8]);
        }
        if apart && dissipative.len() < most {
            dissipative.resize(most, [0.0; 4]);
        }
    }

    /// Sends force, torque and, if there are any, forces apart to a place of a later block.
    #[inline(always)]
    pub(crate) fn send(&mut self, place: u32, force: [f64; 4], torque: [f64; 4], apart: Option<[f64; 4]>) {
        let block = place / BLOCK as u32;
        let target = self.targets.partition_point(|&target| target < block);
        let at = (self.start[target] + self.count[target]) as usize;
        self.count[target] += 1;
        let ([fx, fy, fz, _], [tx, ty, tz, _]) = (force, torque);
        self.storage.parcels[at] = [fx, fy, fz, f64::from(place), tx, ty, tz, 0.0];
        if let Some(apart) = apart {
            self.storage.dissipative[at] = apart;
        }
    }
}

impl Exchange {
    /// Makes ready for `list`.
    pub(crate) fn follow(&mut self, list: &NeighborList) {
        if self.list == Some(list.builds()) && self.outboxes.len() == list.rows().len() {
            return;
        }
        self.list = Some(list.builds());
        let rows = list.rows();
        self.spare.extend(self.outboxes.iter_mut().map(|outbox| std::mem::take(&mut outbox.storage)));
        self.spare.retain(|storage| !storage.parcels.is_empty());
        self.outboxes.resize_with(rows.len(), Outbox::default);
        all_blocks(list.len(), PerBlock(&mut self.outboxes), &|first, _, outbox| {
            outbox.0.iter_mut().for_each(|outbox| outbox.prepare(&rows[first / BLOCK], first));
            true
        });
        for block in 0..self.outboxes.len() {
            let is_new = |target: &u32| block == 0 || self.outboxes[block - 1].targets.binary_search(target).is_err();
            let ahead = self.outboxes[block].targets.iter().copied().filter(is_new).collect();
            self.outboxes[block].ahead = ahead;
        }
        self.sources.iter_mut().for_each(Vec::clear);
        self.sources.resize_with(rows.len(), Vec::new);
        for (source, outbox) in (0..).zip(&self.outboxes) {
            for (k, &target) in (0..).zip(&outbox.targets) {
                self.sources[target as usize].push([source, k]);
            }
        }
    }

    /// Gives up all storage.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
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
    pub(crate) fn deliver(&self, first: usize, Output { force, torque, dissipative }: Output<'_>) {
        let add = |sum: &mut [f64; 4], [x, y, z]: [f64; 3]| {
            sum[0] += x;
            sum[1] += y;
            sum[2] += z;
        };
        for &[source, target] in self.sources.get(first / BLOCK).into_iter().flatten() {
            let (outbox, target) = (&self.outboxes[source as usize], target as usize);
            let begin = outbox.start[target] as usize;
            let range = begin..begin + outbox.count[target] as usize;
            for &[fx, fy, fz, place, tx, ty, tz, _] in &outbox.storage.parcels[range.clone()] {
                let k = place as usize - first;
                add(&mut force[k], [fx, fy, fz]);
                add(&mut torque[k], [tx, ty, tz]);
            }
            if !dissipative.is_empty() {
                let parcels = outbox.storage.parcels[range.clone()].iter();
                for (parcel, &[x, y, z, _]) in parcels.zip(&outbox.storage.dissipative[range]) {
                    add(&mut dissipative[parcel[3] as usize - first], [x, y, z]);
                }
            }
        }
    }

    /// Takes the storage of those that have sent their last to these blocks.
    pub(crate) fn recycle(&mut self, blocks: Range<usize>) {
        for (block, sources) in blocks.clone().zip(self.sources.get(blocks).unwrap_or(&[])) {
            for &[source, _] in sources {
                let outbox = &mut self.outboxes[source as usize];
                if outbox.targets.last() == Some(&(block as u32)) {
                    self.spare.push(std::mem::take(&mut outbox.storage));
                }
            }
        }
    }
}
