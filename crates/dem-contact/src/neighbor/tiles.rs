//! Tiles: boxes of space that own the spheres in them, each with the pairs of these spheres.
//!
//! A [`Tiling`] is a neighbour list cut into tiles. A tile **owns** the spheres whose centres were in it when the list
//! was made; its **ghosts** are the spheres of other tiles that are in its pairs. A pair inside a tile is listed once;
//! a pair across a border is listed by both tiles, each for its own sphere. The evaluation of a tile needs only its own
//! spheres, its ghosts and the shifts of images, so its result does not depend on the thread that evaluates it.
//!
//! `cut` makes tiles: `census` sorts radii into size classes, `partition` cuts space, `order` sorts the spheres of a
//! tile. The index of a sphere in the order of the tiles is its **place**. Each tile is cut into strips (`strip`).
//! `search` finds the spheres around a strip, its `candidates`, and the pairs. `layout` sorts the pairs of a tile by
//! the kinds of their spheres and by image, and numbers the ghosts of the tile (`ghost_rows`). `gather` reads present
//! centres. Borders and places depend on centres, radii, skin, domain and ids, but not on numbers, threads or earlier
//! lists.

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

#[derive(Debug, Clone, Copy)]
pub(super) struct ListInput<'a> {
    pub(super) domain: &'a Domain,
    /// Largest gap in m between the surfaces of a listed pair.
    pub(super) skin: f64,
    /// Id of each sphere, by sphere number; empty if ids equal numbers.
    pub(super) ids: &'a [u32],
    /// Whether each sphere is fixed, by sphere number; empty if none is. No pair of two fixed spheres is listed.
    pub(super) is_fixed: &'a [bool],
    pub(super) excluded: &'a [[u32; 2]],
    /// Kind of each sphere, a number that stands for its contact laws, by sphere number; 0 for spheres beyond the end.
    pub(super) kinds: &'a [u16],
}

/// Neighbour list, cut into tiles (boxes of space); by default without spheres.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tiling {
    /// Number of each sphere, in the order of the tiles.
    pub(crate) order: Vec<u32>,
    /// Place of each sphere (its index in the order of the tiles), by sphere number.
    pub(crate) place: Vec<u32>,
    /// Wrapped centre for which the list was made, and radius, in m, of each sphere, in the order of the tiles.
    pub(crate) reference: Vec<[f64; 4]>,
    pub(crate) tiles: Vec<Tile>,
    /// Index after the last sphere of each tile, in the order of the tiles.
    pub(crate) ends: Vec<usize>,
    /// Number of tiles whose pairs are evaluated. In a [subdomain](crate::neighbor::Subdomain) one more tile without
    /// pairs follows: it has the ghosts of all evaluated tiles.
    pub(crate) own_tiles: usize,
    /// Index of each evaluated tile in the [decomposition](crate::neighbor::Decomposition); empty if this list has all
    /// tiles.
    pub(super) names: Vec<u32>,
    pub(crate) skin: f64,
    pub(super) full_rows: OnceLock<FullRows>,
}

impl Tiling {
    /// Makes the list for spheres with these wrapped centres and radii in m, by sphere number. A tile owns about
    /// `wanted` spheres.
    ///
    /// # Errors
    /// [`TooManyNeighbors`](crate::error::ListError::TooManyNeighbors).
    pub(super) fn new(input: &ListInput<'_>, rows: Vec<[f64; 4]>, wanted: usize) -> Result<Self, DemError> {
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

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    pub(super) fn full_rows(&self) -> &FullRows {
        self.full_rows.get_or_init(|| FullRows::of(self))
    }

    pub(crate) fn tile_of(&self, place: usize) -> usize {
        self.ends.partition_point(|&end| end <= place)
    }

    /// Returns each pair once: the places of both spheres (indices in the order of the tiles), the sphere with the
    /// lower id first, and the code of the periodic shift. The list of a subdomain leaves out the pairs whose first
    /// sphere is a ghost: another rank returns them.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = ([usize; 2], usize)> + '_ {
        self.tiles.iter().flat_map(|tile| {
            let listed = tile.iter_pairs().map(|pair| (pair.places(), pair.code()));
            // A pair across a border is listed twice: take it from the tile that owns its first sphere.
            listed.filter(|(places, _)| tile.places.contains(&places[0]))
        })
    }

    /// Returns the range of places of each evaluated tile: the indices of its spheres in the order of the tiles.
    pub(crate) fn own_places(&self) -> impl ExactSizeIterator<Item = Range<usize>> + Clone + '_ {
        self.tiles[..self.own_tiles].iter().map(|tile| tile.places.clone())
    }
}

#[cfg(test)]
mod tests;
