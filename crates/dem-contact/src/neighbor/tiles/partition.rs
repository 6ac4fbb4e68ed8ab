//! The cut of space into tiles, by the number of spheres in each cell of one global grid.

use std::ops::Range;

use crate::neighbor::domain::Domain;
use crate::neighbor::tiles::order::TileKey;

/// Spheres that a tile should own. A tile with more than twice as many is halved.
pub(crate) const WANTED: usize = 500;

/// Cells are counted up to this number in each direction. The outermost cells hold what lies beyond.
const MOST_CELLS: f64 = (1_i32 << 29) as f64;

/// The global grid of cells, anchored at the low corner of the domain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    low: [f64; 3],
    inverse_edge: f64,
}

impl Grid {
    /// Cells with this edge (m).
    pub(crate) fn new(domain: &Domain, edge: f64) -> Self {
        Self { low: domain.low().to_array(), inverse_edge: edge.recip() }
    }

    /// The cell of a wrapped centre (m).
    pub(crate) fn cell(&self, centre: [f64; 3]) -> [i32; 3] {
        std::array::from_fn(|c| {
            ((centre[c] - self.low[c]) * self.inverse_edge).floor().clamp(-MOST_CELLS, MOST_CELLS - 1.0) as i32
        })
    }
}

/// Sorts spheres by tile, in no order within a tile; returns the places of each tile.
///
/// A box of cells is shrunk to its spheres and halved along its longest side while it holds more than twice
/// `wanted`. So the cut depends on the number of spheres in each cell alone.
pub(crate) fn partition(spheres: &mut [TileKey], wanted: usize) -> Vec<Range<usize>> {
    let mut tiles = Vec::new();
    halve(spheres, wanted, 0, &mut tiles);
    tiles
}

fn halve(spheres: &mut [TileKey], wanted: usize, first: usize, tiles: &mut Vec<Range<usize>>) {
    if spheres.is_empty() {
        return;
    }
    let all = first..first + spheres.len();
    if spheres.len() <= 2 * wanted {
        return tiles.push(all);
    }
    let [low, high] = bounds(spheres);
    let length = |c: usize| high[c] - low[c];
    // Of equal sides the first of x, y and z: cells have z first.
    let longest = (0..3).fold(0, |longest, c| if length(c) >= length(longest) { c } else { longest });
    if length(longest) == 0 {
        return tiles.push(all);
    }
    let middle = low[longest] + (length(longest) + 1) / 2;
    let lower = split(spheres, |sphere| sphere.cell[longest] < middle);
    let (below, above) = spheres.split_at_mut(lower);
    halve(below, wanted, first, tiles);
    halve(above, wanted, first + lower, tiles);
}

/// Lowest and highest cell.
fn bounds(spheres: &[TileKey]) -> [[i32; 3]; 2] {
    spheres.iter().fold([[i32::MAX; 3], [i32::MIN; 3]], |[low, high], sphere| {
        let bound = |c: usize| [low[c].min(sphere.cell[c]), high[c].max(sphere.cell[c])];
        let bounds = [bound(0), bound(1), bound(2)];
        [bounds.map(|[low, _]| low), bounds.map(|[_, high]| high)]
    })
}

/// Moves the spheres for which `is_first` holds to the front; returns how many they are.
fn split(spheres: &mut [TileKey], is_first: impl Fn(&TileKey) -> bool) -> usize {
    let mut count = 0;
    for k in 0..spheres.len() {
        if is_first(&spheres[k]) {
            spheres.swap(count, k);
            count += 1;
        }
    }
    count
}
