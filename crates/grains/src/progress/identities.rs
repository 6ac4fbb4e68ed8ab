//! Permanent ids of bodies, which are never reused.

use rrp_integrate::{IntegrateError, Renumbering};
use serde::{Deserialize, Serialize};

/// The ids of the bodies of a run. Bodies are numbered in the order of their ids, so that contacts are seen from the
/// same side whatever numbers bodies have.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Identities {
    /// Id of each body, ascending.
    ids: Vec<u64>,
    /// Smallest id that no body has had yet.
    next: u64,
}

impl Identities {
    pub(crate) fn first(bodies: usize) -> Self {
        Self { ids: (0..bodies as u64).collect(), next: bodies as u64 }
    }

    pub(crate) fn all(&self) -> &[u64] {
        &self.ids
    }

    /// Applies a renumbering of bodies. New bodies get new ids.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`].
    pub(crate) fn renumber(&mut self, numbering: &Renumbering) -> Result<(), IntegrateError> {
        let next = self.next + numbering.new_bodies() as u64;
        self.ids = numbering.column_with(&self.ids, &(self.next..next).collect::<Vec<_>>())?;
        self.next = next;
        Ok(())
    }

    /// Checks that each of `bodies` bodies has an id, in ascending order. Returns the error in stored ids.
    pub(crate) fn check(&self, bodies: usize) -> Result<(), &'static str> {
        let is_ascending = self.ids.windows(2).all(|pair| pair[0] < pair[1]);
        if self.ids.len() != bodies || !is_ascending || self.ids.last().is_some_and(|&last| last >= self.next) {
            return Err("its ids are not those of its bodies");
        }
        Ok(())
    }
}
