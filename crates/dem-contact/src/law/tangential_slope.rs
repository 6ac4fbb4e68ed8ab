//! Derivatives of tangential forces, for implicit steps.

use rrp_geom::glam::{DMat3, DVec3};

use crate::law::contact::ContactKinematics;

/// Derivatives of the tangential force `F_t` of a contact on its body b, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TangentialJacobian {
    /// Derivative of `F_t` by the tangential velocity in kg/s, with a column for each component of the velocity.
    pub by_velocity: DMat3,
    /// Derivative of `F_t` by the normal force, dimensionless.
    pub by_normal_force: DVec3,
    /// Derivative of `F_t` by the overlap at the same normal force, in N/m.
    pub by_overlap: DVec3,
}

impl Default for TangentialJacobian {
    fn default() -> Self {
        Self { by_velocity: DMat3::ZERO, by_normal_force: DVec3::ZERO, by_overlap: DVec3::ZERO }
    }
}

impl TangentialJacobian {
    /// Returns the derivatives as seen from body b if `side` is 1, from the other body of the contact if `side` is −1.
    pub(crate) fn seen_from(self, side: f64) -> Self {
        let Self { by_velocity, by_normal_force, by_overlap } = self;
        Self { by_velocity, by_normal_force: by_normal_force * side, by_overlap: by_overlap * side }
    }

    /// Computes the derivatives of the tangential force function `force` at `contact` by central differences.
    pub fn by_differences(contact: &ContactKinematics, force: impl Fn(&ContactKinematics) -> DVec3) -> Self {
        let difference = |change: &dyn Fn(&mut ContactKinematics, f64), by: f64| {
            let [mut below, mut above] = [*contact; 2];
            change(&mut below, -by);
            change(&mut above, by);
            if by > 0.0 { (force(&above) - force(&below)) / (2.0 * by) } else { DVec3::ZERO }
        };
        // This speed is far below any relevant speed in a step.
        let slow = if contact.elapsed > 0.0 { 1e-9 * contact.radius / contact.elapsed } else { 1e-12 };
        let speed = 1e-6 * contact.velocity.length() + slow;
        let column = |axis: DVec3| difference(&|contact, by| contact.velocity += axis * by, speed);
        Self {
            by_velocity: DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z)),
            by_normal_force: difference(&|contact, by| contact.normal_force += by, 1e-6 * contact.normal_force.abs()),
            by_overlap: difference(&|contact, by| contact.overlap += by, 1e-6 * contact.overlap),
        }
    }
}
