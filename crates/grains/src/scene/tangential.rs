//! Tangential forces of contacts.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Law of the tangential force of a contact. Beside `hertz-mindlin` it is `"mindlin-spring"`, the default,
/// `"mindlin-deresiewicz"` or `"frictionless"`: a word, since its numbers follow from the moduli, or a table with
/// `objective` alone.
#[derive(Debug, Clone, Copy, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(transform = with_words)]
pub enum TangentLaw {
    /// No tangential force. Beside `hertz-mindlin` contacts then resist neither rolling nor twisting.
    #[default]
    Frictionless,
    /// Viscous tangential force `F_t = −γ_t m_eff v_t`, `[DK21] (21)`.
    #[schemars(extend("toml" = "{ viscous = { gamma = 100.0 } }"))]
    Viscous {
        /// Coefficient `γ_t` of the viscous force in 1/s.
        #[schemars(extend("unit" = "1/s", "toml" = "100.0"))]
        gamma: f64,
    },
    /// The force of `viscous`, at most the friction coefficient μ times the normal force.
    #[schemars(extend("toml" = "{ coulomb-viscous = { gamma = 100.0, friction = 0.5 } }"))]
    CoulombViscous {
        /// Coefficient `γ_t` of the viscous force in 1/s.
        #[schemars(extend("unit" = "1/s", "toml" = "100.0"))]
        gamma: f64,
        /// Friction coefficient μ, which limits the tangential force.
        #[schemars(extend("toml" = "0.5"))]
        friction: f64,
    },
    /// A spring with Coulomb's limit and a history, beside Hooke's law: [`dem_contact::law::FrictionSpring`].
    #[schemars(extend("toml" = "{ friction-spring = { stiffness = 3e4, friction = 0.5 } }"))]
    FrictionSpring {
        /// Stiffness `k_t` of the tangential spring in N/m.
        #[schemars(extend("unit" = "N/m", "toml" = "3e4"))]
        stiffness: f64,
        /// Damping coefficient `γ_t` of the tangential spring in 1/s.
        #[serde(default)]
        #[schemars(extend("unit" = "1/s", "toml" = "100.0"))]
        gamma: f64,
        /// Friction coefficient μ, which limits the tangential force.
        #[schemars(extend("toml" = "0.5"))]
        friction: f64,
        /// Whether the spring turns with the contact, also about the normal, instead of being projected onto the
        /// tangent plane: [`dem_contact::law::CoRotating`]. Explicit integrators.
        #[serde(default)]
        #[schemars(extend("toml" = "true"))]
        objective: bool,
    },
    /// A spring with Coulomb's limit and a history, beside Hertz' law. Its stiffness grows with the radius of the
    /// contact. It gives way a little in each cycle of a shaking load: [`dem_contact::law::MindlinSpring`].
    #[schemars(extend("toml" = "{ mindlin-spring = { modulus = 6e7, friction = 0.5 } }"))]
    MindlinSpring {
        /// Modulus `k_t` of the tangential spring in Pa: `8 G*` by Mindlin, `2 E/((2 − ν)(1 + ν))` for two bodies of
        /// one material with Young's modulus E and Poisson's ratio ν; required, except beside `hertz-mindlin`, where it
        /// follows from the moduli.
        #[schemars(extend("unit" = "Pa", "toml" = "6e7"))]
        modulus: Option<f64>,
        /// Damping coefficient `γ_t` in 1/(m s). Slip at the speed v is damped by `γ_t m_eff a v`, with the reduced
        /// mass `m_eff` and the radius `a = √(R δ)` of the contact. The moduli say nothing of it: beside
        /// `hertz-mindlin` damping follows from `restitution`.
        #[serde(default)]
        #[schemars(extend("unit" = "1/(m s)", "toml" = "1e4"))]
        gamma: f64,
        /// Friction coefficient μ; required, except beside `hertz-mindlin`, where it is that of the materials.
        #[schemars(extend("toml" = "0.5"))]
        friction: Option<f64>,
        /// Whether the history turns with the contact, as that of `friction-spring`. Explicit integrators.
        #[serde(default)]
        #[schemars(extend("toml" = "true"))]
        objective: bool,
    },
    /// Partial slip beside Hertz' law, by Mindlin and Deresiewicz: [`dem_contact::law::MindlinDeresiewicz`]. A dense
    /// bed costs about ten times as much as with `mindlin-spring`; the history of a contact takes 400 bytes, that of a
    /// spring 32.
    #[schemars(extend("toml" = "{ mindlin-deresiewicz = { modulus = 6e7, friction = 0.5 } }"))]
    MindlinDeresiewicz {
        /// Modulus `k_t` of the tangential force in Pa: `8 G*` by Mindlin, `2 E/((2 − ν)(1 + ν))` for two bodies of one
        /// material with Young's modulus E and Poisson's ratio ν; required, except beside `hertz-mindlin`, where it
        /// follows from the moduli.
        #[schemars(extend("unit" = "Pa", "toml" = "6e7"))]
        modulus: Option<f64>,
        /// Friction coefficient μ; required, except beside `hertz-mindlin`, where it is that of the materials.
        #[schemars(extend("toml" = "0.5"))]
        friction: Option<f64>,
        /// Whether the history turns with the contact, as that of `friction-spring`. Explicit integrators.
        #[serde(default)]
        #[schemars(extend("toml" = "true"))]
        objective: bool,
    },
}

/// Adds the words that stand for laws without numbers to a schema.
fn with_words(schema: &mut Schema) {
    let Some(choices) = schema.get_mut("oneOf").and_then(|choices| choices.as_array_mut()) else { return };
    for (word, description) in [
        ("mindlin-spring", "The spring of the moduli, beside `hertz-mindlin`."),
        ("mindlin-deresiewicz", "Partial slip by the moduli, beside `hertz-mindlin`."),
    ] {
        choices.push(json!({ "const": word, "description": description }));
    }
}

impl TangentLaw {
    /// The default tangential law between materials that are given by their moduli.
    pub(crate) const OF_MATERIALS: Self =
        Self::MindlinSpring { modulus: None, gamma: 0.0, friction: None, objective: false };

    /// Friction coefficient that the law gives, which may be zero; none for a law without one.
    pub(crate) fn friction(&self) -> Option<f64> {
        match *self {
            Self::Frictionless | Self::Viscous { .. } => None,
            Self::CoulombViscous { friction, .. } | Self::FrictionSpring { friction, .. } => Some(friction),
            Self::MindlinSpring { friction, .. } | Self::MindlinDeresiewicz { friction, .. } => friction,
        }
    }

    /// Returns whether the history of the law turns with the contact.
    pub(crate) fn is_objective(&self) -> bool {
        match *self {
            Self::Frictionless | Self::Viscous { .. } | Self::CoulombViscous { .. } => false,
            Self::FrictionSpring { objective, .. }
            | Self::MindlinSpring { objective, .. }
            | Self::MindlinDeresiewicz { objective, .. } => objective,
        }
    }

    /// Returns whether the law is given without numbers, so that its numbers follow from the moduli of materials.
    pub(crate) fn follows_from_moduli(&self) -> bool {
        match *self {
            Self::Frictionless => true,
            Self::Viscous { .. } | Self::CoulombViscous { .. } | Self::FrictionSpring { .. } => false,
            Self::MindlinSpring { modulus, gamma, friction, .. } => {
                modulus.or(friction).is_none() && gamma.abs() <= 0.0
            }
            Self::MindlinDeresiewicz { modulus, friction, .. } => modulus.or(friction).is_none(),
        }
    }
}
