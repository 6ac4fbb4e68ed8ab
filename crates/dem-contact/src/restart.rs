//! Contacts as they are stored: whatever a restart with the same bits needs.

use crate::buffers::Buffers;
use crate::carried::ByPair;
use crate::laws::Laws;
use crate::ledger::WorkBook;
use crate::pair_memory::PairMemory;
use crate::wall_contacts::{Remembered, WallContacts, WallMemory};
use crate::{ContactForce, ContactLaw, DemError, NeighborList, TangentialLaw, Wall, WallLoad};

/// Laws, list, walls, memory and ledger; buffers are made again.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Parts<L, T, M> {
    list: NeighborList,
    laws: Laws<L, T>,
    walls: Vec<Wall>,
    wall_loads: Vec<WallLoad>,
    pair_memory: ByPair<M>,
    wall_memory: Vec<Remembered<M>>,
    work: Option<WorkBook>,
}

impl<L: ContactLaw, T: TangentialLaw> TryFrom<Parts<L, T, T::Memory>> for ContactForce<L, T> {
    type Error = DemError;

    fn try_from(parts: Parts<L, T, T::Memory>) -> Result<Self, DemError> {
        let laws = parts.laws.checked()?;
        let expected = parts.walls.len();
        if parts.wall_loads.len() != expected {
            return Err(DemError::LengthMismatch { what: "wall loads", expected, found: parts.wall_loads.len() });
        }
        for (w, wall) in parts.walls.iter().enumerate() {
            wall.check(w, parts.list.domain().periods())?;
        }
        let known = Some(parts.list.known()).filter(|&bodies| bodies > 0);
        if let Some(work) = &parts.work {
            work.check(known, expected)?;
        }
        let memory = PairMemory::new(parts.pair_memory);
        memory.check(known)?;
        let mut walls = WallContacts::new(parts.walls, WallMemory { entries: parts.wall_memory });
        walls.committed.sort();
        walls.committed.check(known, expected)?;
        walls.pending_loads.clone_from(&parts.wall_loads);
        walls.loads = parts.wall_loads;
        Ok(Self { list: parts.list, laws, walls, memory, work: parts.work, places: Buffers::default() })
    }
}

impl<L: ContactLaw, T: TangentialLaw> From<ContactForce<L, T>> for Parts<L, T, T::Memory> {
    fn from(force: ContactForce<L, T>) -> Self {
        Self {
            pair_memory: force.memory.by_pair(&force.list),
            list: force.list,
            laws: force.laws,
            walls: force.walls.walls,
            wall_loads: force.walls.loads,
            wall_memory: force.walls.committed.entries,
            work: force.work,
        }
    }
}
