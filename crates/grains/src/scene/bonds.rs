//! `[bonds]` and `[ties]`: what holds bodies together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bonds `[BG21] (44)-(56)` between all bodies whose surfaces are closer than a gap at the start. Explicit integrators
/// only.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BondGroup {
    /// Largest gap in m.
    #[schemars(extend("unit" = "m", "toml" = "1e-4"))]
    pub gap: f64,
    /// K of bending and torsion in J.
    #[serde(default)]
    #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
    pub bending: f64,
    /// K of stretching in J.
    #[serde(default)]
    #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
    pub stretching: f64,
    /// K of shear in J.
    #[serde(default)]
    #[schemars(extend("unit" = "J", "toml" = "1e-3"))]
    pub shearing: f64,
    /// The formula for shear.
    #[serde(default)]
    #[schemars(extend("toml" = r#""monotone""#))]
    pub shear: Shear,
    /// Elongation r/r₀ − 1 at which a bond breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "0.05"))]
    pub break_stretch: Option<f64>,
    /// Force in N at which a bond breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "N", "toml" = "10.0"))]
    pub break_force: Option<f64>,
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
    /// `[BG21] (53)` as printed, which turns with the bond: [`dem_contact::bond::ShearForm::Printed`].
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
