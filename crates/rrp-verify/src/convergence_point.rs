//! One rung of a convergence ladder.

use crate::VerifyError;

/// The error of one run at one step size.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConvergencePoint {
    /// Step size h, positive.
    pub step: f64,
    /// Error at that step, not negative.
    pub error: f64,
}

impl From<(f64, f64)> for ConvergencePoint {
    fn from((step, error): (f64, f64)) -> Self {
        Self { step, error }
    }
}

impl ConvergencePoint {
    /// `ln(e_c/e_f) / ln(h_c/h_f)` between this point and a finer one.
    pub(crate) fn order_to(&self, finer: &Self) -> f64 {
        (self.error / finer.error).ln() / (self.step / finer.step).ln()
    }
}

/// Checks a ladder and sorts it from the coarsest to the finest step.
pub(crate) fn sorted<P: Copy + Into<ConvergencePoint>>(points: &[P]) -> Result<Vec<ConvergencePoint>, VerifyError> {
    let mut ladder: Vec<ConvergencePoint> = points.iter().map(|&point| point.into()).collect();
    for (index, &ConvergencePoint { step, error }) in ladder.iter().enumerate() {
        if !(step.is_finite() && step > 0.0 && error.is_finite() && error >= 0.0) {
            return Err(VerifyError::InvalidPoint { index, step, error });
        }
    }
    ladder.sort_by(|a, b| b.step.total_cmp(&a.step));
    for pair in ladder.windows(2) {
        if pair[0].step.total_cmp(&pair[1].step).is_eq() {
            return Err(VerifyError::DuplicateStep { step: pair[0].step });
        }
    }
    Ok(ladder)
}
