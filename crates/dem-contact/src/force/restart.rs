//! The stored form of contacts: everything that a restart with the same bits needs.

use crate::error::DemError;
use crate::error::parameter::finite;
use crate::force::ContactForce;
use crate::force::all_histories::AllHistories;
use crate::force::box_load::{BoxLoad, BoxLoads};
use crate::force::histories::carried::PairContactHistory;
use crate::force::histories::wall_history::WallContactHistory;
use crate::force::wall_forces::felt_walls::FeltWalls;
use crate::force::work::WorkBook;
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
    felt: FeltWalls,
    pair_history: Vec<PairContactHistory<M>>,
    wall_history: Vec<WallContactHistory<M>>,
    work: Option<WorkBook>,
    radii_differ: bool,
    box_load: (bool, BoxLoad),
}

impl<L: ContactLaw, T: TangentialLaw> TryFrom<StoredContacts<L, T, T::History>> for ContactForce<L, T> {
    type Error = DemError;

    fn try_from(stored: StoredContacts<L, T, T::History>) -> Result<Self, DemError> {
        let StoredContacts { list, laws, walls, felt, pair_history: pairs, wall_history, work, radii_differ, box_load } =
            stored;
        let (walls, loads): (Vec<_>, Vec<_>) = walls.into_iter().unzip();
        if let Some(work) = &work {
            work.check()?;
        }
        let (is_watched, load) = box_load;
        for number in load.numbers() {
            finite("the load of a box", number)?;
        }
        let force = Self::with_laws(list, laws.checked()?).with_walls(walls)?.with_felt_walls(felt)?;
        let force = Self { work, box_loads: BoxLoads::at(is_watched, load), ..force };
        let bodies = force.known_bodies().next().unwrap_or(usize::MAX);
        force.with_histories(AllHistories { pairs, walls: wall_history, loads, radii_differ }, bodies)
    }
}

impl<L: ContactLaw, T: TangentialLaw> From<ContactForce<L, T>> for StoredContacts<L, T, T::History> {
    fn from(force: ContactForce<L, T>) -> Self {
        let AllHistories { pairs, walls: wall_history, loads, radii_differ } = force.all_histories();
        let ContactForce { list, laws, felt, work, box_loads, .. } = force;
        Self {
            list,
            laws,
            walls: force.walls.walls.into_iter().zip(loads).collect(),
            felt,
            pair_history: pairs,
            wall_history,
            work,
            radii_differ,
            box_load: (box_loads.is_watched, box_loads.committed),
        }
    }
}
