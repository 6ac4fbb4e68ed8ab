//! Memory that turns with the contact.

use rrp_geom::glam::{DMat3, DVec3};

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::TangentialLaw;
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;

/// A law whose memory turns with the contact: as its normal turns, and about the normal by the mean of both bodies' spins. A pair that
/// turns as one body keeps its forces, seen from the pair, to the second order of the step, if the slip that it sees is none. Explicit maps
/// see the velocities of the middle of the step at the places of its end: where the axis is oblique to the normal that is a slip, of first order.
///
/// LawAssignment on their own drop what a step lets stick out of the tangent plane, as LAMMPS does: that loses some of a spring each time the normal
/// turns, and does not turn it about the normal at all. Put it outside of what else remembers: `CoRotating<Rolling<MindlinSpring>>`.
/// A memory of 24 bytes more, which each pair that is close has twice. For explicit steps; not around itself, which would twist twice.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CoRotating<T> {
    inner: T,
}

/// What a contact remembers, and the normal that it had then.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CoRotated<M> {
    /// Of the law inside.
    pub inner: M,
    /// Zero before there was a contact.
    normal: DVec3,
}

impl<M: ContactHistory> ContactHistory for CoRotated<M> {
    fn reversed(self) -> Self {
        Self { inner: self.inner.reversed(), normal: -self.normal }
    }

    fn turned(self, rotation: &DMat3) -> Self {
        Self { inner: self.inner.turned(rotation), normal: *rotation * self.normal }
    }

    fn begun(self) -> Self {
        Self { inner: self.inner.begun(), ..self }
    }
}

impl<M: ContactHistory> CoRotated<M> {
    /// After the step that `slip` is the end of.
    #[inline(always)]
    fn followed(self, slip: &ContactKinematics) -> Self {
        // None before there was a contact; a restored one may have any length.
        let Some(before) = self.normal.try_normalize() else { return Self { normal: slip.normal, ..self } };
        let about = DMat3::from_axis_angle(slip.normal, slip.turning * slip.elapsed);
        Self { inner: self.inner.turned(&(about * least_rotation(before, slip.normal))), normal: slip.normal }
    }
}

/// The rotation by the smallest angle that turns one unit vector to another; none where they are opposite.
#[inline(always)]
fn least_rotation(from: DVec3, to: DVec3) -> DMat3 {
    let (cosine, axis) = (from.dot(to), from.cross(to));
    if cosine < -0.999_999 {
        return DMat3::IDENTITY;
    }
    let turn = |vector: DVec3| vector * cosine + axis.cross(vector) + axis * (axis.dot(vector) / (1.0 + cosine));
    DMat3::from_cols(turn(DVec3::X), turn(DVec3::Y), turn(DVec3::Z))
}

impl<T: TangentialLaw> CoRotating<T> {
    /// `law` with a memory that turns.
    #[must_use]
    pub fn new(law: T) -> Self {
        Self { inner: law }
    }
}

impl<T: TangentialLaw> TangentialLaw for CoRotating<T> {
    type History = CoRotated<T::History>;

    #[inline(always)]
    fn force(&self, slip: &ContactKinematics, memory: &mut Self::History) -> DVec3 {
        *memory = memory.followed(slip);
        self.inner.force(slip, &mut memory.inner)
    }

    fn slope(&self, slip: &ContactKinematics, memory: &Self::History) -> TangentialJacobian {
        self.inner.slope(slip, &memory.followed(slip).inner)
    }

    #[inline(always)]
    fn couple(&self, slip: &ContactKinematics, spin: DVec3, memory: &mut Self::History) -> DVec3 {
        self.inner.couple(slip, spin, &mut memory.inner)
    }

    fn resists_rolling(&self) -> bool {
        self.inner.resists_rolling()
    }

    #[inline(always)]
    fn stored_energy(&self, slip: &ContactKinematics, memory: &Self::History) -> f64 {
        self.inner.stored_energy(slip, &memory.inner)
    }

    fn friction_work(&self, memory: &Self::History) -> Option<f64> {
        self.inner.friction_work(&memory.inner)
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
            let rotation = least_rotation(from, to);
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
