//! The order of spheres: by tile, and in a tile by class, cell and id.

use crate::neighbor::tiles::census::Census;

/// Sort key of the spheres of a tile: size class, the largest first, then grid cell and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TileKey {
    classes_above: u32,
    /// Grid cell of the sphere: indices along z, y and x.
    pub(crate) cell: [i32; 3],
    pub(crate) id: u32,
    pub(crate) number: u32,
}

impl TileKey {
    pub(crate) fn new(class: usize, [x, y, z]: [i32; 3], id: u32, number: u32) -> Self {
        Self { classes_above: (Census::MOST - 1 - class) as u32, cell: [z, y, x], id, number }
    }

    pub(crate) fn class(&self) -> usize {
        Census::MOST - 1 - self.classes_above as usize
    }

    pub(crate) fn row(&self) -> [i32; 2] {
        [self.cell[0], self.cell[1]]
    }
}
