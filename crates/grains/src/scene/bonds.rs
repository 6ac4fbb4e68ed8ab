//! `[bonds]` and `[ties]`: what holds bodies together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bonds between all bodies whose surfaces are closer than a gap at the start, also across periodic sides of a box that
/// does not deform: those of `[BG21] (44)-(56)`, or parallel bonds. Explicit integrators only.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BondGroup {
    /// Largest gap in m.
    #[schemars(extend("unit" = "m", "toml" = "1e-4"))]
    pub gap: f64,
    /// K of bending and torsion in J.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
    pub bending: Option<f64>,
    /// K of stretching in J.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
    pub stretching: Option<f64>,
    /// K of shear in J.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
    pub shearing: Option<f64>,
    /// The formula for shear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = r#""monotone""#))]
    pub shear: Option<Shear>,
    /// Elongation r/r₀ − 1 at which a bond breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "0.05"))]
    pub break_stretch: Option<f64>,
    /// Force in N at which a bond breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "N", "toml" = "10.0"))]
    pub break_force: Option<f64>,
    /// Parallel bonds, in place of all other keys beside `gap`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ modulus = 1e8, stiffness-ratio = 2.5, tensile-strength = 1e5, shear-strength = 1e5 }"))]
    pub parallel: Option<ParallelBondGroup>,
}

/// Parallel bonds `[PC04]`: a round beam of glue, from centre to centre, that bends, twists and breaks by its stresses.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ParallelBondGroup {
    /// Radius of a bond over the smaller of the radii of its bodies.
    #[serde(default = "one")]
    #[schemars(extend("toml" = "0.5"))]
    pub radius_multiplier: f64,
    /// Young's modulus of the glue in Pa. The normal stiffness by area is the modulus over the sum of the radii.
    #[schemars(extend("unit" = "Pa", "toml" = "1e8"))]
    pub modulus: f64,
    /// Normal stiffness by area over shear stiffness by area; 2 (1 + Poisson's ratio) for a beam.
    #[serde(default = "one")]
    #[schemars(extend("toml" = "2.5"))]
    pub stiffness_ratio: f64,
    /// Tension at the rim in Pa at which a bond breaks; it never does if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "Pa", "toml" = "1e5"))]
    pub tensile_strength: Option<f64>,
    /// Shear stress at the rim in Pa at which a bond breaks; it never does if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "Pa", "toml" = "1e5"))]
    pub shear_strength: Option<f64>,
}

fn one() -> f64 {
    1.0
}

/// The formula for shear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "ShearForm")]
pub enum Shear {
    /// K/2 |P|², independent of bending; not for bonds that shear by a quarter turn:
    /// [`dem_contact::bond::ShearForm::Decoupled`].
    #[default]
    Decoupled,
    /// K (1 − n·e), up to a half turn, with some bending: [`dem_contact::bond::ShearForm::Monotone`].
    Monotone,
    /// `[BG21] (53)` as printed, to repeat results. It does not keep the total angular momentum, and it depends on the
    /// order of the two bodies: [`dem_contact::bond::ShearForm::Printed`].
    Printed,
}

/// Pairs that touch at the start get a contact that also pulls, `[DK21]` section 3.3.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TieGroup {
    /// `k_B` in N/m.
    #[schemars(extend("unit" = "N/m", "toml" = "1e4"))]
    pub stiffness: f64,
}
