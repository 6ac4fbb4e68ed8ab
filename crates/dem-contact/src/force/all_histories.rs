//! The histories of all contacts, for transfer to contacts with other laws, walls or steps.

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::law::LawError;
use crate::error::parameter::finite;
use crate::force::ContactForce;
use crate::force::histories::ContactHistories;
use crate::force::histories::carried::{CarriedHistories, PairKey};
use crate::force::histories::keyed_rows::KeyedRows;
use crate::force::histories::wall_history::{WallHistories, WallKey};
use crate::law::pair_law::LawRecord;
use crate::neighbor::NeighborList;
use crate::wall::WallLoad;

/// Histories (tangential displacements and other memory) of all contacts at an accepted state, with the names of their
/// laws, and the loads on walls. Laws, walls and the recorded work are not included.
///
/// Histories can be stored, or given to other contacts of the same bodies and walls, for example those of another
/// integrator, by [`ContactForce::with_histories`].
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AllHistories {
    pub(super) pairs: KeyedRows<PairKey>,
    pub(super) walls: WallHistories,
    /// Name and history layout of each contact law, by the law index in the keys of histories.
    pub(super) laws: Vec<LawRecord>,
    pub(super) loads: Vec<WallLoad>,
    pub(super) radii_differ: bool,
}

impl AllHistories {
    /// Number of contacts, between bodies and with walls, that have a history.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len() + self.walls.len()
    }

    /// Number of contacts with wall number `wall` that have a history.
    #[must_use]
    pub fn at_wall(&self, wall: usize) -> usize {
        self.walls.iter().filter(|(key, _)| key.wall as usize == wall).count()
    }

    /// Whether no contact, between bodies or with walls, has a history.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Renumbers the walls in the histories of wall contacts and in the loads on walls. `number` returns the new number
    /// of a former wall, `count` is the new number of walls. If `number` returns `None` or a value that is not below
    /// `count`, the histories and the load of the wall are dropped.
    pub fn renumber_walls(&mut self, count: usize, number: impl Fn(usize) -> Option<usize>) {
        let mut loads = vec![WallLoad::default(); count];
        for (wall, load) in self.loads.iter().enumerate() {
            if let Some(new) = number(wall).and_then(|wall| loads.get_mut(wall)) {
                *new = *load;
            }
        }
        self.loads = loads;
        let new = |wall: u32| number(wall as usize).filter(|&wall| wall < count);
        let mut walls = self.walls.filtered(|key| new(key.wall).is_some());
        for key in walls.keys_mut() {
            key.wall = new(key.wall).unwrap_or_default() as u32;
        }
        self.walls = walls.sorted_by_key(WallKey::order);
    }

    pub(super) fn none(laws: Vec<LawRecord>, walls: usize, radii_differ: bool) -> Self {
        let loads = vec![WallLoad::default(); walls];
        Self { pairs: KeyedRows::new(), walls: WallHistories::new(), laws, loads, radii_differ }
    }

    /// Renumbers the bodies in the histories: `number` returns the new number of a former body. If it is `None`, all
    /// histories of this body are dropped, also those with other bodies. In each pair the body with the lower
    /// [id](NeighborList::with_ids) must be the same as before.
    pub fn renumber_bodies(&mut self, number: impl Fn(usize) -> Option<usize>) {
        self.change(|contacts| contacts.renumbered(number));
    }

    /// Splits the histories by groups of bodies; `group` returns the index of the group of a body. The result has one
    /// set of histories for each group. The history of a pair of bodies of two groups is in the sets of both groups.
    /// Loads on walls are zero in all sets.
    ///
    /// # Panics
    /// If `group` returns an index that is not below `groups`.
    #[must_use]
    pub fn split(&self, groups: usize, group: impl Fn(usize) -> usize) -> Vec<Self> {
        let mut split = vec![Self::none(self.laws.clone(), self.loads.len(), self.radii_differ); groups];
        for (key, row) in self.pairs.iter() {
            let [first, second] = [key.a, key.b].map(|body| group(body as usize));
            split[first].pairs.push(*key, row);
            if second != first {
                split[second].pairs.push(*key, row);
            }
        }
        self.walls.iter().for_each(|(key, row)| split[group(key.body as usize)].walls.push(*key, row));
        split
    }

    /// Adds the histories `others`, whose bodies, walls and laws have the same numbers as those of `self`. A pair that
    /// is in both sets is kept once. Loads on walls in `others` are ignored.
    pub fn join(&mut self, others: Self) {
        self.pairs.extend(&others.pairs);
        self.walls.extend(&others.walls);
        self.change(CarriedHistories::sorted);
        let mut before = None;
        self.pairs = self.pairs.filtered(|key| before.replace((key.a, key.b)) != Some((key.a, key.b)));
    }

    /// Drops the histories of laws that differ by name or layout from those of `contacts`, and gives the remaining
    /// histories the indices of the laws of `contacts`. Bodies and walls must have the same numbers in both. Returns
    /// the number of dropped histories. To read stored histories, restore the contacts with the old laws and call
    /// [`ContactForce::all_histories`].
    pub fn keep_known(&mut self, contacts: &ContactForce) -> usize {
        let before = std::mem::take(&mut self.laws);
        let now = contacts.setup.laws.records();
        let count = self.len();
        let of_pair = |key: &PairKey| contacts.setup.laws.index_of_bodies(key.a, key.b);
        let at_wall = |key: &WallKey| contacts.setup.laws.index_at_wall(key.body, key.wall as usize);
        let is_known = |law: u32, index: usize| before.get(law as usize) == Some(&now[index]);
        self.pairs = self.pairs.filtered(|key| is_known(key.law, of_pair(key)));
        self.walls = self.walls.filtered(|key| is_known(key.law, at_wall(key)));
        self.pairs.keys_mut().iter_mut().for_each(|key| key.law = of_pair(key) as u32);
        self.walls.keys_mut().iter_mut().for_each(|key| key.law = at_wall(key) as u32);
        self.laws = now;
        count - self.len()
    }

    /// Checks that the laws of stored histories are the given ones, index by index, including laws without a contact.
    ///
    /// # Errors
    /// [`LawError::OtherLaw`].
    #[cfg(feature = "serde")]
    pub(super) fn check_laws(&self, given: &[LawRecord]) -> Result<(), DemError> {
        let other = (0..given.len().max(self.laws.len())).find(|&index| self.laws.get(index) != given.get(index));
        other.map_or(Ok(()), |index| Err(other_law(self.laws.get(index), given.get(index))))
    }

    fn change(&mut self, change: impl FnOnce(CarriedHistories) -> CarriedHistories) {
        let pairs = std::mem::take(&mut self.pairs);
        let walls = std::mem::take(&mut self.walls);
        let changed = change(CarriedHistories { pairs, walls });
        self.pairs = changed.pairs;
        self.walls = changed.walls;
    }
}

impl ContactForce {
    /// Returns the histories of all contacts at the last accepted state, with the names of their laws.
    #[must_use]
    pub fn all_histories(&self) -> AllHistories {
        // The next step drops the histories of bodies that no longer exist.
        let bodies = Some(self.list.accepted_bodies()).filter(|&bodies| bodies > 0).unwrap_or(usize::MAX);
        let existing = |body: usize| (body < bodies).then_some(body);
        let CarriedHistories { pairs, walls } = self.histories.committed(&self.setup.laws).renumbered(existing);
        let laws = self.setup.laws.records();
        let loads = self.walls.loads.clone();
        AllHistories { pairs, walls, laws, loads, radii_differ: self.setup.radii_differ }
    }

    /// Replaces the histories and the loads on walls by those of other contacts, whose walls and whose bodies, `bodies`
    /// in number, have the same numbers. In each pair the same body must have the lower id. Laws may have other
    /// parameters, but must have the same names and histories of the same layout: see [`AllHistories::keep_known`].
    ///
    /// A state still carries the forces of the other contacts: call
    /// [`State::discard_wrenches`](rrp_integrate::State::discard_wrenches) unless both have the same forces.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] for another number of walls, [`DemError::InvalidParameter`] for loads that are not
    /// finite, [`ContactError::StrayHistory`] for contacts that cannot exist, [`LawError::OtherLaw`] for histories of
    /// other laws.
    pub fn with_histories(mut self, histories: AllHistories, bodies: usize) -> Result<Self, DemError> {
        let AllHistories { mut pairs, mut walls, laws, loads, radii_differ } = histories;
        let expected = self.walls.walls.len();
        let found = loads.len();
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
        for index in 0..pairs.len() {
            let PairKey { a, b, law } = pairs.keys()[index];
            let now = self.setup.laws.index_of_bodies(a, b);
            self.check_law(&laws, law, now, pairs.row(index))?;
            pairs.keys_mut()[index].law = now as u32;
        }
        for index in 0..walls.len() {
            let WallKey { body, wall, law, .. } = walls.keys()[index];
            let now = self.setup.laws.index_at_wall(body, wall as usize);
            self.check_law(&laws, law, now, walls.row(index))?;
            walls.keys_mut()[index].law = now as u32;
        }
        self.setup.radii_differ |= radii_differ;
        self.walls.pending_loads.clone_from(&loads);
        self.walls.loads = loads;
        self.histories = ContactHistories::new(CarriedHistories { pairs, walls });
        Ok(self)
    }

    /// Checks that the history `row`, which was stored with law number `law` of the laws `stored`, fits the present law
    /// number `index`.
    fn check_law(&self, stored: &[LawRecord], law: u32, index: usize, row: &[f64]) -> Result<(), DemError> {
        let given = self.setup.laws.by_index(index).traits().record();
        let stored = stored.get(law as usize);
        if stored == Some(&given) && row.len() == given.layout.width() {
            return Ok(());
        }
        Err(other_law(stored, Some(&given)))
    }
}

fn other_law(stored: Option<&LawRecord>, given: Option<&LawRecord>) -> DemError {
    let [stored, given] = [stored, given].map(|laws| laws.map_or_else(|| "no laws".to_owned(), ToString::to_string));
    DemError::Law(LawError::OtherLaw { stored, given })
}

fn stray(what: &'static str, contact: [usize; 2], problem: &'static str) -> DemError {
    DemError::Contact(ContactError::StrayHistory { what, contact, problem })
}

/// Checks that keys of pair histories are sorted, have numbers of existing bodies, and have the body with the lower id
/// first.
fn check_pairs(entries: &KeyedRows<PairKey>, list: &NeighborList, bodies: usize) -> Result<(), DemError> {
    let mut before = None;
    for PairKey { a, b, .. } in entries.keys() {
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
        return Err(stray("bodies", contact, problem));
    }
    Ok(())
}

fn check_walls(entries: &WallHistories, bodies: usize, walls: usize) -> Result<(), DemError> {
    let keys = entries.keys();
    for (k, entry) in keys.iter().enumerate() {
        let contact = [entry.wall, entry.body].map(|number| number as usize);
        // A body between two images of a sheet touches one feature on both sides.
        let is_after = |before: &WallKey| {
            before.order() < entry.order() || before.order() == entry.order() && before.normal.dot(entry.normal) < 0.0
        };
        // A NaN fails this comparison and is refused too.
        let is_unit = (entry.normal.length_squared() - 1.0).abs() < 1e-6;
        let problem = if contact[0] >= walls {
            "there is no such wall"
        } else if contact[1] >= bodies {
            "there is no such body"
        } else if k > 0 && !is_after(&keys[k - 1]) {
            "it is given twice, or not in order"
        } else if !is_unit {
            "its normal is not of length one"
        } else {
            continue;
        };
        return Err(stray("wall and body", contact, problem));
    }
    Ok(())
}
