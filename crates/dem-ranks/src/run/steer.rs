//! Servos between two steps: loads from the bodies of all ranks drive walls and the box, equally on all ranks.

use dem_contact::force::{BoxDrive, BoxLoadParts, WallLoadsOfTiles};
use dem_contact::neighbor::Domain;
use dem_contact::wall::{Servo, Wall};
use rrp_integrate::Integrator as _;

use crate::collective::all_gather;
use crate::contacts::RankContacts;
use crate::error::RanksError;
use crate::run::RankRun;
use crate::transport::Ranks;

impl<R: Ranks> RankRun<R> {
    /// Lets servos, given with wall numbers, set the motions of their walls in the next step. Returns these walls. All
    /// ranks must call this method.
    ///
    /// # Errors
    /// As [`step`](Self::step), and [`RanksError::Contacts`] for a missing wall and for loads that are not finite.
    pub fn steer(&mut self, servos: &[(usize, Servo)]) -> Result<Vec<Wall>, RanksError> {
        // After a failed step on any rank the loads are invalid.
        self.settle()?;
        let time = self.state.time();
        let dt = self.scene.integrator.scheme().dt;
        let RankContacts { ranks, contacts, .. } = &mut self.field.1.0;
        let mut loads = WallLoadsOfTiles::default();
        all_gather(ranks, contacts.wall_loads_of_tiles())?.into_iter().for_each(|of_rank| loads.join(of_rank));
        let steered = servos.iter().map(|(wall, servo)| {
            self.scene.contacts.steer_by(&loads, *wall, servo, [time, dt])?;
            contacts.steer_by(&loads, *wall, servo, [time, dt])?;
            Ok(contacts.walls()[*wall].clone())
        });
        steered.collect()
    }

    /// Sets the deformation of the box in the next step, by the stress of the contacts of all ranks. Returns the box.
    /// All ranks must call this method before each step of a deforming box.
    ///
    /// # Errors
    /// As [`step`](Self::step), and [`RanksError::Contacts`] for a stress that is not finite and an edge that shrinks
    /// to zero.
    pub fn steer_box(&mut self, drive: &mut BoxDrive) -> Result<Domain, RanksError> {
        self.settle()?;
        let time = self.state.time();
        let RankContacts { ranks, contacts, .. } = &mut self.field.1.0;
        let of_ranks = all_gather(ranks, contacts.box_load_parts().cloned())?;
        let all = self.box_load_of(of_ranks);
        let contacts = &mut self.field.1.0.contacts;
        contacts.steer_box_by(all.as_ref(), &self.scene.contacts, drive, time)?;
        self.scene.contacts.follow_box(contacts);
        Ok(*contacts.list().domain())
    }

    /// Returns the load of all bodies on the periodic box at the last accepted state, from the parts of all ranks; an
    /// empty load if the box is at rest and not watched. `None` before the first step of a restart: the scene then has
    /// the load.
    pub(super) fn box_load_of(&self, of_ranks: Vec<Option<BoxLoadParts>>) -> Option<BoxLoadParts> {
        BoxLoadParts::of_all(of_ranks).or_else(|| (self.steps > 0).then(BoxLoadParts::default))
    }
}
