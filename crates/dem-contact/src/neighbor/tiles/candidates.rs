//! Candidates for the pairs of one strip, in columns, so that many are compared at the same time.

use crate::neighbor::tiles::bounds::Reach;
use crate::neighbor::tiles::marks::WORD;

/// Spheres, or periodic images of spheres, that may be near a strip (a run of spheres in a row of grid cells).
#[derive(Debug, Default)]
pub(super) struct Candidates {
    columns: [Vec<f64>; 4],
    which: Vec<[u32; 2]>,
}

impl Candidates {
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
        self.which.clear();
    }

    /// Adds the image of a sphere as a candidate: centre and radius (m); place in the order of the tiles, and code of
    /// the periodic shift.
    #[inline(always)]
    pub(super) fn push(&mut self, centre_and_radius: [f64; 4], which: [u32; 2]) {
        self.columns.iter_mut().zip(centre_and_radius).for_each(|(column, value)| column.push(value));
        self.which.push(which);
    }

    /// Fills the last word of 32 candidates with NaN, which is near no sphere. Call this function after the last
    /// candidate.
    pub(super) fn close(&mut self) {
        let full = self.which.len().next_multiple_of(WORD);
        self.columns.iter_mut().for_each(|column| column.resize(full, f64::NAN));
    }

    pub(super) fn words(&self) -> usize {
        self.columns[0].len() / WORD
    }

    #[inline(always)]
    pub(super) fn which(&self, word: usize, bit: usize) -> [usize; 2] {
        self.which[word * WORD + bit].map(|number| number as usize)
    }

    /// Returns a bit mask: bit k is set if candidate k of this word of 32 candidates may be near a sphere, given by
    /// centre and radius (m).
    #[inline(always)]
    pub(super) fn may_be_near(&self, word: usize, [x, y, z, radius]: [f64; 4], reach: &Reach) -> u32 {
        let [xs, ys, zs, radii] = self.columns.each_ref().map(|column| &column.as_chunks::<WORD>().0[word]);
        let mut near = 0;
        for at in 0..WORD {
            let [dx, dy, dz] = [xs[at] - x, ys[at] - y, zs[at] - z];
            let cutoff = reach.between(radius, radii[at]);
            near |= u32::from(dx * dx + dy * dy + dz * dz < cutoff * cutoff) << at;
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::*;
    use crate::neighbor::domain::{Boundary, Domain};

    /// Checks that near candidates are marked, for distances that differ from cutoffs by rounding errors and by much
    /// more.
    #[test]
    fn all_that_is_near_is_marked_and_little_else() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let mut counts = [0; 2];
        let mut candidates = Candidates::default();
        for case in 0..600 {
            let size = [1.0, 1e-150, 1e7][case % 3];
            let away = [1.0, 100.0, 1e9][case / 3 % 3];
            let domain = Domain::new(DVec3::ZERO, DVec3::splat(size * away), [Boundary::Periodic; 3]).unwrap();
            let reach = Reach::new(&domain, 0.0);
            let centre: [f64; 3] = std::array::from_fn(|_| size * away * (random() + 0.5));
            let radius = 0.5 * size * (1.0 + 0.3 * random());
            let error = [1e-15, 1e-7, 1e-5, 1.0][case / 9 % 4];
            let mut near = Vec::new();
            let period = size * away;
            candidates.clear();
            for place in 0..50 {
                let other = 0.5 * size * (0.8 + 0.3 * random());
                let way: [f64; 3] = std::array::from_fn(|_| random());
                let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
                let distance = (radius + other) * (1.0 + error * random()) / length;
                let sphere: [f64; 3] = std::array::from_fn(|c| centre[c] - period + distance * way[c]);
                let square: f64 = (0..3).map(|c| ((sphere[c] - centre[c]) + period).powi(2)).sum();
                near.push(square < (radius + other).powi(2));
                let [x, y, z] = sphere.map(|x| x + period);
                candidates.push([x, y, z, other], [place, 26]);
            }
            candidates.close();
            let [x, y, z] = centre;
            let marks = |word| candidates.may_be_near(word, [x, y, z, radius], &reach);
            assert_eq!((candidates.words(), marks(1) >> 18, candidates.which(1, 17)), (2, 0, [49, 26]));
            for (place, &near) in near.iter().enumerate() {
                let is_marked = marks(place / WORD) >> (place % WORD) & 1 == 1;
                assert!(is_marked || !near, "case {case}, sphere {place}");
                counts[0] += usize::from(near);
                counts[1] += usize::from(is_marked);
            }
        }
        assert!(counts[0] > 5000 && counts[1] < 2 * counts[0], "{counts:?}");
    }
}
