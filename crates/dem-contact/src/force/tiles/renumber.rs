//! Renumbering the spheres.

use rrp_integrate::Renumbering;

use crate::error::DemError;
use crate::force::tiles::TileForce;
use crate::law::contact_law::{ContactLaw, TangentialLaw};

impl<L: ContactLaw, T: TangentialLaw> TileForce<L, T> {
    /// Renumbers the spheres between two steps. Ids, materials and histories go with them, and no bit of the run changes.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if it numbers another count of spheres than the last state had, or than there are ids
    /// or materials; nothing is then changed.
    pub fn renumber(&mut self, numbering: &Renumbering) -> Result<(), DemError> {
        let found = numbering.former().len();
        let listed = self.accepted.as_ref().map_or(0, |listed| listed.tiling.len());
        let stored = self.origin.as_ref().map_or(0, |origin| origin.centres.len());
        let known = [listed, stored, self.ids.len(), self.laws.of_body.len()];
        if let Some(expected) = known.into_iter().find(|&known| known > 0 && known != found) {
            return Err(DemError::LengthMismatch { what: "numbering", expected, found });
        }
        if !self.laws.of_body.is_empty() {
            self.laws.of_body = numbering.column(&self.laws.of_body)?;
        }
        let ids = if self.ids.is_empty() { (0..found as u32).collect() } else { std::mem::take(&mut self.ids) };
        self.ids = numbering.column(&ids)?;
        let origin = self.accepted.take().map(|listed| listed.origin()).or(self.origin.take());
        self.origin = origin.map(|origin| origin.renumbered(numbering));
        self.trial = None;
        Ok(())
    }
}
