//! Which candidates are near the spheres of one strip.

use std::ops::Range;

use crate::neighbor::tiles::candidates::{Candidate, CandidateSource};
use crate::neighbor::tiles::columns::Columns;
use crate::neighbor::tiles::f32_frame::F32Frame;
use crate::neighbor::tiles::marks::{Bits, WORD};

/// Candidates that are compared together.
const LANES: usize = 16;

/// Candidates for the spheres of one strip.
#[derive(Debug, Default)]
pub(crate) struct NearStrip {
    columns: Columns,
    /// The index of each among all candidates.
    index: Vec<u32>,
    len: usize,
}

/// A sphere whose partners are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe<'a> {
    /// Centre and radius in m.
    pub(crate) sphere: [f64; 4],
    /// Partners are nearer than this gap (m).
    pub(crate) skin: f64,
    /// What double precision decides from.
    pub(crate) source: &'a CandidateSource<'a>,
}

impl Probe<'_> {
    /// Whether a candidate is nearer than the skin, in double precision.
    fn is_near(&self, candidate: Candidate) -> bool {
        let [x, y, z, radius] = self.sphere;
        let [ox, oy, oz, other] = self.source.reference[candidate.place()];
        let [sx, sy, sz, _] = self.source.shifts[candidate.code() as usize];
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
        let end = self.len + indices.len();
        self.columns.copy(self.len, all, indices.clone());
        if self.index.len() < end {
            self.index.resize(2 * end, 0);
        }
        for (index, number) in self.index[self.len..end].iter_mut().zip(indices.start as u32..) {
            *index = number;
        }
        self.len = end;
    }

    /// Fills up the last word; call it after the last candidate.
    #[inline(always)]
    pub(crate) fn close(&mut self) {
        self.columns.end(self.len);
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
    pub(crate) fn mark(&self, frame: F32Frame, candidates: &[Candidate], probe: &Probe<'_>, near: &mut Vec<u32>) {
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
    fn verify(&self, candidates: &[Candidate], probe: &Probe<'_>, near: &mut [u32]) {
        for (first, word) in (0..).step_by(WORD).zip(near) {
            let possible = Bits(*word).filter(|bit| !self.columns.radius[first + bit].is_nan());
            let sure = possible.filter(|bit| probe.is_near(candidates[self.index(first + bit)]));
            *word = sure.fold(0, |word, bit| word | 1 << bit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbor::domain::Domain;
    use crate::neighbor::image_shift::NO_SHIFT;
    use crate::neighbor::tiles::bounds::Reach;

    /// Distances differ from cutoffs by rounding or by much more; spheres are near the origin of the frame, far from
    /// it, and so far that single precision cannot tell.
    #[test]
    fn marks_are_those_of_double_precision() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let (mut marked, mut sure) = ([0, 0], [0, 0, 0]);
        let far = [1.0, 100.0, 1e4, 1e9, 1e200];
        let reach = Reach::new(&Domain::OPEN, 0.0);
        for case in 0..3000 {
            let (size, away) = ([1.0, 1e-150, 1e7][case % 3], far[case / 3 % 5]);
            let shift: [f64; 3] = std::array::from_fn(|_| size * away * random());
            let center: [f64; 3] = std::array::from_fn(|_| size * away * random());
            let mut reference: Vec<[f64; 4]> = Vec::new();
            let (radius, error) = (0.5 * size * (1.0 + 0.3 * random()), [1e-15, 1e-7, 1e-5, 1.0][case / 15 % 4]);
            for _ in 0..50 {
                let other = if random() < 0.45 { 0.5 * size * (0.8 + 0.3 * random()) } else { f64::NAN };
                let way: [f64; 3] = std::array::from_fn(|_| random());
                let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
                let distance = (radius + other) * (1.0 + error * random()) / length;
                let [x, y, z] = std::array::from_fn(|c| center[c] - shift[c] + distance * way[c]);
                reference.push([x, y, z, other]);
            }
            let mut shifts = [[0.0; 4]; 32];
            shifts[NO_SHIFT as usize][..3].copy_from_slice(&shift);
            let frame = F32Frame::new([0.0; 3], 1.2 * size);
            let (mut all, mut near_strip, mut near) = (Columns::default(), NearStrip::default(), Vec::new());
            all.reserve(reference.len());
            for (at, &[x, y, z, other]) in reference.iter().enumerate() {
                all.set(at, frame.image([x, y, z], shift), frame.length(other));
            }
            near_strip.append(&all, 0..reference.len());
            near_strip.close();
            let source = CandidateSource { reach: &reach, shifts, reference: &reference, ids: &[] };
            let candidates: Vec<Candidate> = (0..50).map(|place| Candidate::new(place, NO_SHIFT, 0)).collect();
            let [x, y, z] = center;
            let probe = Probe { sphere: [x, y, z, radius], skin: 0.0, source: &source };
            near_strip.mark(frame, &candidates, &probe, &mut near);
            for (k, &[ox, oy, oz, other]) in reference.iter().enumerate() {
                let [dx, dy, dz] = [(ox - x) + shift[0], (oy - y) + shift[1], (oz - z) + shift[2]];
                let cutoff = radius + other;
                let is_near = dx * dx + dy * dy + dz * dz < cutoff * cutoff;
                assert_eq!(near[k / WORD] >> (k % WORD) & 1 == 1, is_near, "case {case}, sphere {k}");
                marked[usize::from(is_near)] += 1;
            }
            let seen = frame.center(center);
            let uncertainty = F32Frame::uncertainty(seen);
            let known = uncertainty < 0.1;
            let length = frame.length(radius);
            let is_sure = || near_strip.mark_possible(seen, length, uncertainty, &mut near.clone());
            sure[if known { 1 + usize::from(is_sure()) } else { 0 }] += 1;
        }
        assert!(marked.iter().all(|&count| count > 20_000), "{marked:?}");
        assert!(sure.iter().all(|&count| count > 300), "{sure:?}");
    }
}
