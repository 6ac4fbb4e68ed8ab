//! The stored form of forces by tiles: everything that a restart with the same bits needs.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::tiles::TileForce;
use crate::force::tiles::listed::{ListOrigin, Listed};
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::domain::Domain;

/// Stored forces. Lists are made again from where they were made from.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct StoredTiles<L, T, M> {
    domain: Domain,
    skin: f64,
    laws: LawAssignment<L, T>,
    ids: Vec<u32>,
    origin: Option<ListOrigin<M>>,
    builds: u64,
}

impl<L: ContactLaw, T: TangentialLaw> TryFrom<StoredTiles<L, T, T::History>> for TileForce<L, T> {
    type Error = DemError;

    fn try_from(stored: StoredTiles<L, T, T::History>) -> Result<Self, DemError> {
        let StoredTiles { domain, skin, laws, ids, origin, builds } = stored;
        if let Some(origin) = &origin {
            if !ids.is_empty() && ids.len() != origin.centres.len() {
                return Err(DemError::LengthMismatch { what: "ids", expected: origin.centres.len(), found: ids.len() });
            }
            check(origin, &domain, &ids)?;
        }
        let force = Self::with_laws(domain, skin, laws.checked()?)?.with_ids(ids)?;
        Ok(Self { origin, builds, ..force })
    }
}

impl<L: ContactLaw, T: TangentialLaw> From<TileForce<L, T>> for StoredTiles<L, T, T::History> {
    fn from(force: TileForce<L, T>) -> Self {
        let origin = force.accepted.as_ref().map(Listed::origin).or(force.origin);
        let TileForce { domain, skin, laws, ids, builds, .. } = force;
        Self { domain, skin, laws, ids, origin, builds }
    }
}

/// Checks that centres are those of a list, and that histories belong to pairs that can exist, seen from the lower id.
fn check<M: ContactHistory>(origin: &ListOrigin<M>, domain: &Domain, ids: &[u32]) -> Result<(), DemError> {
    for (body, &centre) in origin.centres.iter().enumerate() {
        domain.check_wrapped(body, DVec3::from_array(centre))?;
    }
    let id = |number: u32| ids.get(number as usize).copied().unwrap_or(number);
    let mut pairs: Vec<[u32; 2]> = origin.histories.iter().map(|entry| [entry.a, entry.b]).collect();
    pairs.sort_unstable();
    for (k, pair) in pairs.iter().enumerate() {
        let contact = pair.map(|body| body as usize);
        let stray = |problem| Err(DemError::Contact(ContactError::StrayHistory { what: "bodies", contact, problem }));
        if contact.into_iter().any(|body| body >= origin.centres.len()) {
            return stray("there is no such body");
        }
        if id(pair[0]) >= id(pair[1]) {
            return stray("it is not seen from the body with the lower id");
        }
        if k > 0 && pairs[k - 1] == *pair {
            return stray("it is given twice");
        }
    }
    Ok(())
}
