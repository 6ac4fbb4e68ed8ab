//! The stored form of contacts: everything that a restart with the same bits needs.

use crate::error::DemError;
use crate::error::parameter::finite;
use crate::force::ContactForce;
use crate::force::old::buffers::Buffers;
use crate::force::old::carried::{ByPair, check_pairs};
use crate::force::old::pair_memory::PairMemory;
use crate::force::wall_forces::WallForces;
use crate::force::wall_forces::history::{WallContactHistory, WallHistory};
use crate::force::work::WorkBook;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::wall::{Wall, WallLoad};

/// Stored contacts. Buffers are made again.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct StoredContacts<L, T, M> {
    list: NeighborList,
    laws: LawAssignment<L, T>,
    walls: Vec<Wall>,
    wall_loads: Vec<WallLoad>,
    #[serde(rename = "pair_memory")]
    pair_history: ByPair<M>,
    #[serde(rename = "wall_memory")]
    wall_history: Vec<WallContactHistory<M>>,
    work: Option<WorkBook>,
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
        let known = [stored.list.bodies(), laws.of_body.len(), by_book].into_iter().find(|&bodies| bodies > 0);
        if let Some(work) = &stored.work {
            work.check()?;
        }
        check_pairs(&stored.pair_history, known)?;
        let mut walls = WallForces::new(stored.walls, WallHistory { entries: stored.wall_history });
        walls.committed.sort();
        walls.committed.check(known, expected)?;
        walls.pending_loads.clone_from(&stored.wall_loads);
        walls.loads = stored.wall_loads;
        Ok(Self {
            list: stored.list,
            laws,
            walls,
            history: PairMemory::new(stored.pair_history),
            work: stored.work,
            buffers: Buffers::default(),
        })
    }
}

impl<L: ContactLaw, T: TangentialLaw> From<ContactForce<L, T>> for StoredContacts<L, T, T::History> {
    fn from(force: ContactForce<L, T>) -> Self {
        // The next step drops the histories of bodies that no longer exist.
        let bodies = Some(force.list.accepted_bodies()).filter(|&bodies| bodies > 0);
        let exists = |body: u32| bodies.is_none_or(|bodies| (body as usize) < bodies);
        let (mut pair_history, mut wall_history) = (force.history.by_pair(&force.list), force.walls.committed.entries);
        pair_history.retain(|&([_, high], _)| exists(high));
        wall_history.retain(|entry| exists(entry.body));
        Self {
            pair_history,
            list: force.list,
            laws: force.laws,
            walls: force.walls.walls,
            wall_loads: force.walls.loads,
            wall_history,
            work: force.work,
        }
    }
}
