//! A bond that broke.

use crate::BondEnergies;

/// When a bond broke, and the energy that went with it.
///
/// The binder's energy at the first accepted state beyond the strength leaves the system; the contact stays.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rupture {
    /// Number of the bond, in the order in which they were given.
    pub bond: usize,
    /// Time in s.
    pub time: f64,
    /// What was released, in J; its contact part is zero.
    pub released: BondEnergies,
}
