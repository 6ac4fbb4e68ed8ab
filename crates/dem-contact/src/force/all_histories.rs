//! The histories of all contacts, on their way to contacts with other laws, walls or steps.

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::histories::ContactHistories;
use crate::force::histories::carried::{CarriedHistories, PairContactHistory};
use crate::force::histories::wall_history::WallContactHistory;
use crate::force::restart::{check_pairs, check_walls};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::wall::WallLoad;

/// The histories of all contacts at an accepted state, and the loads on walls. Laws, walls and the recorded work are no
/// part of it.
///
/// Store them, or hand them to contacts of the same bodies and walls with
/// [`ContactForce::with_histories`], such as those of another integrator.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct AllHistories<M> {
    pairs: Vec<PairContactHistory<M>>,
    walls: Vec<WallContactHistory<M>>,
    loads: Vec<WallLoad>,
    radii_differ: bool,
}

impl<M> AllHistories<M> {
    /// Gives walls other numbers, of `count` walls. Histories at walls without a number are dropped.
    pub fn renumber_walls(&mut self, count: usize, number: impl Fn(usize) -> Option<usize>) {
        let mut loads = vec![WallLoad::default(); count];
        for (wall, load) in self.loads.iter().enumerate() {
            if let Some(new) = number(wall).and_then(|wall| loads.get_mut(wall)) {
                *new = *load;
            }
        }
        self.loads = loads;
        self.walls.retain_mut(|entry| match number(entry.wall as usize).filter(|&wall| wall < count) {
            Some(wall) => {
                entry.wall = wall as u32;
                true
            }
            None => false,
        });
        self.walls.sort_by_key(|entry| (entry.body, entry.wall, entry.feature));
    }
}

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// The histories of all contacts at the last accepted state.
    #[must_use]
    pub fn all_histories(&self) -> AllHistories<T::History> {
        let bodies = Some(self.list.accepted_bodies()).filter(|&bodies| bodies > 0);
        let CarriedHistories { pairs, walls } = self.histories.committed().of_bodies(bodies.unwrap_or(usize::MAX));
        AllHistories { pairs, walls, loads: self.walls.loads.clone(), radii_differ: self.radii_differ }
    }

    /// The same contacts of `bodies` bodies with the histories of others, whose bodies and walls have the same numbers.
    /// Of two bodies, the one with the lower id must have had the lower id there too.
    ///
    /// The forces that a state carries are those of the other contacts: call
    /// [`State::discard_wrenches`](rrp_integrate::State::discard_wrenches) unless forces are the same.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] for another number of walls,
    /// [`ContactError::StrayHistory`](crate::error::ContactError::StrayHistory) for contacts that cannot be.
    pub fn with_histories(self, histories: AllHistories<T::History>, bodies: usize) -> Result<Self, DemError> {
        let AllHistories { pairs, walls, loads, radii_differ } = histories;
        let (expected, found) = (self.walls.walls.len(), loads.len());
        if expected != found {
            return Err(DemError::LengthMismatch { what: "wall loads", expected, found });
        }
        check_pairs(&pairs, &self.list, Some(bodies))?;
        check_walls(&walls, Some(bodies), expected)?;
        let mut same = Self { radii_differ: self.radii_differ | radii_differ, ..self };
        same.walls.pending_loads.clone_from(&loads);
        same.walls.loads = loads;
        same.histories = ContactHistories::new(CarriedHistories { pairs, walls });
        Ok(same)
    }
}
