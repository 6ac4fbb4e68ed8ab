//! One pair of spheres of a tile.

use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};

/// Pair of two spheres a and b, given by places (indices in the order of the tiles), with the code of the periodic
/// shift through which a sees b. Sphere a has the lower id.
///
/// Either sphere can be a ghost. For a pair across a border both tiles list the same places and shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Place of sphere a in the low bits, code of the periodic shift in the high bits.
    first: u32,
    second: u32,
}

impl Pair {
    pub(super) fn new([a, b]: [u32; 2], code: u32) -> Self {
        Self { first: a | code << INDEX_BITS, second: b }
    }

    #[inline(always)]
    pub(crate) fn places(self) -> [usize; 2] {
        [(self.first & INDEX_MASK) as usize, self.second as usize]
    }

    #[inline(always)]
    pub(crate) fn code(self) -> usize {
        (self.first >> INDEX_BITS) as usize
    }
}
