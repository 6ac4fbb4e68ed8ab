//! Renumbering the bodies of contacts.

use rrp_integrate::Renumbering;

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::work::WorkBook;
use crate::law::contact_law::{ContactLaw, TangentialLaw};

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// Renumbers the bodies between two steps. With the numbering of
    /// [`spatial_order`](crate::neighbor::NeighborList::spatial_order), bodies that mixed during a run are near each
    /// other in memory again.
    ///
    /// Ids, histories, materials, excluded pairs and the ledger go with the bodies, and no bit of the run changes.
    /// `Bonds`, `Ties`, `ImplicitDem` and `ContactDynamics` also know bodies by number; they cannot be renumbered
    /// during a run.
    ///
    /// Give `Bodies` and `State` the same numbers with [`Renumbering::apply_to_bodies`] and [`Renumbering::apply`],
    /// which also takes along the forces of the last step:
    ///
    /// ```
    /// # use dem_contact::force::ContactForce;
    /// # use dem_contact::law::{Damping, Frictionless, Hooke};
    /// # use dem_contact::neighbor::{Domain, NeighborList};
    /// # use rrp_integrate::{Bodies, Body, State};
    /// # let (mut bodies, mut state) = (Bodies::new([Body::sphere(1.0, 0.5); 2])?, State::at_rest(2));
    /// # let list = NeighborList::new(Domain::OPEN, 0.1)?;
    /// # let mut contacts = ContactForce::new(list, Hooke::new(1e4, Damping::NONE)?, Frictionless);
    /// let numbering = contacts.list().spatial_order(bodies.radius(), state.position())?;
    /// contacts.renumber(&numbering)?;
    /// numbering.apply(&mut state)?;
    /// numbering.apply_to_bodies(&mut bodies)?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if it numbers another count of bodies, or fewer than histories name; nothing is
    /// then changed. Before the first step the count is known from materials or a restart only.
    pub fn renumber(&mut self, numbering: &Renumbering) -> Result<(), DemError> {
        let found = numbering.former().len();
        let by_book = self.work.as_ref().map_or(0, WorkBook::bodies);
        let known = [self.list.accepted_bodies(), self.list.ids(), self.laws.of_body.len(), by_book];
        let in_histories = self.histories.committed().bodies();
        let expected = known.into_iter().find(|&known| known > 0 && known != found);
        if let Some(expected) = expected.or((in_histories > found).then_some(in_histories)) {
            return Err(DemError::LengthMismatch { what: "numbering", expected, found });
        }
        if !self.laws.of_body.is_empty() {
            self.laws.of_body = numbering.column(&self.laws.of_body)?;
        }
        if let Some(book) = &mut self.work {
            book.renumber(numbering)?;
        }
        if in_histories > 0 {
            self.list.fix_ids(found);
        }
        self.histories.renumber(&numbering.inverse());
        self.list.renumber(numbering)
    }
}
