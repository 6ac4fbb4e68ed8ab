//! The grid of cells that bodies are sorted into: neighbours in space become neighbours in memory.
//!
//! In periodic directions cells are counted beyond the grid, where images are: cell −1 is the image of the last one.

use std::ops::Range;

use rrp_geom::glam::DVec3;

use crate::neighbor::domain::{Boundary, Domain};
use crate::neighbor::image_shift::{INDEX_BITS, shift_code};
use crate::parallel::fork_join::for_each_block;

/// A regular grid over the domain, or over the bodies where that is open, and the bodies of each cell.
#[derive(Debug, Default)]
pub(crate) struct CellGrid {
    low: [f64; 3],
    inverse_size: [f64; 3],
    count: [usize; 3],
    periodic: [bool; 3],
    /// Lengths of the periodic directions, zero for the others.
    period: [f64; 3],
    /// First slot of each cell, and the end of the last one.
    start: Vec<u32>,
}

/// Consecutive slots seen through one shift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Code of the shift in the high bits.
    pub(crate) code: u32,
}

impl Run {
    pub(crate) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }
}

impl CellGrid {
    /// Lays the grid out with cells no smaller than `cutoff` for the wrapped centres of `bodies` bodies.
    ///
    /// Where a direction is not periodic, centres beyond the grid belong to its outermost cells.
    pub(crate) fn lay_out(&mut self, domain: &Domain, cutoff: f64, bodies: usize, center: &impl Fn(usize) -> [f64; 3]) {
        // Rounding must not make a cell shorter than the cutoff.
        let mut edge = cutoff * (1.0 + 1e-9);
        // A thin gas must not have many more cells than bodies.
        let affordable = (4 * bodies + 64) as f64;
        self.period = domain.periods().to_array();
        let unbounded = domain.boundary() != [Boundary::Periodic; 3];
        let extent = if unbounded { extremes(bodies, center) } else { [domain.low(), domain.high()] };
        if self.divide(domain, edge, extent) <= affordable {
            return;
        }
        // A few bodies far away must not make the cells of all others large.
        let bulk = bulk(bodies, center);
        while self.divide(domain, edge, bulk) > affordable {
            edge *= 1.25;
        }
    }

    /// Cuts the box from `lowest` to `highest`, or the domain where that is periodic, into cells no smaller than
    /// `edge`; returns their number.
    fn divide(&mut self, domain: &Domain, edge: f64, [lowest, highest]: [DVec3; 2]) -> f64 {
        for c in 0..3 {
            self.periodic[c] = domain.boundary()[c] == Boundary::Periodic;
            let (low, high) =
                if self.periodic[c] { (domain.low()[c], domain.high()[c]) } else { (lowest[c], highest[c]) };
            let extent = (high - low).clamp(0.0, f64::MAX);
            let cells = (extent / edge).floor().clamp(1.0, 1e6);
            self.low[c] = low;
            self.count[c] = cells as usize;
            self.inverse_size[c] = cells / extent.max(edge);
        }
        self.count.iter().map(|&count| count as f64).product()
    }

    /// Sorts bodies into `order` by cell, and by number within a cell, given their wrapped centres. Their slots are
    /// those from `first_slot` on.
    pub(crate) fn sort(&mut self, first_slot: usize, center: &(impl Fn(usize) -> [f64; 3] + Sync), order: &mut [u32]) {
        self.start.clear();
        self.start.resize(self.count.iter().product::<usize>() + 1, 0);
        let mut cell = vec![0_u32; order.len()];
        for_each_block(order.len(), &mut cell[..], &|first, _, cell: &mut [u32]| {
            (first..).zip(cell).for_each(|(i, cell)| *cell = self.index(self.locate(center(i))) as u32);
        });
        for &c in &cell {
            self.start[c as usize] += 1;
        }
        // From counts to the end of each cell; filling backwards then turns ends into starts.
        let mut end = first_slot as u32;
        for start in &mut self.start {
            end += *start;
            *start = end;
        }
        for i in (0..order.len()).rev() {
            let slot = &mut self.start[cell[i] as usize];
            *slot -= 1;
            order[*slot as usize - first_slot] = i as u32;
        }
    }

    /// The cell of a wrapped centre.
    #[inline]
    pub(crate) fn locate(&self, position: [f64; 3]) -> [usize; 3] {
        std::array::from_fn(|c| (((position[c] - self.low[c]) * self.inverse_size[c]) as usize).min(self.count[c] - 1))
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    /// The first slot of a cell.
    pub(crate) fn first_slot(&self, cell: [usize; 3]) -> usize {
        self.start[self.index(cell)] as usize
    }

    /// The slot after the last one of a cell.
    pub(crate) fn cell_end(&self, cell: [usize; 3]) -> usize {
        self.start[self.index(cell) + 1] as usize
    }

    /// Number of cells in a row along x.
    pub(crate) fn row_length(&self) -> usize {
        self.count[0]
    }

    /// The slots of the row of cells at `y` and `z`.
    pub(crate) fn row(&self, y: usize, z: usize) -> Range<usize> {
        self.first_slot([0, y, z])..self.cell_end([self.count[0] - 1, y, z])
    }

    /// The cells in direction `c` from the one before `first` to the one after `last`.
    pub(crate) fn around(&self, c: usize, first: usize, last: usize) -> Range<isize> {
        let (first, end, count) = (first as isize - 1, last as isize + 2, self.count[c] as isize);
        if self.periodic[c] { first..end } else { first.max(0)..end.min(count) }
    }

    /// The cells of all bodies that may be nearer than `cutoff` (m) to wrapped centres between `low` and `high`.
    pub(crate) fn within(&self, [low, high]: [[f64; 3]; 2], cutoff: f64) -> [Range<isize>; 3] {
        std::array::from_fn(|c| {
            // Rounding must not lose a body that the search would find near.
            let size = low[c].abs().max(high[c].abs()) + self.period[c];
            let cutoff = cutoff * (1.0 + 1e-9) + 8.0 * f64::EPSILON * size;
            let count = self.count[c] as isize;
            let [first, last] = if self.periodic[c] { [-count, 2 * count - 1] } else { [0, count - 1] };
            let cell = |x: f64| ((x - self.low[c]) * self.inverse_size[c]).floor() as isize;
            cell(low[c] - cutoff).clamp(first, last)..cell(high[c] + cutoff).clamp(first, last) + 1
        })
    }

    /// The slots of the row of cells seen at `y` and `z`.
    pub(crate) fn seen_row(&self, [y, z]: [isize; 2]) -> Range<usize> {
        self.row(self.image(1, y)[0] as usize, self.image(2, z)[0] as usize)
    }

    /// The bodies in a row of cells, in the order in which they are listed.
    pub(crate) fn runs(&self, x: &Range<isize>, [y, z]: [isize; 2]) -> impl Iterator<Item = Run> + '_ {
        let (ends, ([y, sy], [z, sz])) = ([x.start, x.end], (self.image(1, y), self.image(2, z)));
        let (count, row) = (self.count[0] as isize, self.index([0, y as usize, z as usize]));
        (-1..=1).filter_map(move |sx| {
            let [from, to] = ends.map(|x| (x - sx * count).clamp(0, count) as usize);
            let code = shift_code([sx, sy, sz].map(|sign| sign as i32)) << INDEX_BITS;
            (from < to).then(|| Run { start: self.start[row + from], end: self.start[row + to], code })
        })
    }

    /// Writes to `runs` the bodies that may be nearer than `cutoff` (m) to wrapped centres between `low` and `high`.
    pub(crate) fn all_within(&self, bounds: [[f64; 3]; 2], cutoff: f64, runs: &mut Vec<Run>) {
        runs.clear();
        let [x, y, z] = self.within(bounds, cutoff);
        for z in z {
            runs.extend(y.clone().flat_map(|y| self.runs(&x, [y, z])).filter(|run| run.len() > 0));
        }
    }

    /// Appends the first body of each cell of a row, counted from `begin` on, and the end of the last cell.
    pub(crate) fn offsets(&self, x: &Range<isize>, [y, z]: [isize; 2], mut begin: u32, offsets: &mut Vec<u32>) {
        let row = self.index([0, self.image(1, y)[0] as usize, self.image(2, z)[0] as usize]);
        let mut x = x.clone();
        while x.start < x.end {
            let [from, sign] = self.image(0, x.start);
            let end = x.end.min((sign + 1) * self.count[0] as isize);
            let cells = row + from as usize..row + from as usize + (end - x.start) as usize;
            let first = self.start[cells.start];
            offsets.extend(self.start[cells.clone()].iter().map(|start| begin + start - first));
            begin += self.start[cells.end] - first;
            x.start = end;
        }
        offsets.push(begin);
    }

    /// The cell of the grid whose image is cell `cell` in direction `c`, and the sign of the shift.
    fn image(&self, c: usize, cell: isize) -> [isize; 2] {
        let count = self.count[c] as isize;
        [cell.rem_euclid(count), cell.div_euclid(count)]
    }
}

/// Lower and upper corner of the box around all centres.
fn extremes(bodies: usize, center: &impl Fn(usize) -> [f64; 3]) -> [DVec3; 2] {
    let centers = (0..bodies).map(|i| DVec3::from_array(center(i)));
    centers.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], center| [low.min(center), high.max(center)])
}

/// As [`extremes`] for a sample of centres, without the outermost ones in each direction.
fn bulk(bodies: usize, center: &impl Fn(usize) -> [f64; 3]) -> [DVec3; 2] {
    let [mut lowest, mut highest] = extremes(bodies, center);
    let stride = bodies.div_ceil(1024).max(1);
    for c in 0..3 {
        let mut sample: Vec<f64> = (0..bodies).step_by(stride).map(|i| center(i)[c]).collect();
        sample.sort_unstable_by(f64::total_cmp);
        let dropped = sample.len() / 64;
        if let (Some(&low), Some(&high)) = (sample.get(dropped), sample.iter().nth_back(dropped)) {
            (lowest[c], highest[c]) = (low, high);
        }
    }
    [lowest, highest]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thin_gas_gets_few_cells() {
        let mut cells = CellGrid::default();
        let centers: Vec<[f64; 3]> = (0..10).map(|i| [1e8 * f64::from(i); 3]).collect();
        cells.lay_out(&Domain::OPEN, 1.0, centers.len(), &|i| centers[i]);
        assert!(cells.count.iter().product::<usize>() <= 104);
    }

    #[test]
    fn a_body_far_away_does_not_make_cells_large() {
        let mut centers: Vec<[f64; 3]> =
            (0..1000).map(|i| [i % 10, i / 10 % 10, i / 100].map(|k| f64::from(k) + 0.5)).collect();
        centers[500] = [1e300, -1e300, 1e9];
        let mut cells = CellGrid::default();
        cells.lay_out(&Domain::OPEN, 1.0, centers.len(), &|i| centers[i]);
        let mut order = vec![0; centers.len()];
        cells.sort(0, &|i| centers[i], &mut order);
        let fullest = cells.start.windows(2).map(|pair| pair[1] - pair[0]).max();
        assert!(fullest < Some(20), "{fullest:?}");
    }

    #[test]
    fn bodies_may_be_farther_apart_than_numbers_go() {
        let centers = [[-1.7e308, 0.0, 1.7e308], [1.7e308, 0.0, -1.7e308], [0.0, 1e308, -1e308]];
        let mut cells = CellGrid::default();
        cells.lay_out(&Domain::OPEN, 1.0, centers.len(), &|i| centers[i]);
        let mut order = vec![0; centers.len()];
        cells.sort(0, &|i| centers[i], &mut order);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2]);
    }
}
