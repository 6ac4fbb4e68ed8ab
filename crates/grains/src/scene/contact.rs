//! `[contact]`: the laws of contacts, by pair of materials.

use serde::{Deserialize, Serialize};

use crate::error::{GrainsError, Location};

/// The material of bodies and walls without one.
pub(crate) const OTHER: &str = "other";

/// The law of all contacts, including those with walls. Pairs of materials may override it in `pairs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ContactModel {
    /// Elastic normal force.
    pub normal: NormalLaw,
    /// Damping of the normal motion; none if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<DampingLaw>,
    /// Tangential force, none if not given; without friction for contact dynamics and static equilibrium.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential: Option<TangentLaw>,
    /// Resistance to rolling; explicit integrators, and its `friction` in contact dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twisting: Option<Resistance>,
    /// Width of the skin of neighbour lists; a fifth of the smallest radius if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<f64>,
    /// Materials by their moduli, for `hertz-mindlin`; bodies and walls without a material take the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    /// Laws of pairs of materials that differ from the general one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairLaw>,
    /// Materials of the walls, in the order of their numbers; elastic walls have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wall_materials: Vec<String>,
}

/// Stiffness of resistance, in the units of [`Resistance`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct LargestResistance {
    pub(crate) rolling: f64,
    pub(crate) twisting: f64,
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
            ..Self::of(self.normal)
        }
    }

    /// The keys of all resistances to rolling and twisting: rolling first.
    pub(crate) fn keys_of_resistance(&self) -> Vec<String> {
        let pairs = self.pairs.iter().enumerate().map(|(index, pair)| {
            (format!("contact.pairs[{index}]"), [("rolling", pair.rolling), ("twisting", pair.twisting)])
        });
        let materials = self.materials.iter().enumerate().map(|(index, one)| {
            (format!("contact.materials[{index}]"), [("rolling", one.rolling), ("twisting", one.twisting)])
        });
        let own = ("contact".to_owned(), [("rolling", self.rolling), ("twisting", self.twisting)]);
        let all: Vec<_> = std::iter::once(own).chain(materials).chain(pairs).collect();
        let of_kind = |kind: usize| {
            let given = all.iter().map(move |(key, both)| (key, both[kind]));
            given.filter_map(|(key, (name, resistance))| resistance.map(|_| format!("{key}.{name}")))
        };
        of_kind(0).chain(of_kind(1)).collect()
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

    /// The largest stiffness of resistance to rolling and to twisting among contacts of free bodies of the materials
    /// `free` with bodies and walls of the materials `met`.
    pub(crate) fn largest_resistance(&self, mut free: Vec<u16>, mut met: Vec<u16>) -> LargestResistance {
        let names = self.names();
        for numbers in [&mut free, &mut met] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let mut largest = LargestResistance::default();
        for (&a, &b) in free.iter().flat_map(|a| met.iter().map(move |b| (a, b))) {
            let [first, second] = [a, b].map(|number| self.materials.get(usize::from(number)));
            let is_theirs = |pair: &&PairLaw| {
                let [one, two] = pair.between.each_ref().map(|name| names.iter().position(|known| known == name));
                let [a, b] = [a, b].map(|number| Some(usize::from(number)));
                [one, two] == [a, b] || [one, two] == [b, a]
            };
            let own = self.pairs.iter().find(is_theirs);
            let of = |own: Option<Resistance>, mixed: [Option<Resistance>; 2], usual: Option<Resistance>| {
                let mixed = mixed[0].zip(mixed[1]).map(|(a, b)| (a.stiffness * b.stiffness).sqrt());
                own.or(usual).map(|one| one.stiffness).or(mixed).unwrap_or(0.0)
            };
            let rolling = [first, second].map(|one| one.and_then(|one| one.rolling));
            let twisting = [first, second].map(|one| one.and_then(|one| one.twisting));
            largest.rolling = largest.rolling.max(of(own.and_then(|pair| pair.rolling), rolling, self.rolling));
            largest.twisting = largest.twisting.max(of(own.and_then(|pair| pair.twisting), twisting, self.twisting));
        }
        largest
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum NormalLaw {
    /// F = k δ.
    Hooke {
        /// k in N/m.
        stiffness: f64,
    },
    /// F = K √R δ^{3/2}.
    Hertz {
        /// K in Pa, 4/3 of the reduced modulus.
        modulus: f64,
    },
    /// Hertz' law, partial slip of Cattaneo and Mindlin, damping, friction and resistances from the moduli of
    /// [`materials`](ContactModel::materials): [`dem_contact::law::Materials::hertz_partial_slip`].
    HertzMindlin,
}

/// Damping of the normal motion.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum DampingLaw {
    /// No damping.
    #[default]
    None,
    /// `γ_n` in 1/s: the force is `γ_n m_eff` times the speed of the overlap, `[DK21] (22)`.
    Coefficient(f64),
    /// Coefficient of restitution: speed after an impact over that before, in (0, 1].
    Restitution(f64),
    /// The same with a normal force that is cut off at zero, so that it never attracts.
    RestitutionCapped(f64),
}

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
        modulus: f64,
        /// `γ_t` in 1/(m s).
        #[serde(default)]
        gamma: f64,
        /// Friction coefficient μ.
        friction: f64,
    },
    /// Partial slip beside Hertz' law: [`dem_contact::law::PartialSlip`].
    PartialSlip {
        /// `k_t` in Pa.
        modulus: f64,
        /// Friction coefficient μ.
        friction: f64,
    },
}

impl TangentLaw {
    /// Whether it has a friction coefficient, which may be zero.
    pub(crate) fn has_friction(&self) -> bool {
        !matches!(self, Self::Frictionless | Self::Viscous { .. })
    }
}

/// A spring with a dashpot beside it and a slider behind both, which resists rolling or twisting:
/// [`dem_contact::law::SpringSlider`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resistance {
    /// Stiffness: in N/m for rolling, measured as length at the reduced radius; in N m for twisting.
    pub stiffness: f64,
    /// Damping: in kg/s for rolling, in N m s for twisting.
    #[serde(default)]
    pub damping: f64,
    /// The coefficient of the largest resistance: without unit for rolling, in m for twisting.
    pub friction: f64,
}

/// Where the law of contacts between two materials differs from the general one.
///
/// It must have the same normal law, and springs exactly if the general law has them. Beside `hertz-mindlin` give only
/// restitution, friction and resistances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PairLaw {
    /// The two materials, which may be the same; bodies and walls without a material are of `"other"`, or of the first
    /// of [`materials`](ContactModel::materials).
    pub between: [String; 2],
    /// Elastic normal force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<NormalLaw>,
    /// Damping of the normal motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<DampingLaw>,
    /// Tangential force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential: Option<TangentLaw>,
    /// Coefficient of restitution beside `hertz-mindlin`; the geometric mean of both materials if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    /// Friction coefficient beside `hertz-mindlin`; the geometric mean of both materials if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Resistance to rolling; explicit integrators, and its `friction` in contact dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twisting: Option<Resistance>,
}

/// A material for [`NormalLaw::HertzMindlin`]: [`dem_contact::law::Material`] with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Young's modulus in Pa.
    pub young: f64,
    /// Poisson's ratio, in (−1, 1/2].
    pub poisson: f64,
    /// Coefficient of restitution of two bodies of this material, in (0, 1]; 1 if not given.
    #[serde(default = "one")]
    pub restitution: f64,
    /// Friction coefficient μ; 0 if not given.
    #[serde(default)]
    pub friction: f64,
    /// Resistance to rolling; explicit integrators, and its `friction` in contact dynamics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twisting: Option<Resistance>,
}

fn one() -> f64 {
    1.0
}
