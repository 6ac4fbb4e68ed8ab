//! Numbers for bodies by where they are.

use rrp_integrate::{Renumbering, ScalarColumn, VectorColumn};

use crate::error::DemError;
use crate::neighbor::build::size_classes::SizeClasses;
use crate::neighbor::{NeighborList, check_radii};

impl NeighborList {
    /// A numbering in which bodies near each other have numbers near each other: that of the cells which a list for these
    /// radii and centres (m) would have.
    ///
    /// With it the columns of a state are read and written from one end to the other; where bodies are numbered at random,
    /// that is what large beds spend a good part of their time on. Contacts know bodies by number and have to be told, see
    /// [`ContactForce::renumber`](crate::force::ContactForce::renumber).
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn spatial_order(&self, radius: &ScalarColumn, position: &VectorColumn) -> Result<Renumbering, DemError> {
        check_radii(radius)?;
        if radius.len() != position.len() {
            return Err(DemError::LengthMismatch { what: "radii", expected: position.len(), found: radius.len() });
        }
        let wrapped = self.check(radius, position)?;
        let mut order = vec![0; radius.len()];
        SizeClasses::sort(&self.domain, radius, self.skin, &wrapped, &mut order);
        Ok(Renumbering::new(order.into_iter().map(|body| body as usize))?)
    }

    /// Gives bodies other numbers, of each former one the present; the next call makes the list anew.
    pub(crate) fn renumber(&mut self, now: &Renumbering) {
        // Numbers that are too large are those of no body, and stay.
        let present = |i: usize| now.former().get(i).copied().unwrap_or(i);
        let mut fixed: Vec<usize> = self.fixed.iter().map(|&i| present(i)).collect();
        fixed.sort_unstable();
        let excluded = self.excluded.iter().map(|pair| pair.map(|i| present(i as usize) as u32)).collect();
        self.exclude(excluded);
        self.set_fixed(fixed.into());
    }

    /// How many bodies the list accepted last is for, which is what is stored; 0 if there is none.
    #[cfg(feature = "serde")]
    pub(crate) fn accepted_bodies(&self) -> usize {
        self.reference.len()
    }

    /// How many bodies it was made for last; 0 if that is not known.
    pub(crate) fn bodies(&self) -> usize {
        self.reference.len().max(self.order.len())
    }
}
