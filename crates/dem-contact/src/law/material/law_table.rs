//! LawAssignment by pair of materials.

use crate::error::DemError;
use crate::error::law::LawError;

/// A normal and a tangential law for each pair of materials, which are numbered from zero.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given<L, T>"))]
pub struct LawTable<L, T> {
    count: usize,
    /// That of a ≤ b at b (b + 1)/2 + a.
    laws: Vec<(L, T)>,
}

/// What is stored.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Given<L, T> {
    count: usize,
    laws: Vec<(L, T)>,
}

/// Where the law of a pair is.
#[inline(always)]
fn place(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high + 1) / 2 + low
}

impl<L, T> LawTable<L, T> {
    /// The same laws for all.
    #[must_use]
    pub fn uniform(law: L, tangential: T) -> Self {
        Self { count: 1, laws: vec![(law, tangential)] }
    }

    /// LawAssignment for `materials` materials; `between` is asked for each pair a ≤ b once.
    ///
    /// # Errors
    /// [`LawError::InvalidPair`](crate::error::LawError::InvalidPair) with the pair that `between` has no laws for, and [`DemError::InvalidParameter`] unless
    /// there is at least one material and at most 65536.
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

    /// The laws between two materials; those that there are not count as the last one.
    #[must_use]
    #[inline(always)]
    pub fn between(&self, a: usize, b: usize) -> &(L, T) {
        let last = self.count - 1;
        &self.laws[place(a.min(last), b.min(last))]
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
