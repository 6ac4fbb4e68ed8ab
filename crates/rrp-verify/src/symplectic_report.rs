//! How far a map is from symplectic.

/// How far the derivative D of a map is from symplectic at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SymplecticReport {
    /// `max |DᵀWD − W|`, `W = [[0, I], [−I, 0]]`.
    pub defect: f64,
    /// det D; one for a map that keeps volume.
    pub determinant: f64,
    /// Largest change of an entry of D by the last extrapolation: a cautious estimate of the error of the differences.
    pub uncertainty: f64,
}
