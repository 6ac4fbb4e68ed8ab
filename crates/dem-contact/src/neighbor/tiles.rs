//! Tiles: boxes of space that own the spheres in them, each with the pairs that its spheres need.
//!
//! A [`Tiling`] is a neighbour list cut into tiles. A tile **owns** the spheres whose centres were in it when the list
//! was made; spheres of other tiles that are in its pairs are its **ghosts**. A pair inside of a tile is listed once, a
//! pair across a border is listed by both tiles, each for its own sphere. The evaluation of a tile needs only its
//! own spheres, its ghosts and the shifts of images. So bits do not depend on the thread that evaluates it.
//!
//! `cut` makes tiles: `census` sorts radii into classes, `partition` cuts space, `order` sorts the spheres of a tile.
//! The index of a sphere in the order of the tiles is its **place**. Each tile is cut into strips (`strip`); `search`
//! finds the spheres around a strip, its `candidates`, and the pairs; `layout` sorts the pairs of a tile by the kinds
//! of their spheres and by image, and gives its ghosts their rows (`ghost_rows`); `gather` reads present centres.
//! Borders and places depend on centres, radii, skin, domain and ids; never on numbers, threads or earlier lists.

pub(crate) mod bounds;
pub(crate) mod bounds_tree;
pub(crate) mod candidates;
pub(crate) mod census;
pub(crate) mod cut;
pub(crate) mod full_rows;
pub(crate) mod gather;
pub(crate) mod ghost_rows;
pub(crate) mod layout;
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
use crate::neighbor::domain::Domain;
use crate::neighbor::tiles::cut::TileCut;
use crate::neighbor::tiles::full_rows::FullRows;
use crate::neighbor::tiles::tile::Tile;

/// Input from which a neighbour list is made, besides centres and radii.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListInput<'a> {
    pub(crate) domain: &'a Domain,
    /// Largest gap in m between the surfaces of pairs that are listed when the list is made.
    pub(crate) skin: f64,
    /// Id of each sphere, by sphere number; empty if ids equal numbers.
    pub(crate) ids: &'a [u32],
    /// Whether each sphere is fixed, by sphere number; empty if none is. Pairs of two fixed spheres are not listed.
    pub(crate) is_fixed: &'a [bool],
    /// Pairs of sphere numbers that are left out of the list, in both directions, sorted.
    pub(crate) excluded: &'a [[u32; 2]],
    /// Kind (of contact laws) of each sphere, by sphere number; spheres beyond the end are of kind 0.
    pub(crate) kinds: &'a [u16],
}

/// Neighbour list, cut into spatial tiles, for the centres that it was made for; by default without spheres.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tiling {
    /// Number of each sphere, with the spheres sorted by spatial tile.
    pub(crate) order: Vec<u32>,
    /// Place of each sphere, by number: its index if the spheres are sorted by spatial tile.
    pub(crate) place: Vec<u32>,
    /// Wrapped centre that the list was made for, and radius, in m, of each sphere, sorted by spatial tile.
    pub(crate) reference: Vec<[f64; 4]>,
    /// Tiles (boxes of space) of the neighbour list: the spheres of a tile follow those of the tile before.
    pub(crate) tiles: Vec<Tile>,
    /// Index after the last sphere of each spatial tile among the spheres sorted by tile.
    pub(crate) ends: Vec<usize>,
    /// Number of spatial tiles whose pairs are evaluated. In a [subdomain](crate::neighbor::Subdomain) one
    /// more tile follows, without pairs: it has the ghosts of all the evaluated tiles.
    pub(crate) own_tiles: usize,
    /// Index of each evaluated spatial tile in the [decomposition](crate::neighbor::Decomposition); empty if
    /// this list has all tiles.
    pub(crate) names: Vec<u32>,
    /// Largest gap in m between surfaces for which pairs were listed when the list was made.
    pub(crate) skin: f64,
    /// Partners of each sphere in listed pairs, found when they are first asked for.
    pub(super) full_rows: OnceLock<FullRows>,
}

impl Tiling {
    /// Makes the list for spheres with these wrapped centres and radii in m, by number. A spatial tile owns
    /// about `wanted` spheres.
    ///
    /// # Errors
    /// [`TooManyNeighbors`](crate::error::ListError::TooManyNeighbors).
    pub(crate) fn new(input: &ListInput<'_>, rows: Vec<[f64; 4]>, wanted: usize) -> Result<Self, DemError> {
        let cut = TileCut::new(input, rows, wanted);
        let tiles = cut.with_pairs(input, cut.tiles.iter().cloned())?;
        let TileCut { order, reference, .. } = cut;
        let mut place = vec![0; order.len()];
        (0..).zip(&order).for_each(|(at, &number)| place[number as usize] = at);
        let own_tiles = tiles.len();
        let names = Vec::new();
        let full_rows = OnceLock::new();
        let ends = tiles.iter().map(|tile| tile.places.end).collect();
        Ok(Self { order, place, reference, tiles, ends, own_tiles, names, skin: input.skin, full_rows })
    }

    /// Number of spheres of the list.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns, for each sphere, sorted by spatial tile, the spheres with which the list has a pair.
    pub(crate) fn full_rows(&self) -> &FullRows {
        self.full_rows.get_or_init(|| FullRows::of(self))
    }

    /// Returns the index of the spatial tile that owns a sphere, given by its place in the order by tiles.
    pub(crate) fn tile_of(&self, place: usize) -> usize {
        self.ends.partition_point(|&end| end <= place)
    }

    /// Returns all pairs, each once: the places of both spheres (sorted by tiles, which are boxes of space), the lower
    /// id first, and the code of the periodic shift.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = ([usize; 2], usize)> + '_ {
        self.tiles.iter().flat_map(|tile| {
            let listed = tile.iter_pairs().map(|pair| (pair.places(), pair.code()));
            // A pair across a border is listed twice: the tile of its first sphere shows it.
            listed.filter(|(places, _)| tile.places.contains(&places[0]))
        })
    }

    /// Returns, for each spatial tile whose pairs are evaluated with this list, the range of its spheres if all
    /// are sorted by tile.
    pub(crate) fn own_places(&self) -> impl ExactSizeIterator<Item = Range<usize>> + Clone + '_ {
        self.tiles[..self.own_tiles].iter().map(|tile| tile.places.clone())
    }
}

#[cfg(test)]
mod tests;
