use glam::{DMat3, DVec3};

use crate::attitude::length;
use crate::error::finite;
use crate::{Attitude, GeomError};

/// A rotation by less than a half turn, stored as the rescaled Rodrigues vector α = 2 tan(θ/2) e of `[BG21] (3)`.
///
/// `e` is the unit axis and θ ∈ [0, π) the angle in radians. For small angles α is the rotation vector θe to first
/// order. The components of α are always finite. Use a Rodrigues vector for *one* increment and an [`Attitude`] for the
/// product of many.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "DVec3", into = "DVec3"))]
pub struct RodriguesVector(DVec3);

impl RodriguesVector {
    /// The increment α = 0: the identity rotation.
    pub const ZERO: Self = Self(DVec3::ZERO);

    /// Makes an increment from its components α = 2 tan(θ/2) e, with the angle θ and the unit axis e.
    ///
    /// # Errors
    /// [`GeomError::NotFinite`] for a NaN or infinite component.
    pub fn new(vector: DVec3) -> Result<Self, GeomError> {
        finite(&vector.to_array())?;
        Ok(Self(vector))
    }

    /// Makes an increment from its rotation vector θe (radians); `None` if θ ≥ π or a component is not finite.
    #[must_use]
    pub fn from_rotation_vector(rotation_vector: DVec3) -> Option<Self> {
        let angle = length(rotation_vector);
        if angle.is_nan() || angle >= std::f64::consts::PI {
            return None;
        }
        // 2 tan(θ/2)/θ = 1 + θ²/12 + ..., so below 1e-8 the factor is one to the last bit.
        let factor = if angle < 1e-8 { 1.0 } else { 2.0 * (0.5 * angle).tan() / angle };
        Some(Self(rotation_vector * factor))
    }

    /// Components α = 2 tan(θ/2) e of this increment, with its angle θ and unit axis e.
    #[must_use]
    pub fn vector(self) -> DVec3 {
        self.0
    }

    /// Rotation vector θe of this increment in radians, with the angle θ < π up to rounding.
    #[must_use]
    pub fn to_rotation_vector(self) -> DVec3 {
        // A small vector is returned unchanged: half of the smallest f64, in `homogeneous`, would be zero.
        if self.is_small() { self.0 } else { self.attitude().to_rotation_vector() }
    }

    /// Rotation angle θ of this increment in radians, in [0, π].
    #[must_use]
    pub fn angle(self) -> f64 {
        if self.is_small() { length(self.0) } else { self.attitude().angle() }
    }

    /// Whether α equals its rotation vector θe to the last bit, so that no trigonometry is needed.
    fn is_small(self) -> bool {
        self.0.abs().max_element() < 1e-9
    }

    /// Rotation matrix R(α) of this increment α, `[BG21] (4)`.
    #[must_use]
    pub fn to_matrix(self) -> DMat3 {
        self.attitude().to_matrix()
    }

    /// Composes two world-frame increments, `then` after `self`: R = R(then) R(self), the sum α ⊕ β of `[BG21] (5)`.
    ///
    /// Returns `None` for a half turn, where α is infinite, and if a component of α overflows close to a half turn.
    #[must_use]
    pub fn compose(self, then: Self) -> Option<Self> {
        let (aw, a) = self.homogeneous();
        let (bw, b) = then.homogeneous();
        Self::from_homogeneous(aw * bw - a.dot(b), bw * a + aw * b - a.cross(b))
    }

    /// The inverse increment −α, which rotates back.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self(-self.0)
    }

    /// Tangent map T: the world-frame angular velocity is Ω = T α̇ for the rate α̇ of the components.
    ///
    /// T = 4/(4+|α|²) (I + S(α)/2) with S(α) b = α × b. The transpose of T gives the body-frame angular velocity. T
    /// tends to zero towards a half turn.
    #[must_use]
    pub fn tangent(self) -> DMat3 {
        let scale = 4.0 / (4.0 + self.0.length_squared());
        (DMat3::IDENTITY + 0.5 * skew(self.0)) * scale
    }

    /// Inverse of the [tangent map](Self::tangent): α̇ = T⁻¹ Ω for the world-frame angular velocity Ω, with T⁻¹ = I − S(α)/2 + ααᵀ/4 and S(α) b = α × b.
    ///
    /// The transpose of T⁻¹ takes the body-frame angular velocity. T⁻¹ grows like |α|²/4 towards a half turn and
    /// overflows for |α| above about 1e154.
    #[must_use]
    pub fn tangent_inverse(self) -> DMat3 {
        let a = self.0;
        let outer = DMat3::from_cols(a * a.x, a * a.y, a * a.z);
        DMat3::IDENTITY - 0.5 * skew(a) + 0.25 * outer
    }

    /// Attitude that this increment turns the identity attitude to.
    #[must_use]
    pub fn attitude(self) -> Attitude {
        let (w, v) = self.homogeneous();
        Attitude::from_components(w, v)
    }

    /// Quaternion (w, v) of this increment, α = 2v/w, scaled so that the larger of w and |v| is of order one: products
    /// of two such quaternions do not overflow.
    pub(crate) fn homogeneous(self) -> (f64, DVec3) {
        let scale = (0.5 * self.0.abs().max_element()).max(1.0).recip();
        (scale, self.0 * (0.5 * scale))
    }

    /// Makes the increment α = 2v/w from the quaternion (w, v) of any length; `None` if α is not finite.
    pub(crate) fn from_homogeneous(w: f64, v: DVec3) -> Option<Self> {
        let vector = v * 2.0 / w;
        vector.is_finite().then_some(Self(vector))
    }
}

/// The skew matrix S(a) with S(a) b = a × b.
fn skew(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}

impl TryFrom<DVec3> for RodriguesVector {
    type Error = GeomError;

    fn try_from(vector: DVec3) -> Result<Self, GeomError> {
        Self::new(vector)
    }
}

impl From<RodriguesVector> for DVec3 {
    fn from(increment: RodriguesVector) -> Self {
        increment.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn rodrigues(x: f64, y: f64, z: f64) -> RodriguesVector {
        RodriguesVector::new(DVec3::new(x, y, z)).unwrap()
    }

    #[test]
    fn a_quarter_turn_has_length_two() {
        let quarter = RodriguesVector::from_rotation_vector(DVec3::Z * FRAC_PI_2).unwrap();
        assert!((quarter.vector() - DVec3::Z * 2.0).length() < 1e-15);
        assert!((quarter.to_matrix() * DVec3::X - DVec3::Y).length() < 1e-15);
        assert!((quarter.angle() - FRAC_PI_2).abs() < 1e-15);
    }

    #[test]
    fn matrix_is_the_paper_s_formula_4() {
        for a in [rodrigues(0.3, -0.2, 0.5), rodrigues(4.0, 9.0, -30.0)] {
            let s = skew(a.0);
            let paper = DMat3::IDENTITY + (s + 0.5 * s * s) * (4.0 / (4.0 + a.0.length_squared()));
            assert!((paper - a.to_matrix()).to_cols_array().iter().all(|d| d.abs() < 1e-15));
        }
    }

    #[test]
    fn composition_and_matrix_agree_with_arithmetic_of_60_digits() {
        let a = rodrigues(0.3, -0.2, 0.5);
        let sum = a.compose(rodrigues(0.1, 0.25, 0.35)).unwrap().0;
        let reference = DVec3::new(0.517555266579974, 0.08062418725617685, 0.834850455136541);
        assert!((sum - reference).abs().max_element() < 1e-15);
        let rows = [
            DVec3::new(0.867579908675799, -0.4840182648401826, -0.1141552511415525),
            DVec3::new(0.4292237442922374, 0.8447488584474886, -0.319634703196347),
            DVec3::new(0.2511415525114155, 0.228310502283105, 0.9406392694063926),
        ];
        for (i, row) in rows.into_iter().enumerate() {
            assert!((a.to_matrix().row(i) - row).abs().max_element() < 3e-16);
        }
    }

    #[test]
    fn a_half_turn_is_none() {
        let quarter = rodrigues(2.0, 0.0, 0.0);
        assert_eq!(quarter.compose(quarter), None);
        assert_eq!(RodriguesVector::from_rotation_vector(DVec3::Y * PI), None);
        assert_eq!(RodriguesVector::from_rotation_vector(DVec3::NAN), None);
        // The largest angle below the half turn that f64 resolves gives a large, but finite, vector.
        let near = quarter.compose(rodrigues(2.0_f64.next_down(), 0.0, 0.0)).unwrap();
        assert!(near.0.x > 1e15 && (near.angle() - PI).abs() < 1e-15);
    }

    #[test]
    fn huge_vectors_do_not_overflow() {
        let a = rodrigues(1e200, -1e200, 3e199);
        assert!(a.compose(a.inverse()).unwrap().0.length() < 1e-15);
        assert!((a.angle() - PI).abs() < 1e-15 && a.to_matrix().is_finite());
    }

    #[test]
    fn non_finite_components_are_refused() {
        assert_eq!(
            RodriguesVector::new(DVec3::new(0.0, f64::INFINITY, 0.0)),
            Err(GeomError::NotFinite { index: 1, value: f64::INFINITY })
        );
    }
}
