//! Tiles: boxes of space that own the spheres in them, each with the pairs that its spheres need.
//!
//! A [`Tiling`] is a neighbour list cut into tiles. A tile **owns** the spheres whose centres were in it when the list
//! was made; spheres of other tiles that are in its pairs are its **ghosts**. A pair inside of a tile is listed once, a
//! pair across a border is listed by both tiles, each for its own sphere. A tile can be evaluated by whoever has its
//! own spheres, its ghosts and the shifts of images, and nothing else. So bits do not depend on who evaluates it.
//!
//! `census` sorts radii into classes, `partition` cuts space, `order` sorts the spheres of a tile: the index of a
//! sphere in the order of the tiles is its **place**. Each class of a tile is cut into strips (`tile_class`).
//! `candidates` finds the spheres around a class, `near_strip` those around a strip, `search` the pairs; `gather` reads
//! present centres. Borders and places depend on centres, radii, skin, domain and ids; never on numbers, threads or
//! earlier lists.

pub(crate) mod bounds;
pub(crate) mod bounds_tree;
pub(crate) mod boxes;
pub(crate) mod candidates;
pub(crate) mod census;
pub(crate) mod columns;
pub(crate) mod f32_frame;
pub(crate) mod full_rows;
pub(crate) mod gather;
pub(crate) mod marks;
pub(crate) mod near_strip;
pub(crate) mod order;
pub(crate) mod pair;
pub(crate) mod partition;
pub(crate) mod search;
pub(crate) mod tile;
pub(crate) mod tile_class;

use std::ops::Range;
use std::sync::OnceLock;

use rrp_integrate::ScalarColumn;

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::domain::Domain;
use crate::neighbor::tiles::bounds::Reach;
use crate::neighbor::tiles::candidates::CandidateSource;
use crate::neighbor::tiles::census::Census;
use crate::neighbor::tiles::full_rows::FullRows;
use crate::neighbor::tiles::order::{SortScratch, TileOrder};
use crate::neighbor::tiles::partition::{CellOfSphere, Grid, WANTED, partition};
use crate::neighbor::tiles::search::{NEIGHBORS, PairSearch, SearchScratch};
use crate::neighbor::tiles::tile::Tile;
use crate::neighbor::tiles::tile_class::TileClass;
use crate::parallel::tiles::{for_each_tile, for_each_tile_with};

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

/// Spheres whose centres are read together.
const TOGETHER: usize = 4096;

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
        Self::cut(input, radius, centre, WANTED)
    }

    /// As [`new`](Self::new), with tiles of about `wanted` spheres.
    fn cut(
        input: &ListInput<'_>,
        radius: &ScalarColumn,
        centre: &(impl Fn(usize) -> [f64; 3] + Sync),
        wanted: usize,
    ) -> Result<Self, DemError> {
        let census = Census::of(radius, input.skin);
        let grid = Grid::new(input.domain, census.cell_edge());
        let mut spheres = vec![CellOfSphere::default(); radius.len()];
        let mut rows = vec![[0.0; 4]; radius.len()];
        let mut parts: Vec<_> = spheres.chunks_mut(TOGETHER).zip(rows.chunks_mut(TOGETHER)).collect();
        for_each_tile(&mut parts, &|part, (spheres, rows)| {
            for (number, (sphere, row)) in (part * TOGETHER..).zip(spheres.iter_mut().zip(rows.iter_mut())) {
                let [x, y, z] = centre(number);
                *row = [x, y, z, radius[number]];
                *sphere = CellOfSphere { cell: grid.cell([x, y, z]), number: number as u32 };
            }
        });
        let ranges = partition(&mut spheres, wanted);
        let mut list = Self {
            order: vec![0; spheres.len()],
            place: vec![0; spheres.len()],
            reference: vec![[0.0; 4]; spheres.len()],
            tiles: ranges.into_iter().map(Tile::of).collect(),
            skin: input.skin,
            full_rows: OnceLock::new(),
        };
        let mut ids = vec![0; spheres.len()];
        let mut tiles = list.unsorted_tiles(&spheres, &mut ids);
        for_each_tile_with(&mut tiles, &|_, tile, scratch: &mut SortScratch| {
            tile.sort(scratch, &census, input.ids, &rows);
        });
        let classes: Vec<Vec<TileClass>> = tiles.into_iter().map(|tile| tile.classes).collect();
        // Pairs take the room.
        drop((spheres, rows));
        (0..).zip(&list.order).for_each(|(at, &number)| list.place[number as usize] = at);
        list.find_pairs(input, &ids, classes)?;
        Ok(list)
    }

    /// The tiles, to be sorted.
    fn unsorted_tiles<'a>(&'a mut self, spheres: &'a [CellOfSphere], ids: &'a mut [u32]) -> Vec<TileOrder<'a>> {
        let (mut order, mut reference, mut ids) = (&mut self.order[..], &mut self.reference[..], ids);
        let cut = |tile: &Tile| TileOrder {
            first: tile.places.start,
            spheres: &spheres[tile.places.clone()],
            order: order.split_off_mut(..tile.places.len()).unwrap_or_default(),
            ids: ids.split_off_mut(..tile.places.len()).unwrap_or_default(),
            reference: reference.split_off_mut(..tile.places.len()).unwrap_or_default(),
            classes: Vec::new(),
        };
        self.tiles.iter().map(cut).collect()
    }

    /// Finds the pairs of all tiles, given the ids by place and the classes of each tile.
    fn find_pairs(&mut self, input: &ListInput<'_>, ids: &[u32], classes: Vec<Vec<TileClass>>) -> Result<(), DemError> {
        let mut end = 0;
        let of_tile: Vec<Range<usize>> = classes
            .iter()
            .map(|classes| {
                let first = end;
                end += classes.len();
                first..end
            })
            .collect();
        let classes: Vec<TileClass> = classes.into_iter().flatten().collect();
        let reach = Reach::new(input.domain, input.skin);
        let shifts = input.domain.shifts();
        let source = CandidateSource { reach: &reach, shifts, reference: &self.reference, ids };
        let search = PairSearch::new(input, &self.order, source, &classes);
        for_each_tile_with(&mut self.tiles, &|number, tile, scratch: &mut SearchScratch| {
            tile.pairs = search.pairs(of_tile[number].clone(), scratch);
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

    /// Calls `show` once for each pair, with both places from the lower id and the code of the shift.
    pub(crate) fn each_pair(&self, show: &mut dyn FnMut([usize; 2], usize)) {
        for tile in &self.tiles {
            for pair in &tile.pairs {
                let places = pair.places();
                // A pair across a border is listed twice: the tile of its first sphere shows it.
                if tile.places.contains(&places[0]) {
                    show(places, pair.code());
                }
            }
        }
    }

    /// The tiles, in the order of their places.
    pub(crate) fn tiles(&self) -> &[Tile] {
        &self.tiles
    }
}

#[cfg(test)]
mod tests;
