//! The stored form of a neighbour list.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::neighbor::domain::Domain;
use crate::neighbor::{ListOrigin, NeighborList};

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct StoredList {
    domain: Domain,
    skin: f64,
    ids: Vec<u32>,
    next_id: u32,
    fixed: Box<[usize]>,
    excluded: Box<[[u32; 2]]>,
    origin: Option<ListOrigin>,
}

impl TryFrom<StoredList> for NeighborList {
    type Error = DemError;

    fn try_from(stored: StoredList) -> Result<Self, DemError> {
        let StoredList { domain, skin, ids, next_id, fixed, excluded, origin } = stored;
        if let Some(ListOrigin { centres, skin, domain }) = &origin {
            positive("the skin", *skin)?;
            for (body, &centre) in centres.iter().enumerate() {
                let centre = DVec3::from_array(centre);
                domain.check_position(body, centre)?;
                domain.check_wrapped(body, centre, centre)?;
            }
            if !ids.is_empty() && ids.len() != centres.len() {
                return Err(DemError::LengthMismatch { what: "ids", expected: centres.len(), found: ids.len() });
            }
        }
        let mut list = Self::new(domain, skin)?.with_ids(ids)?;
        list.next_id = list.next_id.max(next_id);
        list.fixed = fixed;
        list.exclude(excluded.into());
        list.origin = origin;
        Ok(list)
    }
}

impl From<NeighborList> for StoredList {
    fn from(list: NeighborList) -> Self {
        let origin = list.origin();
        let NeighborList { domain, skin, ids, next_id, fixed, excluded, .. } = list;
        Self { domain, skin, ids, next_id, fixed, excluded, origin }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::list::ListError;

    #[test]
    fn centres_that_are_nowhere_are_refused() {
        for nowhere in [f64::NAN, f64::INFINITY] {
            let reference = vec![[0.0; 3], [0.0, nowhere, 0.0]];
            let fixed = Box::default();
            let excluded = Box::default();
            let origin = Some(ListOrigin { centres: reference, skin: 0.1, domain: Domain::OPEN });
            let ids = Vec::new();
            let stored = StoredList { domain: Domain::OPEN, skin: 0.1, ids, next_id: 0, fixed, excluded, origin };
            assert!(matches!(
                NeighborList::try_from(stored),
                Err(DemError::List(ListError::PositionNotFinite { body: 1, .. }))
            ));
        }
    }
}
