//! `[contact]`: the laws of contacts, by pair of materials.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::adhesion::{AdhesionLaw, PlasticLaw};
use super::resistance::Resistance;
use crate::error::{GrainsError, Location};

/// The material of bodies and walls without one.
pub(crate) const OTHER: &str = "other";

/// The law of all contacts, including those with walls. Pairs of materials may override it in `pairs`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ContactModel {
    /// Elastic normal force.
    #[schemars(extend("toml" = "{ hooke = { stiffness = 1e5 } }"))]
    pub normal: NormalLaw,
    /// Damping of the normal motion; none if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ restitution = 0.7 }"))]
    pub damping: Option<DampingLaw>,
    /// Tangential force, none if not given; without friction for contact dynamics and static equilibrium.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ friction-spring = { stiffness = 3e4, friction = 0.5 } }"))]
    pub tangential: Option<TangentLaw>,
    /// Resistance to rolling; explicit integrators, and its `friction` in contact dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ stiffness = 1e4, friction = 0.05 }"))]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; explicit integrators, and its `friction` in contact dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ stiffness = 0.1, friction = 1e-4 }"))]
    pub twisting: Option<Resistance>,
    /// How contacts stick, beside `hertz` and `hertz-mindlin`; explicit integrators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ jkr = 0.05 }"))]
    pub adhesion: Option<AdhesionLaw>,
    /// How contacts yield, beside `hooke`; explicit integrators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ loading = 4e4, adhesion = 1e4 }"))]
    pub plastic: Option<PlasticLaw>,
    /// Width of the skin of neighbour lists; a fifth of the smallest radius if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "m", "toml" = "1e-3"))]
    pub skin: Option<f64>,
    /// Materials by their moduli, for `hertz-mindlin`; bodies and walls without a material take the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"[{ name = "glass", young = 7e7, poisson = 0.22, restitution = 0.8, friction = 0.5 }]"#))]
    pub materials: Vec<Material>,
    /// Laws of pairs of materials that differ from the general one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"[{ between = ["glass", "steel"], friction = 0.2 }]"#))]
    pub pairs: Vec<PairLaw>,
    /// Materials of the walls, in the order of their numbers; elastic walls have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"["steel"]"#))]
    pub wall_materials: Vec<String>,
}

impl ContactModel {
    /// Undamped frictionless contacts.
    #[must_use]
    pub fn of(normal: NormalLaw) -> Self {
        Self {
            normal,
            damping: None,
            tangential: None,
            rolling: None,
            twisting: None,
            adhesion: None,
            plastic: None,
            skin: None,
            materials: Vec::new(),
            pairs: Vec::new(),
            wall_materials: Vec::new(),
        }
    }

    /// The model of the contacts of a pair of materials.
    pub(crate) fn with(&self, pair: &PairLaw) -> Self {
        Self {
            normal: pair.normal.unwrap_or(self.normal),
            damping: pair.damping.or(self.damping),
            tangential: pair.tangential.or(self.tangential),
            rolling: pair.rolling.or(self.rolling),
            twisting: pair.twisting.or(self.twisting),
            adhesion: self.adhesion.map(|law| law.with_work(pair.adhesion.unwrap_or(law.work()))),
            plastic: self.plastic,
            ..Self::of(self.normal)
        }
    }

    /// Checks that materials with moduli are given exactly where the normal law needs them.
    pub(crate) fn check_materials(&self) -> Result<(), GrainsError> {
        match (self.normal, self.materials.is_empty()) {
            (NormalLaw::HertzMindlin, true) => {
                Err(GrainsError::MissingKey { at: Location::of("contact"), missing: "materials".into() })
            }
            (NormalLaw::HertzMindlin, false) | (_, true) => Ok(()),
            (_, false) => {
                let problem = "materials by their moduli need the normal law `hertz-mindlin`";
                Err(GrainsError::Conflict { at: Location::of("contact.materials"), problem })
            }
        }
    }

    /// The key that names the materials.
    pub(crate) fn key_of_materials(&self) -> &'static str {
        if self.materials.is_empty() { "contact.pairs" } else { "contact.materials" }
    }

    /// The key of the first friction coefficient: of a material, of a pair, or of a tangential law, which may also be
    /// zero.
    pub(crate) fn key_of_friction(&self) -> Option<String> {
        let rough = |friction: f64| friction != 0.0;
        let material = self.materials.iter().position(|one| rough(one.friction));
        let pair = self.pairs.iter().position(|pair| pair.friction.is_some_and(rough));
        let of_material = material.map(|index| format!("contact.materials[{index}].friction"));
        if let Some(key) = of_material.or_else(|| pair.map(|index| format!("contact.pairs[{index}].friction"))) {
            return Some(key);
        }
        let of_pair = |(index, pair): (usize, &PairLaw)| (format!("contact.pairs[{index}]"), pair.tangential);
        let own = ("contact".to_owned(), self.tangential);
        let mut all = std::iter::once(own).chain(self.pairs.iter().enumerate().map(of_pair));
        let found = all.find(|(_, law)| law.is_some_and(|law| law.has_friction()));
        found.map(|(key, _)| format!("{key}.tangential"))
    }

    /// The names of all materials in the order of their numbers. Without moduli `"other"` is the first.
    pub(crate) fn names(&self) -> Vec<String> {
        if !self.materials.is_empty() {
            return self.materials.iter().map(|one| one.name.clone()).collect();
        }
        let mut names = vec![OTHER.to_owned()];
        for name in self.pairs.iter().flat_map(|pair| &pair.between) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}

/// Elastic normal force of a contact of overlap δ and reduced radius R.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum NormalLaw {
    /// F = k δ.
    #[schemars(extend("toml" = "{ hooke = { stiffness = 1e5 } }"))]
    Hooke {
        /// k in N/m.
        #[schemars(extend("unit" = "N/m", "toml" = "1e5"))]
        stiffness: f64,
    },
    /// F = K √R δ^{3/2}.
    #[schemars(extend("toml" = "{ hertz = { modulus = 5e7 } }"))]
    Hertz {
        /// K in Pa, 4/3 of the reduced modulus.
        #[schemars(extend("unit" = "Pa", "toml" = "5e7"))]
        modulus: f64,
    },
    /// Hertz' law, partial slip of Cattaneo and Mindlin, damping, friction and resistances from the moduli of
    /// [`materials`](ContactModel::materials). Partial slip makes the steps of a dense bed about ten times as long as
    /// `hertz` with `mindlin-spring` does: [`dem_contact::law::Materials::hertz_partial_slip`].
    HertzMindlin,
}

/// Damping of the normal motion.
#[derive(Debug, Clone, Copy, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum DampingLaw {
    /// No damping.
    #[default]
    None,
    /// `γ_n` in 1/s: the force is `γ_n m_eff` times the speed of the overlap, `[DK21] (22)`.
    #[schemars(extend("unit" = "1/s", "toml" = "{ coefficient = 100.0 }"))]
    Coefficient(f64),
    /// Coefficient of restitution: speed after an impact over that before, in (0, 1].
    #[schemars(extend("toml" = "{ restitution = 0.7 }"))]
    Restitution(f64),
    /// The same with a normal force that is cut off at zero, so that it never attracts.
    #[schemars(extend("toml" = "{ restitution-capped = 0.7 }"))]
    RestitutionCapped(f64),
}

/// Tangential force of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum TangentLaw {
    /// None.
    #[default]
    Frictionless,
    /// `F_t = −γ_t m_eff v_t`, `[DK21] (21)`.
    #[schemars(extend("toml" = "{ viscous = { gamma = 100.0 } }"))]
    Viscous {
        /// `γ_t` in 1/s.
        #[schemars(extend("unit" = "1/s", "toml" = "100.0"))]
        gamma: f64,
    },
    /// The same, at most μ times the normal force.
    #[schemars(extend("toml" = "{ coulomb-viscous = { gamma = 100.0, friction = 0.5 } }"))]
    CoulombViscous {
        /// `γ_t` in 1/s.
        #[schemars(extend("unit" = "1/s", "toml" = "100.0"))]
        gamma: f64,
        /// Friction coefficient μ.
        #[schemars(extend("toml" = "0.5"))]
        friction: f64,
    },
    /// A spring with Coulomb's limit and a history, beside Hooke's law: [`dem_contact::law::FrictionSpring`].
    #[schemars(extend("toml" = "{ friction-spring = { stiffness = 3e4, friction = 0.5 } }"))]
    FrictionSpring {
        /// `k_t` in N/m.
        #[schemars(extend("unit" = "N/m", "toml" = "3e4"))]
        stiffness: f64,
        /// `γ_t` in 1/s.
        #[serde(default)]
        #[schemars(extend("unit" = "1/s", "toml" = "100.0"))]
        gamma: f64,
        /// Friction coefficient μ.
        #[schemars(extend("toml" = "0.5"))]
        friction: f64,
    },
    /// The same beside Hertz' law; it gives way a little in each cycle of a shaking load:
    /// [`dem_contact::law::MindlinSpring`].
    #[schemars(extend("toml" = "{ mindlin-spring = { modulus = 6e7, friction = 0.5 } }"))]
    MindlinSpring {
        /// `k_t` in Pa.
        #[schemars(extend("unit" = "Pa", "toml" = "6e7"))]
        modulus: f64,
        /// `γ_t` in 1/(m s).
        #[serde(default)]
        #[schemars(extend("unit" = "1/(m s)", "toml" = "1e4"))]
        gamma: f64,
        /// Friction coefficient μ.
        #[schemars(extend("toml" = "0.5"))]
        friction: f64,
    },
    /// Partial slip beside Hertz' law; its history takes 400 bytes, that of a spring 32:
    /// [`dem_contact::law::PartialSlip`].
    #[schemars(extend("toml" = "{ partial-slip = { modulus = 6e7, friction = 0.5 } }"))]
    PartialSlip {
        /// `k_t` in Pa.
        #[schemars(extend("unit" = "Pa", "toml" = "6e7"))]
        modulus: f64,
        /// Friction coefficient μ.
        #[schemars(extend("toml" = "0.5"))]
        friction: f64,
    },
}

impl TangentLaw {
    /// Whether it has a friction coefficient, which may be zero.
    pub(crate) fn has_friction(&self) -> bool {
        !matches!(self, Self::Frictionless | Self::Viscous { .. })
    }
}

/// Where the law of contacts between two materials differs from the general one.
///
/// It must have the same normal law, and a tangential spring if and only if the general law has one. Beside
/// `hertz-mindlin` give only restitution, friction, adhesion and resistances.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PairLaw {
    /// The two materials, which may be the same; bodies and walls without a material are of `"other"`, or of the first
    /// of [`materials`](ContactModel::materials).
    #[schemars(extend("toml" = r#"["glass", "steel"]"#))]
    pub between: [String; 2],
    /// Elastic normal force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ hooke = { stiffness = 2e5 } }"))]
    pub normal: Option<NormalLaw>,
    /// Damping of the normal motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ restitution = 0.5 }"))]
    pub damping: Option<DampingLaw>,
    /// Tangential force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ friction-spring = { stiffness = 3e4, friction = 0.2 } }"))]
    pub tangential: Option<TangentLaw>,
    /// Coefficient of restitution beside `hertz-mindlin`; the geometric mean of both materials if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "0.6"))]
    pub restitution: Option<f64>,
    /// Friction coefficient beside `hertz-mindlin`; the geometric mean of both materials if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "0.2"))]
    pub friction: Option<f64>,
    /// Work of adhesion; the geometric mean of both materials if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "J/m²", "toml" = "0.02"))]
    pub adhesion: Option<f64>,
    /// Resistance to rolling; explicit integrators, and its `friction` in contact dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ stiffness = 1e4, friction = 0.02 }"))]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; explicit integrators, and its `friction` in contact dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ stiffness = 0.1, friction = 1e-4 }"))]
    pub twisting: Option<Resistance>,
}

/// A material by its moduli, for `hertz-mindlin`; pairs take reduced moduli and geometric means of the rest, or what
/// `contact.pairs` gives. Contact dynamics takes restitution, friction and the `friction` of rolling and twisting:
/// [`dem_contact::law::Material`].
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Material {
    /// Its name.
    #[schemars(extend("toml" = r#""glass""#))]
    pub name: String,
    /// Young's modulus in Pa.
    #[schemars(extend("unit" = "Pa", "toml" = "7e7"))]
    pub young: f64,
    /// Poisson's ratio, in (−1, 1/2].
    #[schemars(extend("toml" = "0.22"))]
    pub poisson: f64,
    /// Coefficient of restitution of two bodies of this material, in (0, 1]; 1 if not given.
    #[serde(default = "one")]
    #[schemars(extend("toml" = "0.8"))]
    pub restitution: f64,
    /// Friction coefficient μ; 0 if not given.
    #[serde(default)]
    #[schemars(extend("toml" = "0.5"))]
    pub friction: f64,
    /// Work of adhesion of two bodies of this material; that of `contact.adhesion` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "J/m²", "toml" = "0.05"))]
    pub adhesion: Option<f64>,
    /// Resistance to rolling; explicit integrators, and its `friction` in contact dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ stiffness = 1e4, friction = 0.05 }"))]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; explicit integrators, and its `friction` in contact dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ stiffness = 0.1, friction = 1e-4 }"))]
    pub twisting: Option<Resistance>,
}

fn one() -> f64 {
    1.0
}
