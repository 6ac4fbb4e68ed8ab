use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use crate::error::DemError;
use crate::error::bond::BondError;
#[cfg(feature = "serde")]
use crate::util::serde_limit;

/// Stiffness and strength of a parallel bond after Potyondy and Cundall (2004), `[PC04]`.
///
/// The bond is a round section of radius R between two bodies, with the area A = π R² and the moments of area I = π
/// R⁴/4 and J = π R⁴/2. It resists stretching with `k_n` A, shear with `k_s` A, bending with `k_n` I and torsion with
/// `k_s` J. It does not resist overlap, which contacts have to do.
///
/// `[PC04]` integrates forces over time. Here forces are the gradient of an energy of the relative pose, with the same
/// stiffnesses: a rigid rotation stores no energy, a closed path does no work, and each state has a known energy.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParallelBondLaw {
    /// Radius R of the bond's round section in m.
    pub radius: f64,
    /// Normal stiffness `k_n` per area of the bond's section in Pa/m; E/L for a beam of modulus E and length L.
    pub normal_stiffness: f64,
    /// Shear stiffness `k_s` per area of the bond's section in Pa/m; G/L for a beam of shear modulus G and length L.
    pub shear_stiffness: f64,
    /// Stresses at which the parallel bond breaks.
    pub strength: StressLimits,
}

/// The stresses at which a parallel bond breaks; an infinite limit is never reached.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StressLimits {
    /// Largest tension in Pa at the rim of the section: `F_n`/A + |`M_b`| R/I, tension `F_n`, bending moment `M_b`.
    #[cfg_attr(feature = "serde", serde(with = "serde_limit", default = "serde_limit::infinite"))]
    pub tension: f64,
    /// Largest shear stress in Pa at the rim of the section: |`F_s`|/A + |`M_t`| R/J, shear force `F_s`, torque `M_t`.
    #[cfg_attr(feature = "serde", serde(with = "serde_limit", default = "serde_limit::infinite"))]
    pub shear: f64,
}

impl StressLimits {
    /// Stress limits of a parallel bond that never breaks.
    pub const UNBREAKABLE: Self = Self { tension: f64::INFINITY, shear: f64::INFINITY };

    pub(super) fn is_finite(self) -> bool {
        self.tension.is_finite() || self.shear.is_finite()
    }
}

/// Properties of the glue of many parallel bonds, in the terms of `[PC04]`.
///
/// ```
/// use dem_contact::bond::{Glue, StressLimits};
///
/// let glue = Glue {
///     radius_multiplier: 0.5,
///     modulus: 1e9,
///     stiffness_ratio: 2.0,
///     strength: StressLimits { tension: 1e6, shear: 2e6 },
/// };
/// let law = glue.between([0.01, 0.02]);
/// assert!((law.radius - 0.005).abs() < 1e-15 && (law.normal_stiffness / (1e9 / 0.03) - 1.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glue {
    /// Radius of the section of a bond over the smaller radius of its two spheres.
    pub radius_multiplier: f64,
    /// Young's modulus of the glue of parallel bonds in Pa.
    pub modulus: f64,
    /// Ratio `k_n`/`k_s` of the normal to the shear stiffness of the glue.
    pub stiffness_ratio: f64,
    /// Stresses at which the glue breaks.
    pub strength: StressLimits,
}

impl Glue {
    /// Returns the law of a bond between spheres of these radii (m). `k_n` is the modulus over the sum of the radii.
    #[must_use]
    pub fn between(&self, radii: [f64; 2]) -> ParallelBondLaw {
        let normal_stiffness = self.modulus / (radii[0] + radii[1]);
        ParallelBondLaw {
            radius: self.radius_multiplier * radii[0].min(radii[1]),
            normal_stiffness,
            shear_stiffness: normal_stiffness / self.stiffness_ratio,
            strength: self.strength,
        }
    }
}

/// Stiffnesses of a parallel bond: stiffness per area times area or moment of area of the section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stiffnesses {
    /// Stiffness `k_n` A of stretching in N/m.
    pub(super) stretching: f64,
    /// Stiffness `k_s` A of shear in N/m.
    pub(super) shearing: f64,
    /// Stiffness `k_n` I of bending in N m.
    pub(super) bending: f64,
    /// Stiffness `k_s` J of torsion in N m.
    pub(super) torsion: f64,
}

impl ParallelBondLaw {
    /// Area A of the bond's section in m².
    #[must_use]
    pub fn area(&self) -> f64 {
        PI * self.radius.powi(2)
    }

    /// Moment of area I of the bond's section for bending in m⁴.
    #[must_use]
    pub fn moment_of_area(&self) -> f64 {
        FRAC_PI_4 * self.radius.powi(4)
    }

    /// Polar moment of area J of the bond's section for torsion in m⁴.
    #[must_use]
    pub fn polar_moment_of_area(&self) -> f64 {
        FRAC_PI_2 * self.radius.powi(4)
    }

    pub(super) fn stiffnesses(&self) -> Stiffnesses {
        let normal = self.normal_stiffness;
        let shear = self.shear_stiffness;
        Stiffnesses {
            stretching: normal * self.area(),
            shearing: shear * self.area(),
            bending: normal * self.moment_of_area(),
            torsion: shear * self.polar_moment_of_area(),
        }
    }

    /// Checks that radius and strengths of the bond are positive, and its stiffnesses finite and not negative.
    pub(super) fn check(&self, bond: usize) -> Result<(), DemError> {
        let invalid =
            |parameter, range, value| Err(DemError::Bond(BondError::InvalidBond { bond, parameter, range, value }));
        if !(self.radius > 0.0 && self.polar_moment_of_area().is_finite() && self.polar_moment_of_area() > 0.0) {
            return invalid(
                "radius of its section",
                "positive, with a fourth power in the range of numbers",
                self.radius,
            );
        }
        let stiffnesses =
            [("normal stiffness by area", self.normal_stiffness), ("shear stiffness by area", self.shear_stiffness)];
        for (parameter, value) in stiffnesses {
            if !(value >= 0.0 && (value * self.area()).is_finite()) {
                return invalid(parameter, "finite and not negative", value);
            }
        }
        let strengths = [("tensile strength", self.strength.tension), ("shear strength", self.strength.shear)];
        for (parameter, value) in strengths {
            if value.is_nan() || value <= 0.0 {
                return invalid(parameter, "positive", value);
            }
        }
        Ok(())
    }
}
