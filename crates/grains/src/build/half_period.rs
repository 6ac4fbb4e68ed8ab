//! The time scale of two bodies on a spring.

use std::f64::consts::PI;

/// Computes half the period in s of two bodies of this mass (kg) on a spring of this stiffness (N/m) between them, or
/// of two bodies of this moment of inertia (kg m²) on a rotational spring (N m).
pub(super) fn half_period(mass: f64, stiffness: f64) -> f64 {
    PI * (0.5 * mass / stiffness).sqrt()
}
