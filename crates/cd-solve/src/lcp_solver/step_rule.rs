use crate::error::{SolveError, check_positive};

/// Rule for L, an estimate of the largest eigenvalue of A: [`Apgd`](crate::Apgd) takes gradient steps of length 1/L.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StepRule {
    /// Adaptive curvature: L starts at `factor` ‖A 1‖ / ‖1‖ (1: vector of ones), and falls by a tenth in each
    /// iteration.
    Adaptive {
        /// Factor of the first curvature L over ‖A 1‖ / ‖1‖ (1: all ones), finite and positive.
        factor: f64,
    },
    /// Fixed curvature: L is the largest eigenvalue of A, estimated beforehand.
    Fixed,
}

impl Default for StepRule {
    fn default() -> Self {
        Self::Adaptive { factor: 1.0 }
    }
}

impl StepRule {
    pub(super) fn check(self) -> Result<(), SolveError> {
        match self {
            Self::Adaptive { factor } => check_positive("the factor of the first curvature", factor),
            Self::Fixed => Ok(()),
        }
    }
}
