//! The stored form of a list.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::NeighborList;
use crate::neighbor::domain::Domain;

/// A stored list: the centres it was made for.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct StoredList {
    domain: Domain,
    skin: f64,
    fixed: Box<[usize]>,
    excluded: Box<[[u32; 2]]>,
    reference: Vec<[f64; 3]>,
}

impl TryFrom<StoredList> for NeighborList {
    type Error = DemError;

    fn try_from(stored: StoredList) -> Result<Self, DemError> {
        if let Some(body) = stored.reference.iter().position(|centre| !DVec3::from_array(*centre).is_finite()) {
            return Err(DemError::List(ListError::PositionNotFinite {
                body,
                position: DVec3::from_array(stored.reference[body]),
            }));
        }
        let mut list = Self::new(stored.domain, stored.skin)?;
        list.fixed = stored.fixed;
        list.exclude(stored.excluded.into());
        list.reference = stored.reference;
        list.mark_outdated();
        Ok(list)
    }
}

impl From<NeighborList> for StoredList {
    fn from(list: NeighborList) -> Self {
        let NeighborList { domain, skin, fixed, excluded, reference, .. } = list;
        Self { domain, skin, fixed, excluded, reference }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centres_that_are_nowhere_are_refused() {
        for nowhere in [f64::NAN, f64::INFINITY] {
            let reference = vec![[0.0; 3], [0.0, nowhere, 0.0]];
            let (fixed, excluded) = (Box::default(), Box::default());
            let stored = StoredList { domain: Domain::OPEN, skin: 0.1, fixed, excluded, reference };
            assert!(matches!(
                NeighborList::try_from(stored),
                Err(DemError::List(ListError::PositionNotFinite { body: 1, .. }))
            ));
        }
    }
}
