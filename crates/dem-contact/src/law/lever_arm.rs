//! Lever arms of tangential forces.

/// Lever arm of a contact's tangential force about the centre of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LeverArm {
    /// Lever arm to the contact point, in the middle of the overlap: angular momentum is conserved exactly.
    #[default]
    ContactPoint,
    /// Lever arm to the surface of the undeformed body, as in LAMMPS' `gran/hooke`: the total angular momentum of a
    /// pair changes at the rate `|F_t| δ`, with the overlap δ. Explicit steps only.
    Radius,
}

impl LeverArm {
    /// Fraction of the overlap by which the sum of both lever arms is shorter than the sum of the radii.
    #[inline(always)]
    pub(crate) fn share(self) -> f64 {
        match self {
            Self::ContactPoint => 1.0,
            Self::Radius => 0.0,
        }
    }
}
