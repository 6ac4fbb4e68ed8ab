//! Boxes in groups, so that many are compared at the same time.

use crate::neighbor::tiles::bounds::{Bounds, Reach, largest_of};
use crate::neighbor::tiles::marks::WORD;

/// Boxes that are compared together.
const LANES: usize = 8;

/// The bit of each lane in the word of the first group.
const FIRST_BITS: [u64; LANES] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Some boxes.
#[derive(Debug, Clone, Copy)]
struct BoxGroup {
    low: [[f64; LANES]; 3],
    high: [[f64; LANES]; 3],
    largest: [f64; LANES],
}

/// Boxes.
#[derive(Debug, Clone, Default)]
pub(crate) struct BoxGroups {
    groups: Vec<BoxGroup>,
    len: usize,
}

impl BoxGroups {
    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        self.len = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, bounds: &Bounds) {
        let lane = self.len % LANES;
        if lane == 0 {
            // An empty box is near to nothing.
            let Bounds { low, high, largest } = Bounds::EMPTY;
            let [low, high] = [low, high].map(|corner| corner.map(|x| [x; LANES]));
            self.groups.push(BoxGroup { low, high, largest: [largest; LANES] });
        }
        let group = &mut self.groups[self.len / LANES];
        for c in 0..3 {
            group.low[c][lane] = bounds.low[c];
            group.high[c][lane] = bounds.high[c];
        }
        group.largest[lane] = bounds.largest;
        self.len += 1;
    }

    /// Clears `near`, and makes room for a bit for each box.
    pub(crate) fn unmark(&self, near: &mut Vec<u32>) {
        near.clear();
        near.resize(self.len.div_ceil(WORD), 0);
    }

    /// Sets the bit of each box that may have spheres near some of those in `bounds`.
    #[inline(always)]
    pub(crate) fn mark(&self, bounds: &Bounds, reach: &Reach, near: &mut [u32]) {
        for (near, groups) in near.iter_mut().zip(self.groups.chunks(WORD / LANES)) {
            let (mut word, mut bits) = ([0; LANES], FIRST_BITS);
            for BoxGroup { low, high, largest } in groups {
                for lane in 0..LANES {
                    let distance = |c: usize| largest_of(low[c][lane] - bounds.high[c], bounds.low[c] - high[c][lane]);
                    let [x, y, z] = [distance(0), distance(1), distance(2)];
                    let reach = reach.between(bounds.largest, largest[lane]);
                    word[lane] |= if x * x + y * y + z * z < reach * reach { bits[lane] } else { 0 };
                    bits[lane] <<= LANES;
                }
            }
            *near |= word.into_iter().fold(0, |all, word| all | word) as u32;
        }
    }
}
