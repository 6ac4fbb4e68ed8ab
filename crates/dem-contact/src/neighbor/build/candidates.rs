//! Candidates for a row, and which of them are near.

use crate::neighbor::build::candidate_columns::{CandidateColumns, PackedBodies, Probe};
use crate::neighbor::build::cell_grid::Run;
use crate::neighbor::build::f32_frame::F32Frame;
use crate::neighbor::full_list::SPAN;
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};

/// Candidates, and a mark for each that is near to the last [`Probe`].
///
/// Single precision decides where it is sure. Hardly any candidate is so close to its cutoff that double precision has
/// to decide, and the rows are those of double precision (for lengths whose squares are in its range).
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) columns: CandidateColumns,
    /// A bit for each candidate.
    near: Vec<u32>,
}

impl Candidates {
    /// Candidates whose bits are in one number.
    const WORD: usize = u32::BITS as usize;

    /// Reads the bodies of `runs`.
    #[inline(always)]
    pub(crate) fn read(&mut self, bodies: PackedBodies<'_>, runs: &[Run]) {
        self.columns.len = 0;
        self.columns.reserve(runs.iter().map(Run::len).sum());
        for &run in runs {
            self.columns.append(bodies, run);
        }
        self.close();
    }

    /// Closes the columns; call it after they have changed.
    #[inline(always)]
    pub(crate) fn close(&mut self) {
        let CandidateColumns { radius, len, .. } = &mut self.columns;
        radius[*len..*len + Self::WORD].fill(f32::NAN);
        let words = len.div_ceil(Self::WORD);
        if self.near.len() != words {
            self.near.resize(words, 0);
        }
    }

    /// Marks the candidates that are near to `probe`.
    #[inline(always)]
    pub(crate) fn mark(&mut self, bodies: PackedBodies<'_>, probe: Probe) {
        let frame = self.columns.frame;
        let seen = frame.center(probe.center);
        let uncertainty = F32Frame::uncertainty(seen);
        if uncertainty < 0.1 {
            if !self.mark_possible(seen, frame.length(probe.shell_radius), uncertainty) {
                self.verify(bodies, probe);
            }
        } else {
            // Too far from the origin of the frame, or not a number.
            self.near.fill(u32::MAX);
            self.verify(bodies, probe);
        }
    }

    /// Marks the candidates that may be near, as far as single precision can tell; true if it is sure of all.
    #[inline(always)]
    fn mark_possible(&mut self, [cx, cy, cz]: [f32; 3], shell_radius: f32, uncertainty: f32) -> bool {
        const GROUP: usize = CandidateColumns::GROUP;
        let CandidateColumns { x, y, z, radius, .. } = &self.columns;
        let full = self.near.len() * Self::WORD;
        let [x, y, z, radius] = [x, y, z, radius].map(|column| column[..full].as_chunks::<{ Self::WORD }>().0);
        let mut unsure = [0_u32; GROUP];
        for ((((near, x), y), z), radius) in self.near.iter_mut().zip(x).zip(y).zip(z).zip(radius) {
            let mut word = [0_u32; GROUP];
            for group in 0..Self::WORD / GROUP {
                for lane in 0..GROUP {
                    let at = group * GROUP + lane;
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
    fn verify(&mut self, bodies: PackedBodies<'_>, probe: Probe) {
        let (PackedBodies { packed, shifts }, [cx, cy, cz]) = (bodies, probe.center);
        let mut entries = self.columns.entry[..self.columns.len].chunks(Self::WORD);
        for near in &mut self.near {
            let mut marked = *near;
            *near = 0;
            let entries = entries.next().unwrap_or_default();
            while let Some(&entry) = entries.get(marked.trailing_zeros() as usize) {
                let [x, y, z, radius] = packed[(entry & INDEX_MASK) as usize];
                let [sx, sy, sz, _] = shifts[(entry >> INDEX_BITS) as usize];
                let [dx, dy, dz] = [x + sx - cx, y + sy - cy, z + sz - cz];
                let cutoff = probe.shell_radius + radius;
                if radius > 0.0 && dx * dx + dy * dy + dz * dz < cutoff * cutoff {
                    *near |= 1 << marked.trailing_zeros();
                }
                marked &= marked - 1;
            }
        }
    }

    /// Removes the mark of one candidate.
    #[inline(always)]
    pub(crate) fn leave_out(&mut self, candidate: usize) {
        self.near[candidate / Self::WORD] &= !(1 << (candidate % Self::WORD));
    }

    /// Appends the marked entries at `end` and moves it. Entries beyond `end` mean nothing.
    #[inline(always)]
    pub(crate) fn collect(&self, entries: &mut Vec<u32>, end: &mut usize) {
        const BOTH: usize = 2 * Candidates::WORD;
        let room = *end + self.columns.len + SPAN;
        if entries.len() < room {
            entries.resize(2 * room, 0);
        }
        for (near, entry) in self.near.chunks(2).zip(self.columns.entry.as_chunks::<BOTH>().0) {
            let mut near = u64::from(near[0]) | near.get(1).map_or(0, |&near| u64::from(near) << Self::WORD);
            let found = near.count_ones() as usize;
            for at in (*end..*end + found).step_by(SPAN) {
                for slot in &mut entries[at..at + SPAN] {
                    *slot = entry[near.trailing_zeros() as usize % BOTH];
                    near &= near.wrapping_sub(1);
                }
            }
            *end += found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbor::image_shift::NO_SHIFT;

    /// Distances differ from cutoffs by rounding or by much more; bodies are near the origin of the frame, far from it,
    /// and so far that single precision cannot tell.
    #[test]
    fn marks_are_those_of_double_precision() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let (mut marked, mut sure) = ([0, 0], [0, 0, 0]);
        let far = [1.0, 100.0, 1e4, 1e9, 1e200];
        for case in 0..3000 {
            let (size, away) = ([1.0, 1e-150, 1e7][case % 3], far[case / 3 % 5]);
            let shift: [f64; 3] = std::array::from_fn(|_| size * away * random());
            let center: [f64; 3] = std::array::from_fn(|_| size * away * random());
            let mut packed: Vec<[f64; 4]> = Vec::new();
            let (reach, error) = (0.5 * size * (1.0 + 0.3 * random()), [1e-15, 1e-7, 1e-5, 1.0][case / 15 % 4]);
            for _ in 0..50 {
                let radius = if random() < 0.45 { 0.5 * size * (0.8 + 0.3 * random()) } else { 0.0 };
                let way: [f64; 3] = std::array::from_fn(|_| random());
                let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
                let distance = (reach + radius) * (1.0 + error * random()) / length;
                let [x, y, z] = std::array::from_fn(|c| center[c] - shift[c] + distance * way[c]);
                packed.push([x, y, z, radius]);
            }
            let mut shifts = [[0.0; 4]; 32];
            shifts[NO_SHIFT as usize][..3].copy_from_slice(&shift);
            let mut candidates = Candidates::default();
            candidates.columns.frame = F32Frame::new([0.0; 3], 1.2 * size);
            let bodies = PackedBodies { packed: &packed, shifts: &shifts };
            candidates.read(bodies, &[Run { start: 0, end: 50, code: NO_SHIFT << INDEX_BITS }]);
            candidates.mark(bodies, Probe { center, shell_radius: reach });
            for (k, &[x, y, z, radius]) in packed.iter().enumerate() {
                let [dx, dy, dz] = [x + shift[0] - center[0], y + shift[1] - center[1], z + shift[2] - center[2]];
                let cutoff = reach + radius;
                let near = radius > 0.0 && dx * dx + dy * dy + dz * dz < cutoff * cutoff;
                assert_eq!(candidates.near[k / 32] >> (k % 32) & 1 == 1, near, "case {case}, body {k}");
                marked[usize::from(near)] += 1;
            }
            let seen = candidates.columns.frame.center(center);
            let uncertainty = F32Frame::uncertainty(seen);
            let known = uncertainty < 0.1;
            let length = candidates.columns.frame.length(reach);
            sure[if known { 1 + usize::from(candidates.mark_possible(seen, length, uncertainty)) } else { 0 }] += 1;
        }
        assert!(marked.iter().all(|&count| count > 20_000), "{marked:?}");
        assert!(sure.iter().all(|&count| count > 300), "{sure:?}");
    }
}
