//! Numbering bodies by their positions.

use rrp_integrate::{Renumbering, ScalarColumn, VectorColumn};

use crate::error::DemError;
use crate::neighbor::NeighborList;
use crate::neighbor::build::size_classes::SizeClasses;
use crate::neighbor::update::check_radii;

impl NeighborList {
    /// A numbering in which bodies near each other have numbers near each other: the order of the cells of a list for
    /// these radii and centres (m).
    ///
    /// Use it for large beds whose bodies are numbered at random or have mixed: the columns of a state are then read
    /// and written from one end to the other. Contacts know bodies by number and have to be renumbered too, see
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

    /// Renumbers the bodies: `now` gives the present number of each former one. The next call makes the list anew.
    pub(crate) fn renumber(&mut self, now: &Renumbering) {
        // Numbers that are too large name no body, and stay.
        let present = |i: usize| now.former().get(i).copied().unwrap_or(i);
        let mut fixed: Vec<usize> = self.fixed.iter().map(|&i| present(i)).collect();
        fixed.sort_unstable();
        let excluded = self.excluded.iter().map(|pair| pair.map(|i| present(i as usize) as u32)).collect();
        self.exclude(excluded);
        self.set_fixed(fixed.into());
    }

    /// Number of bodies of the list that was accepted last, which is the one that is stored; 0 if there is none.
    #[cfg(feature = "serde")]
    pub(crate) fn accepted_bodies(&self) -> usize {
        self.reference.len()
    }

    /// Number of bodies the list was made for last; 0 if that is not known.
    pub(crate) fn bodies(&self) -> usize {
        self.reference.len().max(self.order.len())
    }
}
