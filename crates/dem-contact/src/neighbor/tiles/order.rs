//! The order of spheres: by tile, and in a tile by class, cell and id.

use crate::neighbor::tiles::census::Census;

/// Sort key of the spheres of a tile: size class, the largest first, then grid cell and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TileKey {
    classes_above: u32,
    /// Grid cell of the sphere: indices along z, y and x.
    pub(super) cell: [i32; 3],
    pub(super) id: u32,
    pub(super) number: u32,
}

impl TileKey {
    pub(super) fn new(class: usize, [x, y, z]: [i32; 3], id: u32, number: u32) -> Self {
        Self { classes_above: (Census::MOST - 1 - class) as u32, cell: [z, y, x], id, number }
    }

    pub(super) fn class(&self) -> usize {
        Census::MOST - 1 - self.classes_above as usize
    }

    pub(super) fn row(&self) -> [i32; 2] {
        [self.cell[0], self.cell[1]]
    }
}
