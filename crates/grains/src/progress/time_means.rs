//! Sums of measurements, for means over time.

use serde::{Deserialize, Serialize};

/// Sums of the numbers of a measurement over its samples since its last row. Missing numbers are NaN.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct TimeSums {
    samples: u64,
    sums: Vec<f64>,
}

impl TimeSums {
    pub(crate) fn add(&mut self, numbers: &[f64]) {
        self.sums.resize(numbers.len(), 0.0);
        self.sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        self.samples += 1;
    }

    /// Returns the means over all samples and resets the sums.
    pub(crate) fn take_means(&mut self) -> Vec<f64> {
        let Self { samples, sums } = std::mem::take(self);
        sums.into_iter().map(|sum| sum / samples as f64).collect()
    }
}
