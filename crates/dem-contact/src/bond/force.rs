use rrp_geom::glam::DVec3;

use crate::bond::body_pose::BodyPose;
use crate::bond::energies::BondEnergies;
use crate::bond::law::{AnyBondLaw, ShearForm};

/// Bodies, law and reference length of one bond, as the evaluation of forces reads them.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Record {
    pub(super) bodies: [u32; 2],
    /// Whole periods of the domain in m, added to xᵢ − xⱼ if the bond goes across periodic sides.
    pub(super) offset: DVec3,
    /// Distance r₀ of the centres of both bodies in the reference state, in m.
    pub(super) length: f64,
    /// Unit vector n₀ from body j to body i in the reference state: (xᵢ − xⱼ)/r₀, with `offset` added to xᵢ − xⱼ.
    pub(super) axis: DVec3,
    pub(super) law: AnyBondLaw,
    /// Index, among the `sets` of the bonds, of the form of shear and the reference attitudes of this bond.
    pub(super) set: u32,
}

/// Force of a bond in N on its body i (body j has the opposite force), torques in N m on bodies i and j, and energies.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BondForce {
    pub(super) force: DVec3,
    pub(super) torques: [DVec3; 2],
    /// Elastic energies of the bond in J. If the bond is `breaking`, all but the energy of the contact is released.
    pub(super) energies: BondEnergies,
    /// Whether the load of the bond is beyond its strength at this state.
    pub(super) breaking: bool,
}

/// Length and direction of a bond: r₀ and n₀ in the reference state, r and n now.
#[derive(Debug, Clone, Copy)]
pub(super) struct BondLine {
    pub(super) reference_length: f64,
    pub(super) reference_axis: DVec3,
    pub(super) length: f64,
    pub(super) axis: DVec3,
}

impl BondForce {
    /// Returns the energies in J that the bond stores: only that of the contact if the bond breaks at this state.
    pub(super) fn stored(&self) -> BondEnergies {
        if self.breaking {
            BondEnergies { contact: self.energies.contact, ..BondEnergies::default() }
        } else {
            self.energies
        }
    }

    /// Returns the energies in J that a rupture at this state releases; `None` if the bond holds.
    pub(super) fn released(&self) -> Option<BondEnergies> {
        self.breaking.then_some(BondEnergies { contact: 0.0, ..self.energies })
    }
}

impl Record {
    pub(super) fn unbreakable(&self) -> Self {
        Self { law: self.law.unbreakable(), ..*self }
    }

    /// Returns the present length r in m of the bond, and its direction n, the unit vector from the second body to the
    /// first; n is not finite if the bodies are at one point.
    #[inline(always)]
    pub(super) fn line(&self, first: &BodyPose, second: &BodyPose) -> (f64, DVec3) {
        let apart = first.position - second.position + self.offset;
        let r = apart.length();
        (r, apart / r)
    }

    /// Elongation r/r₀ − 1 of the bond, with its length r now and r₀ in the reference state.
    pub(super) fn stretch(&self, first: &BodyPose, second: &BodyPose) -> f64 {
        (self.line(first, second).0 - self.length) / self.length
    }

    /// Computes forces and energies of the bond; if it is not `intact`, only those of the contact of its bodies.
    ///
    /// Returns `None` if the bodies have the same centre, unless the bond is broken and has no contact stiffness.
    #[inline(always)]
    pub(super) fn act(&self, form: ShearForm, intact: bool, first: &BodyPose, second: &BodyPose) -> Option<BondForce> {
        if !intact && self.law.contact() <= 0.0 {
            return Some(BondForce::default());
        }
        let mut action = if intact { self.binder(form, first, second)? } else { BondForce::default() };
        if action.breaking {
            action = BondForce { energies: action.energies, breaking: true, ..BondForce::default() };
        }
        if self.law.contact() > 0.0 {
            let (r, n) = self.line(first, second);
            if !n.is_finite() {
                return None;
            }
            self.touch(first.radius + second.radius, r, n, &mut action);
        }
        Some(action)
    }

    /// Computes forces and energies of the bond without its contact, also where the bond breaks; `None` at zero length.
    #[inline(always)]
    pub(super) fn binder(&self, form: ShearForm, first: &BodyPose, second: &BodyPose) -> Option<BondForce> {
        let (r, n) = self.line(first, second);
        if !n.is_finite() {
            return None;
        }
        let line = BondLine { reference_length: self.length, reference_axis: self.axis, length: r, axis: n };
        Some(match &self.law {
            AnyBondLaw::Elastic(law) => law.act(form, first, second, line),
            AnyBondLaw::Parallel(law) => law.act(first, second, line),
        })
    }

    /// Adds force and energy of the contact of the bonded bodies, `[BG21]` (56) and (57), to `action`.
    #[inline(always)]
    fn touch(&self, diameter: f64, r: f64, n: DVec3, action: &mut BondForce) {
        let k = self.law.contact();
        if k > 0.0 && r < diameter {
            let overlap = 1.0 - r / diameter;
            let power = overlap * overlap.sqrt();
            action.energies.contact = 0.4 * k * overlap * power;
            action.force += k / diameter * power * n;
        }
    }
}
