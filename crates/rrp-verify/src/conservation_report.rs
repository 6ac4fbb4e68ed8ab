//! What a conservation monitor found.

/// How well a quantity was kept: its bound and its secular slope are separate findings.
///
/// Deviations are from the first sample, in the units of the quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConservationReport {
    /// Number of samples.
    pub samples: u64,
    /// Time from the first to the last sample.
    pub duration: f64,
    /// The first sample.
    pub initial: f64,
    /// Largest |deviation| of all samples.
    pub largest_deviation: f64,
    /// Mean deviation, signed.
    pub mean_deviation: f64,
    /// Largest |deviation| in the first window: the least whole number of batches that holds 5 % of the samples.
    pub first_window: f64,
    /// Largest |deviation| in the last window, of the same kind.
    pub last_window: f64,
    /// Slope of a line through the batch means, per unit time.
    pub slope: f64,
    /// Standard error of the slope, correlation included as far as the run can show it.
    pub slope_error: f64,
    /// Number of batches at the blocking level that gave `slope_error`.
    pub batches: usize,
}

impl ConservationReport {
    /// Whether no sample deviated by more than `limit` (NaN: no).
    #[must_use]
    pub fn is_bounded_by(&self, limit: f64) -> bool {
        self.largest_deviation <= limit
    }

    /// Whether the slope differs from zero by more than `sigmas` standard errors (NaN: yes).
    ///
    /// An oscillation of which the run holds fewer than a few periods is a trend as far as anyone can tell, and the
    /// random walk of accumulated rounding has one too: judge `secular_change` against what matters as well.
    #[must_use]
    pub fn has_secular_slope(&self, sigmas: f64) -> bool {
        self.slope.is_nan() || self.slope.abs() > sigmas * self.slope_error
    }

    /// slope × duration: how far the trend carried the quantity, in its units.
    #[must_use]
    pub fn secular_change(&self) -> f64 {
        self.slope * self.duration
    }
}
