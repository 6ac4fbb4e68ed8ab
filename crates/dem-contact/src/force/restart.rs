//! Contacts as they are stored: whatever a restart with the same bits needs.

use crate::error::DemError;
use crate::error::parameter::finite;
use crate::force::ContactForce;
use crate::force::ledger::WorkBook;
use crate::force::old::buffers::Buffers;
use crate::force::old::carried::{ByPair, check_pairs};
use crate::force::old::pair_memory::PairMemory;
use crate::force::wall_forces::WallForces;
use crate::force::wall_forces::history::{Remembered, WallHistory};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::wall::{Wall, WallLoad};

/// LawAssignment, list, walls, memory and ledger; buffers are made again.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Parts<L, T, M> {
    list: NeighborList,
    laws: LawAssignment<L, T>,
    walls: Vec<Wall>,
    wall_loads: Vec<WallLoad>,
    pair_memory: ByPair<M>,
    wall_memory: Vec<Remembered<M>>,
    work: Option<WorkBook>,
}

impl<L: ContactLaw, T: TangentialLaw> TryFrom<Parts<L, T, T::History>> for ContactForce<L, T> {
    type Error = DemError;

    fn try_from(parts: Parts<L, T, T::History>) -> Result<Self, DemError> {
        let laws = parts.laws.checked()?;
        let expected = parts.walls.len();
        if parts.wall_loads.len() != expected {
            return Err(DemError::LengthMismatch { what: "wall loads", expected, found: parts.wall_loads.len() });
        }
        for (w, wall) in parts.walls.iter().enumerate() {
            wall.check(w, parts.list.domain().periods())?;
        }
        for load in &parts.wall_loads {
            let numbers = [load.force, load.torque].into_iter().flat_map(|vector| vector.to_array());
            numbers.map(|value| finite("the load of a wall", value)).collect::<Result<Vec<_>, _>>()?;
        }
        let by_book = parts.work.as_ref().map_or(0, WorkBook::bodies);
        // None of them is known before the first step.
        let known = [parts.list.bodies(), laws.of_body.len(), by_book].into_iter().find(|&bodies| bodies > 0);
        if let Some(work) = &parts.work {
            work.check()?;
        }
        check_pairs(&parts.pair_memory, known)?;
        let mut walls = WallForces::new(parts.walls, WallHistory { entries: parts.wall_memory });
        walls.committed.sort();
        walls.committed.check(known, expected)?;
        walls.pending_loads.clone_from(&parts.wall_loads);
        walls.loads = parts.wall_loads;
        Ok(Self {
            list: parts.list,
            laws,
            walls,
            memory: PairMemory::new(parts.pair_memory),
            work: parts.work,
            places: Buffers::default(),
        })
    }
}

impl<L: ContactLaw, T: TangentialLaw> From<ContactForce<L, T>> for Parts<L, T, T::History> {
    fn from(force: ContactForce<L, T>) -> Self {
        // What bodies have left behind that are there no more is given up with the next step.
        let bodies = Some(force.list.accepted_bodies()).filter(|&bodies| bodies > 0);
        let is_there = |body: u32| bodies.is_none_or(|bodies| (body as usize) < bodies);
        let (mut pair_memory, mut wall_memory) = (force.memory.by_pair(&force.list), force.walls.committed.entries);
        pair_memory.retain(|&([_, high], _)| is_there(high));
        wall_memory.retain(|entry| is_there(entry.body));
        Self {
            pair_memory,
            list: force.list,
            laws: force.laws,
            walls: force.walls.walls,
            wall_loads: force.walls.loads,
            wall_memory,
            work: force.work,
        }
    }
}
