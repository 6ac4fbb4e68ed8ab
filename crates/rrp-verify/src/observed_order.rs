//! An observed order of convergence.

use crate::local_order::{LocalOrder, between};
use crate::{ConvergencePoint, DroppedPoint};

/// An order of convergence, its uncertainty, and the points behind it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObservedOrder {
    /// The slope p of ln(error) over ln(h).
    pub order: f64,
    /// Standard error of the slope from the residuals: small if the points lie on a line, not if the line is right.
    pub standard_error: f64,
    /// The factor c of error ≈ c hᵖ.
    pub coefficient: f64,
    /// The points of the fit, coarsest first; three or more.
    pub used: Vec<ConvergencePoint>,
    /// All other points, coarsest first.
    pub dropped: Vec<DroppedPoint>,
}

impl ObservedOrder {
    /// Orders between neighbours of the used points, coarsest first.
    #[must_use]
    pub fn local_orders(&self) -> Vec<LocalOrder> {
        between(&self.used)
    }
}
