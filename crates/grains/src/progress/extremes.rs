//! Largest values in a run, for the report at its end.

use serde::{Deserialize, Serialize};

use crate::reading::Reading;

/// Overlap relative to the smaller radius above which a run warns that contacts are too soft for their forces.
pub(crate) const DEEP: f64 = 0.3;

/// Largest values of a run since its start, over all readings for checks of the energy and for rows of the time series.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Extremes {
    /// Largest energy in J that was turned over: see [`Reading::turned_over`].
    pub(crate) turned_over: f64,
    /// Largest overlap of a contact, relative to the smaller radius.
    pub(crate) overlap: f64,
}

impl Extremes {
    /// Returns the maximum of these values and those of a reading.
    pub(crate) fn and(self, reading: &Reading) -> Self {
        Self {
            turned_over: self.turned_over.max(reading.turned_over()),
            overlap: self.overlap.max(reading.largest_overlap()),
        }
    }
}
