//! Tolerant comparison, feature `approx`.

use ::approx::{AbsDiffEq, RelativeEq};

use crate::{Attitude, RodriguesVector};

/// Compares Rodrigues vectors component by component, with a dimensionless tolerance ε.
impl AbsDiffEq for RodriguesVector {
    type Epsilon = f64;

    fn default_epsilon() -> f64 {
        f64::EPSILON
    }

    fn abs_diff_eq(&self, other: &Self, epsilon: f64) -> bool {
        (self.vector() - other.vector()).abs().max_element() <= epsilon
    }
}

impl RelativeEq for RodriguesVector {
    fn default_max_relative() -> f64 {
        f64::EPSILON
    }

    fn relative_eq(&self, other: &Self, epsilon: f64, max_relative: f64) -> bool {
        let scale = self.vector().abs().max_element().max(other.vector().abs().max_element());
        self.abs_diff_eq(other, epsilon.max(max_relative * scale))
    }
}

/// Compares attitudes by the angle (radians) between them, so the quaternions q and −q are equal.
impl AbsDiffEq for Attitude {
    type Epsilon = f64;

    fn default_epsilon() -> f64 {
        4.0 * f64::EPSILON
    }

    fn abs_diff_eq(&self, other: &Self, epsilon: f64) -> bool {
        self.angle_to(*other) <= epsilon
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::approx::{assert_abs_diff_eq, assert_abs_diff_ne, assert_relative_eq};
    use glam::{DQuat, DVec3};

    #[test]
    fn both_signs_are_one_attitude() {
        let q = DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5);
        assert_abs_diff_eq!(Attitude::from_quaternion(q).unwrap(), Attitude::from_quaternion(-q).unwrap());
        assert_abs_diff_ne!(Attitude::from_quaternion(q).unwrap(), Attitude::IDENTITY, epsilon = 1.0);
    }

    #[test]
    fn rodrigues_vectors_compare_relative_to_their_size() {
        let vector = |x| RodriguesVector::new(DVec3::X * x).unwrap();
        assert_relative_eq!(vector(1e9), vector(1e9 + 1e-7), max_relative = 1e-15);
        assert_abs_diff_ne!(vector(1e9), vector(1e9 + 1e-6), epsilon = 1e-7);
    }
}
