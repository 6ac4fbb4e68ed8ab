//! Forces and torques of a bond of `[BG21]` section 4 at a relative pose of its two bodies.

use rrp_geom::glam::DVec3;

use crate::bond::body_pose::BodyPose;
use crate::bond::force::{BondForce, BondLine};
use crate::bond::law::{BondLaw, ShearForm};

struct Shear {
    energy: f64,
    force: DVec3,
    torques: [DVec3; 2],
}

impl BondLaw {
    /// Computes forces and energies of bending, stretching and shear of a bond that is intact or just breaking.
    #[inline(always)]
    pub(super) fn act(&self, form: ShearForm, first: &BodyPose, second: &BodyPose, line: BondLine) -> BondForce {
        let &Self { bending, stretching, shearing, strength, .. } = self;
        let BondLine { reference_length, length: r, axis: n, .. } = line;
        let mut action = BondForce::default();
        if bending > 0.0 {
            // (44), (47): θ of Qⱼ Qᵢᵀ
            let theta = first.rotation_vector_to(second);
            action.energies.bending = 0.5 * bending * theta.length_squared();
            action.torques = [bending * theta, -bending * theta];
        }
        // (51), (52)
        let strain = (r - reference_length) / reference_length;
        action.energies.stretching = 0.5 * stretching * strain * strain;
        action.force = -stretching / reference_length * strain * n;
        if shearing > 0.0 {
            let Shear { energy, force, torques } = self.shear(form, first, second, line);
            action.energies.shearing = energy;
            action.force += force;
            action.torques[0] += torques[0];
            action.torques[1] += torques[1];
        }
        action.breaking = strength.is_finite() && (strain > strength.stretch || action.force.length() > strength.force);
        action
    }

    #[inline(always)]
    fn shear(&self, form: ShearForm, first: &BodyPose, second: &BodyPose, line: BondLine) -> Shear {
        let (k, BondLine { reference_axis, length: r, axis: n, .. }) = (self.shearing, line);
        let a_i = first.rotate(reference_axis);
        if form == ShearForm::Printed {
            let turned = second.rotate(n);
            // For unit vectors 1 − a·b = |a − b|²/2, without cancellation at small angles.
            let lost = 0.5 * (a_i - turned).length_squared();
            let back = second.rotate_inverse(a_i);
            let torque = k * lost * a_i.cross(turned);
            return Shear {
                energy: 0.5 * k * lost * lost,
                force: k * lost / r * (back - n.dot(back) * n),
                torques: [torque, -torque],
            };
        }
        let a_j = second.rotate(reference_axis);
        let e = 0.5 * (a_i + a_j);
        let along = n.dot(e);
        let p = e - along * n;
        if form == ShearForm::Monotone {
            let energy = 0.25 * k * ((a_i - n).length_squared() + (a_j - n).length_squared());
            Shear { energy, force: k / r * p, torques: [0.5 * k * a_i.cross(n), 0.5 * k * a_j.cross(n)] }
        } else {
            Shear {
                energy: 0.5 * k * p.length_squared(),
                force: k * along / r * p,
                torques: [-0.5 * k * a_i.cross(p), -0.5 * k * a_j.cross(p)],
            }
        }
    }
}
