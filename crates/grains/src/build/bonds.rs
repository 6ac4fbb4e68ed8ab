//! Bonds between the bodies of a scene.

use dem_contact::bond::{AnyBondLaw, Bond, BondLaw, Bonds, Glue, ShearForm, Strength, StressLimits, bonded_pairs_in};
use dem_contact::neighbor::Domain;

use super::parts::Situation;
use super::sizes::{self, Packing};
use crate::error::{GrainsError, Location};
use crate::scene::bonds::{BondGroup, ParallelBondGroup, Shear};
use crate::value::{not_negative, positive};

/// Bonds between all bodies that are close to each other.
///
/// # Errors
/// For values without meaning, with the key.
pub(super) fn of_group(group: &BondGroup, situation: &Situation<'_>, domain: Domain) -> Result<Bonds, GrainsError> {
    let &Situation { bodies, state, .. } = situation;
    let gap = not_negative("bonds.gap", group.gap)?;
    let law = PairLaw::of(group)?;
    Packing { bodies, state, domain }.refuse_pairs(gap, sizes::OF_BOND, "bonds.gap")?;
    let refused = GrainsError::refused("bonds");
    let radius = bodies.radius();
    let bond = |[i, j]: [usize; 2]| Bond { bodies: [i, j], law: law.between([radius[i], radius[j]]) };
    let made = bonded_pairs_in(bodies, state, &domain, gap)
        .and_then(|pairs| Bonds::across_sides(bodies, state, &domain, pairs.into_iter().map(bond)));
    let form = match group.shear.unwrap_or_default() {
        Shear::Decoupled => ShearForm::Decoupled,
        Shear::Monotone => ShearForm::Monotone,
        Shear::Printed => ShearForm::Printed,
    };
    Ok(made.map_err(refused)?.with_shear(form))
}

/// Refuses bonds across sides of a box that deforms in any stage, or that is not the one they were made in.
///
/// # Errors
/// [`GrainsError::Conflict`] and [`GrainsError::Refused`].
pub(super) fn check_sides(bonds: &Bonds, domain: Domain, deforms: bool) -> Result<(), GrainsError> {
    if deforms && bonds.has_bonds_across_sides() {
        let problem = "a bond goes across a side of the box, which must then not deform in any stage";
        return Err(GrainsError::Conflict { at: Location::of("bonds"), problem });
    }
    bonds.check_sides(&domain).map_err(GrainsError::refused("bonds"))
}

/// The law of bonds by the radii of their bodies.
enum PairLaw {
    Same(BondLaw),
    Glued(Glue),
}

impl PairLaw {
    fn of(group: &BondGroup) -> Result<Self, GrainsError> {
        let infinite = f64::INFINITY;
        if let Some(parallel) = &group.parallel {
            return glue(group, parallel).map(Self::Glued);
        }
        let strength =
            Strength { stretch: group.break_stretch.unwrap_or(infinite), force: group.break_force.unwrap_or(infinite) };
        let stiffness = |name: &str, value: Option<f64>| not_negative(format!("bonds.{name}"), value.unwrap_or(0.0));
        Ok(Self::Same(BondLaw {
            bending: stiffness("bending", group.bending)?,
            stretching: stiffness("stretching", group.stretching)?,
            shearing: stiffness("shearing", group.shearing)?,
            contact: 0.0,
            strength,
        }))
    }

    fn between(&self, radii: [f64; 2]) -> AnyBondLaw {
        match self {
            Self::Same(law) => (*law).into(),
            Self::Glued(glue) => glue.between(radii).into(),
        }
    }
}

/// The glue of parallel bonds.
fn glue(group: &BondGroup, parallel: &ParallelBondGroup) -> Result<Glue, GrainsError> {
    let &BondGroup { bending, stretching, shearing, shear, break_stretch, break_force, .. } = group;
    let others = [
        ("bending", bending.is_some()),
        ("stretching", stretching.is_some()),
        ("shearing", shearing.is_some()),
        ("shear", shear.is_some()),
        ("break-stretch", break_stretch.is_some()),
        ("break-force", break_force.is_some()),
    ];
    if let Some((name, _)) = others.into_iter().find(|(_, is_given)| *is_given) {
        let problem = "belongs to bonds of another kind; `bonds.parallel` has all stiffnesses and strengths of its own";
        return Err(GrainsError::Conflict { at: Location::of(format!("bonds.{name}")), problem });
    }
    let strength = |name: &str, value: Option<f64>| match value {
        Some(value) => positive(format!("bonds.parallel.{name}"), value),
        None => Ok(f64::INFINITY),
    };
    Ok(Glue {
        radius_multiplier: positive("bonds.parallel.radius-multiplier", parallel.radius_multiplier)?,
        modulus: positive("bonds.parallel.modulus", parallel.modulus)?,
        stiffness_ratio: positive("bonds.parallel.stiffness-ratio", parallel.stiffness_ratio)?,
        strength: StressLimits {
            tension: strength("tensile-strength", parallel.tensile_strength)?,
            shear: strength("shear-strength", parallel.shear_strength)?,
        },
    })
}

/// The largest stiffness in N/m and the largest one of turning in N m of a bond between bodies of this radius (m).
///
/// # Errors
/// For values without meaning, with the key.
pub(super) fn stiffest(group: &BondGroup, radius: f64) -> Result<[f64; 2], GrainsError> {
    Ok(match PairLaw::of(group)? {
        PairLaw::Same(BondLaw { bending, stretching, shearing, .. }) => {
            [stretching.max(shearing) / (2.0 * radius).powi(2), bending + shearing]
        }
        PairLaw::Glued(glue) => {
            let law = glue.between([radius; 2]);
            let [normal, shear] = [law.normal_stiffness, law.shear_stiffness];
            let bending = (normal * law.moment_of_area()).max(shear * law.polar_moment_of_area());
            [normal.max(shear) * law.area(), bending + shear * law.area() * (2.0 * radius).powi(2)]
        }
    })
}
