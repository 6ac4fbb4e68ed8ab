//! The histories of all contacts, on their way to contacts with other laws, walls or steps.

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::parameter::finite;
use crate::force::ContactForce;
use crate::force::histories::ContactHistories;
use crate::force::histories::carried::{CarriedHistories, PairContactHistory};
use crate::force::histories::wall_history::{WallContactHistory, sort_by_body};
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::neighbor::NeighborList;
use crate::wall::WallLoad;

/// The histories of all contacts at an accepted state, and the loads on walls. Laws, walls and the recorded work are no
/// part of it.
///
/// Store them, or hand them to contacts of the same bodies and walls with
/// [`ContactForce::with_histories`], such as those of another integrator.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AllHistories<M> {
    pub(super) pairs: Vec<PairContactHistory<M>>,
    pub(super) walls: Vec<WallContactHistory<M>>,
    pub(super) loads: Vec<WallLoad>,
    pub(super) radii_differ: bool,
}

impl<M: Copy> AllHistories<M> {
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
        sort_by_body(&mut self.walls);
    }
}

impl<M: ContactHistory> AllHistories<M> {
    /// Those of no contact.
    pub(super) fn none(walls: usize, radii_differ: bool) -> Self {
        Self { pairs: Vec::new(), walls: Vec::new(), loads: vec![WallLoad::default(); walls], radii_differ }
    }

    /// Gives bodies other numbers. Contacts of bodies without a number are dropped. Of two bodies, the one with the
    /// lower id stays the first.
    pub fn renumber_bodies(&mut self, number: impl Fn(usize) -> Option<usize>) {
        self.change(|contacts| contacts.renumbered(number));
    }

    /// The histories of the contacts of each of several groups of bodies; `group` has the index of the group of a body.
    /// A pair of bodies of two groups is in both. Loads on walls are in none.
    ///
    /// # Panics
    /// If a group is not below `groups`.
    #[must_use]
    pub fn split(&self, groups: usize, group: impl Fn(usize) -> usize) -> Vec<Self> {
        let mut split = vec![Self::none(self.loads.len(), self.radii_differ); groups];
        for entry in &self.pairs {
            let [first, second] = [entry.a, entry.b].map(|body| group(body as usize));
            split[first].pairs.push(*entry);
            if second != first {
                split[second].pairs.push(*entry);
            }
        }
        self.walls.iter().for_each(|entry| split[group(entry.body as usize)].walls.push(*entry));
        split
    }

    /// Adds the histories of contacts of other bodies of the same numbering. A pair that both have is kept once.
    pub fn join(&mut self, others: Self) {
        self.pairs.extend(others.pairs);
        self.walls.extend(others.walls);
        self.change(CarriedHistories::sorted);
        self.pairs.dedup_by_key(|entry| (entry.a, entry.b));
    }

    fn change(&mut self, change: impl FnOnce(CarriedHistories<M>) -> CarriedHistories<M>) {
        let (pairs, walls) = (std::mem::take(&mut self.pairs), std::mem::take(&mut self.walls));
        let changed = change(CarriedHistories { pairs, walls });
        (self.pairs, self.walls) = (changed.pairs, changed.walls);
    }
}

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// The histories of all contacts at the last accepted state.
    #[must_use]
    pub fn all_histories(&self) -> AllHistories<T::History> {
        // The next step drops the histories of bodies that no longer exist.
        let bodies = Some(self.list.accepted_bodies()).filter(|&bodies| bodies > 0).unwrap_or(usize::MAX);
        let existing = |body: usize| (body < bodies).then_some(body);
        let CarriedHistories { pairs, walls } = self.histories.committed().renumbered(existing);
        AllHistories { pairs, walls, loads: self.walls.loads.clone(), radii_differ: self.radii_differ }
    }

    /// The same contacts of `bodies` bodies with the histories of others, whose bodies and walls have the same numbers.
    /// Of two bodies, the one with the lower id must have had the lower id there too.
    ///
    /// The forces that a state carries are those of the other contacts: call
    /// [`State::discard_wrenches`](rrp_integrate::State::discard_wrenches) unless forces are the same.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] for another number of walls, [`DemError::InvalidParameter`] for loads that are not
    /// finite, [`ContactError::StrayHistory`] for contacts that cannot be.
    pub fn with_histories(mut self, histories: AllHistories<T::History>, bodies: usize) -> Result<Self, DemError> {
        let AllHistories { pairs, walls, loads, radii_differ } = histories;
        let (expected, found) = (self.walls.walls.len(), loads.len());
        if expected != found {
            return Err(DemError::LengthMismatch { what: "wall loads", expected, found });
        }
        for WallLoad { force, torque, overlap, .. } in &loads {
            for value in [force, torque].into_iter().flat_map(|vector| vector.to_array()).chain([*overlap]) {
                finite("the load of a wall", value)?;
            }
        }
        check_pairs(&pairs, &self.list, bodies)?;
        check_walls(&walls, bodies, expected)?;
        self.radii_differ |= radii_differ;
        (self.walls.pending_loads, self.walls.loads) = (loads.clone(), loads);
        self.histories = ContactHistories::new(CarriedHistories { pairs, walls });
        Ok(self)
    }
}

/// Checks that histories belong to pairs that can exist, sorted and seen from the lower id.
fn check_pairs<M>(entries: &[PairContactHistory<M>], list: &NeighborList, bodies: usize) -> Result<(), DemError> {
    let mut before = None;
    for PairContactHistory { a, b, .. } in entries {
        let contact = [*a, *b].map(|body| body as usize);
        let problem = if contact.into_iter().any(|body| body >= bodies) {
            "there is no such body"
        } else if list.id(*a) >= list.id(*b) {
            "it is not seen from the body with the lower id"
        } else if before >= Some(contact) {
            "it is given twice, or not in order"
        } else {
            before = Some(contact);
            continue;
        };
        return Err(DemError::Contact(ContactError::StrayHistory { what: "bodies", contact, problem }));
    }
    Ok(())
}

/// Checks that sorted histories belong to wall contacts that can exist.
fn check_walls<M>(entries: &[WallContactHistory<M>], bodies: usize, walls: usize) -> Result<(), DemError> {
    let key = |entry: &WallContactHistory<M>| (entry.body, entry.wall, entry.feature);
    for (k, entry) in entries.iter().enumerate() {
        let contact = [entry.wall, entry.body].map(|number| number as usize);
        // A body between two images of a sheet touches one feature on both sides.
        let is_after = |before: &WallContactHistory<M>| {
            key(before) < key(entry) || key(before) == key(entry) && before.normal.dot(entry.normal) < 0.0
        };
        // In this form NaN is refused.
        let is_unit = (entry.normal.length_squared() - 1.0).abs() < 1e-6;
        let problem = if contact[0] >= walls {
            "there is no such wall"
        } else if contact[1] >= bodies {
            "there is no such body"
        } else if k > 0 && !is_after(&entries[k - 1]) {
            "it is given twice, or not in order"
        } else if !is_unit {
            "its normal is not of length one"
        } else {
            continue;
        };
        return Err(DemError::Contact(ContactError::StrayHistory { what: "wall and body", contact, problem }));
    }
    Ok(())
}
