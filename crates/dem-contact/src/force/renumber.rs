//! Renumbering of the bodies of contacts, with removed and new bodies.

use rrp_integrate::Renumbering;

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::work::WorkBook;

/// Materials and groups of the bodies that a renumbering adds.
#[derive(Debug, Clone, Copy, Default)]
pub struct NewBodies<'a> {
    /// Material of each new body; empty if the contacts have one material only.
    pub materials: &'a [u16],
    /// [Group](crate::force::FeltWalls) of each new body, by which the body feels walls; can be empty if all bodies
    /// feel all walls.
    pub groups: &'a [u32],
}

impl ContactForce {
    /// Renumbers the bodies between two steps. With the numbering of
    /// [`spatial_order`](crate::neighbor::NeighborList::spatial_order), bodies that mixed during a run are again near
    /// each other in memory.
    ///
    /// Ids, histories, materials, spins of fixed bodies, excluded pairs and the ledger follow the bodies, and no bit of
    /// the run changes. [`Bonds`](crate::bond::Bonds::renumber) and [`Ties`](crate::bond::Ties::renumber) also refer to
    /// bodies by number and have to be renumbered too; `ImplicitDem` and `ContactDynamics` cannot be renumbered during
    /// a run.
    ///
    /// Give `Bodies` and `State` the same numbers with [`Renumbering::apply_to_bodies`] and [`Renumbering::apply`],
    /// which also renumbers the forces of the last step:
    ///
    /// ```
    /// # use dem_contact::force::ContactForce;
    /// # use dem_contact::law::{Damping, Frictionless, Hooke, Laws};
    /// # use dem_contact::neighbor::{Domain, NeighborList};
    /// # use rrp_integrate::{Bodies, Body, State};
    /// # let (mut bodies, mut state) = (Bodies::new([Body::sphere(1.0, 0.5); 2])?, State::at_rest(2));
    /// # let list = NeighborList::new(Domain::OPEN, 0.1)?;
    /// # let mut contacts = ContactForce::new(list, Laws::of(Hooke::new(1e4, Damping::NONE)?, Frictionless));
    /// let numbering = contacts.list().spatial_order(bodies.radius(), state.position())?;
    /// contacts.renumber(&numbering)?;
    /// numbering.apply(&mut state)?;
    /// numbering.apply_to_bodies(&mut bodies)?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// **Removed and new bodies.** A numbering may say that bodies are removed or new: give new bodies their materials
    /// with [`renumber_with`](Self::renumber_with). Remove and add several bodies at once, since the next step makes a
    /// new list. Remaining bodies keep their ids and all histories; histories of removed bodies are dropped. New bodies
    /// get ids that no body had before, in their order. New bodies should touch nothing at first.
    ///
    /// A [`Ledger`](crate::force::Ledger) does not count the energy of new or removed bodies. Its mechanical energy
    /// changes by the energy of these bodies and by the energy that contacts of removed bodies
    /// [stored](Self::stored_energy), a part of which it counts as dissipated from then on, as at the end of any
    /// contact. The state still carries the forces of these contacts. If removed bodies pressed others, call
    /// [`State::discard_wrenches`](rrp_integrate::State::discard_wrenches): otherwise the forces act for another half
    /// step, and their work, of first order in the step, is in the balance.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if `numbering` is for another number of bodies, or for fewer bodies than histories
    /// refer to, or has new bodies without a material while there are several materials;
    /// [`ListError::NoIdsLeft`](crate::error::ListError::NoIdsLeft). Nothing is then changed. Before the first step the
    /// number of bodies is known only from materials or a restart.
    pub fn renumber(&mut self, numbering: &Renumbering) -> Result<(), DemError> {
        self.renumber_with(numbering, NewBodies::default())
    }

    /// Renumbers the bodies as [`renumber`](Self::renumber) does, with materials and groups of new bodies.
    ///
    /// # Errors
    /// As [`renumber`](Self::renumber), and [`LawError::UnknownMaterial`](crate::error::LawError::UnknownMaterial).
    pub fn renumber_with(&mut self, numbering: &Renumbering, new: NewBodies<'_>) -> Result<(), DemError> {
        let found = numbering.before();
        let in_histories = self.histories.bodies();
        let expected = self.known_bodies().find(|&known| known != found);
        if let Some(expected) = expected.or((in_histories > found).then_some(in_histories)) {
            return Err(DemError::LengthMismatch { what: "numbering", expected, found });
        }
        let setup = self.setup.renumbered(numbering, new)?;
        if in_histories > 0 {
            self.list.fix_ids(found);
        }
        self.list.renumber(numbering)?;
        // Histories find laws by the former numbers of bodies, so the setup is replaced afterwards.
        self.histories.renumber(&self.setup.laws, &numbering.inverse());
        self.setup = setup;
        if let Some(book) = &mut self.work {
            book.renumber(numbering)?;
        }
        Ok(())
    }

    /// Numbers of bodies in the neighbour list, ids, materials, groups and ledger, where known; all should be equal.
    pub(super) fn known_bodies(&self) -> impl Iterator<Item = usize> {
        let by_book = self.work.as_ref().map_or(0, WorkBook::bodies);
        let by_laws = self.setup.laws.of_body.len();
        let by_groups = self.setup.felt.group_of_body.len();
        let known = [self.list.accepted_bodies(), self.list.ids(), by_laws, by_groups, by_book];
        known.into_iter().filter(|&bodies| bodies > 0)
    }
}
