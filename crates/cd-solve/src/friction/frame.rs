use crate::error::FrictionError;
use crate::problem::contact_jacobian::BodyPair;
use crate::problem::rows::dot;

/// Orthonormal, right-handed axes of a contact in the world frame: the unit normal from the first body to the second,
/// and two tangents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Unit normal of the contact in the world frame, from the first body to the second.
    pub normal: [f64; 3],
    /// Unit tangents of the contact in the world frame.
    pub tangents: [[f64; 3]; 2],
}

impl Frame {
    /// Makes the frame of a unit normal n: t₁ = n × e / |n × e| with the axis e that is farthest from n, t₂ = n × t₁.
    #[must_use]
    pub fn from_normal(normal: [f64; 3]) -> Self {
        let mut axis = 0;
        for k in 1..3 {
            if normal[k].abs() < normal[axis].abs() {
                axis = k;
            }
        }
        let mut e = [0.0; 3];
        e[axis] = 1.0;
        let first = cross(normal, e);
        let norm = dot(&first, &first).sqrt();
        let first = first.map(|x| x / norm);
        Self { normal, tangents: [first, cross(normal, first)] }
    }

    pub(super) fn axes(&self) -> [[f64; 3]; 3] {
        [self.normal, self.tangents[0], self.tangents[1]]
    }

    /// Checks that the axes of `contact` are orthonormal and right-handed to 1e-9.
    pub(super) fn check(&self, contact: usize) -> Result<(), FrictionError> {
        let axes = self.axes();
        let third = cross(axes[0], axes[1]);
        let sound = (0..3).all(|p| {
            (0..=p).all(|q| (dot(&axes[p], &axes[q]) - f64::from(u8::from(p == q))).abs() <= 1e-9)
                && (third[p] - axes[2][p]).abs() <= 1e-9
        });
        if sound { Ok(()) } else { Err(FrictionError::NoFrame { contact }) }
    }
}

/// A contact with friction between two bodies, or between a body and a fixed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionContact {
    /// Numbers of the two bodies, `None` for a fixed body.
    pub pair: BodyPair,
    /// Axes of the contact; the normal points from the first body to the second.
    pub frame: Frame,
    /// Vectors from the mass centre of each body to the contact point, in the world frame; that of a fixed body is
    /// ignored.
    pub arms: [[f64; 3]; 2],
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
