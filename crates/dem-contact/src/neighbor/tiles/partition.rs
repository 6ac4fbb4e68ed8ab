//! The cut of space into tiles, by the number of spheres in each cell of a global grid.

use std::ops::Range;

use crate::neighbor::domain::Domain;
use crate::neighbor::tiles::order::TileKey;

/// Number of spheres that a tile should own. A tile with more than twice as many is halved.
pub(in crate::neighbor) const WANTED: usize = 500;

/// Bound on the indices of grid cells in each direction. The outermost cells hold all spheres beyond this bound.
const MOST_CELLS: f64 = (1_i32 << 29) as f64;

/// Global grid of cells by which space is cut into tiles; it begins at the low corner of the domain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    low: [f64; 3],
    inverse_edge: f64,
}

impl Grid {
    pub(super) fn new(domain: &Domain, edge: f64) -> Self {
        Self { low: domain.low().to_array(), inverse_edge: edge.recip() }
    }

    pub(super) fn cell(&self, centre: [f64; 3]) -> [i32; 3] {
        std::array::from_fn(|c| {
            ((centre[c] - self.low[c]) * self.inverse_edge).floor().clamp(-MOST_CELLS, MOST_CELLS - 1.0) as i32
        })
    }
}

/// Sorts spheres by tile, in any order within a tile; returns the range of the spheres of each tile.
///
/// A box of cells is shrunk to its spheres, and halved along its longest side while it holds more than twice `wanted`
/// spheres. So the cut depends only on the number of spheres in each cell.
pub(super) fn partition(spheres: &mut [TileKey], wanted: usize) -> Vec<Range<usize>> {
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
    let side = |c: usize| {
        let cells = || spheres.iter().map(|sphere| sphere.cell[c]);
        let low = cells().min().unwrap_or_default();
        (cells().max().unwrap_or_default() - low, c, low)
    };
    // For equal sides the cut is along x rather than y, and along y rather than z, since cells have z first.
    let (length, longest, low) = [0, 1, 2].map(side).into_iter().max().unwrap_or_default();
    if length == 0 {
        return tiles.push(all);
    }
    let middle = low + (length + 1) / 2;
    spheres.sort_unstable_by_key(|sphere| sphere.cell[longest] >= middle);
    let lower = spheres.partition_point(|sphere| sphere.cell[longest] < middle);
    let (below, above) = spheres.split_at_mut(lower);
    halve(below, wanted, first, tiles);
    halve(above, wanted, first + lower, tiles);
}
