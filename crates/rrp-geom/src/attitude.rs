use glam::{DMat3, DQuat, DVec3};

use crate::error::finite;
use crate::{GeomError, RodriguesVector};

/// The orientation of a body: the rotation R from the body frame to the world frame, a unit quaternion (w, v).
///
/// [`turned`](Self::turned) multiplies by the quaternion (1, α/2) of an [increment](RodriguesVector) α and normalises:
/// turning needs no trigonometry and has no singularity at half turns. The length stays one to the last bits for any
/// number of increments. The quaternions q and −q are one attitude: [`Attitude::angle_to`] treats them so, but `==`
/// compares components.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "DQuat", into = "DQuat"))]
pub struct Attitude(DQuat);

impl Attitude {
    /// The identity attitude: body axes are parallel to world axes.
    pub const IDENTITY: Self = Self(DQuat::IDENTITY);

    /// Tolerance for the length of a quaternion, which should be one, and for the entries of RᵀR − I of a matrix R.
    pub const UNIT_TOLERANCE: f64 = 1e-9;

    /// Makes an attitude from a unit quaternion (body to world).
    ///
    /// # Errors
    /// [`GeomError::NotFinite`]; [`GeomError::NotUnit`] if the length is not one within [`Self::UNIT_TOLERANCE`].
    pub fn from_quaternion(quaternion: DQuat) -> Result<Self, GeomError> {
        finite(&quaternion.to_array())?;
        let length = quaternion.length();
        if (length - 1.0).abs() > Self::UNIT_TOLERANCE {
            return Err(GeomError::NotUnit { length });
        }
        // Attitudes read back from storage keep their bits: their quaternions are not normalised again.
        if (length - 1.0).abs() <= 4.0 * f64::EPSILON {
            return Ok(Self(quaternion));
        }
        Ok(Self::from_components(quaternion.w, quaternion.xyz()))
    }

    /// Makes an attitude from a quaternion without checking that its length is one.
    ///
    /// A quaternion of another length gives rotations that scale and shear vectors.
    #[must_use]
    pub const fn from_quaternion_unchecked(quaternion: DQuat) -> Self {
        Self(quaternion)
    }

    /// Makes an attitude from a rotation matrix R (body to world).
    ///
    /// # Errors
    /// [`GeomError::NotFinite`] (column-major index); [`GeomError::NotRotation`] if an entry of RᵀR − I is larger than
    /// [`Self::UNIT_TOLERANCE`] or the determinant is negative.
    pub fn from_matrix(matrix: DMat3) -> Result<Self, GeomError> {
        finite(&matrix.to_cols_array())?;
        let defect = (matrix.transpose() * matrix - DMat3::IDENTITY)
            .to_cols_array()
            .into_iter()
            .fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        let determinant = matrix.determinant();
        if defect > Self::UNIT_TOLERANCE || determinant < 0.0 {
            return Err(GeomError::NotRotation { defect, determinant });
        }
        let quaternion = DQuat::from_mat3(&matrix);
        Ok(Self::from_components(quaternion.w, quaternion.xyz()))
    }

    /// Makes the attitude that the rotation vector `rotation_vector` (radians, any length) turns the identity to.
    ///
    /// # Errors
    /// [`GeomError::NotFinite`] for a NaN or infinite component.
    pub fn from_rotation_vector(rotation_vector: DVec3) -> Result<Self, GeomError> {
        finite(&rotation_vector.to_array())?;
        let half = 0.5 * length(rotation_vector);
        // Below 1e-8, sin(x)/x is one to the last bit.
        let sinc = if half < 1e-8 { 1.0 } else { half.sin() / half };
        Ok(Self::from_components(half.cos(), 0.5 * rotation_vector * sinc))
    }

    /// The unit quaternion (w, v) of this attitude, body to world.
    #[must_use]
    pub fn to_quaternion(self) -> DQuat {
        self.0
    }

    /// Rotation matrix R of this attitude, body to world.
    #[must_use]
    pub fn to_matrix(self) -> DMat3 {
        // Dividing by the squared length keeps R orthogonal to round-off, as in `rotate`.
        let DQuat { x, y, z, w } = self.0;
        let scale = 2.0 / self.0.length_squared();
        let xx = scale * x * x;
        let yy = scale * y * y;
        let zz = scale * z * z;
        let xy = scale * x * y;
        let xz = scale * x * z;
        let yz = scale * y * z;
        let wx = scale * w * x;
        let wy = scale * w * y;
        let wz = scale * w * z;
        DMat3::from_cols(
            DVec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
            DVec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
            DVec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
        )
    }

    /// The rotation vector θe (radians) of this attitude, θ ∈ [0, π]; at a half turn the axis e may have either sign.
    #[must_use]
    pub fn to_rotation_vector(self) -> DVec3 {
        let (w, v) = if self.0.w < 0.0 { (-self.0.w, -self.0.xyz()) } else { (self.0.w, self.0.xyz()) };
        let sine = length(v);
        // For small s, 2 atan(s/w)/s = 2/w to the last bit.
        let factor = if sine < 1e-8 { 2.0 / w } else { 2.0 * sine.atan2(w) / sine };
        v * factor
    }

    /// Rodrigues vector 2 tan(θ/2) e of this attitude, with its angle θ and unit axis e; `None` at a half turn.
    #[must_use]
    pub fn to_rodrigues(self) -> Option<RodriguesVector> {
        RodriguesVector::from_homogeneous(self.0.w, self.0.xyz())
    }

    /// Angle θ ∈ [0, π] (radians) of this attitude from the identity.
    #[must_use]
    pub fn angle(self) -> f64 {
        2.0 * length(self.0.xyz()).atan2(self.0.w.abs())
    }

    /// Angle θ ∈ [0, π] (radians) of the rotation that takes the attitude `self` to `other`.
    #[must_use]
    pub fn angle_to(self, other: Self) -> f64 {
        self.inverse().then(other).angle()
    }

    /// Returns the attitude R turned by a world-frame increment Δα: R(Δα) R, the sum α ⊕ Δα of `[BG21] (23b)`.
    #[must_use]
    pub fn turned(self, increment: RodriguesVector) -> Self {
        let (dw, d) = increment.homogeneous();
        self.turned_by_quaternion(dw, d, d.cross(self.0.xyz()))
    }

    /// Returns the attitude R turned by a body-frame increment α: R R(α).
    #[must_use]
    pub fn turned_in_body(self, increment: RodriguesVector) -> Self {
        let (dw, d) = increment.homogeneous();
        self.turned_by_quaternion(dw, d, self.0.xyz().cross(d))
    }

    /// Returns the attitude R turned by the world-frame rotation `rotation`: R(rotation) R.
    #[must_use]
    pub fn then(self, rotation: Self) -> Self {
        let dw = rotation.0.w;
        let d = rotation.0.xyz();
        self.turned_by_quaternion(dw, d, d.cross(self.0.xyz()))
    }

    /// The inverse attitude Rᵀ, the rotation from the world frame to the body frame.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self(self.0.conjugate())
    }

    /// The world-frame components R v of a vector given in the body frame.
    #[must_use]
    pub fn rotate(self, body: DVec3) -> DVec3 {
        let w = self.0.w;
        let v = self.0.xyz();
        // The stored length is rounded: dividing by the squared length keeps R orthogonal to round-off.
        let t = 2.0 / (w * w + v.length_squared()) * v.cross(body);
        body + w * t + v.cross(t)
    }

    /// The body-frame components Rᵀ v of a vector given in the world frame.
    #[must_use]
    pub fn rotate_inverse(self, world: DVec3) -> DVec3 {
        self.inverse().rotate(world)
    }

    /// Product of this quaternion (w, v) and (dw, d), normalised: (dw, d)∘(w, v) if `cross` = d × v, (w, v)∘(dw, d) if
    /// `cross` = v × d. With the squared length n of the product, the normalising factor is 1/√n = 1 + (1−n)/(n+√n).
    /// For small turns the result is (w, v) plus a small correction, so that (w, v) is rounded once. For large turns
    /// that sum would cancel, and the product is normalised directly.
    fn turned_by_quaternion(self, dw: f64, d: DVec3, cross: DVec3) -> Self {
        let w = self.0.w;
        let v = self.0.xyz();
        let missing = dw - 1.0;
        let change_w = missing * w - d.dot(v);
        let change = missing * v + w * d + cross;
        let product_w = w + change_w;
        let product = v + change;
        let n = product_w * product_w + product.length_squared();
        let excess = 1.0 - n;
        if excess.abs() >= 0.25 {
            return Self::from_components(product_w, product);
        }
        let factor = excess / (n + n.sqrt());
        let v = v + (factor * product + change);
        Self(DQuat::from_xyzw(v.x, v.y, v.z, w + (factor * product_w + change_w)))
    }

    /// The attitude of the quaternion (w, v) scaled to unit length; (w, v) must not be zero.
    pub(crate) fn from_components(w: f64, v: DVec3) -> Self {
        let scale = (w * w + v.length_squared()).sqrt().recip();
        Self(DQuat::from_xyzw(v.x * scale, v.y * scale, v.z * scale, w * scale))
    }
}

/// Length of a vector, which is scaled first if its squares would overflow or underflow.
pub(crate) fn length(vector: DVec3) -> f64 {
    let largest = vector.abs().max_element();
    if (1e-140..1e140).contains(&largest) || largest <= 0.0 {
        return vector.length();
    }
    largest * (vector / largest).length()
}

impl Default for Attitude {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl TryFrom<DQuat> for Attitude {
    type Error = GeomError;

    fn try_from(quaternion: DQuat) -> Result<Self, GeomError> {
        Self::from_quaternion(quaternion)
    }
}

impl From<Attitude> for DQuat {
    fn from(attitude: Attitude) -> Self {
        attitude.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn rodrigues(x: f64, y: f64, z: f64) -> RodriguesVector {
        RodriguesVector::new(DVec3::new(x, y, z)).unwrap()
    }

    #[test]
    fn two_quarter_turns_are_exactly_a_half_turn() {
        let quarter = rodrigues(2.0, 0.0, 0.0);
        let half = Attitude::IDENTITY.turned(quarter).turned(quarter);
        assert!(
            (half.to_matrix() - DMat3::from_diagonal(DVec3::new(1.0, -1.0, -1.0)))
                .to_cols_array()
                .iter()
                .all(|d| d.abs() < 3e-16)
        );
        assert!((half.angle() - PI).abs() < 1e-15);
        let back = half.turned(quarter.inverse()).turned(quarter.inverse());
        assert!(back.angle_to(Attitude::IDENTITY) < 1e-15);
    }

    #[test]
    fn the_half_turn_itself_has_no_rodrigues_vector() {
        let half = Attitude::from_quaternion(DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0)).unwrap();
        assert_eq!(half.to_rodrigues(), None);
        assert!((half.to_rotation_vector() - DVec3::Y * PI).length() < 1e-15);
    }

    #[test]
    fn world_increments_act_from_the_left_and_body_increments_from_the_right() {
        let start = Attitude::from_rotation_vector(DVec3::new(0.3, -1.1, 0.7)).unwrap();
        let step = rodrigues(0.2, 0.4, -0.3);
        let left = step.to_matrix() * start.to_matrix();
        let right = start.to_matrix() * step.to_matrix();
        let distance = |a: DMat3, b: Attitude| {
            (a - b.to_matrix()).to_cols_array().into_iter().fold(0.0_f64, |m, d| m.max(d.abs()))
        };
        assert!(distance(left, start.turned(step)) < 1e-15);
        assert!(distance(right, start.turned_in_body(step)) < 1e-15);
        assert!(distance(left, start.turned_in_body(step)) > 0.1);
    }

    #[test]
    fn length_is_kept_over_1e8_updates() {
        let step = rodrigues(0.03, -0.05, 0.02);
        let mut attitude = Attitude::IDENTITY;
        for _ in 0..100_000_000 {
            attitude = attitude.turned(step);
        }
        assert!((attitude.to_quaternion().length() - 1.0).abs() <= 2.0 * f64::EPSILON);
    }

    #[test]
    fn what_is_not_a_rotation_is_refused() {
        assert!(matches!(
            Attitude::from_quaternion(DQuat::from_xyzw(0.0, 0.0, 0.0, 1.001)),
            Err(GeomError::NotUnit { length }) if (length - 1.001).abs() < 1e-12
        ));
        assert!(matches!(
            Attitude::from_quaternion(DQuat::from_xyzw(0.0, f64::NAN, 0.0, 1.0)),
            Err(GeomError::NotFinite { index: 1, .. })
        ));
        let mirror = DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0));
        assert!(matches!(Attitude::from_matrix(mirror), Err(GeomError::NotRotation { .. })));
        assert!(matches!(Attitude::from_matrix(DMat3::IDENTITY * 1.1), Err(GeomError::NotRotation { .. })));
        assert!(Attitude::from_rotation_vector(DVec3::splat(f64::INFINITY)).is_err());
    }

    #[test]
    fn small_rotations_lose_no_digits() {
        let tiny = DVec3::new(1e-12, -2e-13, 3e-300);
        let back = Attitude::from_rotation_vector(tiny).unwrap().to_rotation_vector();
        assert!((back - tiny).length() <= 1e-27);
        for size in [1e-12, 1e-160, 1e-200, 1e-300, 1e-307] {
            let vector = DVec3::new(2.0, -3.0, 6.0) / 7.0 * size;
            let turned = Attitude::from_rotation_vector(vector).unwrap();
            assert!((turned.angle() / size - 1.0).abs() < 1e-15, "{size}: {}", turned.angle());
            assert!((turned.angle_to(turned.inverse()) / size - 2.0).abs() < 1e-15, "{size}");
            let increment = RodriguesVector::from_rotation_vector(vector).unwrap();
            assert!((increment.angle() / size - 1.0).abs() < 1e-15 && (increment.vector() - vector).length() <= 0.0);
        }
        let least = rodrigues(0.0, 5e-324, 0.0);
        assert_eq!((least.angle(), least.to_rotation_vector().y), (5e-324, 5e-324));
    }
}
