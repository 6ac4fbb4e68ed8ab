//! Grid of spheres that were just placed, so that a new sphere is compared with near ones only.

use std::collections::HashMap;

use rrp_geom::glam::DVec3;

use crate::packing::Sphere;

/// Width of the cells over the largest diameter, above one so that rounding never separates touching spheres.
const MARGIN: f64 = 1.001;

/// Grid of inserted spheres up to a largest radius, to find overlaps, also across periodic sides.
#[derive(Debug)]
pub(super) struct PlacedSpheres {
    /// Distances in m of periodic images; zero in directions without images.
    periods: DVec3,
    /// Lower corner in m of the first cell.
    low: DVec3,
    width: DVec3,
    /// Number of cells in a period; `None` in directions without images.
    turns: [Option<i64>; 3],
    cells: HashMap<[i64; 3], Vec<Sphere>>,
}

impl PlacedSpheres {
    /// Makes an empty grid for radii up to `largest` (m), with a cell corner at `low` (m) and `periods` (m) of images.
    pub(super) fn new(low: DVec3, largest: f64, periods: DVec3) -> Self {
        let least = 2.0 * largest * MARGIN;
        let turns: [Option<i64>; 3] =
            std::array::from_fn(|c| (periods[c] > 0.0).then(|| (periods[c] / least).floor().max(1.0) as i64));
        let width = |c: usize| turns[c].map_or(least, |count| periods[c] / count as f64);
        Self { periods, low, width: DVec3::new(width(0), width(1), width(2)), turns, cells: HashMap::new() }
    }

    /// Whether a sphere at `center` (m) with this radius (m) would overlap a placed sphere or one of its images.
    pub(super) fn overlap(&self, center: DVec3, radius: f64) -> bool {
        let cell = self.cell(center);
        let [first, second, third] = std::array::from_fn(|c| self.around(c, cell[c]));
        first.iter().any(|&i| {
            second.iter().any(|&j| {
                third.iter().any(|&k| {
                    let there = self.cells.get(&[i, j, k]);
                    there.is_some_and(|there| there.iter().any(|other| gap(self.periods, center, other) < radius))
                })
            })
        })
    }

    pub(super) fn add(&mut self, sphere: Sphere) {
        let cell = self.cell(sphere.center);
        self.cells.entry(cell).or_default().push(sphere);
    }

    fn cell(&self, center: DVec3) -> [i64; 3] {
        let at = (center - self.low) / self.width;
        std::array::from_fn(|c| self.wrapped(c, at[c].floor() as i64))
    }

    fn wrapped(&self, c: usize, cell: i64) -> i64 {
        self.turns[c].map_or(cell, |count| cell.rem_euclid(count))
    }

    /// Returns the indices along axis `c` of a cell and of its two neighbours, without repetition.
    fn around(&self, c: usize, cell: i64) -> Vec<i64> {
        let mut cells: Vec<i64> = (-1..=1).map(|offset| self.wrapped(c, cell.saturating_add(offset))).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

/// Returns the gap (m) between a point and the surface of the nearest image of a sphere, with images `periods` (m)
/// apart; negative inside.
pub(super) fn gap(periods: DVec3, point: DVec3, sphere: &Sphere) -> f64 {
    let apart = sphere.center - point;
    let nearest =
        |c: usize| if periods[c] > 0.0 { apart[c] - periods[c] * (apart[c] / periods[c]).round() } else { apart[c] };
    DVec3::new(nearest(0), nearest(1), nearest(2)).length() - sphere.radius
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn all_that_overlap_are_found_through_periodic_sides_too() {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let size = DVec3::new(9.0, 7.0, 5.0);
        // Periods of many cells, of few, of one, and shorter than a sphere.
        for periods in [DVec3::ZERO, size, DVec3::new(0.0, 2.5, 1.3), DVec3::new(0.7, 0.0, 5.0)] {
            let mut placed = PlacedSpheres::new(-DVec3::ONE, 0.6, periods);
            let mut all = Vec::<Sphere>::new();
            let mut found = 0;
            for _ in 0..2000 {
                let [center, share] = [0, 1].map(|_| DVec3::from_array(random.random()));
                let sphere = Sphere { center: size * (1.5 * center - 0.75), radius: 0.6 * share.x };
                let expected = all.iter().any(|other| gap(periods, sphere.center, other) < sphere.radius);
                assert_eq!(placed.overlap(sphere.center, sphere.radius), expected, "{sphere:?} {periods}");
                found += usize::from(expected);
                if share.y < 0.05 {
                    placed.add(sphere);
                    all.push(sphere);
                }
            }
            assert!((30..1990).contains(&found), "{found} {periods}");
        }
    }
}
