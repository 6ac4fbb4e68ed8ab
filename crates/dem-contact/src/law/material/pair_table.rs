//! A value for each pair of materials.

use std::sync::Arc;

use crate::error::DemError;
use crate::error::law::LawError;
use crate::law::laws::Laws;
use crate::law::pair_law::PairLaw;

/// Table with a value for each pair of materials, which are numbered from zero.
#[derive(Debug, Clone, PartialEq)]
pub struct PairTable<V> {
    materials: usize,
    /// Values of all pairs of materials; that of materials a ≤ b is at the index b (b + 1)/2 + a.
    values: Vec<V>,
}

/// Table of the contact laws of each pair of materials. Different pairs may have different laws.
pub type LawTable = PairTable<Arc<dyn PairLaw>>;

#[inline(always)]
pub(super) fn pair_index(a: usize, b: usize) -> usize {
    let low = a.min(b);
    let high = a.max(b);
    high * (high + 1) / 2 + low
}

impl<V> PairTable<V> {
    /// Makes a table for one material, with the value of its pair with itself.
    #[must_use]
    pub fn uniform(value: impl Into<V>) -> Self {
        Self { materials: 1, values: vec![value.into()] }
    }

    /// Makes the table of `materials` materials; `between` is called once for each pair a ≤ b and returns its value.
    ///
    /// # Errors
    /// - [`LawError::InvalidPair`] with the pair for which `between` fails.
    /// - [`DemError::InvalidParameter`] unless there are 1 to 65536 materials.
    pub fn new<R: Into<V>>(
        materials: usize,
        mut between: impl FnMut(usize, usize) -> Result<R, DemError>,
    ) -> Result<Self, DemError> {
        if !(1..=usize::from(u16::MAX) + 1).contains(&materials) {
            let parameter = "the number of materials";
            let range = "in 1..=65536";
            return Err(DemError::InvalidParameter { parameter, range, value: materials as f64 });
        }
        let mut values = Vec::new();
        for b in 0..materials {
            for a in 0..=b {
                let value = between(a, b).map_err(|reason| {
                    DemError::Law(LawError::InvalidPair { materials: [a, b], reason: reason.into() })
                })?;
                values.push(value.into());
            }
        }
        Ok(Self { materials, values })
    }

    /// Number of materials in the table.
    #[must_use]
    pub fn materials(&self) -> usize {
        self.materials
    }

    /// Value for a pair of materials. A number beyond the last material counts as the last material.
    #[must_use]
    #[inline(always)]
    pub fn between(&self, a: usize, b: usize) -> &V {
        let last = self.materials - 1;
        &self.values[pair_index(a.min(last), b.min(last))]
    }

    pub(crate) fn all(&self) -> &[V] {
        &self.values
    }
}

impl From<Laws> for LawTable {
    fn from(laws: Laws) -> Self {
        Self::uniform(laws)
    }
}

impl From<Arc<dyn PairLaw>> for LawTable {
    fn from(laws: Arc<dyn PairLaw>) -> Self {
        Self::uniform(laws)
    }
}
