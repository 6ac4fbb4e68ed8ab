//! The rotation by the smallest angle from one direction to another.

use rrp_geom::glam::{DMat3, DVec3};

/// Rotation by the smallest angle that takes the direction of a vector `from` to that of a unit vector `to`.
///
/// With f = `from`, D = |f| and t = `to`, the rotation takes u to
/// `u − (f + D t) (f + D t)·u/(D (D + t·f)) + 2 t (u·f)/D`, which needs only one square root and one quotient.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeastRotation {
    from: DVec3,
    to: DVec3,
    /// Length D of the vector `from`; `inverse_length` is 1/D.
    pub(crate) length: f64,
    pub(crate) inverse_length: f64,
    /// Factor 1/(D (D + t·f)) in the formula for the rotation of f, of the length D, to the unit vector t.
    share: f64,
}

impl LeastRotation {
    #[inline(always)]
    pub(crate) fn new(from: DVec3, to: DVec3) -> Self {
        let length = from.length_squared().sqrt();
        // For opposite directions the rotation is not unique, and a zero vector has no direction: the bounds keep
        // results finite.
        let sum = (length + to.dot(from)).max(1e-12 * length);
        let share = (length * sum).max(f64::MIN_POSITIVE).recip();
        Self { from, to, length, inverse_length: sum * share, share }
    }

    #[inline(always)]
    pub(crate) fn along(&self, vector: DVec3) -> f64 {
        vector.dot(self.from) * self.inverse_length
    }

    /// Returns the component of a vector perpendicular to `from`, rotated.
    #[inline(always)]
    pub(crate) fn across(&self, vector: DVec3) -> DVec3 {
        let sum = self.from + self.to * self.length;
        vector - sum * (vector.dot(sum) * self.share) + self.to * self.along(vector)
    }

    #[inline(always)]
    pub(crate) fn turn(&self, vector: DVec3) -> DVec3 {
        self.across(vector) + self.to * self.along(vector)
    }

    /// Returns the rotation as a matrix; the identity if `from` and `to` are opposite.
    #[inline(always)]
    pub(super) fn matrix(&self) -> DMat3 {
        if self.along(self.to) < -0.999_999 {
            return DMat3::IDENTITY;
        }
        DMat3::from_cols(self.turn(DVec3::X), self.turn(DVec3::Y), self.turn(DVec3::Z))
    }
}
