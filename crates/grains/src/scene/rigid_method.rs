//! Options of contact dynamics.

use serde::{Deserialize, Serialize};

/// Options of contact dynamics `[OK18]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RigidMethod {
    /// What solves the complementarity problems.
    #[serde(default)]
    pub solver: RigidSolver,
    /// Relative residual of the solver; its own default if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Most iterations of the solver; its own default if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<usize>,
    /// Newton's restitution, in [0, 1].
    #[serde(default)]
    pub restitution: f64,
    /// The law whose compatible forces are found in every step.
    #[serde(default)]
    pub compatibility: Compatibility,
    /// Compliance of the one-step form, which then takes the place of the solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_step: Option<f64>,
    /// Gap in m up to which pairs are always given to the solver; a tenth of the smallest radius if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<f64>,
}

/// What solves complementarity problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RigidSolver {
    /// Accelerated projected gradients, for many contacts.
    #[default]
    Apgd,
    /// Projected Gauss-Seidel, for few.
    GaussSeidel,
}

/// Compatible forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compatibility {
    /// None.
    #[default]
    None,
    /// Those of Hooke's law, all contacts equally stiff.
    Hooke,
    /// Those of Hertz' law, one modulus.
    Hertz,
}
