//! Largest values of a run, which are reported at its end.

use serde::{Deserialize, Serialize};

use crate::reading::Reading;

/// Overlap as a share of the smaller radius from which on contacts are too soft for what they bear.
pub(crate) const DEEP: f64 = 0.3;

/// Largest values at any look at the energy, and at any row of the time series, since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Extremes {
    /// Most energy that was turned over, in J: see [`Reading::turned_over`].
    pub(crate) turned_over: f64,
    /// Largest overlap of a contact as a share of the smaller radius.
    pub(crate) overlap: f64,
}

impl Extremes {
    /// Extremes after another reading.
    pub(crate) fn and(self, reading: &Reading) -> Self {
        Self {
            turned_over: self.turned_over.max(reading.turned_over()),
            overlap: self.overlap.max(reading.largest_overlap()),
        }
    }
}
