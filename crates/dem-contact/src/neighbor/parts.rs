//! Lists as they are stored.

use super::{NeighborList, Standing};
use crate::{DemError, Domain};

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
