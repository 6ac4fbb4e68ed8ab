//! Damping of the normal motion.

use serde::{Deserialize, Serialize};

/// How much of an impact is lost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum DampingLaw {
    /// Nothing.
    #[default]
    None,
    /// `γ_n` in 1/s: the force is `γ_n m_eff` times the speed of the overlap, `[DK21] (22)`.
    Coefficient(f64),
    /// Speed after an impact over that before, in (0, 1].
    Restitution(f64),
    /// The same for a normal force that is cut off at zero instead of becoming attractive.
    RestitutionCapped(f64),
}
