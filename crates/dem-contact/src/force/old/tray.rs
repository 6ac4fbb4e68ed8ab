//! Room to work in, that one block leaves to the next.

use crate::force::old::moving::Moving;
use crate::parallel::blocks::BLOCK;
use crate::util::reserve::reserve_tight;

/// Force and torque; one cache line, which is read and written for each contact of a body.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Wrench {
    pub(crate) force: [f64; 4],
    pub(crate) torque: [f64; 4],
}

impl Wrench {
    #[inline(always)]
    pub(crate) fn plus(&self, force: [f64; 4], torque: [f64; 4]) -> Self {
        let sum = |of: &[f64; 4], more: [f64; 4]| std::array::from_fn(|c| of[c] + more[c]);
        Self { force: sum(&self.force, force), torque: sum(&self.torque, torque) }
    }
}

/// What the sums of one block are made in: it stays in the cache from block to block.
#[derive(Debug, Default)]
pub(crate) struct Tray {
    /// What bodies get from the pairs of the block: in the first places those of the block, behind those of a [whole
    /// one](crate::parallel::blocks::BLOCK) those beyond.
    pub(crate) sums: Vec<Wrench>,
    /// Of the forces what is not elastic, where it is asked for.
    pub(crate) dissipative: Vec<[f64; 4]>,
    /// Where these bodies are, and how they move: read once for all of their contacts.
    pub(crate) moving: Vec<Moving>,
    /// Which bodies those beyond are.
    pub(crate) beyond: Vec<u32>,
}

impl Tray {
    /// Has room for a whole block and so many bodies beyond at least, and hardly more if it had less; something may be there.
    pub(crate) fn reserve(&mut self, beyond: usize) {
        let bodies = BLOCK + beyond;
        if self.sums.capacity() < bodies {
            reserve_tight(&mut self.sums, bodies);
            reserve_tight(&mut self.moving, bodies);
            reserve_tight(&mut self.beyond, beyond);
        }
    }
}
