//! Tiles: boxes of space that own the spheres in them, each with the pairs that its spheres need.
//!
//! A [`Tiling`] is a neighbour list cut into tiles. A tile **owns** the spheres whose centres were in it when the list
//! was made; spheres of other tiles that are in its pairs are its **ghosts**. A pair inside of a tile is listed once, a
//! pair across a border is listed by both tiles, each for its own sphere. The evaluation of a tile needs only its
//! own spheres, its ghosts and the shifts of images. So bits do not depend on the thread that evaluates it.
//!
//! `census` sorts radii into classes, `partition` cuts space, `order` sorts the spheres of a tile: the index of a
//! sphere in the order of the tiles is its **place**. Each tile is cut into strips (`strip`); `search` finds the spheres
//! around a strip, its `candidates`, and the pairs; `gather` reads present centres. Borders and places depend on centres,
//! radii, skin, domain and ids; never on numbers, threads or earlier lists.

pub(crate) mod bounds;
pub(crate) mod bounds_tree;
pub(crate) mod candidates;
pub(crate) mod census;
pub(crate) mod full_rows;
pub(crate) mod gather;
pub(crate) mod marks;
pub(crate) mod order;
pub(crate) mod pair;
pub(crate) mod partition;
pub(crate) mod search;
pub(crate) mod strip;
pub(crate) mod tile;

use std::ops::Range;
use std::sync::OnceLock;

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::domain::Domain;
use crate::neighbor::tiles::census::Census;
use crate::neighbor::tiles::full_rows::FullRows;
use crate::neighbor::tiles::order::TileKey;
use crate::neighbor::tiles::partition::{Grid, partition};
use crate::neighbor::tiles::search::{NEIGHBORS, PairSearch, SearchScratch};
use crate::neighbor::tiles::strip::{Strip, strips};
use crate::neighbor::tiles::tile::Tile;
use crate::parallel::parts::{PerPart, for_each_item_with, for_each_part};

/// What a list is made from, besides centres and radii.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListInput<'a> {
    pub(crate) domain: &'a Domain,
    /// Pairs are listed up to this gap, in m.
    pub(crate) skin: f64,
    /// Id of each sphere, by number; empty if ids are numbers.
    pub(crate) ids: &'a [u32],
    /// Whether each sphere is fixed, by number; empty if none is. Pairs of two fixed ones are not listed.
    pub(crate) is_fixed: &'a [bool],
    /// Pairs by number that are left out, in both directions, sorted.
    pub(crate) excluded: &'a [[u32; 2]],
}

/// A neighbour list of tiles, for the centres that it was made from. The default one has no spheres.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tiling {
    /// The sphere in each place.
    pub(crate) order: Vec<u32>,
    /// The place of each sphere.
    pub(crate) place: Vec<u32>,
    /// By place: the wrapped centre that the list was made for, and the radius, in m.
    pub(crate) reference: Vec<[f64; 4]>,
    /// In the order of their places.
    pub(crate) tiles: Vec<Tile>,
    /// The gap in m up to which pairs were listed.
    pub(crate) skin: f64,
    /// Made when they are first asked for.
    full_rows: OnceLock<FullRows>,
}

impl Tiling {
    /// The list for these spheres: wrapped centre and radius in m, by number. Its tiles own about `wanted` of them.
    ///
    /// # Errors
    /// [`ListError::TooManyNeighbors`].
    pub(crate) fn new(input: &ListInput<'_>, rows: Vec<[f64; 4]>, wanted: usize) -> Result<Self, DemError> {
        let census = Census::of(rows.iter().map(|row| row[3]), input.skin);
        let grid = Grid::new(input.domain, census.smallest);
        let key = |(row, number): (&[f64; 4], u32)| {
            let id = input.ids.get(number as usize).copied().unwrap_or(number);
            TileKey::new(census.class(row[3]), grid.cell([row[0], row[1], row[2]]), id, number)
        };
        let mut keys: Vec<TileKey> = rows.iter().zip(0..).map(key).collect();
        let tiles: Vec<Tile> =
            partition(&mut keys, wanted).into_iter().map(|places| Tile { places, pairs: Vec::new() }).collect();
        let mut of_tiles = vec![Vec::new(); tiles.len()];
        let places = tiles.iter().map(|tile| tile.places.clone());
        for_each_part(places, 2, (&mut keys[..], PerPart(&mut of_tiles)), &|_, places, (keys, found)| {
            keys.sort_unstable();
            found.0.fill(strips(keys, places.start, &rows));
        });
        let strips: Vec<Strip> = of_tiles.into_iter().flatten().collect();
        let ids: Vec<u32> = keys.iter().map(|key| key.id).collect();
        let order: Vec<u32> = keys.iter().map(|key| key.number).collect();
        let reference = order.iter().map(|&number| rows[number as usize]).collect();
        // Pairs take the room.
        drop((keys, rows));
        let mut place = vec![0; order.len()];
        (0..).zip(&order).for_each(|(at, &number)| place[number as usize] = at);
        let mut list = Self { order, place, reference, tiles, skin: input.skin, full_rows: OnceLock::new() };
        list.find_pairs(input, &ids, &strips)?;
        Ok(list)
    }

    /// Finds the pairs of all tiles, given the ids by place and all strips.
    fn find_pairs(&mut self, input: &ListInput<'_>, ids: &[u32], strips: &[Strip]) -> Result<(), DemError> {
        let search = PairSearch::new(input, [&self.order, ids], &self.reference, strips);
        for_each_item_with(&mut self.tiles, &|_, tile, scratch: &mut SearchScratch| {
            tile.pairs = search.pairs(&tile.places, scratch);
        });
        if self.tiles.iter().any(|tile| search.are_too_many(tile.pairs.len())) {
            let largest = self.reference.iter().fold(0.0, |largest: f64, sphere| largest.max(sphere[3]));
            let (limit, cutoff) = (NEIGHBORS, 2.0 * largest + input.skin);
            return Err(DemError::List(ListError::TooManyNeighbors { limit, cutoff }));
        }
        Ok(())
    }

    /// Number of spheres.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The partners of each sphere.
    pub(crate) fn full_rows(&self) -> &FullRows {
        self.full_rows.get_or_init(|| FullRows::of(self))
    }

    /// The tile that owns the sphere in a place.
    pub(crate) fn tile_of(&self, place: usize) -> usize {
        self.tiles.partition_point(|tile| tile.places.end <= place)
    }

    /// Each pair once: both places from the lower id, and the code of the shift.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = ([usize; 2], usize)> + '_ {
        self.tiles.iter().flat_map(|tile| {
            let listed = tile.pairs.iter().map(|pair| (pair.places(), pair.code()));
            // A pair across a border is listed twice: the tile of its first sphere shows it.
            listed.filter(|(places, _)| tile.places.contains(&places[0]))
        })
    }

    /// The places of each tile.
    pub(crate) fn places(&self) -> impl ExactSizeIterator<Item = Range<usize>> + Clone + '_ {
        self.tiles.iter().map(|tile| tile.places.clone())
    }
}

#[cfg(test)]
mod tests;
