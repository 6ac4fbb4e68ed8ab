//! The stored form of contacts: a restart with the same bits needs it, and laws.

use crate::error::DemError;
use crate::error::parameter::finite;
use crate::force::ContactForce;
use crate::force::all_histories::AllHistories;
use crate::force::box_load::{BoxLoad, BoxLoads};
use crate::force::wall_forces::felt_walls::FeltWalls;
use crate::force::work::WorkBook;
use crate::law::material::assignment::LawAssignment;
use crate::law::material::pair_table::LawTable;
use crate::neighbor::NeighborList;
use crate::wall::Wall;

/// Stored contacts: list, materials, walls, histories and recorded work. Laws are not stored: histories know them by
/// their names. Lists are made again from where they were made from.
///
/// ```
/// # use dem_contact::force::{ContactForce, StoredContacts};
/// # use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws};
/// # use dem_contact::neighbor::{Domain, NeighborList};
/// let laws = Laws::of(Hooke::new(1e4, Damping::NONE)?, FrictionSpring::new(3e3, 0.0, 0.5)?);
/// let contacts = ContactForce::new(NeighborList::new(Domain::OPEN, 0.1)?, laws.clone());
/// let text = serde_json::to_string(&contacts.stored())?;
/// let restored = serde_json::from_str::<StoredContacts>(&text)?.restore(laws)?;
/// # let _ = restored;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct StoredContacts {
    list: NeighborList,
    of_body: Vec<u16>,
    of_wall: Vec<u16>,
    walls: Vec<Wall>,
    felt: FeltWalls,
    histories: AllHistories,
    work: Option<WorkBook>,
    watches_box: bool,
    box_load: BoxLoad,
}

impl ContactForce {
    /// The contacts as they are stored.
    #[must_use]
    pub fn stored(&self) -> StoredContacts {
        StoredContacts {
            list: self.list.clone(),
            of_body: self.laws.of_body.clone(),
            of_wall: self.laws.of_wall.clone(),
            walls: self.walls.walls.clone(),
            felt: self.felt.clone(),
            histories: self.all_histories(),
            work: self.work.clone(),
            watches_box: self.box_loads.is_watched,
            box_load: self.box_loads.committed,
        }
    }
}

impl StoredContacts {
    /// The contacts with these laws. They may have other numbers in them, but must have the names and the layouts of
    /// histories that they were stored with.
    ///
    /// # Errors
    /// [`LawError::OtherLaw`](crate::error::LawError::OtherLaw) for laws of other names or layouts,
    /// [`LawError::UnknownMaterial`](crate::error::LawError::UnknownMaterial), and those of stored values that are out
    /// of their range.
    pub fn restore(self, laws: impl Into<LawTable>) -> Result<ContactForce, DemError> {
        let Self { list, of_body, of_wall, walls, felt, histories, work, watches_box, box_load } = self;
        if let Some(work) = &work {
            work.check()?;
        }
        for number in box_load.numbers() {
            finite("the load of a box", number)?;
        }
        let laws = LawAssignment { pairs: laws.into(), of_body, of_wall }.checked()?;
        histories.check_laws(&laws.records())?;
        let force = ContactForce::with_laws(list, laws).with_walls(walls)?.with_felt_walls(felt)?;
        let force = ContactForce { work, box_loads: BoxLoads::at(watches_box, box_load), ..force };
        let bodies = force.known_bodies().next().unwrap_or(usize::MAX);
        force.with_histories(histories, bodies)
    }
}
