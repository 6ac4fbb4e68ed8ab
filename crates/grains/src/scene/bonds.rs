//! `[bonds]` and `[ties]`: what holds bodies together.

use serde::{Deserialize, Serialize};

/// Bonds `[BG21] (44)-(56)` between all bodies whose surfaces are closer than a gap at the start. Explicit integrators
/// only.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BondGroup {
    /// Largest gap in m.
    pub gap: f64,
    /// K of bending and torsion in J.
    #[serde(default)]
    pub bending: f64,
    /// K of stretching in J.
    #[serde(default)]
    pub stretching: f64,
    /// K of shear in J.
    #[serde(default)]
    pub shearing: f64,
    /// The formula for shear.
    #[serde(default)]
    pub shear: Shear,
    /// Elongation r/r₀ − 1 at which a bond breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_stretch: Option<f64>,
    /// Force in N at which a bond breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_force: Option<f64>,
}

/// The formula for shear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shear {
    /// [`dem_contact::bond::ShearForm::Decoupled`].
    #[default]
    Decoupled,
    /// [`dem_contact::bond::ShearForm::Monotone`].
    Monotone,
    /// [`dem_contact::bond::ShearForm::Printed`].
    Printed,
}

/// Pairs that touch at the start get a contact that also pulls, `[DK21]` section 3.3.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TieGroup {
    /// `k_B` in N/m.
    pub stiffness: f64,
}
