//! `integrator`: what moves the bodies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The integrator: how bodies move in a time step.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Explicit steps of velocity Verlet, with attitudes as quaternions.
    Verlet,
    /// Explicit steps with the rotation map `[BG21] (23)`.
    #[serde(rename = "rodrigues-23")]
    Rodrigues23,
    /// Explicit steps with the rotation map `[BG21] (25)`.
    #[serde(rename = "rodrigues-25")]
    Rodrigues25,
    /// Implicit variational steps of `[DK21]`.
    #[schemars(extend("toml" = "{ implicit = { alpha = 0.5 } }"))]
    Implicit(ImplicitMethod),
    /// Implicit steps that keep energy and momenta to round-off.
    ExactEnergy,
    /// Contact dynamics of rigid bodies, `[OK18]`.
    #[schemars(extend("toml" = "{ contact-dynamics = { tolerance = 1e-6 } }"))]
    ContactDynamics(ContactDynamicsMethod),
    /// Search for static equilibrium, in one step.
    #[schemars(extend("toml" = "{ static = { max-steps = 100000 } }"))]
    Static(StaticMethod),
}

impl Method {
    /// Name of the integrator in scene files.
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

    /// Returns whether the integrator's steps are explicit.
    #[must_use]
    pub fn is_explicit(&self) -> bool {
        matches!(self, Self::Verlet | Self::Rodrigues23 | Self::Rodrigues25)
    }
}

/// Options of the implicit integrator.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ImplicitMethod {
    /// Place α in [0, 1] within a step where forces are evaluated; 1/2 if not given.
    #[serde(default = "super::half")]
    #[schemars(extend("toml" = "0.5"))]
    pub alpha: f64,
    /// The equations of an implicit step.
    #[serde(default)]
    #[schemars(extend("toml" = r#""paper""#))]
    pub form: ImplicitForm,
    /// Relative residual to which the equations of a step are solved; 1e-11 if not given.
    #[schemars(extend("toml" = "1e-11"))]
    pub tolerance: Option<f64>,
}

/// The form of the equations of an implicit step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImplicitForm {
    /// Equations of second order for α = 1/2, also with damping: [`dem_contact::implicit::DiscreteForm::MarsdenWest`].
    #[default]
    MarsdenWest,
    /// Equations `[DK21] (13)-(16)` as printed: [`dem_contact::implicit::DiscreteForm::Paper`].
    Paper,
}

/// Options of contact dynamics `[OK18]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ContactDynamicsMethod {
    /// The solver of the complementarity problems; accelerated projected gradients if not given. Contacts with friction
    /// have a solver of their own.
    #[schemars(extend("toml" = r#""gauss-seidel""#))]
    pub solver: Option<ContactDynamicsSolver>,
    /// Relative residual to which the solver works, below 0.9; the solver's own default if not given.
    #[schemars(extend("toml" = "1e-6"))]
    pub tolerance: Option<f64>,
    /// Largest number of iterations of the solver; the solver's own default if not given.
    #[schemars(extend("toml" = "10000"))]
    pub max_iterations: Option<usize>,
    /// Newton's restitution of all contacts, in [0, 1]; those of `contact.materials` and `contact.pairs`, or else 0, if
    /// not given.
    #[schemars(extend("toml" = "0.3"))]
    pub restitution: Option<f64>,
    /// The law of the compatible contact forces that every step computes.
    #[serde(default)]
    #[schemars(extend("toml" = r#""hooke""#))]
    pub compatibility: Compatibility,
    /// Compliance of the compliant step, which replaces the solver if given.
    #[schemars(extend("toml" = "1e-5"))]
    pub compliant_step: Option<f64>,
    /// Policy for a step with friction whose contact problem is not solved to `tolerance`: `"accept"` if not given.
    /// Without friction such a step always ends the run.
    #[schemars(extend("toml" = r#""error""#))]
    pub unsolved: Option<UnsolvedSteps>,
    /// Gap in m up to which pairs are given to the solver; a tenth of the smallest radius if not given.
    #[schemars(extend("unit" = "m", "toml" = "5e-4"))]
    pub skin: Option<f64>,
}

/// Policy for a step of contact dynamics with friction whose contact problem is not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnsolvedSteps {
    /// The step is taken with the best forces found, and counted in the column `unsolved`. Two steps in a row with a
    /// relative residual above 1e-3 end the run.
    #[default]
    Accept,
    /// The run ends with an error at a step whose contact problem is not solved.
    Error,
}

/// The solver of complementarity problems without friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContactDynamicsSolver {
    /// Accelerated projected gradients, for many contacts.
    #[default]
    Apgd,
    /// Projected Gauss-Seidel, for few contacts.
    GaussSeidel,
}

/// The law of compatible contact forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compatibility {
    /// No compatible forces are computed.
    #[default]
    None,
    /// Forces compatible with Hooke's law, all contacts equally stiff.
    Hooke,
    /// Forces compatible with Hertz' law, all contacts of one modulus.
    Hertz,
}

/// Options of the search for static equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StaticMethod {
    /// Largest unbalanced force at rest, relative to the mean contact force; 1e-12 if not given.
    #[schemars(extend("toml" = "1e-12"))]
    pub tolerance: Option<f64>,
    /// Largest number of relaxation steps; a million if not given.
    #[schemars(extend("toml" = "100000"))]
    pub max_steps: Option<usize>,
}
