//! Means over the cells of a grid of a kernel, at a point or along a segment.

use std::ops::Range;

use libm::erf;
use rrp_geom::glam::DVec3;

use super::grid::Grid;
use super::kernel::{GAUSS, Kernel};

/// Largest distance between the sample points of a cell, in units of the range of Lucy's kernel.
const LUCY_SPACING: f64 = 0.125;
/// Largest number of sample points of a cell along an axis, to bound the work for kernels far smaller than a cell.
const MOST_POINTS: f64 = 1e6;
/// Largest number of pieces of a segment for a Gaussian; a narrower Gaussian leaves gaps between the points.
const MOST_PIECES: f64 = 1e3;

impl Grid {
    /// Calls `visit` with the number of each cell within reach of the kernel on the segment from `start` to `start +
    /// arm` (m), and the mean of the kernel over cell and segment in 1/m³. Without arm the segment is a point.
    pub(super) fn spread(&self, kernel: Kernel, start: DVec3, arm: DVec3, visit: impl FnMut(usize, f64)) {
        match kernel {
            Kernel::Gaussian { width } => self.spread_gaussian(width, kernel.range(), [start, arm], visit),
            Kernel::Lucy { range } => self.spread_lucy(range, [start, arm], visit),
        }
    }

    /// Visits cells with the means of a Gaussian, a product over axes of differences of error functions.
    fn spread_gaussian(&self, width: f64, range: f64, [start, arm]: [DVec3; 2], mut visit: impl FnMut(usize, f64)) {
        let spacing = self.spacing();
        let cells = [0, 1, 2].map(|axis| {
            let index = |place: f64| (place - self.low[axis]) / spacing[axis];
            let ends = [start[axis], start[axis] + arm[axis]];
            let first = index(ends[0].min(ends[1]) - range).floor().max(0.0) as usize;
            let end = index(ends[0].max(ends[1]) + range).ceil().max(0.0) as usize;
            first..end.min(self.cells[axis])
        });
        if cells.iter().any(Range::is_empty) {
            return;
        }
        let nodes = nodes_along(arm.length() / width);
        let along = |axis: usize| -> Vec<Vec<f64>> {
            let edge = |index: usize| self.low[axis] + index as f64 * spacing[axis];
            let means = |&(share, _): &(f64, f64)| {
                let place = start[axis] + share * arm[axis];
                let below = |index: usize| erf((edge(index) - place) / (width * std::f64::consts::SQRT_2));
                let mean = |index: usize| (below(index + 1) - below(index)).max(0.0) / (2.0 * spacing[axis]);
                cells[axis].clone().map(mean).collect()
            };
            nodes.iter().map(means).collect()
        };
        let [x, y, z] = [0, 1, 2].map(along);
        for k in cells[2].clone() {
            for j in cells[1].clone() {
                let row: Vec<f64> = (0..nodes.len())
                    .map(|n| nodes[n].1 * z[n][k - cells[2].start] * y[n][j - cells[1].start])
                    .collect();
                for i in cells[0].clone() {
                    let weight = row.iter().zip(&x).map(|(row, x)| row * x[i - cells[0].start]).sum();
                    visit((k * self.cells[1] + j) * self.cells[0] + i, weight);
                }
            }
        }
    }

    /// Visits cells with the means of Lucy's kernel over sample points, since this kernel is not a product over axes.
    fn spread_lucy(&self, range: f64, [start, arm]: [DVec3; 2], mut visit: impl FnMut(usize, f64)) {
        let kernel = Kernel::Lucy { range };
        let spacing = self.spacing();
        let points = spacing.to_array().map(|edge| (edge / (LUCY_SPACING * range)).ceil().clamp(1.0, MOST_POINTS));
        let share = points.iter().product::<f64>().recip();
        let step = spacing / DVec3::from_array(points);
        let points = points.map(|points| points as usize);
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let index = |place: f64| (place - self.low[axis]) / step[axis] - 0.5;
            let ends = [start[axis], start[axis] + arm[axis]];
            let first = index(ends[0].min(ends[1]) - range).ceil().max(0.0) as usize;
            let end = (index(ends[0].max(ends[1]) + range).floor() + 1.0).max(0.0) as usize;
            first..end.min(self.cells[axis] * points[axis])
        });
        for k in z {
            for j in y.clone() {
                for i in x.clone() {
                    let place = self.low + (DVec3::new(i as f64, j as f64, k as f64) + 0.5) * step;
                    let [i, j, k] = [i / points[0], j / points[1], k / points[2]];
                    let weight = share * kernel.mean_along(start - place, arm);
                    visit((k * self.cells[1] + j) * self.cells[0] + i, weight);
                }
            }
        }
    }
}

/// Returns points on a segment, as fractions of its length, and weights with the sum one: five points in each half
/// kernel width. `widths` is the length of the segment in kernel widths.
fn nodes_along(widths: f64) -> Vec<(f64, f64)> {
    if widths <= 0.0 {
        return vec![(0.0, 1.0)];
    }
    let pieces = (2.0 * widths).ceil().clamp(1.0, MOST_PIECES);
    let of_piece =
        |piece: usize| GAUSS.map(|(node, weight)| ((piece as f64 + 0.5 + 0.5 * node) / pieces, 0.5 * weight / pieces));
    (0..pieces as usize).flat_map(of_piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the cell means of a kernel along a segment that is partly beyond the grid.
    fn means(kernel: Kernel, cells: [usize; 3], arm: DVec3) -> Vec<f64> {
        let grid = Grid { low: DVec3::new(-0.4, -1.0, -0.7), high: DVec3::new(0.8, 0.2, 1.1), cells };
        let mut means = vec![0.0; cells.iter().product()];
        grid.spread(kernel, DVec3::new(0.1, -0.3, 0.2), arm, |cell, mean| means[cell] += mean);
        means
    }

    #[test]
    fn a_cell_has_the_mean_of_its_parts() {
        for (kernel, bound) in [(Kernel::Gaussian { width: 0.3 }, 1e-12), (Kernel::Lucy { range: 0.9 }, 1e-2)] {
            for arm in [DVec3::ZERO, DVec3::new(0.5, -0.2, 0.3)] {
                let whole = means(kernel, [1, 2, 3], arm);
                let parts = means(kernel, [24, 24, 24], arm);
                let mut sums = vec![0.0; whole.len()];
                for (number, part) in parts.into_iter().enumerate() {
                    let [j, k] = [number / 24 % 24 / 12, number / 576 / 8];
                    sums[k * 2 + j] += part * whole.len() as f64 / 13824.0;
                }
                let largest = whole.iter().fold(0.0_f64, |largest, &mean| largest.max(mean));
                for (whole, sum) in whole.into_iter().zip(sums) {
                    assert!((whole - sum).abs() < bound * largest, "{kernel:?}: {whole} {sum}");
                }
            }
        }
    }

    #[test]
    fn small_cells_have_the_value_of_the_kernel() {
        let place = DVec3::new(0.3, -0.1, 0.2);
        let arm = DVec3::new(0.4, 0.1, -0.3);
        let grid = Grid { low: DVec3::splat(-5e-4), high: DVec3::splat(5e-4), cells: [1; 3] };
        for kernel in [Kernel::Gaussian { width: 0.3 }, Kernel::Lucy { range: 0.9 }] {
            for (arm, expected) in [(DVec3::ZERO, kernel.value(place)), (arm, kernel.mean_along(place, arm))] {
                let mut found = 0.0;
                grid.spread(kernel, place, arm, |_, mean| found += mean);
                assert!((found / expected - 1.0).abs() < 1e-5, "{kernel:?}: {found} {expected}");
            }
        }
    }
}
