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
