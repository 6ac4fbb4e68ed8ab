//! The law of contacts.

use serde::{Deserialize, Serialize};

use super::{DampingLaw, Material, NormalLaw, PairLaw, Resistance, TangentLaw};
use crate::{GrainsError, Location};

/// The material of what is given none.
const OTHER: &str = "other";

/// The law of all contacts, those with walls included, but for pairs of materials that have one of their own.
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
    /// Resistance to rolling; explicit integrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; explicit integrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twisting: Option<Resistance>,
    /// Width of the skin of neighbour lists; a fifth of the smallest radius if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<f64>,
    /// Materials by their moduli, for `hertz-mindlin`; what is given none is of the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    /// Laws between materials, where they differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairLaw>,
    /// Materials of the walls, in the order of their numbers; elastic walls have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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

    /// All resistances to rolling, and all to twisting, each with the key of its model.
    pub(crate) fn resistances(&self) -> [Vec<(String, Resistance)>; 2] {
        let pairs = self.pairs.iter().enumerate().map(|(index, pair)| {
            (format!("contact.pairs[{index}]"), [("rolling", pair.rolling), ("twisting", pair.twisting)])
        });
        let materials = self.materials.iter().enumerate().map(|(index, one)| {
            (format!("contact.materials[{index}]"), [("rolling", one.rolling), ("twisting", one.twisting)])
        });
        let own = ("contact".to_owned(), [("rolling", self.rolling), ("twisting", self.twisting)]);
        let mut found = [Vec::new(), Vec::new()];
        for (key, both) in std::iter::once(own).chain(materials).chain(pairs) {
            for (found, (name, resistance)) in found.iter_mut().zip(both) {
                found.extend(resistance.map(|resistance| (format!("{key}.{name}"), resistance)));
            }
        }
        found
    }

    /// Passes materials with moduli where the law takes them, and none elsewhere.
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

    /// The largest stiffness of resistance to rolling, and to twisting, of free bodies of these materials with whatever they may meet.
    pub(crate) fn stiffest(&self, mut free: Vec<u16>, mut met: Vec<u16>) -> [f64; 2] {
        let names = self.names();
        for numbers in [&mut free, &mut met] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let mut stiffest = [0.0_f64; 2];
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
            stiffest[0] = stiffest[0].max(of(own.and_then(|pair| pair.rolling), rolling, self.rolling));
            stiffest[1] = stiffest[1].max(of(own.and_then(|pair| pair.twisting), twisting, self.twisting));
        }
        stiffest
    }

    /// The key that says which materials there are.
    pub(crate) fn key_of_materials(&self) -> &'static str {
        if self.materials.is_empty() { "contact.pairs" } else { "contact.materials" }
    }

    /// The key of a tangential law with a friction coefficient, be it zero, or of the friction of materials, if there is any.
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

    /// The names of all materials in the order of their numbers: those with moduli, or `"other"` first.
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
