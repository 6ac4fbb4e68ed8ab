//! The stored form of contacts: everything that a restart with the same bits needs.

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::parameter::finite;
use crate::force::ContactForce;
use crate::force::box_load::{BoxLoad, BoxLoads};
use crate::force::histories::ContactHistories;
use crate::force::histories::carried::{CarriedHistories, PairContactHistory};
use crate::force::histories::wall_history::WallContactHistory;
use crate::force::work::WorkBook;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::wall::{Wall, WallLoad};

/// Stored contacts. Lists are made again from where they were made from.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct StoredContacts<L, T, M> {
    list: NeighborList,
    laws: LawAssignment<L, T>,
    walls: Vec<(Wall, WallLoad)>,
    pair_history: Vec<PairContactHistory<M>>,
    wall_history: Vec<WallContactHistory<M>>,
    work: Option<WorkBook>,
    radii_differ: bool,
    box_load: (bool, BoxLoad),
}

impl<L: ContactLaw, T: TangentialLaw> TryFrom<StoredContacts<L, T, T::History>> for ContactForce<L, T> {
    type Error = DemError;

    fn try_from(stored: StoredContacts<L, T, T::History>) -> Result<Self, DemError> {
        let StoredContacts { list, laws, walls, pair_history: pairs, wall_history, work, radii_differ, box_load } =
            stored;
        let (walls, loads): (Vec<_>, Vec<_>) = walls.into_iter().unzip();
        let force = Self::with_laws(list, laws.checked()?).with_walls(walls)?;
        let mut force = Self { work, radii_differ, ..force };
        for number in box_load.1.numbers() {
            finite("the load of a box", number)?;
        }
        force.box_loads = BoxLoads { is_watched: box_load.0, committed: box_load.1, pending: box_load.1 };
        for WallLoad { force, torque, overlap, .. } in &loads {
            for value in [force, torque].into_iter().flat_map(|vector| vector.to_array()).chain([*overlap]) {
                finite("the load of a wall", value)?;
            }
        }
        if let Some(work) = &force.work {
            work.check()?;
        }
        let bodies = force.known_bodies().next();
        check_pairs(&pairs, &force.list, bodies)?;
        check_walls(&wall_history, bodies, loads.len())?;
        force.histories = ContactHistories::new(CarriedHistories { pairs, walls: wall_history });
        (force.walls.pending_loads, force.walls.loads) = (loads.clone(), loads);
        Ok(force)
    }
}

impl<L: ContactLaw, T: TangentialLaw> From<ContactForce<L, T>> for StoredContacts<L, T, T::History> {
    fn from(force: ContactForce<L, T>) -> Self {
        // The next step drops the histories of bodies that no longer exist.
        let bodies = Some(force.list.accepted_bodies()).filter(|&bodies| bodies > 0);
        let CarriedHistories { pairs, walls } = force.histories.committed().of_bodies(bodies.unwrap_or(usize::MAX));
        let ContactForce { list, laws, work, radii_differ, box_loads, .. } = force;
        Self {
            list,
            laws,
            walls: force.walls.walls.into_iter().zip(force.walls.loads).collect(),
            pair_history: pairs,
            wall_history: walls,
            work,
            radii_differ,
            box_load: (box_loads.is_watched, box_loads.committed),
        }
    }
}

/// Checks that histories belong to pairs that can exist, sorted and seen from the lower id.
pub(crate) fn check_pairs<M: ContactHistory>(
    entries: &[PairContactHistory<M>],
    list: &NeighborList,
    bodies: Option<usize>,
) -> Result<(), DemError> {
    let mut before = None;
    for &PairContactHistory { a, b, .. } in entries {
        let contact = [a as usize, b as usize];
        let stray = |problem| Err(DemError::Contact(ContactError::StrayHistory { what: "bodies", contact, problem }));
        if bodies.is_some_and(|bodies| contact.into_iter().any(|body| body >= bodies)) {
            return stray("there is no such body");
        }
        if list.id(a) >= list.id(b) {
            return stray("it is not seen from the body with the lower id");
        }
        if before >= Some([a, b]) {
            return stray("it is given twice, or not in order");
        }
        before = Some([a, b]);
    }
    Ok(())
}

/// Checks that sorted histories belong to wall contacts that can exist, of so many bodies if their number is known.
pub(crate) fn check_walls<M: ContactHistory>(
    entries: &[WallContactHistory<M>],
    bodies: Option<usize>,
    walls: usize,
) -> Result<(), DemError> {
    let key = |entry: &WallContactHistory<M>| (entry.body, entry.wall, entry.feature);
    for (k, entry) in entries.iter().enumerate() {
        let contact = [entry.wall, entry.body].map(|number| number as usize);
        let stray =
            |problem| Err(DemError::Contact(ContactError::StrayHistory { what: "wall and body", contact, problem }));
        if contact[0] >= walls {
            return stray("there is no such wall");
        }
        if bodies.is_some_and(|bodies| contact[1] >= bodies) {
            return stray("there is no such body");
        }
        // A body between two images of a sheet touches one feature on both sides.
        let is_after = |before: &WallContactHistory<M>| {
            key(before) < key(entry) || key(before) == key(entry) && before.normal.dot(entry.normal) < 0.0
        };
        if k > 0 && !is_after(&entries[k - 1]) {
            return stray("it is given twice, or not in order");
        }
        // In this form NaN is refused.
        let is_unit = (entry.normal.length_squared() - 1.0).abs() < 1e-6;
        if !is_unit {
            return stray("its normal is not of length one");
        }
    }
    Ok(())
}
