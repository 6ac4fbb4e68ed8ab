//! Tangential forces.

use serde::{Deserialize, Serialize};

/// Tangential force of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum TangentLaw {
    /// None.
    #[default]
    Frictionless,
    /// `F_t = −γ_t m_eff v_t`, `[DK21] (21)`.
    Viscous {
        /// `γ_t` in 1/s.
        gamma: f64,
    },
    /// The same, at most μ times the normal force.
    CoulombViscous {
        /// `γ_t` in 1/s.
        gamma: f64,
        /// Friction coefficient μ.
        friction: f64,
    },
}
