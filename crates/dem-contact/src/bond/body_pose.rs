//! Position and rotation of a body as the evaluation of bonds reads them.

use rrp_geom::Attitude;
use rrp_geom::glam::{DQuat, DVec3};
use rrp_integrate::State;

/// Position and radius of a body and its rotation since the reference state of its bonds, in one cache line. `w` and
/// `v` are the scalar and the vector part of the quaternion of this rotation.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct BodyPose {
    pub(super) position: DVec3,
    pub(super) radius: f64,
    pub(super) w: f64,
    pub(super) v: DVec3,
}

impl BodyPose {
    /// Returns position, radius and rotation of body `i`; `reference` has the attitudes of all bodies in the reference
    /// state of their bonds, `None` if all are the identity.
    #[inline(always)]
    pub(super) fn of(state: &State, radius: f64, reference: Option<&[Attitude]>, i: usize) -> Self {
        let attitude = if state.has_attitudes() { state.attitude().get(i).to_quaternion() } else { DQuat::NAN };
        let turn = match reference {
            None => attitude,
            Some(reference) => attitude * reference[i].to_quaternion().conjugate(),
        };
        Self { position: state.position().get(i), radius, w: turn.w, v: turn.xyz() }
    }

    /// Returns Q b: vector `b` turned by the rotation Q of the body since the reference state.
    #[inline(always)]
    pub(super) fn rotate(&self, b: DVec3) -> DVec3 {
        let t = 2.0 * self.v.cross(b);
        b + self.w * t + self.v.cross(t)
    }

    /// Returns Qᵀ b: vector `b` turned back by the rotation Q of the body since the reference state.
    #[inline(always)]
    pub(super) fn rotate_inverse(&self, b: DVec3) -> DVec3 {
        let t = 2.0 * self.v.cross(b);
        b - self.w * t + self.v.cross(t)
    }

    /// Returns the quaternion (w, v), w ≥ 0, of Q₂ Qᵀ, the rotation of `other` relative to this body.
    #[inline(always)]
    pub(super) fn rotation_to(&self, other: &Self) -> (f64, DVec3) {
        let w = self.w * other.w + self.v.dot(other.v);
        let v = self.w * other.v - other.w * self.v - other.v.cross(self.v);
        if w < 0.0 { (-w, -v) } else { (w, v) }
    }

    /// Returns the rotation vector θ, |θ| ≤ π, of Q₂ Qᵀ, the rotation of `other` relative to this body.
    #[inline(always)]
    pub(super) fn rotation_vector_to(&self, other: &Self) -> DVec3 {
        let (w, v) = self.rotation_to(other);
        v * half_angle_factor(v.length_squared(), w)
    }
}

/// Returns 2 atan(s/w)/s, the angle of the unit quaternion (w, v), w ≥ 0, over s = sin(angle/2), from |v|² = s² and w.
#[inline(always)]
pub(super) fn half_angle_factor(square: f64, w: f64) -> f64 {
    // For t² = s²/w² < 1/64 (14 degrees) nine terms of atan t/t = 1 − t²/3 + t⁴/5 − ... are exact to 1e-16.
    let t = square / (w * w);
    if t < 1.0 / 64.0 {
        const TERMS: [f64; 9] =
            [1.0, -1.0 / 3.0, 1.0 / 5.0, -1.0 / 7.0, 1.0 / 9.0, -1.0 / 11.0, 1.0 / 13.0, -1.0 / 15.0, 1.0 / 17.0];
        return 2.0 / w * TERMS.iter().rev().fold(0.0, |sum, term| sum * t + term);
    }
    let sine = square.sqrt();
    2.0 * sine.atan2(w) / sine
}

/// Whether `attitude` is exactly the identity quaternion; false for its negative, which is the same rotation.
pub(super) fn is_identity(attitude: Attitude) -> bool {
    attitude.to_quaternion() == DQuat::IDENTITY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_arctangent_agree() {
        for k in 1..2000 {
            let half = f64::from(k) * 1e-3 * std::f64::consts::FRAC_PI_4;
            let (sine, w) = half.sin_cos();
            let exact = 2.0 * half / sine;
            let factor = half_angle_factor(sine * sine, w);
            assert!((factor / exact - 1.0).abs() < 1e-15, "{half}: {factor}, not {exact}");
        }
        assert!((half_angle_factor(0.0, 1.0) - 2.0).abs() < 1e-300);
        assert!((half_angle_factor(1.0, 0.0) - std::f64::consts::PI).abs() < 1e-15);
    }
}
