//! A normal and a tangential law for each pair of materials.

use crate::error::DemError;
use crate::error::law::LawError;

/// A normal and a tangential law for each pair of materials, which are numbered from zero.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given<L, T>"))]
pub struct LawTable<L, T> {
    count: usize,
    /// The laws of materials a ≤ b are at b (b + 1)/2 + a.
    laws: Vec<(L, T)>,
}

/// A table as it is stored.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Given<L, T> {
    count: usize,
    laws: Vec<(L, T)>,
}

/// The index of the laws of a pair.
#[inline(always)]
fn index(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high + 1) / 2 + low
}

impl<L, T> LawTable<L, T> {
    /// One pair of laws for all materials.
    #[must_use]
    pub fn uniform(law: L, tangential: T) -> Self {
        Self { count: 1, laws: vec![(law, tangential)] }
    }

    /// The laws of `materials` materials; `between` is called once for each pair a ≤ b.
    ///
    /// # Errors
    /// - [`LawError::InvalidPair`] with the pair for which `between` fails.
    /// - [`DemError::InvalidParameter`] unless there are 1 to 65536 materials.
    pub fn new(
        materials: usize,
        mut between: impl FnMut(usize, usize) -> Result<(L, T), DemError>,
    ) -> Result<Self, DemError> {
        check(materials)?;
        let mut laws = Vec::new();
        for b in 0..materials {
            for a in 0..=b {
                let pair = between(a, b);
                laws.push(pair.map_err(|reason| {
                    DemError::Law(LawError::InvalidPair { materials: [a, b], reason: reason.into() })
                })?);
            }
        }
        Ok(Self { count: materials, laws })
    }

    /// Number of materials.
    #[must_use]
    pub fn materials(&self) -> usize {
        self.count
    }

    /// The laws between two materials. Numbers beyond the last material count as the last one.
    #[must_use]
    #[inline(always)]
    pub fn between(&self, a: usize, b: usize) -> &(L, T) {
        let last = self.count - 1;
        &self.laws[index(a.min(last), b.min(last))]
    }

    /// All laws.
    pub(crate) fn all(&self) -> &[(L, T)] {
        &self.laws
    }
}

fn check(materials: usize) -> Result<(), DemError> {
    if (1..=usize::from(u16::MAX) + 1).contains(&materials) {
        return Ok(());
    }
    let (parameter, range) = ("the number of materials", "in 1..=65536");
    Err(DemError::InvalidParameter { parameter, range, value: materials as f64 })
}

#[cfg(feature = "serde")]
impl<L, T> TryFrom<Given<L, T>> for LawTable<L, T> {
    type Error = DemError;

    fn try_from(given: Given<L, T>) -> Result<Self, DemError> {
        check(given.count)?;
        let (expected, found) = (given.count * (given.count + 1) / 2, given.laws.len());
        if expected != found {
            return Err(DemError::LengthMismatch { what: "pairs of materials", expected, found });
        }
        Ok(Self { count: given.count, laws: given.laws })
    }
}
