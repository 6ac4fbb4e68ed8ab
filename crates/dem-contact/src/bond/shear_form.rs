//! The formulas for the shear energy of a bond.

/// How a bond resists that the line between its bodies turns against their attitudes.
///
/// With n the unit vector from the second body to the first, n₀ the same in the reference, Qᵢ the rotation of body i
/// since the reference, aᵢ = Qᵢ n₀, e = (aᵢ + aⱼ)/2 and P = e − (n·e) n. All store K φ²/2 or less for a small angle
/// φ between n and n₀.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ShearForm {
    /// Form A: U = K/2 |P|². Objective, conserves angular momentum, does not see bending.
    ///
    /// Stationary at n·e = 0 and blind to n → −n, so not for bonds that turn over.
    #[default]
    Decoupled,
    /// Form B: U = K (1 − n·e). Objective, conserves angular momentum, monotone up to a half turn, and adds bending
    /// stiffness.
    Monotone,
    /// U = K/2 (1 − aᵢ·Qⱼ n)² of `[BG21] (53)` as printed.
    ///
    /// Not objective: a rigid rotation by ψ stores K/2 (1 − cos ψ)². It conserves the sum of spins and not the total
    /// angular momentum, has no linear stiffness (K φ⁴/8), and its result depends on which body is the first.
    Printed,
}
