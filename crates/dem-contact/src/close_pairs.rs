//! The pairs of one block that touch or may soon do so.
//!
//! A list holds for many steps, and a third of its pairs do not touch. Those that are close are looked for once in some
//! steps: at the pace that bodies move, no other can touch before the next time. What is computed does not depend on when that
//! is, since pairs that do not touch add nothing and the order is that of the list.

use crate::NeighborList;
use crate::cells::{INDEX_BITS, INDEX_MASK};
use crate::par::BLOCK;

/// Pairs of a block, each in the row of the lower place, its home, in the order of the list.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClosePairs {
    /// Place of a in the block, and the list's entry for b.
    pub(crate) this: Vec<u16>,
    pub(crate) entry: Vec<u32>,
    /// Where what b gets is summed: its place in the block, or [`BLOCK`] and its number among those beyond.
    pub(crate) to: Vec<u32>,
    /// Places in later blocks that pairs are with, in order.
    pub(crate) beyond: Vec<u32>,
}

impl ClosePairs {
    pub(crate) fn len(&self) -> usize {
        self.this.len()
    }

    /// The pair of these places, the lower one counted from the beginning of the block.
    pub(crate) fn find(&self, k: usize, other: usize) -> Option<usize> {
        let begin = self.this.partition_point(|&this| usize::from(this) < k);
        let row = self.this[begin..].iter().take_while(|&&this| usize::from(this) == k);
        let at = row.zip(&self.entry[begin..]).position(|(_, &entry)| (entry & INDEX_MASK) as usize == other)?;
        Some(begin + at)
    }

    /// Both places of a pair of the block that begins at place `first`.
    pub(crate) fn places(&self, first: usize, pair: usize) -> [usize; 2] {
        [first + usize::from(self.this[pair]), (self.entry[pair] & INDEX_MASK) as usize]
    }

    /// Takes the pairs of the block that begins at place `first` whose gap is at most `gap` (m), and those that `keep`, which
    /// is shown all and told whether they are that close, wants besides.
    pub(crate) fn remake(
        &mut self,
        list: &NeighborList,
        (first, gap): (usize, f64),
        mut keep: impl FnMut(usize, u32, bool) -> bool,
    ) {
        let (packed, shifts) = (list.packed(), list.shifts());
        let rows = &list.rows()[first / BLOCK];
        let (mut this, mut entries) = (Vec::with_capacity(rows.len() / 2), Vec::with_capacity(rows.len() / 2));
        for k in 0..rows.start.len().saturating_sub(1) {
            let [x, y, z, radius] = packed[first + k];
            let reach = radius + gap;
            for &entry in rows.row(k) {
                let other = (entry & INDEX_MASK) as usize;
                if other <= first + k {
                    continue;
                }
                let (b, shift) = (packed[other], shifts[(entry >> INDEX_BITS) as usize]);
                let [dx, dy, dz] = [(b[0] - x) + shift[0], (b[1] - y) + shift[1], (b[2] - z) + shift[2]];
                let sum = reach + b[3];
                // Rounding must not lose a contact; one too many does no harm.
                let is_close = dx * dx + dy * dy + dz * dz <= sum * sum * (1.0 + 1e-15);
                if keep(k, entry, is_close) {
                    this.push(k as u16);
                    entries.push(entry);
                }
            }
        }
        refill(&mut self.this, &this);
        refill(&mut self.entry, &entries);
        self.address(first);
    }

    /// Says where what each b gets is summed.
    fn address(&mut self, first: usize) {
        let end = first + BLOCK;
        let mut to: Vec<u32> = Vec::with_capacity(self.len());
        let mut sent = Vec::with_capacity(self.len());
        for (pair, &entry) in (0_u64..).zip(&self.entry) {
            let other = (entry & INDEX_MASK) as usize;
            if other >= end {
                sent.push((other as u64) << 32 | pair);
            }
            to.push(other.wrapping_sub(first) as u32);
        }
        sent.sort_unstable();
        let mut beyond: Vec<u32> = Vec::new();
        for key in sent {
            let (place, pair) = ((key >> 32) as u32, key as u32);
            if beyond.last() != Some(&place) {
                beyond.push(place);
            }
            to[pair as usize] = (BLOCK + beyond.len() - 1) as u32;
        }
        refill(&mut self.to, &to);
        refill(&mut self.beyond, &beyond);
    }
}

/// `found` in the place of what `column` had, with hardly more room than that takes.
fn refill<T: Copy>(column: &mut Vec<T>, found: &[T]) {
    column.clear();
    if column.capacity() > found.len() + found.len() / 16 {
        *column = Vec::new();
    }
    column.reserve_exact(found.len());
    column.extend_from_slice(found);
}
