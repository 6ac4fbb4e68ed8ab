//! Numbers for bodies by where they are.

use rrp_integrate::{Renumbering, ScalarColumn, VectorColumn};

use crate::size_classes::SizeClasses;
use crate::{DemError, NeighborList};

impl NeighborList {
    /// A numbering in which bodies near each other have numbers near each other: that of the cells which a list for these
    /// radii and centres (m) would have.
    ///
    /// With it the columns of a state are read and written from one end to the other; where bodies are numbered at random,
    /// that is what large beds spend a good part of their time on. To be done before contacts are made, which know bodies by
    /// number.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn spatial_order(&self, radius: &ScalarColumn, position: &VectorColumn) -> Result<Renumbering, DemError> {
        if radius.len() != position.len() {
            return Err(DemError::LengthMismatch { what: "radii", expected: position.len(), found: radius.len() });
        }
        let wrapped = self.check(radius, position)?;
        let mut order = vec![0; radius.len()];
        SizeClasses::default().sort(&self.domain, radius, self.skin, &wrapped, &mut order);
        Ok(Renumbering::new(order.into_iter().map(|body| body as usize))?)
    }
}
