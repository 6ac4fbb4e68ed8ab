//! `[contact]`: the laws of contacts, by pair of materials. The module `keys` finds the keys of laws, for messages.

mod keys;

use dem_contact::law::Damping;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::adhesion::{AdhesionLaw, PlasticLaw};
use super::resistance::{Resistance, Stiffness};
use super::tangential::TangentLaw;

/// Name of the material of bodies and walls without one, in scenes without `contact.materials`.
pub(crate) const OTHER: &str = "other";

/// The law of all contacts, including those with walls. Pairs of materials may override it in `pairs`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ContactModel {
    /// The law of the elastic normal force.
    #[schemars(extend("toml" = "{ hooke = { stiffness = 1e5 } }"))]
    pub normal: NormalLaw,
    /// The law of damping of the normal motion; none if not given.
    #[schemars(extend("toml" = "{ restitution = 0.7 }"))]
    pub damping: Option<Damping>,
    /// The law of the tangential force; if not given, none, and beside `hertz-mindlin` that of the materials. Without
    /// friction for contact dynamics and static equilibrium.
    #[schemars(extend("toml" = "{ friction-spring = { stiffness = 3e4, friction = 0.5 } }"))]
    pub tangential: Option<TangentLaw>,
    /// Resistance to rolling; explicit integrators, and its `friction` in contact dynamics.
    #[schemars(extend("toml" = "{ stiffness = 1e4, friction = 0.05 }"))]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; explicit integrators, and its `friction` in contact dynamics.
    #[schemars(extend("toml" = "{ stiffness = 0.1, friction = 1e-4 }"))]
    pub twisting: Option<Resistance>,
    /// How contacts stick, beside `hertz` and `hertz-mindlin`; explicit integrators.
    #[schemars(extend("toml" = "{ jkr = 0.05 }"))]
    pub adhesion: Option<AdhesionLaw>,
    /// How contacts yield, beside `hooke`; explicit integrators.
    #[schemars(extend("toml" = "{ loading = 4e4, adhesion = 1e4 }"))]
    pub plastic: Option<PlasticLaw>,
    /// Width of the skin of neighbour lists in m; a fifth of the smallest radius if not given.
    #[schemars(extend("unit" = "m", "toml" = "1e-3"))]
    pub skin: Option<f64>,
    /// Materials by their moduli, for `hertz-mindlin`; bodies and walls without a material take the first one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"[{ name = "glass", young = 7e7, poisson = 0.22, restitution = 0.8, friction = 0.5 }]"#))]
    pub materials: Vec<Material>,
    /// Laws of pairs of materials that differ from the law of all contacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"[{ between = ["glass", "steel"], friction = 0.2 }]"#))]
    pub pairs: Vec<PairLaw>,
    /// Names of the materials of the walls, in the order of the walls' numbers; elastic walls have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"["steel"]"#))]
    pub wall_materials: Vec<String>,
}

impl ContactModel {
    /// Returns the model of the contacts of a pair of materials.
    pub(crate) fn with(&self, pair: &PairLaw) -> Self {
        let normal = self.normal_of(pair);
        let is_hooke = matches!(normal, NormalLaw::Hooke { .. });
        let by_moduli = NormalLaw::HertzMindlin;
        // Laws by moduli and laws by numbers have nothing in common.
        let is_alike = (normal == by_moduli) == (self.normal == by_moduli);
        Self {
            normal,
            damping: pair.damping.or(self.damping.filter(|_| is_alike)),
            tangential: pair.tangential.or(self.tangential.filter(|_| is_alike)),
            rolling: pair.rolling.or(self.rolling.filter(|_| is_alike)),
            twisting: pair.twisting.or(self.twisting.filter(|_| is_alike)),
            adhesion: self.adhesion.filter(|_| !is_hooke).map(|law| law.with_work(pair.adhesion.unwrap_or(law.work()))),
            plastic: self.plastic.filter(|_| is_hooke),
            skin: None,
            materials: Vec::new(),
            pairs: Vec::new(),
            wall_materials: Vec::new(),
        }
    }

    /// Returns the normal law of the contacts of a pair of materials.
    pub(super) fn normal_of(&self, pair: &PairLaw) -> NormalLaw {
        pair.normal.unwrap_or(self.normal)
    }

    /// Returns the names of all materials in the order of their numbers. Without moduli `"other"` is the first.
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

    /// Returns the work of adhesion in J/m² between two materials, given by number: that of their pair, or the
    /// geometric mean of both. A material without its own has that of `contact.adhesion`.
    pub(crate) fn work_of_adhesion(&self, law: AdhesionLaw, [a, b]: [usize; 2], own: Option<&PairLaw>) -> f64 {
        let of = |number: usize| self.materials.get(number).and_then(|one| one.adhesion).unwrap_or(law.work());
        own.and_then(|pair| pair.adhesion).unwrap_or_else(|| (of(a) * of(b)).sqrt())
    }

    /// Computes the largest stiffnesses of resistance to rolling (N/m) and to twisting (N m) among contacts of free
    /// bodies of the materials `free` with bodies and walls of the materials `met`. Stiffnesses of tangential springs
    /// are left out.
    pub(crate) fn largest_resistances(&self, mut free: Vec<u16>, mut met: Vec<u16>) -> [f64; 2] {
        let names = self.names();
        for numbers in [&mut free, &mut met] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let mut largest = [0.0_f64; 2];
        for pair in free.iter().flat_map(|&a| met.iter().map(move |&b| [a, b].map(usize::from))) {
            let is_theirs = |own: &&PairLaw| {
                let [one, two] = own.between.each_ref().map(|name| names.iter().position(|known| known == name));
                let [a, b] = pair.map(Some);
                [one, two] == [a, b] || [one, two] == [b, a]
            };
            let own = self.pairs.iter().find(is_theirs).map(|own| [own.rolling, own.twisting]);
            let mixed = pair.map(|number| self.materials.get(number).map(|one| [one.rolling, one.twisting]));
            for (kind, largest) in largest.iter_mut().enumerate() {
                let stiffness = |given: Option<[Option<Resistance>; 2]>| {
                    given.and_then(|given| given[kind]).map(|one| match one.stiffness {
                        Some(Stiffness::Fixed(stiffness)) => stiffness,
                        Some(Stiffness::Tangential) | None => 0.0,
                    })
                };
                let mean = stiffness(mixed[0]).zip(stiffness(mixed[1])).map(|(a, b)| (a * b).sqrt());
                let own = stiffness(own).or(stiffness(Some([self.rolling, self.twisting]))).or(mean);
                *largest = largest.max(own.unwrap_or(0.0));
            }
        }
        largest
    }
}

/// Law of the elastic normal force F of a contact of overlap δ and reduced radius R.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum NormalLaw {
    /// Hooke's law, F = k δ.
    #[schemars(extend("toml" = "{ hooke = { stiffness = 1e5 } }"))]
    Hooke {
        /// Stiffness k of Hooke's law in N/m.
        #[schemars(extend("unit" = "N/m", "toml" = "1e5"))]
        stiffness: f64,
    },
    /// Hertz' law, F = K √R δ^{3/2}.
    #[schemars(extend("toml" = "{ hertz = { modulus = 5e7 } }"))]
    Hertz {
        /// Modulus K of Hertz' law in Pa, 4/3 of the reduced modulus: `2/3 E/(1 − ν²)` for two bodies of one material
        /// with Young's modulus E and Poisson's ratio ν.
        #[schemars(extend("unit" = "Pa", "toml" = "5e7"))]
        modulus: f64,
    },
    /// Hertz' law, damping, friction and resistances from the moduli of [`materials`](ContactModel::materials), with
    /// Mindlin's spring unless `tangential` says otherwise: [`dem_contact::law::Materials::hertz_mindlin`].
    HertzMindlin,
}

/// Differences of the contact law between two materials from the law of all contacts, which gives the rest. Normal and
/// tangential laws of the pair may be others.
///
/// A pair with `hertz-mindlin` takes from its materials all values that are not given here. If the law of all contacts
/// is `hertz-mindlin`, a pair with another normal law has only the values that are given here. `contact.adhesion` acts
/// in pairs with Hertz' law, `contact.plastic` in pairs with Hooke's.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PairLaw {
    /// The two materials, which may be the same; bodies and walls without a material are of `"other"`, or of the first
    /// of [`materials`](ContactModel::materials).
    #[schemars(extend("toml" = r#"["glass", "steel"]"#))]
    pub between: [String; 2],
    /// The law of the pair's elastic normal force; that of all contacts if not given.
    #[schemars(extend("toml" = "{ hooke = { stiffness = 2e5 } }"))]
    pub normal: Option<NormalLaw>,
    /// The law of damping of the pair's normal motion; that of all contacts if not given.
    #[schemars(extend("toml" = "{ restitution = 0.5 }"))]
    pub damping: Option<Damping>,
    /// The law of the pair's tangential force; that of all contacts if not given.
    #[schemars(extend("toml" = "{ friction-spring = { stiffness = 3e4, friction = 0.2 } }"))]
    pub tangential: Option<TangentLaw>,
    /// Coefficient of restitution of the pair beside `hertz-mindlin`; the geometric mean of both materials if not
    /// given.
    #[schemars(extend("toml" = "0.6"))]
    pub restitution: Option<f64>,
    /// Friction coefficient of the pair beside `hertz-mindlin`; the geometric mean of both materials if not given.
    #[schemars(extend("toml" = "0.2"))]
    pub friction: Option<f64>,
    /// Work of adhesion of the pair in J/m²; the geometric mean of both materials if not given.
    #[schemars(extend("unit" = "J/m²", "toml" = "0.02"))]
    pub adhesion: Option<f64>,
    /// The pair's resistance to rolling; explicit integrators, and its `friction` in contact dynamics.
    #[schemars(extend("toml" = "{ stiffness = 1e4, friction = 0.02 }"))]
    pub rolling: Option<Resistance>,
    /// The pair's resistance to twisting; explicit integrators, and its `friction` in contact dynamics.
    #[schemars(extend("toml" = "{ stiffness = 0.1, friction = 1e-4 }"))]
    pub twisting: Option<Resistance>,
}

/// A material by its moduli, for `hertz-mindlin`; pairs take reduced moduli and geometric means of the rest, or the
/// values of `contact.pairs`. Contact dynamics takes restitution, friction and the `friction` of rolling and twisting:
/// [`dem_contact::law::Material`].
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Material {
    /// Name of the material, by which bodies, walls and pairs refer to it.
    #[schemars(extend("toml" = r#""glass""#))]
    pub name: String,
    /// Young's modulus of the material in Pa.
    #[schemars(extend("unit" = "Pa", "toml" = "7e7"))]
    pub young: f64,
    /// Poisson's ratio of the material, in (−1, 1/2].
    #[schemars(extend("toml" = "0.22"))]
    pub poisson: f64,
    /// Coefficient of restitution of two bodies of this material, in (0, 1]; 1 if not given.
    #[serde(default = "super::one")]
    #[schemars(extend("toml" = "0.8"))]
    pub restitution: f64,
    /// Friction coefficient μ of two bodies of this material; 0 if not given.
    #[serde(default)]
    #[schemars(extend("toml" = "0.5"))]
    pub friction: f64,
    /// Work of adhesion of two bodies of this material in J/m²; that of `contact.adhesion` if not given.
    #[schemars(extend("unit" = "J/m²", "toml" = "0.05"))]
    pub adhesion: Option<f64>,
    /// Resistance of two bodies of this material to rolling; explicit integrators, and its `friction` in contact
    /// dynamics.
    #[schemars(extend("toml" = "{ stiffness = 1e4, friction = 0.05 }"))]
    pub rolling: Option<Resistance>,
    /// Resistance of two bodies of this material to twisting; explicit integrators, and its `friction` in contact
    /// dynamics.
    #[schemars(extend("toml" = "{ stiffness = 0.1, friction = 1e-4 }"))]
    pub twisting: Option<Resistance>,
}
