//! Spheres at random places without overlaps.

use rrp_geom::glam::DVec3;

use super::random::Random;
use crate::scene::{Region, Sides};

/// Attempts to place one sphere before the pour is given up.
const ATTEMPTS: usize = 20_000;

/// Centres of spheres of these radii inside the box from `low` to `high`, at gaps of at least `gap`, one after the other;
/// as many as found room. Sides of a periodic direction that the box fills are no sides.
pub(super) fn pour(
    (low, high): (DVec3, DVec3),
    radii: &[f64],
    (seed, gap): (u64, f64),
    region: Option<&Region>,
) -> Vec<DVec3> {
    let period = DVec3::from_array(std::array::from_fn(|c| match region {
        Some(region) if region.sides[c] == Sides::Periodic => region.high[c] - region.low[c],
        _ => 0.0,
    }));
    let fills = |c: usize| period[c] > 0.0 && high[c] - low[c] >= period[c] * (1.0 - 1e-12);
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let mut random = Random::new(seed);
    let mut grid = Grid::new(low, high, (2.0 * largest + gap, radii.len()));
    let mut centres: Vec<DVec3> = Vec::with_capacity(radii.len());
    for (i, &radius) in radii.iter().enumerate() {
        if (0..3).any(|c| !fills(c) && high[c] - low[c] < 2.0 * radius) {
            break;
        }
        let free = |centre: DVec3, grid: &Grid, centres: &[DVec3]| {
            let images = (0..3).fold(vec![centre], |images, c| {
                if period[c] <= 0.0 {
                    return images;
                }
                let step = DVec3::AXES[c] * period[c];
                images.iter().flat_map(|&image| [image, image - step, image + step]).collect()
            });
            images
                .into_iter()
                .all(|image| grid.near(image).all(|j: usize| centres[j].distance(image) >= radius + radii[j] + gap))
        };
        let mut place = || {
            DVec3::from_array(std::array::from_fn(|c| {
                let margin = if fills(c) { 0.0 } else { radius };
                random.between(low[c] + margin, high[c] - margin)
            }))
        };
        let found = (0..ATTEMPTS).map(|_| place()).find(|&centre| free(centre, &grid, &centres));
        let Some(centre) = found else { break };
        grid.add(i, centre);
        centres.push(centre);
    }
    centres
}

/// Numbers of spheres by cells that are at least as wide as two spheres reach.
struct Grid {
    low: DVec3,
    width: DVec3,
    cells: [usize; 3],
    members: Vec<Vec<usize>>,
}

impl Grid {
    fn new(low: DVec3, high: DVec3, (reach, count): (f64, usize)) -> Self {
        let extent = high - low;
        // No more cells than a few per sphere, however large the box.
        let reach = reach.max((extent.x * extent.y * extent.z / (4.0 * count.max(1) as f64)).cbrt());
        let cells = extent.to_array().map(|length| ((length / reach).floor() as usize).clamp(1, 1000));
        let width = extent / DVec3::from_array(cells.map(|count| count as f64));
        Self { low, width, cells, members: vec![Vec::new(); cells.iter().product()] }
    }

    fn cell(&self, place: DVec3) -> [i64; 3] {
        ((place - self.low) / self.width).floor().to_array().map(|index| index as i64)
    }

    fn index(&self, cell: [i64; 3]) -> Option<usize> {
        let inside = (0..3).all(|c| (0..self.cells[c] as i64).contains(&cell[c]));
        inside.then(|| (cell[0] as usize * self.cells[1] + cell[1] as usize) * self.cells[2] + cell[2] as usize)
    }

    fn add(&mut self, number: usize, place: DVec3) {
        let cell = self.cell(place);
        let last = self.cells.map(|count| count as i64 - 1);
        if let Some(index) = self.index(std::array::from_fn(|c| cell[c].clamp(0, last[c]))) {
            self.members[index].push(number);
        }
    }

    fn near(&self, place: DVec3) -> impl Iterator<Item = usize> + '_ {
        let [x, y, z] = self.cell(place);
        let around = (-1..=1).flat_map(|i| (-1..=1).flat_map(move |j| (-1..=1).map(move |k| [i, j, k])));
        around
            .filter_map(move |[i, j, k]| self.index([x + i, y + j, z + k]))
            .flat_map(|index| &self.members[index])
            .copied()
    }
}
