//! Lists as they are stored.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::domain::Domain;
use crate::neighbor::{NeighborList, Standing};

/// A list as it is stored: the centres that it was made for.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct ListParts {
    domain: Domain,
    skin: f64,
    fixed: Box<[usize]>,
    excluded: Box<[[u32; 2]]>,
    reference: Vec<[f64; 3]>,
}

impl TryFrom<ListParts> for NeighborList {
    type Error = DemError;

    fn try_from(parts: ListParts) -> Result<Self, DemError> {
        if let Some(body) = parts.reference.iter().position(|centre| !DVec3::from_array(*centre).is_finite()) {
            return Err(DemError::List(ListError::PositionNotFinite {
                body,
                position: DVec3::from_array(parts.reference[body]),
            }));
        }
        let mut list = Self::new(parts.domain, parts.skin)?;
        list.fixed = parts.fixed;
        list.exclude(parts.excluded.into());
        list.reference = parts.reference;
        list.standing = if list.reference.is_empty() { Standing::Empty } else { Standing::Lost };
        Ok(list)
    }
}

impl From<NeighborList> for ListParts {
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
            let parts = ListParts { domain: Domain::OPEN, skin: 0.1, fixed, excluded, reference };
            assert!(matches!(
                NeighborList::try_from(parts),
                Err(DemError::List(ListError::PositionNotFinite { body: 1, .. }))
            ));
        }
    }
}
