//! A tangential law whose history turns with the contact.

use std::borrow::Cow;

use rrp_geom::glam::{DMat3, DVec3};

use crate::contact_history;
use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::least_rotation::LeastRotation;
use crate::law::lever_arm::LeverArm;
use crate::law::tangential_law::TangentialLaw;
use crate::law::tangential_slope::TangentialJacobian;

/// Tangential law whose history turns with the contact: with the normal, and about the normal by the mean spin of both
/// bodies.
///
/// A pair that rotates as a rigid body keeps its forces, in the frame of the pair, to second order of the step: the
/// slip is taken in the middle of the step, with the normal and the lever arms at that time. Without this wrapper, a
/// spring is projected onto the tangent plane after each step, as in LAMMPS. The projection shortens the spring
/// whenever the normal turns, and does not turn the spring about the normal.
///
/// Wrap `CoRotating` around all other laws with a history: `CoRotating<Rolling<MindlinSpring>>`, but never around
/// itself, which would turn the history twice. It adds 24 bytes to the history, which is stored twice for each contact.
/// For explicit steps only.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CoRotating<T> {
    inner: T,
}

/// History of a tangential law that turns with the contact, and the normal at which the history was stored.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CoRotated<M> {
    /// History of the wrapped tangential law.
    pub inner: M,
    /// Normal of the contact at which the history was stored; zero for a new contact.
    normal: DVec3,
}

contact_history!(CoRotated<M> { inner: M, normal: DVec3 });

impl<M: ContactHistory> CoRotated<M> {
    /// Returns the history, turned with the contact to the end of the step.
    #[inline(always)]
    fn turned_along(self, contact: &ContactKinematics) -> Self {
        // The normal of a new contact is zero; that of a restored contact may have any length.
        let Some(before) = self.normal.try_normalize() else { return Self { normal: contact.normal, ..self } };
        let about = DMat3::from_axis_angle(contact.normal, contact.turning * contact.elapsed);
        Self {
            inner: self.inner.turned(&(about * LeastRotation::new(before, contact.normal).matrix())),
            normal: contact.normal,
        }
    }
}

impl<T: TangentialLaw> CoRotating<T> {
    /// Wraps the tangential law `law`, so that its history turns with the contact.
    #[must_use]
    pub fn new(law: T) -> Self {
        Self { inner: law }
    }
}

impl<T: TangentialLaw> TangentialLaw for CoRotating<T> {
    type History = CoRotated<T::History>;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut Self::History) -> DVec3 {
        *history = history.turned_along(contact);
        self.inner.force(contact, &mut history.inner)
    }

    fn slope(&self, contact: &ContactKinematics, history: &Self::History) -> TangentialJacobian {
        self.inner.slope(contact, &history.turned_along(contact).inner)
    }

    #[inline(always)]
    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut Self::History) -> DVec3 {
        self.inner.couple(contact, spin, &mut history.inner)
    }

    fn resists_rolling(&self) -> bool {
        self.inner.resists_rolling()
    }

    #[inline(always)]
    fn spring_stiffness(&self, history: &Self::History) -> f64 {
        self.inner.spring_stiffness(&history.inner)
    }

    #[inline(always)]
    fn stored_energy(&self, contact: &ContactKinematics, history: &Self::History) -> f64 {
        self.inner.stored_energy(contact, &history.inner)
    }

    fn lever(&self) -> LeverArm {
        self.inner.lever()
    }

    fn is_active(&self) -> bool {
        self.inner.is_active()
    }

    fn turns(&self) -> bool {
        true
    }

    /// Name of this tangential law with the name of the wrapped law, as in `CoRotating<FrictionSpring>`.
    fn name(&self) -> Cow<'static, str> {
        format!("CoRotating<{}>", self.inner.name()).into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_least_rotation_is_one_and_leads_there(
            from in prop::array::uniform3(-1.0_f64..1.0), to in prop::array::uniform3(-1.0_f64..1.0),
        ) {
            let [from, to] = [from, to].map(|vector| DVec3::from_array(vector).normalize_or(DVec3::Z));
            let rotation = LeastRotation::new(from, to).matrix();
            let unit = rotation * rotation.transpose() - DMat3::IDENTITY;
            prop_assert!(unit.to_cols_array().iter().all(|entry| entry.abs() < 1e-9));
            prop_assert!((rotation.determinant() - 1.0).abs() < 1e-9);
            if from.dot(to) > -0.999 {
                prop_assert!((rotation * from - to).length() < 1e-12);
                prop_assert!((rotation * from.cross(to) - from.cross(to)).length() < 1e-12);
            }
        }
    }
}
