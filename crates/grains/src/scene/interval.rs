//! How often something is written.

use serde::{Deserialize, Serialize};

/// How often something is written.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interval {
    /// Every so many steps.
    Steps(u64),
    /// Every so many s, rounded to whole steps.
    Time(f64),
}

impl Interval {
    /// The number of steps of length `dt` (s), at least one.
    #[must_use]
    pub fn steps(self, dt: f64) -> u64 {
        match self {
            Self::Steps(steps) => steps.max(1),
            Self::Time(time) => (time / dt).round().max(1.0) as u64,
        }
    }
}
