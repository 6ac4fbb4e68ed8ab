//! The stored form of contacts: everything that a restart with the same bits needs.

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::parameter::finite;
use crate::force::ContactForce;
use crate::force::histories::ContactHistories;
use crate::force::histories::carried::{CarriedHistories, PairContactHistory};
use crate::force::histories::wall_history::WallContactHistory;
use crate::force::tiles::sums::Sums;
use crate::force::wall_forces::WallForces;
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
    walls: Vec<Wall>,
    wall_loads: Vec<WallLoad>,
    pair_history: Vec<PairContactHistory<M>>,
    wall_history: Vec<WallContactHistory<M>>,
    work: Option<WorkBook>,
    radii_differ: bool,
}

impl<L: ContactLaw, T: TangentialLaw> TryFrom<StoredContacts<L, T, T::History>> for ContactForce<L, T> {
    type Error = DemError;

    fn try_from(stored: StoredContacts<L, T, T::History>) -> Result<Self, DemError> {
        let laws = stored.laws.checked()?;
        let expected = stored.walls.len();
        if stored.wall_loads.len() != expected {
            return Err(DemError::LengthMismatch { what: "wall loads", expected, found: stored.wall_loads.len() });
        }
        for (w, wall) in stored.walls.iter().enumerate() {
            wall.check(w, stored.list.domain().periods())?;
        }
        for load in &stored.wall_loads {
            let numbers = [load.force, load.torque].into_iter().flat_map(|vector| vector.to_array());
            numbers.map(|value| finite("the load of a wall", value)).collect::<Result<Vec<_>, _>>()?;
        }
        let by_book = stored.work.as_ref().map_or(0, WorkBook::bodies);
        // Before the first step the number of bodies may not be known.
        let known = [stored.list.accepted_bodies(), laws.of_body.len(), by_book].into_iter().find(|&bodies| bodies > 0);
        if let Some(work) = &stored.work {
            work.check()?;
        }
        check_pairs(&stored.pair_history, &stored.list, known)?;
        check_walls(&stored.wall_history, known, expected)?;
        let mut walls = WallForces::new(stored.walls);
        walls.pending_loads.clone_from(&stored.wall_loads);
        walls.loads = stored.wall_loads;
        Ok(Self {
            list: stored.list,
            laws,
            walls,
            histories: ContactHistories::new(CarriedHistories {
                pairs: stored.pair_history,
                walls: stored.wall_history,
            }),
            work: stored.work,
            stored: 0.0,
            motion: Vec::new(),
            sums: Sums::default(),
            image_powers: [0.0; 2],
            radii_differ: stored.radii_differ,
        })
    }
}

impl<L: ContactLaw, T: TangentialLaw> From<ContactForce<L, T>> for StoredContacts<L, T, T::History> {
    fn from(force: ContactForce<L, T>) -> Self {
        // The next step drops the histories of bodies that no longer exist.
        let bodies = Some(force.list.accepted_bodies()).filter(|&bodies| bodies > 0);
        let CarriedHistories { pairs, walls } = force.histories.committed().of_bodies(bodies.unwrap_or(usize::MAX));
        Self {
            list: force.list,
            laws: force.laws,
            walls: force.walls.walls,
            wall_loads: force.walls.loads,
            pair_history: pairs,
            wall_history: walls,
            work: force.work,
            radii_differ: force.radii_differ,
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
        if k > 0 && key(&entries[k - 1]) >= key(entry) {
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
