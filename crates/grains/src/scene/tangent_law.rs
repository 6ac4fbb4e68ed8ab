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
    /// A spring with Coulomb's limit, which contacts remember, beside Hooke's law: [`dem_contact::law::FrictionSpring`].
    FrictionSpring {
        /// `k_t` in N/m.
        stiffness: f64,
        /// `γ_t` in 1/s.
        #[serde(default)]
        gamma: f64,
        /// Friction coefficient μ.
        friction: f64,
    },
    /// The same beside Hertz' law: [`dem_contact::law::MindlinSpring`].
    MindlinSpring {
        /// `k_t` in Pa.
        stiffness: f64,
        /// `γ_t` in 1/(m s).
        #[serde(default)]
        gamma: f64,
        /// Friction coefficient μ.
        friction: f64,
    },
}

impl TangentLaw {
    /// Whether it has a friction coefficient, be it zero.
    pub(crate) fn has_friction(&self) -> bool {
        !matches!(self, Self::Frictionless | Self::Viscous { .. })
    }
}
