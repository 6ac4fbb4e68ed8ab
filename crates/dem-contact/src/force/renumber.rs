//! Other numbers for the bodies of a contact layer.

use rrp_integrate::Renumbering;

use crate::error::DemError;
use crate::force::ContactForce;
use crate::law::contact_law::{ContactLaw, TangentialLaw};

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// Gives the bodies other numbers between two steps: with those of
    /// [`spatial_order`](crate::neighbor::NeighborList::spatial_order), bodies that have mixed in the course of a run are near each
    /// other in memory again.
    ///
    /// What contacts remember, materials, pairs that are left out and the ledger go with the bodies, to the last bit. The
    /// next step makes a new list, and sums are rounded in its order. Others that know bodies by number, such as
    /// [`Bonds`](crate::bond::bonds::Bonds), [`Ties`](crate::bond::ties::Ties), [`ImplicitDem`](crate::implicit::implicit_dem::ImplicitDem) and
    /// [`ContactDynamics`](crate::contact_dynamics::ContactDynamics), cannot be told in the course of a run. `Bodies` and `State` get the same
    /// numbers by [`Renumbering::apply_to_bodies`] and [`Renumbering::apply`], which takes the forces of the last step along:
    ///
    /// ```
    /// # use dem_contact::{ContactForce, Domain, Frictionless, Hooke, Damping, NeighborList};
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
    /// [`DemError::LengthMismatch`] if it numbers another count of bodies, or fewer than are remembered; all is then as before.
    /// Before the first step only materials, and what was stored, tell how many there are.
    pub fn renumber(&mut self, numbering: &Renumbering) -> Result<(), DemError> {
        let found = numbering.former().len();
        let known = [self.list.bodies(), self.laws.of_body.len(), self.work.as_ref().map_or(0, |book| book.bodies())];
        let remembered = self.memory.bodies().max(self.walls.committed.bodies());
        let expected = known.into_iter().find(|&known| known > 0 && known != found);
        if let Some(expected) = expected.or((remembered > found).then_some(remembered)) {
            return Err(DemError::LengthMismatch { what: "numbering", expected, found });
        }
        if !self.laws.of_body.is_empty() {
            self.laws.of_body = numbering.column(&self.laws.of_body)?;
        }
        if let Some(book) = &mut self.work {
            book.renumber(numbering)?;
        }
        self.places.give_up();
        let now = numbering.inverse();
        self.memory.renumber(&self.list, &now);
        self.walls.committed.renumber(&now);
        self.list.renumber(&now);
        Ok(())
    }
}
