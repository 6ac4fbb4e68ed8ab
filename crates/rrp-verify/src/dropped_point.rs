//! A convergence point that was left out of a fit.

use crate::{ConvergencePoint, DropReason};

/// A point that was left out, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DroppedPoint {
    /// The point.
    pub point: ConvergencePoint,
    /// Why it says nothing about the order.
    pub reason: DropReason,
}
