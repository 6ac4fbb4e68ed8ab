//! The stored form of contacts: together with the laws, all data for a restart with the same bits.

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

/// Stored form of contacts: list, materials, walls, histories and recorded work. Laws are not stored: histories refer
/// to them by name. The pairs of the list are not stored: a restored list is made again from the stored centres for
/// which the list was made.
///
/// A restart has the same bits if the format keeps all digits of numbers: `serde_json` needs its feature
/// `float_roundtrip`.
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
    /// Returns the stored form of the contacts, which [`StoredContacts::restore`] turns back into contacts.
    #[must_use]
    pub fn stored(&self) -> StoredContacts {
        StoredContacts {
            list: self.list.clone(),
            of_body: self.setup.laws.of_body.clone(),
            of_wall: self.setup.laws.of_wall.clone(),
            walls: self.walls.walls.clone(),
            felt: self.setup.felt.clone(),
            histories: self.all_histories(),
            work: self.work.clone(),
            watches_box: self.box_loads.is_watched,
            box_load: self.box_loads.committed,
        }
    }
}

impl StoredContacts {
    /// Restores the contacts with these laws. The laws may have other parameters, but must have the names and the
    /// layouts of histories with which the contacts were stored.
    ///
    /// To continue with other laws, restore with the old laws first. Then give the histories that the new laws can read
    /// to contacts with the same list, walls and materials; contacts without such a history begin as new ones:
    ///
    /// ```
    /// # use dem_contact::force::ContactForce;
    /// # use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws};
    /// # use dem_contact::neighbor::{Domain, NeighborList};
    /// # let old_laws = Laws::of(Hooke::new(1e4, Damping::NONE)?, FrictionSpring::new(3e3, 0.0, 0.5)?);
    /// # let new_laws = old_laws.clone().named("Hooke", "another spring");
    /// # let stored = ContactForce::new(NeighborList::new(Domain::OPEN, 0.1)?, old_laws.clone()).stored();
    /// # let bodies = 0;
    /// let old = stored.restore(old_laws)?;
    /// let new = ContactForce::new(old.list().clone(), new_laws).with_walls(old.walls().to_vec())?;
    /// let mut histories = old.all_histories();
    /// let dropped = histories.keep_known(&new);
    /// let new = new.with_histories(histories, bodies)?;
    /// # assert_eq!(dropped, 0);
    /// # let _ = new;
    /// # Ok::<_, dem_contact::error::DemError>(())
    /// ```
    ///
    /// Then call [`State::discard_wrenches`](rrp_integrate::State::discard_wrenches). For several materials make the
    /// contacts by [`ContactForce::by_material`] and [`ContactForce::with_wall_materials`]. The histories do not
    /// contain the groups that feel walls, the ledger and the load of a box: set them again.
    ///
    /// # Errors
    /// [`LawError::OtherLaw`](crate::error::LawError::OtherLaw) for laws of other names or layouts,
    /// [`LawError::UnknownMaterial`](crate::error::LawError::UnknownMaterial), and errors for stored values that are
    /// out of their range.
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
