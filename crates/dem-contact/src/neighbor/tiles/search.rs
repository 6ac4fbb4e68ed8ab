//! The pairs of one tile, from its candidates.

use std::ops::Range;

use crate::neighbor::image_shift::opposite;
use crate::neighbor::tiles::ListInput;
use crate::neighbor::tiles::candidates::Candidate;
use crate::neighbor::tiles::census::Census;
use crate::neighbor::tiles::pair::Pair;
use crate::neighbor::tiles::partition::WANTED;

/// Neighbours that the spheres of a tile may have on average.
pub(crate) const NEIGHBORS: usize = 4096;

/// Room for the search of one tile.
#[derive(Debug, Default)]
pub(crate) struct SearchScratch {
    pub(crate) candidates: Vec<Candidate>,
}

/// The input of the search.
#[derive(Debug)]
pub(crate) struct PairSearch<'a> {
    pub(crate) input: &'a ListInput<'a>,
    pub(crate) order: &'a [u32],
    /// By place: centre and radius, in m.
    pub(crate) reference: &'a [[f64; 4]],
    pub(crate) census: &'a Census,
}

/// Candidates of one class in a grid of cells.
#[derive(Debug)]
struct ClassCells {
    low: [f64; 3],
    inverse_edge: [f64; 3],
    count: [usize; 3],
    /// The first candidate of each cell, and the end of the last one.
    start: Vec<u32>,
    candidates: Vec<Candidate>,
    /// The largest radius in m.
    largest: f64,
}

impl PairSearch<'_> {
    /// Whether a tile with so many pairs has more than spheres that overlap little can have. Few large spheres find room around a small
    /// one, so more are allowed where there are many.
    pub(crate) fn are_too_many(&self, pairs: usize) -> bool {
        pairs > NEIGHBORS * WANTED + 32 * self.order.len()
    }

    /// The pairs of the tile that owns these places. The search ends where they are too many.
    pub(crate) fn pairs(&self, own: Range<usize>, scratch: &mut SearchScratch) -> Vec<Pair> {
        let classes = self.sort_by_class(&scratch.candidates);
        let mut pairs = Vec::with_capacity(8 * own.len());
        let mut row: Vec<(u32, u32)> = Vec::new();
        for place in own.clone() {
            row.clear();
            for class in &classes {
                self.search(place, &own, class, &mut row);
            }
            row.sort_unstable();
            pairs.extend(row.iter().map(|&(other, code)| self.oriented([place as u32, other], code)));
            if self.are_too_many(pairs.len()) {
                break;
            }
        }
        pairs.shrink_to_fit();
        pairs
    }

    /// Appends to `row` the partners of a sphere among the candidates of one class: place and code of the shift.
    ///
    /// A pair of two own spheres is left to the one with the lower place.
    #[inline(always)]
    fn search(&self, place: usize, own: &Range<usize>, class: &ClassCells, row: &mut Vec<(u32, u32)>) {
        let [x, y, z, radius] = self.reference[place];
        if radius <= 0.0 {
            return;
        }
        let (reach, is_fixed) = (radius + class.largest + self.input.skin, self.is_fixed(place));
        class.each_near([x, y, z], reach, &mut |candidates| {
            for candidate in candidates {
                let &Candidate { sphere: [ox, oy, oz, other_radius], shift: [sx, sy, sz], .. } = candidate;
                // Seen from the other sphere the separation is exactly opposite.
                let [dx, dy, dz] = [(ox - x) + sx, (oy - y) + sy, (oz - z) + sz];
                let cutoff = (radius + other_radius) + self.input.skin;
                if dx * dx + dy * dy + dz * dz < cutoff * cutoff {
                    let other = candidate.place as usize;
                    let is_listed_there = own.contains(&other) && other <= place;
                    let is_no_pair = is_fixed && self.is_fixed(other);
                    if !(is_listed_there || is_no_pair || self.is_excluded(place, other)) {
                        row.push((candidate.place, candidate.code));
                    }
                }
            }
        });
    }

    /// A pair as both tiles list it: from the lower id.
    fn oriented(&self, [this, other]: [u32; 2], code: u32) -> Pair {
        let id = |place: u32| self.input.ids[self.order[place as usize] as usize];
        if id(this) < id(other) {
            Pair::new([this, other], code)
        } else {
            Pair::new([other, this], opposite(code as usize) as u32)
        }
    }

    fn is_excluded(&self, place: usize, other: usize) -> bool {
        let pair = [place, other].map(|place| self.order[place]);
        !self.input.excluded.is_empty() && self.input.excluded.binary_search(&pair).is_ok()
    }

    fn is_fixed(&self, place: usize) -> bool {
        !self.input.is_fixed.is_empty() && self.input.is_fixed[self.order[place] as usize]
    }

    /// Cells of the candidates of each class that has some.
    fn sort_by_class(&self, candidates: &[Candidate]) -> Vec<ClassCells> {
        let largest = self.census.largest();
        if let &[largest] = largest {
            return vec![ClassCells::of(candidates, largest, self.input.skin)];
        }
        let mut members = vec![Vec::new(); largest.len()];
        for candidate in candidates {
            members[self.census.class(candidate.sphere[3])].push(*candidate);
        }
        let classes = members.iter().zip(largest).filter(|(members, _)| !members.is_empty());
        classes.map(|(members, &largest)| ClassCells::of(members, largest, self.input.skin)).collect()
    }
}

impl ClassCells {
    /// Largest number of cells in one direction.
    const MOST: f64 = 256.0;

    fn of(candidates: &[Candidate], largest: f64, skin: f64) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for candidate in candidates {
            let image = candidate.image();
            low = std::array::from_fn(|c| low[c].min(image[c]));
            high = std::array::from_fn(|c| high[c].max(image[c]));
        }
        let affordable = (4 * candidates.len() + 64) as f64;
        let mut edge = 2.0 * largest + skin;
        let divide = |edge: f64| {
            [0, 1, 2].map(|c| ((high[c] - low[c]).clamp(0.0, f64::MAX) / edge).floor().clamp(1.0, Self::MOST))
        };
        while divide(edge).iter().product::<f64>() > affordable {
            edge *= 1.25;
        }
        let cells = divide(edge);
        let inverse_edge = std::array::from_fn(|c| cells[c] / (high[c] - low[c]).clamp(f64::MIN_POSITIVE, f64::MAX));
        let count = cells.map(|cells| cells as usize);
        let mut sorted = Self { low, inverse_edge, count, start: Vec::new(), candidates: candidates.to_vec(), largest };
        sorted.sort(candidates);
        sorted
    }

    /// Sorts the candidates by cell.
    fn sort(&mut self, candidates: &[Candidate]) {
        let cells: Vec<u32> = candidates.iter().map(|candidate| self.index(candidate.image())).collect();
        self.start = vec![0; self.count.iter().product::<usize>() + 1];
        cells.iter().for_each(|&cell| self.start[cell as usize + 1] += 1);
        (1..self.start.len()).for_each(|cell| self.start[cell] += self.start[cell - 1]);
        let mut next = self.start.clone();
        for (candidate, &cell) in candidates.iter().zip(&cells) {
            let at = &mut next[cell as usize];
            self.candidates[*at as usize] = *candidate;
            *at += 1;
        }
    }

    fn index(&self, point: [f64; 3]) -> u32 {
        let [x, y, z] = self.cell(point);
        ((z * self.count[1] + y) * self.count[0] + x) as u32
    }

    /// The cell of a point (m), the nearest one if it is beyond the grid.
    #[inline(always)]
    fn cell(&self, point: [f64; 3]) -> [usize; 3] {
        std::array::from_fn(|c| (((point[c] - self.low[c]) * self.inverse_edge[c]) as usize).min(self.count[c] - 1))
    }

    /// Calls `show` with all candidates that may be nearer than `reach` (m) to a point (m), in the order of cells.
    #[inline(always)]
    fn each_near(&self, point: [f64; 3], reach: f64, show: &mut impl FnMut(&[Candidate])) {
        // Rounding must not lose a candidate.
        let margin = |x: f64| reach * (1.0 + 1e-9) + 8.0 * f64::EPSILON * x.abs();
        let [x0, y0, z0] = self.cell(point.map(|x| x - margin(x)));
        let [x1, y1, z1] = self.cell(point.map(|x| x + margin(x)));
        for z in z0..=z1 {
            for y in y0..=y1 {
                let row = (z * self.count[1] + y) * self.count[0];
                show(&self.candidates[self.start[row + x0] as usize..self.start[row + x1 + 1] as usize]);
            }
        }
    }
}

impl Candidate {
    /// The centre of the image, in m.
    #[inline(always)]
    fn image(&self) -> [f64; 3] {
        std::array::from_fn(|c| self.sphere[c] + self.shift[c])
    }
}
