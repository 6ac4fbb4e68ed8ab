//! Cells that bodies are sorted into, so that neighbours in space are neighbours in memory.

use rrp_geom::glam::DVec3;

use crate::par::all_blocks;
use crate::{Boundary, Domain};

/// Body number in the low bits of a neighbour entry, [code of the shift](shift_code) in the high bits.
pub(crate) const INDEX_BITS: u32 = 27;

/// Mask of the body number in a neighbour entry.
pub(crate) const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

/// The code of no shift.
pub(crate) const NO_SHIFT: u32 = 13;

/// The entries 0 to 26 of the table of shifts: by one period down, none, or one up in each direction.
fn shift_code(sign: [i32; 3]) -> u32 {
    sign.into_iter().rev().fold(0, |code, sign| 3 * code + (sign + 1).unsigned_abs())
}

/// The displacement that each code stands for, in m; codes beyond 26 do not occur.
pub(crate) fn shifts(periods: DVec3) -> [[f64; 4]; 32] {
    let mut table = [[0.0; 4]; 32];
    for (code, row) in table.iter_mut().enumerate().take(27) {
        let sign = [code % 3, code / 3 % 3, code / 9];
        for c in 0..3 {
            row[c] = periods[c] * (sign[c] as f64 - 1.0);
        }
    }
    table
}

/// A regular grid over the domain, or over the bodies where that is open, and the bodies of each cell.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cells {
    low: [f64; 3],
    inverse_size: [f64; 3],
    count: [usize; 3],
    periodic: [bool; 3],
    /// Lengths of the periodic directions, zero for the others.
    period: [f64; 3],
    /// First place of each cell, and the end of the last one.
    start: Vec<u32>,
}

/// Consecutive places seen through one shift.
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

/// A row of cells along x, seen through one shift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellRow {
    /// Its first cell.
    first: usize,
    /// Signs of the shift in y and z.
    sign: [i32; 2],
    /// Whether it is the row that others are beside.
    pub(crate) is_middle: bool,
}

impl Cells {
    /// Lays the grid out with cells no smaller than `cutoff` for the wrapped centres of `bodies` bodies.
    ///
    /// Where a direction is not periodic, centres beyond the grid belong to its outermost cells.
    pub(crate) fn lay_out(&mut self, domain: &Domain, cutoff: f64, bodies: usize, center: &impl Fn(usize) -> [f64; 3]) {
        // Rounding must not make a cell shorter than the cutoff.
        let mut edge = cutoff * (1.0 + 1e-9);
        // A thin gas must not cost more cells than bodies.
        let affordable = (4 * bodies + 64) as f64;
        self.period = domain.periods().to_array();
        let unbounded = domain.boundary() != [Boundary::Periodic; 3];
        let extent = if unbounded { extremes(bodies, center) } else { [domain.low(), domain.high()] };
        if self.divide(domain, edge, extent) <= affordable {
            return;
        }
        // Nor may a few bodies far away make the cells of all others large.
        let bulk = bulk(bodies, center);
        while self.divide(domain, edge, bulk) > affordable {
            edge *= 1.25;
        }
    }

    /// Cuts the box from `lowest` to `highest`, or the domain where that is periodic, into cells no smaller than `edge`;
    /// returns their number.
    fn divide(&mut self, domain: &Domain, edge: f64, [lowest, highest]: [DVec3; 2]) -> f64 {
        for c in 0..3 {
            self.periodic[c] = domain.boundary()[c] == Boundary::Periodic;
            let (low, high) =
                if self.periodic[c] { (domain.low()[c], domain.high()[c]) } else { (lowest[c], highest[c]) };
            let extent = (high - low).max(0.0);
            let cells = (extent / edge).floor().clamp(1.0, 1e6);
            self.low[c] = low;
            self.count[c] = cells as usize;
            self.inverse_size[c] = cells / extent.max(edge);
        }
        self.count.iter().map(|&count| count as f64).product()
    }

    /// Sorts bodies by cell, and by number within a cell, into `order`, given their wrapped centres; their places are
    /// those from `place` on.
    pub(crate) fn sort(&mut self, place: usize, center: &(impl Fn(usize) -> [f64; 3] + Sync), order: &mut [u32]) {
        self.start.clear();
        self.start.resize(self.count.iter().product::<usize>() + 1, 0);
        let mut cell = vec![0_u32; order.len()];
        all_blocks(order.len(), &mut cell[..], &|first, _, cell| {
            (first..).zip(cell).for_each(|(i, cell)| *cell = self.index(self.locate(center(i))) as u32);
            true
        });
        for &c in &cell {
            self.start[c as usize] += 1;
        }
        // From counts to the end of each cell; filling backwards then turns ends into starts.
        let mut end = place as u32;
        for start in &mut self.start {
            end += *start;
            *start = end;
        }
        for i in (0..order.len()).rev() {
            let slot = &mut self.start[cell[i] as usize];
            *slot -= 1;
            order[*slot as usize - place] = i as u32;
        }
    }

    /// The cell of a wrapped centre.
    #[inline]
    pub(crate) fn locate(&self, position: [f64; 3]) -> [usize; 3] {
        std::array::from_fn(|c| self.locate_along(c, position[c]))
    }

    /// The same in direction `c`: not before the cell of anything that is smaller.
    #[inline]
    fn locate_along(&self, c: usize, x: f64) -> usize {
        (((x - self.low[c]) * self.inverse_size[c]) as usize).min(self.count[c] - 1)
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    /// Cells in a row along x.
    pub(crate) fn row_length(&self) -> usize {
        self.count[0]
    }

    /// The first place of a cell.
    pub(crate) fn first_place(&self, cell: [usize; 3]) -> usize {
        self.start[self.index(cell)] as usize
    }

    /// The place after the last one of the row of cells at `y` and `z`.
    pub(crate) fn row_end(&self, y: usize, z: usize) -> usize {
        self.start[self.index([self.count[0] - 1, y, z]) + 1] as usize
    }

    /// The row of cells at `y` and `z` and those beside it, in the order in which neighbours are listed.
    pub(crate) fn rows_around(&self, y: usize, z: usize) -> impl Iterator<Item = CellRow> + '_ {
        let beside = move |c: usize, from: usize| (-1..=1).filter_map(move |by| Some((by, self.step(c, from, by)?)));
        beside(2, z).flat_map(move |(dz, (z, sz))| {
            beside(1, y).map(move |(dy, (y, sy))| CellRow {
                first: self.index([0, y, z]),
                sign: [sy, sz],
                is_middle: dy == 0 && dz == 0,
            })
        })
    }

    /// The bodies of a row in the cells from that before `first` to that after `last`: seen from beyond the lower side,
    /// within the domain, and from beyond the upper one.
    pub(crate) fn runs_around(&self, row: &CellRow, first: usize, last: usize) -> [Run; 3] {
        let [y, z] = row.sign;
        let run = |from: usize, to: usize, x| Run {
            start: self.start[row.first + from],
            end: self.start[row.first + to],
            code: shift_code([x, y, z]) << INDEX_BITS,
        };
        let (count, periodic) = (self.count[0], self.periodic[0]);
        let before = if first == 0 && periodic { run(count - 1, count, -1) } else { run(0, 0, 0) };
        let after = if last + 1 == count && periodic { run(0, 1, 1) } else { run(0, 0, 0) };
        [before, run(first.saturating_sub(1), (last + 2).min(count), 0), after]
    }

    /// Where those of them that are within the domain begin, cell by cell.
    pub(crate) fn starts(&self, row: &CellRow, first: usize, last: usize) -> &[u32] {
        &self.start[row.first + first.saturating_sub(1)..row.first + (last + 2).min(self.count[0])]
    }

    /// Where the bodies are that may be nearer than `reach` to a wrapped centre, in the order in which they are listed.
    pub(crate) fn runs_within(&self, center: [f64; 3], reach: f64, runs: &mut Vec<Run>) {
        runs.clear();
        // Rounding must not lose a body that the search would find to be near.
        let size = (0..3).fold(0.0, |size: f64, c| size.max(center[c].abs() + self.period[c]));
        let reach = reach * (1.0 + 1e-9) + 8.0 * f64::EPSILON * size;
        let [along_x, along_y, along_z] = std::array::from_fn(|c| self.ranges(c, center[c] - reach, center[c] + reach));
        for (from_z, to_z, sz) in along_z.into_iter().flatten() {
            for z in from_z..=to_z {
                for &(from_y, to_y, sy) in along_y.iter().flatten() {
                    for y in from_y..=to_y {
                        let row = self.index([0, y, z]);
                        for &(from_x, to_x, sx) in along_x.iter().flatten() {
                            let (start, end) = (self.start[row + from_x], self.start[row + to_x + 1]);
                            if start < end {
                                runs.push(Run { start, end, code: shift_code([sx, sy, sz]) << INDEX_BITS });
                            }
                        }
                    }
                }
            }
        }
    }

    /// First and last cell in direction `c` of what is seen between `low` and `high`, and the sign of the shift through
    /// which it is seen.
    fn ranges(&self, c: usize, low: f64, high: f64) -> [Option<(usize, usize, i32)>; 3] {
        let end = self.low[c] + self.period[c];
        [-1, 0, 1].map(|sign| {
            if !self.periodic[c] {
                return (sign == 0).then(|| (self.locate_along(c, low), self.locate_along(c, high), sign));
            }
            let shift = self.period[c] * f64::from(sign);
            let seen = low - shift <= end && high - shift >= self.low[c];
            seen.then(|| (self.locate_along(c, low - shift), self.locate_along(c, high - shift), sign))
        })
    }

    /// The cell `by` further on in direction `c` and the sign of the shift of its image, `None` beyond the last cell.
    fn step(&self, c: usize, from: usize, by: isize) -> Option<(usize, i32)> {
        match from.checked_add_signed(by).filter(|&to| to < self.count[c]) {
            Some(to) => Some((to, 0)),
            None if !self.periodic[c] => None,
            None if by < 0 => Some((self.count[c] - 1, -1)),
            None => Some((0, 1)),
        }
    }
}

/// Lower and upper corner of the box around all centres.
fn extremes(bodies: usize, center: &impl Fn(usize) -> [f64; 3]) -> [DVec3; 2] {
    let centers = (0..bodies).map(|i| DVec3::from_array(center(i)));
    centers.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], center| [low.min(center), high.max(center)])
}

/// As [`extremes`], of a sample of centres without the outermost ones in each direction.
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
    fn codes_and_shifts_agree() {
        let table = shifts(DVec3::new(2.0, 3.0, 5.0));
        for x in -1..=1 {
            for y in -1..=1 {
                for z in -1..=1 {
                    let row = table[shift_code([x, y, z]) as usize];
                    let expected = [2 * x, 3 * y, 5 * z].map(f64::from);
                    assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-300));
                }
            }
        }
        assert_eq!(shift_code([0; 3]), NO_SHIFT);
    }

    #[test]
    fn a_thin_gas_gets_few_cells() {
        let mut cells = Cells::default();
        let centers: Vec<[f64; 3]> = (0..10).map(|i| [1e8 * f64::from(i); 3]).collect();
        cells.lay_out(&Domain::OPEN, 1.0, centers.len(), &|i| centers[i]);
        assert!(cells.count.iter().product::<usize>() <= 104);
    }

    #[test]
    fn a_body_far_away_does_not_make_cells_large() {
        let mut centers: Vec<[f64; 3]> =
            (0..1000).map(|i| [i % 10, i / 10 % 10, i / 100].map(|k| f64::from(k) + 0.5)).collect();
        centers[500] = [1e300, -1e300, 1e9];
        let mut cells = Cells::default();
        cells.lay_out(&Domain::OPEN, 1.0, centers.len(), &|i| centers[i]);
        let mut order = vec![0; centers.len()];
        cells.sort(0, &|i| centers[i], &mut order);
        let fullest = cells.start.windows(2).map(|pair| pair[1] - pair[0]).max();
        assert!(fullest < Some(20), "{fullest:?}");
    }
}
