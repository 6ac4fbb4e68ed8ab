//! Resistance of contacts to rolling and twisting.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contact::{ContactModel, PairLaw};

/// Stiffness of resistance, in the units of [`Resistance`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct LargestResistance {
    pub(crate) rolling: f64,
    pub(crate) twisting: f64,
}

/// A spring with a dashpot beside it and a slider behind both, which resists rolling or twisting:
/// [`dem_contact::law::SpringSlider`].
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Resistance {
    /// Stiffness: in N/m for rolling, measured as length at the reduced radius; in N m for twisting. Without it the
    /// resistance is the coefficient alone, as a constant torque against the spin. Then a ball on a slope creeps, and one
    /// that touches two walls or more keeps a small spin that changes its sign from step to step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "N/m or N m", "toml" = "1e4"))]
    pub stiffness: Option<f64>,
    /// Damping: in kg/s for rolling, in N m s for twisting.
    #[serde(default)]
    #[schemars(extend("unit" = "kg/s or N m s", "toml" = "1.0"))]
    pub damping: f64,
    /// The coefficient of the largest resistance: without unit for rolling, in m for twisting.
    #[schemars(extend("unit" = "1 or m", "toml" = "0.05"))]
    pub friction: f64,
}

impl ContactModel {
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

    /// The largest stiffness of resistance to rolling and to twisting among contacts of free bodies of the materials
    /// `free` with bodies and walls of the materials `met`.
    pub(crate) fn largest_resistance(&self, mut free: Vec<u16>, mut met: Vec<u16>) -> LargestResistance {
        let names = self.names();
        for numbers in [&mut free, &mut met] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let mut largest = LargestResistance::default();
        let stiffness = |one: Resistance| one.stiffness.unwrap_or(0.0);
        for (&a, &b) in free.iter().flat_map(|a| met.iter().map(move |b| (a, b))) {
            let [first, second] = [a, b].map(|number| self.materials.get(usize::from(number)));
            let is_theirs = |pair: &&PairLaw| {
                let [one, two] = pair.between.each_ref().map(|name| names.iter().position(|known| known == name));
                let [a, b] = [a, b].map(|number| Some(usize::from(number)));
                [one, two] == [a, b] || [one, two] == [b, a]
            };
            let own = self.pairs.iter().find(is_theirs);
            let of = |own: Option<Resistance>, mixed: [Option<Resistance>; 2], usual: Option<Resistance>| {
                let mixed = mixed[0].zip(mixed[1]).map(|(a, b)| (stiffness(a) * stiffness(b)).sqrt());
                own.or(usual).map(stiffness).or(mixed).unwrap_or(0.0)
            };
            let rolling = [first, second].map(|one| one.and_then(|one| one.rolling));
            let twisting = [first, second].map(|one| one.and_then(|one| one.twisting));
            largest.rolling = largest.rolling.max(of(own.and_then(|pair| pair.rolling), rolling, self.rolling));
            largest.twisting = largest.twisting.max(of(own.and_then(|pair| pair.twisting), twisting, self.twisting));
        }
        largest
    }
}
