//! One tile.

use std::ops::Range;

use crate::neighbor::tiles::pair::Pair;

/// A box of space: the spheres it owns, and the pairs they are in.
#[derive(Debug, Clone)]
pub(crate) struct Tile {
    /// The places of the spheres it owns.
    pub(crate) places: Range<usize>,
    /// In the order of the own sphere with the lower place, then of the other place.
    pub(crate) pairs: Vec<Pair>,
}

impl Tile {
    /// A tile without pairs.
    pub(crate) fn of(places: Range<usize>) -> Self {
        Self { places, pairs: Vec::new() }
    }

    /// The places of its ghosts, sorted.
    #[cfg(test)]
    pub(crate) fn ghosts(&self) -> Vec<usize> {
        let places = self.pairs.iter().flat_map(|pair| pair.places());
        let mut ghosts: Vec<usize> = places.filter(|place| !self.places.contains(place)).collect();
        ghosts.sort_unstable();
        ghosts.dedup();
        ghosts
    }
}
