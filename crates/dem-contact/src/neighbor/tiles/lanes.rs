//! Boxes and spheres in groups, so that many are compared at the same time.

use crate::neighbor::tiles::bounds::{Bounds, Reach, largest_of};
use crate::neighbor::tiles::candidates::Candidate;

/// Items that are compared together.
const LANES: usize = 8;

/// Groups whose results are in one word.
const GROUPS: usize = u64::BITS as usize / LANES;

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
#[derive(Debug, Default)]
pub(crate) struct BoxLanes {
    groups: Vec<BoxGroup>,
    len: usize,
}

impl BoxLanes {
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

    /// Writes a bit for each box that may have spheres near some of those in `bounds`.
    #[inline(always)]
    pub(crate) fn mark(&self, bounds: &Bounds, reach: &Reach, near: &mut Vec<u64>) {
        near.clear();
        for groups in self.groups.chunks(GROUPS) {
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
            near.push(word.into_iter().fold(0, |all, word| all | word));
        }
    }
}

/// Some candidates.
#[derive(Debug, Clone, Copy)]
struct SphereGroup {
    centre: [[f64; LANES]; 3],
    shift: [[f64; LANES]; 3],
    /// NaN for what is near to nothing.
    radius: [f64; LANES],
    /// The index of each candidate.
    index: [u32; LANES],
}

/// Candidates for the spheres of one strip.
#[derive(Debug, Default)]
pub(crate) struct SphereLanes {
    /// Those beyond the end mean nothing.
    groups: Vec<SphereGroup>,
    len: usize,
}

impl SphereLanes {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Appends candidates, the first of which has this index.
    #[inline(always)]
    pub(crate) fn append(&mut self, first: usize, candidates: &[Candidate]) {
        let room = (self.len + candidates.len()) / LANES + 1;
        if self.groups.len() < room {
            let (zero, nan) = ([[0.0; LANES]; 3], [f64::NAN; LANES]);
            let none = SphereGroup { centre: zero, shift: zero, radius: nan, index: [0; LANES] };
            self.groups.resize(2 * room, none);
        }
        for (index, candidate) in (first as u32..).zip(candidates) {
            let (group, lane) = (&mut self.groups[self.len / LANES], self.len % LANES);
            for c in 0..3 {
                group.centre[c][lane] = candidate.sphere[c];
                group.shift[c][lane] = candidate.shift[c];
            }
            group.radius[lane] = candidate.sphere[3];
            group.index[lane] = index;
            self.len += 1;
        }
    }

    /// Fills up the last group; call it after the last candidate.
    #[inline(always)]
    pub(crate) fn close(&mut self) {
        if let Some(group) = self.groups.get_mut(self.len / LANES) {
            group.radius[self.len % LANES..].fill(f64::NAN);
        }
    }

    /// The index of the candidate in position `at`.
    #[inline(always)]
    pub(crate) fn index(&self, at: usize) -> u32 {
        self.groups[at / LANES].index[at % LANES]
    }

    /// Makes sure that the candidate in position `at` is near to nothing.
    #[inline(always)]
    pub(crate) fn leave_out(&mut self, at: usize) {
        self.groups[at / LANES].radius[at % LANES] = f64::NAN;
    }

    /// Writes a bit for each candidate whose gap from a sphere, its centre and radius in m, is below the skin (m).
    #[inline(always)]
    pub(crate) fn mark(&self, [x, y, z, radius]: [f64; 4], skin: f64, near: &mut Vec<u64>) {
        near.clear();
        for groups in self.groups[..self.len.div_ceil(LANES)].chunks(GROUPS) {
            let (mut word, mut bits) = ([0; LANES], FIRST_BITS);
            for SphereGroup { centre, shift, radius: other, .. } in groups {
                for lane in 0..LANES {
                    // Seen from the other sphere the separation is exactly opposite.
                    let dx = (centre[0][lane] - x) + shift[0][lane];
                    let dy = (centre[1][lane] - y) + shift[1][lane];
                    let dz = (centre[2][lane] - z) + shift[2][lane];
                    let cutoff = (radius + other[lane]) + skin;
                    word[lane] |= if dx * dx + dy * dy + dz * dz < cutoff * cutoff { bits[lane] } else { 0 };
                    bits[lane] <<= LANES;
                }
            }
            near.push(word.into_iter().fold(0, |all, word| all | word));
        }
    }
}

/// Calls `found` with the position of each bit, in order.
#[inline(always)]
pub(crate) fn each_bit(words: &[u64], mut found: impl FnMut(usize)) {
    for (first, &word) in (0..).step_by(u64::BITS as usize).zip(words) {
        let mut left = word;
        while left != 0 {
            found(first + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}
