//! Room to work in, that one block leaves to the next.

use std::sync::{Mutex, PoisonError};

use crate::half_rows::Keys;
use crate::par::BLOCK;

/// Force and torque; one cache line, which is read and written for each contact.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Wrench {
    pub(crate) force: [f64; 4],
    pub(crate) torque: [f64; 4],
}

/// What the sums of one block are made in: it stays in the cache from block to block.
#[derive(Debug, Default)]
pub(crate) struct Tray {
    /// What the bodies of the block get from their own rows; filled up to a whole block.
    pub(crate) own: Vec<[Wrench; BLOCK]>,
    /// What bodies get as the other one of a pair: those of the block, and those beyond.
    pub(crate) others: Vec<Wrench>,
    /// Of that what is not elastic, where it is asked for.
    pub(crate) apart: Vec<[f64; 4]>,
    /// Their places, and where it is said how they move.
    pub(crate) sources: Vec<[u32; 2]>,
    /// The close pairs: place of a with the code of the shift, and where b is summed.
    pub(crate) keys: Vec<Keys>,
}

/// Trays that no one works with, at most one for each thread.
#[derive(Debug, Default)]
pub(crate) struct Trays(Mutex<Vec<Tray>>);

/// What is on a tray is of no use to anyone.
impl Clone for Trays {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Trays {
    /// Lends a tray for the time of `work`.
    pub(crate) fn lend<R>(&self, work: impl FnOnce(&mut Tray) -> R) -> R {
        let mut tray = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let outcome = work(&mut tray);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(tray);
        outcome
    }
}
