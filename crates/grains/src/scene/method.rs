//! Integrators.

use serde::{Deserialize, Serialize};

use super::{ImplicitMethod, RigidMethod, StaticMethod};

/// What moves the bodies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Velocity Verlet, with quaternions.
    Verlet,
    /// `[BG21] (23)`.
    #[serde(rename = "rodrigues-23")]
    Rodrigues23,
    /// `[BG21] (25)`.
    #[serde(rename = "rodrigues-25")]
    Rodrigues25,
    /// Variational steps of `[DK21]`.
    Implicit(ImplicitMethod),
    /// Steps that keep energy and momenta to round-off.
    ExactEnergy,
    /// Rigid bodies, `[OK18]`.
    ContactDynamics(RigidMethod),
    /// Static equilibrium, in one step.
    Static(StaticMethod),
}

impl Method {
    /// Its name in scene files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Verlet => "verlet",
            Self::Rodrigues23 => "rodrigues-23",
            Self::Rodrigues25 => "rodrigues-25",
            Self::Implicit(_) => "implicit",
            Self::ExactEnergy => "exact-energy",
            Self::ContactDynamics(_) => "contact-dynamics",
            Self::Static(_) => "static",
        }
    }

    /// Whether steps are explicit.
    #[must_use]
    pub fn is_explicit(&self) -> bool {
        matches!(self, Self::Verlet | Self::Rodrigues23 | Self::Rodrigues25)
    }
}
