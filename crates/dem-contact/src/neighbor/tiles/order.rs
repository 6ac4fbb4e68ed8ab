//! The order of the spheres of one tile: their places.

use crate::neighbor::tiles::census::Census;
use crate::neighbor::tiles::partition::CellOfSphere;
use crate::neighbor::tiles::tile_class::TileClass;

/// What a sphere is sorted by: its class, the largest first, then its cell and its id.
///
/// From the high bits down: 5 of the class, 30 each of z, y and x, 32 of the id.
#[derive(Debug, Clone, Copy)]
struct SortKey {
    key: u128,
    number: u32,
}

impl SortKey {
    const ID_BITS: u32 = 32;
    const CELL_BITS: u32 = 30;

    fn new(sphere: &CellOfSphere, class: usize, id: u32) -> Self {
        let [x, y, z] = sphere.cell.map(|cell| (cell as u32).wrapping_add(1 << (Self::CELL_BITS - 1)));
        let high = ((Census::MOST - 1 - class) as u64) << Self::CELL_BITS | u64::from(z);
        let low = u64::from(y) << Self::CELL_BITS | u64::from(x);
        let cell = u128::from(high) << (2 * Self::CELL_BITS) | u128::from(low);
        Self { key: cell << Self::ID_BITS | u128::from(id), number: sphere.number }
    }

    fn id(&self) -> u32 {
        self.key as u32
    }

    /// The class and the row of cells along x.
    fn row(&self) -> u128 {
        self.key >> (Self::ID_BITS + Self::CELL_BITS)
    }

    fn class(&self) -> usize {
        Census::MOST - 1 - (self.key >> (Self::ID_BITS + 3 * Self::CELL_BITS)) as usize
    }
}

/// The places of one tile.
#[derive(Debug)]
pub(crate) struct TileOrder<'a> {
    /// The first of its places.
    pub(crate) first: usize,
    /// Its spheres in any order.
    pub(crate) spheres: &'a [CellOfSphere],
    /// By place from here on: the number,
    pub(crate) order: &'a mut [u32],
    /// the id,
    pub(crate) ids: &'a mut [u32],
    /// and the centre and the radius (m).
    pub(crate) reference: &'a mut [[f64; 4]],
    pub(crate) classes: Vec<TileClass>,
}

/// Room to sort one tile.
#[derive(Debug, Default)]
pub(crate) struct SortScratch(Vec<SortKey>);

impl TileOrder<'_> {
    /// Finds the places, given ids by number, and centres and radii (m) as `rows` by number.
    pub(crate) fn sort(
        &mut self,
        SortScratch(keys): &mut SortScratch,
        census: &Census,
        ids: &[u32],
        rows: &[[f64; 4]],
    ) {
        keys.clear();
        keys.extend(self.spheres.iter().map(|at| {
            let number = at.number as usize;
            SortKey::new(at, census.class(rows[number][3]), ids[number])
        }));
        keys.sort_unstable_by_key(|key| key.key);
        for (k, key) in keys.iter().enumerate() {
            (self.order[k], self.ids[k], self.reference[k]) = (key.number, key.id(), rows[key.number as usize]);
        }
        let mut first = 0;
        for same in keys.chunk_by(|a, b| a.class() == b.class()) {
            let spheres = &self.reference[first..first + same.len()];
            let class = TileClass::of(same[0].class(), self.first + first, spheres, |k| same[k].row());
            self.classes.push(class);
            first += same.len();
        }
    }
}
