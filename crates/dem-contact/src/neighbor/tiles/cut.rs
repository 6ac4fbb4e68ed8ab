//! All spheres cut into tiles, before any pair is known.

use std::ops::Range;

use rrp_parallel::{Parts, PerPart, for_each_part};

use crate::neighbor::tiles::ListInput;
use crate::neighbor::tiles::census::Census;
use crate::neighbor::tiles::order::TileKey;
use crate::neighbor::tiles::partition::{Grid, partition};
use crate::neighbor::tiles::strip::{Strip, strips};

/// All spheres, cut into tiles (boxes of space) and sorted by tile, before pairs are found.
#[derive(Debug, Clone)]
pub(in crate::neighbor) struct TileCut {
    /// Number of each sphere, in the order of the tiles; `ids` are the ids, `reference` wrapped centres and radii in m.
    pub(in crate::neighbor) order: Vec<u32>,
    pub(in crate::neighbor) ids: Vec<u32>,
    pub(in crate::neighbor) reference: Vec<[f64; 4]>,
    /// Range of the spheres that each tile owns, in the order of the tiles.
    pub(in crate::neighbor) tiles: Vec<Range<usize>>,
    /// Strips (short runs of spheres) of all tiles, in the order of the tiles.
    pub(super) strips: Vec<Strip>,
}

impl TileCut {
    /// Cuts spheres with these wrapped centres and radii (m), by sphere number, into tiles of about `wanted` spheres.
    pub(in crate::neighbor) fn new(input: &ListInput<'_>, rows: Vec<[f64; 4]>, wanted: usize) -> Self {
        let census = Census::of(rows.iter().map(|row| row[3]), input.skin);
        let grid = Grid::new(input.domain, census.smallest);
        let key = |(row, number): (&[f64; 4], u32)| {
            let id = input.ids.get(number as usize).copied().unwrap_or(number);
            TileKey::new(census.class(row[3]), grid.cell([row[0], row[1], row[2]]), id, number)
        };
        let mut keys: Vec<TileKey> = rows.iter().zip(0..).map(key).collect();
        let tiles = partition(&mut keys, wanted);
        let mut of_tiles = vec![Vec::new(); tiles.len()];
        let ends: Vec<usize> = tiles.iter().map(|places| places.end).collect();
        for_each_part(Parts::of(&ends), (&mut keys[..], PerPart(&mut of_tiles)), &|tile, (keys, found)| {
            keys.sort_unstable();
            found.0.fill(strips(keys, tile.rows.start, &rows));
        });
        let strips = of_tiles.into_iter().flatten().collect();
        let ids = keys.iter().map(|key| key.id).collect();
        let order: Vec<u32> = keys.iter().map(|key| key.number).collect();
        let reference = order.iter().map(|&number| rows[number as usize]).collect();
        Self { order, ids, reference, tiles, strips }
    }
}
