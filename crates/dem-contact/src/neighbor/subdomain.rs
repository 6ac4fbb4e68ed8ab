//! Domain decomposition: the cut of all bodies into tiles, and the tiles of one rank.
//!
//! A [`Decomposition`] cuts all bodies into tiles (boxes of space). A [`Subdomain`] is some of these tiles with the
//! bodies that they own, their ghosts and their pairs. Forces on the bodies of a tile have the same bits in any
//! subdomain.

use std::ops::Range;
use std::sync::OnceLock;

use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::error::DemError;
use crate::neighbor::NeighborList;
use crate::neighbor::domain::Domain;
use crate::neighbor::tiles::cut::TileCut;
use crate::neighbor::tiles::partition::WANTED;
use crate::neighbor::tiles::tile::Tile;
use crate::neighbor::tiles::{ListInput, Tiling};
use crate::neighbor::tracked::TrackedList;
use crate::neighbor::update::check_radii;

/// Cut of all bodies into tiles (boxes of space), of which each rank owns some.
///
/// The cut depends only on centres, radii, ids, skin and domain, so all ranks that know the same bodies find the same
/// tiles.
#[derive(Debug, Clone)]
pub struct Decomposition {
    domain: Domain,
    skin: f64,
    cut: TileCut,
    is_fixed: Vec<bool>,
    excluded: Box<[[u32; 2]]>,
    kinds: Box<[u16]>,
}

/// Tiles (boxes of space) of one rank, from a [`Decomposition`], with their bodies, their ghosts and their pairs.
///
/// Bodies are numbered anew: first the bodies that the tiles own, in the order of the tiles, then the ghosts.
#[derive(Debug, Clone)]
pub struct Subdomain {
    domain: Domain,
    pub(super) tiling: Tiling,
    pub(crate) bodies: Vec<u32>,
    own: usize,
    ids: Vec<u32>,
    fixed: Box<[usize]>,
    kinds: Box<[u16]>,
}

impl NeighborList {
    /// Cuts bodies with these radii and centres (m) into the tiles (boxes of space) of the list that would be made in
    /// this domain.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub(crate) fn decompose(
        &self,
        radius: &ScalarColumn,
        centre: &VectorColumn,
        domain: Domain,
    ) -> Result<Decomposition, DemError> {
        check_radii(radius)?;
        let skin = self.reach();
        let rows = self.rows(&domain, radius, centre, skin)?;
        let mut is_fixed = vec![false; if self.fixed.is_empty() { 0 } else { rows.len() }];
        self.fixed.iter().for_each(|&body| is_fixed[body] = true);
        let input = ListInput {
            domain: &domain,
            skin,
            ids: &self.ids,
            is_fixed: &is_fixed,
            excluded: &self.excluded,
            kinds: &self.kinds,
        };
        let cut = TileCut::new(&input, rows, WANTED);
        let excluded = self.excluded.clone();
        let kinds = self.kinds.clone();
        Ok(Decomposition { domain, skin, cut, is_fixed, excluded, kinds })
    }

    /// Number of listed pairs of each body that this list owns, a measure of the cost of evaluating the body; in the
    /// order of the tiles, which is that of body numbers in a subdomain.
    #[must_use]
    pub fn pairs_of_own(&self) -> Vec<u32> {
        pairs_of_own(self.tiling())
    }

    /// Number of bodies whose forces this list evaluates: all `bodies` or, on one rank, the own bodies without ghosts.
    pub(crate) fn own_bodies(&self, bodies: usize) -> usize {
        if self.is_of_subdomain { self.tiling().own_places().last().map_or(0, |places| places.end) } else { bodies }
    }

    /// Makes the list of a subdomain with the skin and the range of this list. The new list cannot be rebuilt, since it
    /// lacks the other bodies.
    pub(crate) fn of_subdomain(&self, subdomain: Subdomain) -> Self {
        let Subdomain { domain, tiling, ids, fixed, kinds, .. } = subdomain;
        Self {
            domain: self.domain,
            now: domain,
            skin: self.skin,
            next_id: self.next_id,
            ids,
            fixed,
            excluded: Box::default(),
            kinds,
            range: self.range,
            keeps_inside: self.keeps_inside,
            origin: None,
            current: TrackedList::new(tiling, domain),
            is_trial: false,
            builds: 1,
            is_of_subdomain: true,
            is_read: false,
        }
    }
}

impl Decomposition {
    /// Number of tiles (boxes of space) into which all bodies are divided, over all ranks.
    #[must_use]
    pub fn tiles(&self) -> usize {
        self.cut.tiles.len()
    }

    /// Returns the numbers of the bodies that the tile (box of space) of this index owns.
    ///
    /// # Panics
    /// If there is no tile of this index.
    #[must_use]
    pub fn bodies(&self, tile: usize) -> &[u32] {
        &self.cut.order[self.cut.tiles[tile].clone()]
    }

    /// Makes the subdomain of the tiles (boxes of space) for which `is_own` is true, and finds their pairs.
    ///
    /// # Errors
    /// [`ListError::TooManyNeighbors`](crate::error::ListError::TooManyNeighbors).
    pub fn subdomain(&self, is_own: impl Fn(usize) -> bool) -> Result<Subdomain, DemError> {
        let Self { domain, skin, cut, is_fixed, excluded, kinds } = self;
        let skin = *skin;
        let all = cut.order.len();
        let input = ListInput { domain, skin, ids: &[], is_fixed, excluded, kinds };
        let names: Vec<u32> =
            (0..).zip(&cut.tiles).filter(|&(tile, _)| is_own(tile as usize)).map(|(tile, _)| tile).collect();
        let mut tiles = cut.with_pairs(&input, names.iter().map(|&tile| cut.tiles[tile as usize].clone()))?;
        let mut local = vec![None; all];
        let mut places: Vec<usize> = Vec::new();
        for tile in &mut tiles {
            let first = places.len();
            places.extend(tile.places.clone());
            tile.places = first..places.len();
        }
        let own = places.len();
        (0_u32..).zip(&places).for_each(|(new, &place)| local[place] = Some(new));
        let mut ghosts: Vec<usize> = tiles.iter().flat_map(|tile| &tile.ghosts).map(|&place| place as usize).collect();
        ghosts.retain(|&place| local[place].is_none());
        ghosts.sort_unstable();
        ghosts.dedup();
        (own as u32..).zip(&ghosts).for_each(|(new, &place)| local[place] = Some(new));
        places.extend(ghosts);
        // Rows that name ghosts stay valid, since the ghosts of a tile keep their order.
        for ghost in tiles.iter_mut().flat_map(|tile| &mut tile.ghosts) {
            *ghost = local[*ghost as usize].unwrap_or_default();
        }
        let own_tiles = tiles.len();
        tiles.push(Tile::without_pairs(own..places.len()));
        let of_places = |column: &[u32]| places.iter().map(|&place| column[place]).collect::<Vec<u32>>();
        let bodies = of_places(&cut.order);
        let ids = of_places(&cut.ids);
        let fixed = (0..bodies.len()).filter(|&i| is_fixed.get(bodies[i] as usize).copied().unwrap_or(false)).collect();
        let kinds = bodies.iter().filter_map(|&body| kinds.get(body as usize).copied()).collect();
        let numbers: Vec<u32> = (0..bodies.len() as u32).collect();
        let tiling = Tiling {
            order: numbers.clone(),
            place: numbers,
            reference: places.iter().map(|&place| cut.reference[place]).collect(),
            ends: tiles.iter().map(|tile| tile.places.end).collect(),
            tiles,
            own_tiles,
            names,
            skin,
            full_rows: OnceLock::new(),
        };
        Ok(Subdomain { domain: *domain, tiling, bodies, own, ids, fixed, kinds })
    }
}

impl Subdomain {
    /// Returns the number, among all bodies, of each body of the subdomain: first own bodies, then ghosts.
    #[must_use]
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Returns the number of listed pairs of each body that the rank owns.
    #[must_use]
    pub fn pairs_of_own(&self) -> Vec<u32> {
        pairs_of_own(&self.tiling)
    }

    /// Returns the range of numbers, within the rank, of the bodies that the rank owns.
    #[must_use]
    pub fn own(&self) -> Range<usize> {
        0..self.own
    }
}

fn pairs_of_own(tiling: &Tiling) -> Vec<u32> {
    let mut pairs = vec![0; tiling.own_places().last().map_or(0, |places| places.end)];
    for tile in &tiling.tiles[..tiling.own_tiles] {
        // Both tiles at a border list the pairs across it, and each counts them for its own bodies. So the counts do
        // not depend on which rank owns a tile.
        let own = &mut pairs[tile.places.clone()];
        let rows = tile.pairs.iter().flatten().map(|&row| row as usize);
        rows.filter(|&row| row < tile.places.len()).for_each(|row| own[row] += 1);
    }
    pairs
}
