//! The force of one bond on its two bodies.

use rrp_geom::glam::DVec3;

use crate::bond::body_pose::BodyPose;
use crate::bond::energies::BondEnergies;
use crate::bond::law::{AnyBondLaw, ShearForm};

/// Record of one bond with all that its evaluation needs.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Record {
    /// Bodies i and j.
    pub(super) bodies: [u32; 2],
    /// Whole periods of the domain in m, added to xᵢ − xⱼ for a bond across its sides.
    pub(super) offset: DVec3,
    /// r₀, the distance of the centres in the reference, in m.
    pub(super) length: f64,
    /// n₀ = (xᵢ − xⱼ)/r₀ in the reference.
    pub(super) axis: DVec3,
    pub(super) law: AnyBondLaw,
    /// Index of the making with its reference.
    pub(super) making: u32,
}

/// Force on body i, torques on i and j, and energies.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BondForce {
    pub(super) force: DVec3,
    pub(super) torques: [DVec3; 2],
    /// The stored energies; the released ones if `breaking`.
    pub(super) energies: BondEnergies,
    /// The binder is beyond its strength at this state.
    pub(super) breaking: bool,
}

/// The line of a bond: r₀ and n₀ in the reference, r and n now.
#[derive(Debug, Clone, Copy)]
pub(super) struct BondLine {
    pub(super) reference_length: f64,
    pub(super) reference_axis: DVec3,
    pub(super) length: f64,
    pub(super) axis: DVec3,
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
    /// Returns the bond without limits of strength.
    pub(super) fn unbreakable(&self) -> Self {
        Self { law: self.law.unbreakable(), ..*self }
    }

    /// r and n, not finite where the line between the bodies has no direction.
    #[inline(always)]
    pub(super) fn line(&self, first: &BodyPose, second: &BodyPose) -> (f64, DVec3) {
        let apart = first.position - second.position + self.offset;
        let r = apart.length();
        (r, apart / r)
    }

    /// r/r₀ − 1
    pub(super) fn stretch(&self, first: &BodyPose, second: &BodyPose) -> f64 {
        (self.line(first, second).0 - self.length) / self.length
    }

    /// Forces and energies, those of the binder only if `intact`.
    ///
    /// `None` where the line between the bodies has no direction, unless the bond is broken and has no contact.
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

    /// Forces and energies of the binder, also if it breaks.
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

    /// Adds the contact, (56) and (57).
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
