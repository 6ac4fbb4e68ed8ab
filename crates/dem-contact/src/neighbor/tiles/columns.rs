//! Candidates in columns of single precision, so that many are compared at the same time.

use std::ops::Range;

use crate::neighbor::tiles::candidates::Candidate;
use crate::neighbor::tiles::f32_frame::F32Frame;
use crate::neighbor::tiles::marks::{Bits, WORD};

/// Candidates that are compared together.
const LANES: usize = 16;

/// Candidates that are copied together.
const BLOCK: usize = 8;

/// Centres and radii of candidates in an [`F32Frame`]. What is beyond the end means nothing.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
    /// NaN for what is near to nothing.
    radius: Vec<f32>,
}

impl Columns {
    /// Makes room for `len` candidates, and for a word more.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, len: usize) {
        let room = (len + WORD).next_multiple_of(WORD);
        if self.x.len() < room {
            for column in [&mut self.x, &mut self.y, &mut self.z, &mut self.radius] {
                column.resize(2 * room, f32::NAN);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, [x, y, z]: [f32; 3], radius: f32) {
        (self.x[at], self.y[at], self.z[at], self.radius[at]) = (x, y, z, radius);
    }
}

/// Candidates for the spheres of one strip.
#[derive(Debug, Default)]
pub(crate) struct NearStrip {
    columns: Columns,
    /// The index of each among all candidates.
    index: Vec<u32>,
    len: usize,
}

/// A sphere whose partners are looked for, its centre and radius in m, and up to which gap in m.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    pub(crate) sphere: [f64; 4],
    pub(crate) skin: f64,
}

impl Probe {
    /// Whether a candidate is nearer than the skin, in double precision.
    #[inline(always)]
    fn is_near(&self, candidate: &Candidate) -> bool {
        let ([x, y, z, radius], [ox, oy, oz, other]) = (self.sphere, candidate.sphere);
        let [sx, sy, sz] = candidate.shift;
        // Seen from the other sphere the separation is exactly opposite.
        let [dx, dy, dz] = [(ox - x) + sx, (oy - y) + sy, (oz - z) + sz];
        let cutoff = (radius + other) + self.skin;
        dx * dx + dy * dy + dz * dz < cutoff * cutoff
    }
}

impl NearStrip {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Appends the candidates with these indices, whose columns these are.
    #[inline(always)]
    pub(crate) fn append(&mut self, all: &Columns, indices: Range<usize>) {
        let len = indices.len().next_multiple_of(BLOCK);
        self.columns.reserve(self.len + len);
        if self.index.len() < self.columns.x.len() {
            self.index.resize(self.columns.x.len(), 0);
        }
        let (to, from) = (self.len..self.len + len, indices.start..indices.start + len);
        let columns = &mut self.columns;
        copy(&mut columns.x[to.clone()], &all.x[from.clone()]);
        copy(&mut columns.y[to.clone()], &all.y[from.clone()]);
        copy(&mut columns.z[to.clone()], &all.z[from.clone()]);
        copy(&mut columns.radius[to.clone()], &all.radius[from.clone()]);
        for (index, number) in self.index[to].iter_mut().zip(from.start as u32..) {
            *index = number;
        }
        self.len += indices.len();
    }

    /// Fills up the last word; call it after the last candidate.
    #[inline(always)]
    pub(crate) fn close(&mut self) {
        self.columns.reserve(self.len);
        self.columns.radius[self.len..self.len + WORD].fill(f32::NAN);
    }

    /// The index of the candidate in position `at`.
    #[inline(always)]
    pub(crate) fn index(&self, at: usize) -> usize {
        self.index[at] as usize
    }

    /// Makes sure that the candidate in position `at` is near to nothing.
    #[inline(always)]
    pub(crate) fn leave_out(&mut self, at: usize) {
        self.columns.radius[at] = f32::NAN;
    }

    /// Writes a bit for each candidate that is near to `probe`: those of double precision. `candidates` are all.
    #[inline(always)]
    pub(crate) fn mark(&self, frame: F32Frame, candidates: &[Candidate], probe: &Probe, near: &mut Vec<u32>) {
        near.resize(self.len.div_ceil(WORD), 0);
        let [x, y, z, radius] = probe.sphere;
        let seen = frame.center([x, y, z]);
        let uncertainty = F32Frame::uncertainty(seen);
        if uncertainty < 0.1 {
            if !self.mark_possible(seen, frame.length(radius + probe.skin), uncertainty, near) {
                self.verify(candidates, probe, near);
            }
        } else {
            // Too far from the origin of the frame, or not a number.
            near.fill(u32::MAX);
            self.verify(candidates, probe, near);
        }
    }

    /// Marks the candidates that may be near, as far as single precision can tell; true if it is sure of all.
    #[inline(always)]
    fn mark_possible(&self, [cx, cy, cz]: [f32; 3], shell_radius: f32, uncertainty: f32, near: &mut [u32]) -> bool {
        let Columns { x, y, z, radius } = &self.columns;
        let full = near.len() * WORD;
        let [x, y, z, radius] = [x, y, z, radius].map(|column| column[..full].as_chunks::<WORD>().0);
        let mut unsure = [0_u32; LANES];
        for ((((near, x), y), z), radius) in near.iter_mut().zip(x).zip(y).zip(z).zip(radius) {
            let mut word = [0_u32; LANES];
            for group in 0..WORD / LANES {
                for lane in 0..LANES {
                    let at = group * LANES + lane;
                    let [dx, dy, dz] = [x[at] - cx, y[at] - cy, z[at] - cz];
                    let (square, cutoff) = (dx * dx + dy * dy + dz * dz, shell_radius + radius[at]);
                    let cutoff = cutoff * cutoff;
                    let possible = if square < cutoff + uncertainty { 1 << at } else { 0 };
                    let sure = if square < cutoff - uncertainty { 1 << at } else { 0 };
                    word[lane] |= possible;
                    unsure[lane] |= possible ^ sure;
                }
            }
            *near = word.into_iter().fold(0, |all, word| all | word);
        }
        unsure.into_iter().fold(0, |all, word| all | word) == 0
    }

    /// Removes the marks of candidates that are not near in double precision.
    #[cold]
    #[inline(never)]
    fn verify(&self, candidates: &[Candidate], probe: &Probe, near: &mut [u32]) {
        for (first, word) in (0..).step_by(WORD).zip(near) {
            let possible = Bits(*word).filter(|bit| !self.columns.radius[first + bit].is_nan());
            let sure = possible.filter(|bit| probe.is_near(&candidates[self.index(first + bit)]));
            *word = sure.fold(0, |word, bit| word | 1 << bit);
        }
    }
}

/// Copies whole blocks.
#[inline(always)]
fn copy(to: &mut [f32], from: &[f32]) {
    for (to, from) in to.as_chunks_mut::<BLOCK>().0.iter_mut().zip(from.as_chunks::<BLOCK>().0) {
        *to = *from;
    }
}
