use rrp_geom::glam::DVec3;

use crate::neighbor::domain::{Boundary, Domain};
use crate::packing::surroundings::Sphere;

/// Grid of large spheres, each listed in all cells that it reaches, to find quickly whether a small sphere overlaps any
/// of them.
#[derive(Debug)]
pub(crate) struct Obstacles<'a> {
    domain: &'a Domain,
    spheres: &'a [Sphere],
    count: [usize; 3],
    cells: Vec<Vec<u32>>,
}

impl<'a> Obstacles<'a> {
    /// Sorts large spheres into a grid, to find overlaps with small spheres of radii up to `margin` (m).
    pub(crate) fn new(domain: &'a Domain, spheres: &'a [Sphere], margin: f64) -> Self {
        let size = domain.high() - domain.low();
        // A few cells per sphere are enough, also for very different sizes; more cost memory and time without a gain.
        let most = 4 * spheres.len() + 64;
        let mut edge = (size.x * size.y * size.z / spheres.len().max(1) as f64).cbrt().max(margin);
        let divide = |edge: f64| size.to_array().map(|length| (length / edge).clamp(1.0, most as f64) as usize);
        while divide(edge).iter().fold(1, |cells: usize, &count| cells.saturating_mul(count)) > most {
            edge *= 1.25;
        }
        let count = divide(edge);
        let mut obstacles = Self { domain, spheres, count, cells: vec![Vec::new(); count.iter().product()] };
        for (k, &Sphere { center, radius }) in (0..).zip(spheres) {
            let reach = radius + margin;
            let [x, y, z] = std::array::from_fn(|c| obstacles.between(c, [center[c] - reach, center[c] + reach]));
            for i in x {
                for &j in &y {
                    for &l in &z {
                        let cell = obstacles.index([i, j, l]);
                        obstacles.cells[cell].push(k);
                    }
                }
            }
        }
        obstacles
    }

    /// Whether a small sphere at `center` (m) with this radius (m) would overlap a large sphere.
    pub(crate) fn overlap(&self, center: DVec3, radius: f64) -> bool {
        let cell = std::array::from_fn(|c| self.wrapped(c, self.along(c, center[c])));
        self.cells[self.index(cell)].iter().any(|&k| {
            let large = self.spheres[k as usize];
            self.domain.separation(center, large.center).length() < large.radius + radius
        })
    }

    /// Index along axis `c` of the grid cell of a coordinate (m); may be beyond the grid.
    fn along(&self, c: usize, x: f64) -> f64 {
        let low = self.domain.low()[c];
        let high = self.domain.high()[c];
        ((x - low) / (high - low) * self.count[c] as f64).floor()
    }

    /// Returns the index along axis `c`, within the grid, of a cell's periodic image; of the outermost cell beyond a
    /// side that is not periodic.
    fn wrapped(&self, c: usize, cell: f64) -> usize {
        let count = self.count[c];
        if self.domain.boundary()[c] == Boundary::Periodic {
            cell.rem_euclid(count as f64) as usize % count
        } else {
            cell.clamp(0.0, count as f64 - 1.0) as usize
        }
    }

    /// Returns the indices along axis `c` of the grid cells between two coordinates (m), without repetition.
    fn between(&self, c: usize, ends: [f64; 2]) -> Vec<usize> {
        let most = self.count[c] as f64;
        let inside =
            |at: f64| if self.domain.boundary()[c] == Boundary::Periodic { at } else { at.clamp(0.0, most - 1.0) };
        let [first, last] = ends.map(|x| inside(self.along(c, x)));
        let count = (last - first).min(most) as usize + 1;
        let mut cells: Vec<usize> = (0..count).map(|k| self.wrapped(c, first + k as f64)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    fn index(&self, [i, j, l]: [usize; 3]) -> usize {
        (i * self.count[1] + j) * self.count[2] + l
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn all_that_overlap_are_found_through_periodic_sides_too() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for boundary in [Boundary::Periodic, Boundary::Open] {
            for (spheres, largest) in [(1, 4.0), (7, 2.5), (40, 1.0), (300, 0.4), (200, 3.0)] {
                let low = DVec3::new(-3.0, 1.0, 0.0);
                let size = DVec3::new(9.5, 11.0, 10.0);
                let domain = Domain::new(low, low + size, [boundary, Boundary::Periodic, Boundary::Closed]).unwrap();
                let mut place = || low + size * DVec3::from_array(random.random());
                let large: Vec<Sphere> = (0..spheres)
                    .map(|k| Sphere { center: place(), radius: largest * (0.3 + 0.7 / f64::from(k + 1)) })
                    .collect();
                let obstacles = Obstacles::new(&domain, &large, 0.2);
                let mut found = 0;
                for k in 0..2000 {
                    // Some centres are beyond the sides.
                    let center = place() * 1.2 - 0.1 * size;
                    let radius = 0.2 / f64::from(k % 4 + 1);
                    let separation = |other| domain.separation(center, other).length();
                    let expected = large.iter().any(|large| separation(large.center) < large.radius + radius);
                    assert_eq!(obstacles.overlap(center, radius), expected, "{center}, {spheres} of {largest}");
                    found += usize::from(expected);
                }
                assert!((10..1990).contains(&found), "{found}");
            }
        }
    }
}
