//! The scratch memory of a tile: copies of the spheres that its pairs read, and the sums of the forces on them.

use crate::force::tiles::batch::Batch;
use crate::force::tiles::scene::{Motion, Spheres};
use crate::force::tiles::sums::{Row, Sums};
use crate::neighbor::tiles::tile::Tile;

/// Sums of the forces (N) and torques (N m) on a sphere, in one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(in crate::force) struct Wrench {
    pub(in crate::force) force: Row,
    pub(in crate::force) torque: Row,
}

/// Scratch memory of one tile, which its pairs read and write: own spheres first, then ghosts.
///
/// Ghosts are copied once, by loads that do not depend on each other, so the processor overlaps their latencies. From
/// then on the pairs read and write within the first two levels of cache. Sums of ghosts are dropped.
#[derive(Debug, Default)]
pub(in crate::force) struct TileScratch {
    pub(super) position: Vec<[f64; 4]>,
    pub(super) motion: Vec<Motion>,
    pub(in crate::force) sums: Vec<Wrench>,
    /// Sums in N of the forces on each sphere of the tile that are not elastic, for the energy ledger.
    pub(in crate::force) dissipative: Vec<Row>,
    pub(in crate::force) batch: Box<Batch>,
    /// Copies of the histories at the accepted state of a batch of contacts, if they are not stored consecutively.
    pub(super) room: Vec<f64>,
}

impl TileScratch {
    pub(in crate::force) fn fill(&mut self, tile: &Tile, spheres: &Spheres<'_>, has_dissipative: bool) {
        let own = tile.places.clone();
        let rows = tile.rows();
        // Reserve exactly: doubled capacities would be noticeable in the memory of small beds.
        self.position.clear();
        self.position.reserve_exact(rows);
        self.position.extend_from_slice(&spheres.position[own.clone()]);
        self.position.extend(tile.ghosts.iter().map(|&place| spheres.position[place as usize]));
        self.motion.clear();
        if !spheres.motion.is_empty() {
            self.motion.reserve_exact(rows);
            self.motion.extend_from_slice(&spheres.motion[own]);
            self.motion.extend(tile.ghosts.iter().map(|&place| spheres.motion[place as usize]));
        }
        self.sums.clear();
        self.sums.reserve_exact(rows);
        self.sums.resize(rows, Wrench::default());
        self.dissipative.clear();
        if has_dissipative {
            self.dissipative.reserve_exact(rows);
            self.dissipative.resize(rows, [0.0; 4]);
        }
    }

    pub(in crate::force) fn write(&self, sums: &mut Sums<&mut [Row]>) {
        sums.force.iter_mut().zip(&self.sums).for_each(|(row, sum)| *row = sum.force);
        sums.torque.iter_mut().zip(&self.sums).for_each(|(row, sum)| *row = sum.torque);
        sums.dissipative.iter_mut().zip(&self.dissipative).for_each(|(row, sum)| *row = *sum);
    }
}
