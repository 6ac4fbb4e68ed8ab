//! Largest values of a run, which are reported at its end.

use serde::{Deserialize, Serialize};

use crate::reading::Reading;

/// Overlap relative to the smaller radius from which on contacts count as too soft for the forces that they bear.
pub(crate) const DEEP: f64 = 0.3;

/// Largest values of a run at any look at the energy, and at any row of the time series, since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Extremes {
    /// Largest energy in J that was turned over: see [`Reading::turned_over`].
    pub(crate) turned_over: f64,
    /// Largest overlap of a contact, relative to the smaller radius.
    pub(crate) overlap: f64,
}

impl Extremes {
    /// Returns the largest values after another reading.
    pub(crate) fn and(self, reading: &Reading) -> Self {
        Self {
            turned_over: self.turned_over.max(reading.turned_over()),
            overlap: self.overlap.max(reading.largest_overlap()),
        }
    }
}
