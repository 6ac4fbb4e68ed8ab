//! Why a convergence point says nothing about the order.

/// Why a convergence point says nothing about the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum DropReason {
    /// The error is at or below the round-off floor.
    RoundOff,
    /// Finer than the steps over which the error still falls strictly, or than one already at the floor.
    FlattenedTail,
    /// Coarser than the steps over which the error falls strictly, or with a local order that has not settled.
    PreAsymptotic,
}
