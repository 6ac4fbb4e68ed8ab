//! Tiles: boxes of space that own the spheres in them, each with the pairs that its spheres need.
//!
//! A [`Tiling`] is a neighbour list cut into tiles. A tile **owns** the spheres whose centres were in it when the list
//! was made; spheres of other tiles that are in its pairs are its **ghosts**. A pair inside of a tile is listed once, a
//! pair across a border is listed by both tiles, each for its own sphere. A tile can be evaluated by whoever has its
//! own spheres, its ghosts and the shifts of images, and nothing else. So bits do not depend on who evaluates it.
//!
//! `census` sorts radii into classes, `partition` cuts space, `candidates` finds the spheres around a tile, `search`
//! finds its pairs, `gather` reads present centres. The index of a sphere in the order of the tiles is its **place**.
//! Borders and places depend on centres, radii, skin, domain and ids; never on numbers, threads or earlier lists.

pub(crate) mod candidates;
pub(crate) mod census;
pub(crate) mod gather;
pub(crate) mod pair;
pub(crate) mod partition;
pub(crate) mod search;
pub(crate) mod tile;

use std::ops::Range;
use std::sync::OnceLock;

use rrp_integrate::ScalarColumn;

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::domain::Domain;
use crate::neighbor::full_rows::FullRows;
use crate::neighbor::tiles::candidates::{CandidateFinder, TileBounds};
use crate::neighbor::tiles::census::Census;
use crate::neighbor::tiles::partition::{CellOfSphere, Grid, partition};
use crate::neighbor::tiles::search::{NEIGHBORS, PairSearch, SearchScratch};
use crate::neighbor::tiles::tile::Tile;
use crate::parallel::tiles::for_each_tile;

/// What a list is made from, besides centres and radii.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListInput<'a> {
    pub(crate) domain: &'a Domain,
    /// Pairs are listed up to this gap, in m.
    pub(crate) skin: f64,
    /// Id of each sphere, by number.
    pub(crate) ids: &'a [u32],
    /// Whether each sphere is fixed, by number; empty if none is. Pairs of two fixed ones are not listed.
    pub(crate) is_fixed: &'a [bool],
    /// Pairs by number that are left out, in both directions, sorted.
    pub(crate) excluded: &'a [[u32; 2]],
}

/// A neighbour list of tiles, for the centres that it was made from.
#[derive(Debug, Clone)]
pub(crate) struct Tiling {
    /// The sphere in each place.
    order: Vec<u32>,
    /// The place of each sphere.
    place: Vec<u32>,
    /// By place: the wrapped centre that the list was made for, and the radius, in m.
    reference: Vec<[f64; 4]>,
    tiles: Vec<Tile>,
    /// In m.
    skin: f64,
    /// Made when they are first asked for.
    full_rows: OnceLock<FullRows>,
}

impl Tiling {
    /// The list for these radii and wrapped centres (m), by number.
    ///
    /// # Errors
    /// [`ListError::TooManyNeighbors`].
    pub(crate) fn new(
        input: &ListInput<'_>,
        radius: &ScalarColumn,
        centre: &(impl Fn(usize) -> [f64; 3] + Sync),
    ) -> Result<Self, DemError> {
        let census = Census::of(radius, input.skin);
        let grid = Grid::new(input.domain, census.cell_edge());
        let mut spheres: Vec<CellOfSphere> = (0..radius.len())
            .map(|number| CellOfSphere { cell: grid.cell(centre(number)), number: number as u32 })
            .collect();
        let ranges = partition(&mut spheres);
        sort_tiles(&mut spheres, &ranges, input.ids, |number| census.class(radius[number]));
        let order: Vec<u32> = spheres.iter().map(|sphere| sphere.number).collect();
        drop(spheres);
        let mut place = vec![0; order.len()];
        (0..).zip(&order).for_each(|(at, &number)| place[number as usize] = at);
        let row = |&number: &u32| {
            let [x, y, z] = centre(number as usize);
            [x, y, z, radius[number as usize]]
        };
        let reference: Vec<[f64; 4]> = order.iter().map(row).collect();
        let mut tiling =
            Self { order, place, reference, tiles: Vec::new(), skin: input.skin, full_rows: OnceLock::new() };
        tiling.tiles = tiling.find_pairs(input, &census, ranges)?;
        Ok(tiling)
    }

    /// The tiles with these places, and their pairs.
    fn find_pairs(
        &self,
        input: &ListInput<'_>,
        census: &Census,
        ranges: Vec<Range<usize>>,
    ) -> Result<Vec<Tile>, DemError> {
        let bounds: Vec<TileBounds> =
            ranges.iter().map(|places| TileBounds::of(&self.reference[places.clone()], census)).collect();
        let finder = CandidateFinder::new(input, &self.reference, &ranges, &bounds);
        let search = PairSearch { input, order: &self.order, reference: &self.reference, census };
        let mut tiles: Vec<Tile> = ranges.iter().map(|places| Tile::of(places.clone())).collect();
        for_each_tile(&mut tiles, &|number, tile| {
            let mut scratch = SearchScratch::default();
            finder.find(number, &mut scratch.candidates);
            tile.pairs = search.pairs(tile.places.clone(), &mut scratch);
        });
        if tiles.iter().any(|tile| search.are_too_many(tile.pairs.len())) {
            let largest = census.largest().iter().copied().fold(0.0, f64::max);
            let (limit, cutoff) = (NEIGHBORS, 2.0 * largest + input.skin);
            return Err(DemError::List(ListError::TooManyNeighbors { limit, cutoff }));
        }
        Ok(tiles)
    }

    /// Number of spheres.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The sphere in each place.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of each sphere.
    pub(crate) fn place(&self) -> &[u32] {
        &self.place
    }

    /// By place: the wrapped centre that the list was made for, and the radius, in m.
    pub(crate) fn reference(&self) -> &[[f64; 4]] {
        &self.reference
    }

    /// The gap (m) up to which pairs were listed.
    pub(crate) fn skin(&self) -> f64 {
        self.skin
    }

    /// The partners of each sphere.
    pub(crate) fn full_rows(&self) -> &FullRows {
        self.full_rows.get_or_init(|| FullRows::of(self))
    }

    /// The tile that owns the sphere in a place.
    pub(crate) fn tile_of(&self, place: usize) -> usize {
        self.tiles.partition_point(|tile| tile.places.end <= place)
    }

    /// The tiles, in the order of their places.
    pub(crate) fn tiles(&self) -> &[Tile] {
        &self.tiles
    }
}

/// Sorts the spheres of each tile by class, the largest first, then by cell and id.
fn sort_tiles(
    spheres: &mut [CellOfSphere],
    ranges: &[Range<usize>],
    ids: &[u32],
    class: impl Fn(usize) -> usize + Sync,
) {
    let mut rest = spheres;
    let mut tiles = Vec::with_capacity(ranges.len());
    for places in ranges {
        let (own, later) = rest.split_at_mut(places.len());
        tiles.push(own);
        rest = later;
    }
    for_each_tile(&mut tiles, &|_, own| {
        own.sort_unstable_by_key(|sphere| {
            let ([x, y, z], number) = (sphere.cell, sphere.number as usize);
            (std::cmp::Reverse(class(number)), z, y, x, ids[number])
        });
    });
}

#[cfg(test)]
mod tests;
