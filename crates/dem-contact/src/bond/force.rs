//! The force of one bond on its two bodies.

use rrp_geom::glam::DVec3;

use crate::bond::body_pose::BodyPose;
use crate::bond::energies::BondEnergies;
use crate::bond::law::{BondLaw, ShearForm};

/// One bond as it is evaluated.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Record {
    /// Bodies i and j.
    pub(super) bodies: [u32; 2],
    /// r₀, the distance of the centres in the reference, in m.
    pub(super) length: f64,
    /// n₀ = (xᵢ − xⱼ)/r₀ in the reference.
    pub(super) axis: DVec3,
    pub(super) law: BondLaw,
}

/// Force on body i, torques on i and j, and energies.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BondForce {
    pub(super) force: DVec3,
    pub(super) torques: [DVec3; 2],
    /// The stored energies; the released ones if `breaking`.
    pub(super) energies: BondEnergies,
    /// The binder is beyond its strength at this state, and exerts nothing.
    pub(super) breaking: bool,
}

/// The part of shear in a [`BondForce`].
struct Shear {
    energy: f64,
    force: DVec3,
    torques: [DVec3; 2],
}

impl BondForce {
    /// The stored energies, without the binder if it breaks.
    pub(super) fn stored(&self) -> BondEnergies {
        if self.breaking {
            BondEnergies { contact: self.energies.contact, ..BondEnergies::default() }
        } else {
            self.energies
        }
    }

    /// The energies that the binder releases, if it breaks.
    pub(super) fn released(&self) -> Option<BondEnergies> {
        self.breaking.then_some(BondEnergies { contact: 0.0, ..self.energies })
    }
}

impl Record {
    /// r/r₀ − 1
    pub(super) fn stretch(&self, first: &BodyPose, second: &BodyPose) -> f64 {
        ((first.position - second.position).length() - self.length) / self.length
    }

    /// Forces and energies, those of the binder only if `intact`.
    ///
    /// `None` where the line between the bodies has no direction, unless the bond is broken and has no contact.
    #[inline(always)]
    pub(super) fn act(&self, form: ShearForm, intact: bool, first: &BodyPose, second: &BodyPose) -> Option<BondForce> {
        let mut action = BondForce::default();
        if !intact && self.law.contact <= 0.0 {
            return Some(action);
        }
        let apart = first.position - second.position;
        let r = apart.length();
        let n = apart / r;
        if !n.is_finite() {
            return None;
        }
        if intact {
            self.bind(form, first, second, r, n, &mut action);
            let strength = self.law.strength;
            if strength.is_finite()
                && ((r - self.length) / self.length > strength.stretch || action.force.length() > strength.force)
            {
                action = BondForce { energies: action.energies, breaking: true, ..BondForce::default() };
            }
        }
        self.touch(first.radius + second.radius, r, n, &mut action);
        Some(action)
    }

    /// Adds bending, stretching and shear.
    #[inline(always)]
    fn bind(&self, form: ShearForm, first: &BodyPose, second: &BodyPose, r: f64, n: DVec3, action: &mut BondForce) {
        let BondLaw { bending, stretching, shearing, .. } = self.law;
        if bending > 0.0 {
            // (44), (47): θ of Qⱼ Qᵢᵀ
            let theta = first.rotation_vector_to(second);
            action.energies.bending = 0.5 * bending * theta.length_squared();
            action.torques = [bending * theta, -bending * theta];
        }
        // (51), (52)
        let strain = (r - self.length) / self.length;
        action.energies.stretching = 0.5 * stretching * strain * strain;
        action.force = -stretching / self.length * strain * n;
        if shearing > 0.0 {
            let Shear { energy, force, torques } = self.shear(form, first, second, r, n);
            action.energies.shearing = energy;
            action.force += force;
            action.torques[0] += torques[0];
            action.torques[1] += torques[1];
        }
    }

    /// Shear of the three forms; see [`ShearForm`].
    #[inline(always)]
    fn shear(&self, form: ShearForm, first: &BodyPose, second: &BodyPose, r: f64, n: DVec3) -> Shear {
        let k = self.law.shearing;
        let a_i = first.rotate(self.axis);
        if form == ShearForm::Printed {
            let turned = second.rotate(n);
            // 1 − a·b = |a − b|²/2 of unit vectors keeps the digits of small angles.
            let lost = 0.5 * (a_i - turned).length_squared();
            let back = second.rotate_inverse(a_i);
            let torque = k * lost * a_i.cross(turned);
            return Shear {
                energy: 0.5 * k * lost * lost,
                force: k * lost / r * (back - n.dot(back) * n),
                torques: [torque, -torque],
            };
        }
        let a_j = second.rotate(self.axis);
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

    /// Adds the contact, (56) and (57).
    #[inline(always)]
    fn touch(&self, diameter: f64, r: f64, n: DVec3, action: &mut BondForce) {
        let k = self.law.contact;
        if k > 0.0 && r < diameter {
            let overlap = 1.0 - r / diameter;
            let power = overlap * overlap.sqrt();
            action.energies.contact = 0.4 * k * overlap * power;
            action.force += k / diameter * power * n;
        }
    }
}
