//! Contact forces by tiles.
//!
//! [`TileForce`] evaluates pairs of spheres on tiles, boxes of space: one parallel loop, in which each tile sums the
//! forces on its own spheres. `evaluate` is one evaluation. `kernel` is the contact loop over batches of pairs, with the
//! stages `touching`, `kinematics`, `laws` and `loads`; `batch` is the layout of a batch, `scene` what all tiles read
//! and `sums` what they write. `listed` joins a list with the histories of its pairs, which `pair_history` keeps by tile
//! and `carried` takes to the next list.
//!
//! A friction spring grows by the slip in the middle of each step, see `kinematics`.

pub(crate) mod batch;
pub(crate) mod carried;
pub(crate) mod evaluate;
pub(crate) mod kernel;
pub(crate) mod kinematics;
pub(crate) mod laws;
pub(crate) mod listed;
pub(crate) mod loads;
pub(crate) mod pair_history;
pub(crate) mod renumber;
#[cfg(feature = "serde")]
pub(crate) mod restart;
pub(crate) mod scene;
pub(crate) mod sums;
pub(crate) mod touching;

use rrp_integrate::{Bodies, FieldError, ForceField, State, Wrenches};

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::force::tiles::listed::{ListOrigin, Listed};
use crate::force::tiles::pair_history::TileHistory;
use crate::force::tiles::scene::Motion;
use crate::force::tiles::sums::{Row, Sums};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::law::material::law_table::LawTable;
use crate::neighbor::domain::Domain;

/// Forces and torques between touching spheres, evaluated by tiles.
///
/// Results have the same bits for any number of threads, and for any numbering of the spheres with the same ids.
/// With the feature `serde` it can be stored and restored, with the same bits. Walls, readings and a ledger are not here
/// yet: use [`ContactForce`](crate::force::ContactForce) for them.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::force::tiles::restart::StoredTiles<L, T, T::History>",
        into = "crate::force::tiles::restart::StoredTiles<L, T, T::History>",
        bound(
            serialize = "L: ContactLaw + Clone + serde::Serialize, T: Clone + serde::Serialize, T::History: serde::Serialize",
            deserialize = "L: ContactLaw + serde::de::DeserializeOwned, T: serde::de::DeserializeOwned, T::History: serde::de::DeserializeOwned"
        )
    )
)]
pub struct TileForce<L, T: TangentialLaw> {
    domain: Domain,
    /// In m.
    skin: f64,
    laws: LawAssignment<L, T>,
    /// By number; empty if ids are numbers.
    ids: Vec<u32>,
    /// After a restart or a renumbering: the centres and histories that the accepted list is made from again.
    origin: Option<ListOrigin<T::History>>,
    /// The list of the last accepted state, and one for a trial state that it does not hold for.
    accepted: Option<Listed<T::History>>,
    trial: Option<Listed<T::History>>,
    builds: u64,
    /// By place: centres and radii (m), and motions.
    position: Vec<[f64; 4]>,
    motion: Vec<Motion>,
    /// By place: forces and torques of the last evaluation.
    sums: Sums<Vec<Row>>,
}

impl<L: ContactLaw, T: TangentialLaw> TileForce<L, T> {
    /// Contacts in `domain` with a normal and a tangential law. Pairs are listed up to a gap of `skin` (m).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `skin` is finite and positive.
    pub fn new(domain: Domain, skin: f64, law: L, tangential: T) -> Result<Self, DemError> {
        Self::with_laws(domain, skin, LawAssignment::uniform(law, tangential))
    }

    /// Contacts with laws by the materials of the spheres, one material for each.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `skin` is finite and positive, and the errors of
    /// [`ContactForce::by_material`](crate::force::ContactForce::by_material).
    pub fn by_material(
        domain: Domain,
        skin: f64,
        laws: LawTable<L, T>,
        materials: impl IntoIterator<Item = u16>,
    ) -> Result<Self, DemError> {
        let laws = LawAssignment { pairs: laws, of_body: materials.into_iter().collect(), of_wall: Vec::new() };
        Self::with_laws(domain, skin, laws.checked()?)
    }

    fn with_laws(domain: Domain, skin: f64, laws: LawAssignment<L, T>) -> Result<Self, DemError> {
        Ok(Self {
            domain,
            skin: positive("the skin", skin)?,
            laws,
            ids: Vec::new(),
            origin: None,
            accepted: None,
            trial: None,
            builds: 0,
            position: Vec::new(),
            motion: Vec::new(),
            sums: Sums::default(),
        })
    }

    /// The same contacts with these ids of the spheres, by number. Without, ids are numbers.
    ///
    /// A sphere keeps its id when it gets another number. Of two spheres the one with the lower id is a: laws see the
    /// pair from it. Ids also order the sums of forces. So results do not depend on numbers.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] if an id is given twice, and after the first evaluation: histories know the ids.
    pub fn with_ids(self, ids: impl IntoIterator<Item = u32>) -> Result<Self, DemError> {
        let ids: Vec<u32> = ids.into_iter().collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let (parameter, range) = ("each id", "given once");
            return Err(DemError::InvalidParameter { parameter, range, value: pair[0].into() });
        }
        if self.accepted.is_some() || self.origin.is_some() {
            let (parameter, range) = ("the number of lists made before ids are given", "zero");
            return Err(DemError::InvalidParameter { parameter, range, value: self.builds as f64 });
        }
        Ok(Self { ids, ..self })
    }

    /// How often a list was made.
    #[must_use]
    pub fn builds(&self) -> u64 {
        self.builds
    }
}

impl<L: ContactLaw, T: TangentialLaw> ForceField for TileForce<L, T> {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        self.evaluate(bodies, state, elapsed, out).map_err(Into::into)
    }

    fn commit(&mut self) {
        self.accept();
        if let Some(listed) = &mut self.accepted {
            listed.histories.iter_mut().for_each(TileHistory::commit);
        }
    }
}

#[cfg(test)]
mod tests;
