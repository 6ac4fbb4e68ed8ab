//! The result of measuring a period.

/// A measured period.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MeasuredPeriod {
    /// Mean period: last minus first crossing over the number of cycles (s).
    pub period: f64,
    /// Number of whole cycles.
    pub cycles: u64,
    /// Longest minus shortest cycle (s): rounding for a periodic signal, more for one that is not.
    pub spread: f64,
}
