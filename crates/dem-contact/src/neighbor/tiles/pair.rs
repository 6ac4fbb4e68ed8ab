//! One pair of spheres of a tile.

use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};

/// Two spheres a and b by their places in the neighbour list's order, a with the lower id, and the code of the periodic
/// shift through which a sees b.
///
/// Either sphere can be a ghost. Both tiles of a pair across a border list the pair from the same side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Place of sphere a in the neighbour list's order in the low bits, code of the periodic shift in the others.
    first: u32,
    second: u32,
}

impl Pair {
    pub(crate) fn new([a, b]: [u32; 2], code: u32) -> Self {
        Self { first: a | code << INDEX_BITS, second: b }
    }

    /// Returns the places of the spheres a and b in the order of the neighbour list.
    #[inline(always)]
    pub(crate) fn places(self) -> [usize; 2] {
        [(self.first & INDEX_MASK) as usize, self.second as usize]
    }

    /// Returns the code of the periodic shift that is added to the separation from sphere a to sphere b.
    #[inline(always)]
    pub(crate) fn code(self) -> usize {
        (self.first >> INDEX_BITS) as usize
    }
}
