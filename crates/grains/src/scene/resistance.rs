//! Resistance of contacts to rolling and twisting.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::contact::{ContactModel, PairLaw};

/// Largest stiffness of resistance to rolling and to twisting, in the units of [`Resistance`].
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
    /// Stiffness of the spring: in N/m for rolling, measured as length at the reduced radius; in N m for twisting.
    /// `"tangential"` takes the stiffness of the tangential spring, times the square of the reduced radius as a torque.
    /// Without a stiffness the resistance is the coefficient alone, as a constant torque against the spin. Then a ball
    /// on a slope creeps, and one that touches two walls or more keeps a small spin that changes its sign from step to
    /// step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "N/m or N m", "toml" = r#""tangential""#))]
    pub stiffness: Option<Stiffness>,
    /// Damping beside the spring: in kg/s for rolling, in N m s for twisting.
    #[serde(default)]
    #[schemars(extend("unit" = "kg/s or N m s", "toml" = "1.0"))]
    pub damping: f64,
    /// Coefficient of the largest resistance over the normal force: without unit for rolling, in m for twisting.
    #[schemars(extend("unit" = "1 or m", "toml" = "0.05"))]
    pub friction: f64,
}

/// The stiffness of a resistance to rolling or twisting: a number, or `"tangential"`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stiffness {
    /// The stiffness of the contact's tangential spring.
    Tangential,
    /// A stiffness in N/m for rolling, in N m for twisting.
    Fixed(f64),
}

impl Serialize for Stiffness {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Tangential => to.serialize_str("tangential"),
            Self::Fixed(stiffness) => to.serialize_f64(*stiffness),
        }
    }
}

impl JsonSchema for Stiffness {
    fn schema_name() -> Cow<'static, str> {
        "Stiffness".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "The stiffness of a resistance: a number, or `\"tangential\"`.", "oneOf": [
            { "type": "number", "description": "Stiffness in N/m for rolling, in N m for twisting." },
            { "const": "tangential", "description": "The stiffness of the tangential spring." },
        ] })
    }
}

impl<'de> Deserialize<'de> for Stiffness {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = Stiffness;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or \"tangential\"")
    }

    fn visit_f64<E: Error>(self, stiffness: f64) -> Result<Stiffness, E> {
        Ok(Stiffness::Fixed(stiffness))
    }

    fn visit_i64<E: Error>(self, stiffness: i64) -> Result<Stiffness, E> {
        Ok(Stiffness::Fixed(stiffness as f64))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Stiffness, E> {
        match word {
            "tangential" => Ok(Stiffness::Tangential),
            _ if word.parse::<f64>().is_ok() => {
                Err(E::custom("must be a number without quotation marks, or \"tangential\""))
            }
            _ => Err(E::unknown_variant(word, &["tangential"])),
        }
    }
}

impl ContactModel {
    /// Returns the key of the first resistance to rolling or twisting with `stiffness = "tangential"`.
    pub(crate) fn key_of_tangential_resistance(&self) -> Option<String> {
        let is_tangential =
            |one: Option<Resistance>| one.is_some_and(|one| one.stiffness == Some(Stiffness::Tangential));
        let of = |key: String, rolling: Option<Resistance>, twisting: Option<Resistance>| {
            let both = [("rolling", rolling), ("twisting", twisting)];
            let found = both.into_iter().find(|(_, one)| is_tangential(*one));
            found.map(|(name, _)| format!("{key}.{name}.stiffness"))
        };
        let materials = self.materials.iter().enumerate();
        let materials = materials.map(|(k, one)| of(format!("contact.materials[{k}]"), one.rolling, one.twisting));
        let pairs = self.pairs.iter().enumerate();
        let pairs = pairs.map(|(k, one)| of(format!("contact.pairs[{k}]"), one.rolling, one.twisting));
        let own = std::iter::once(of("contact".to_owned(), self.rolling, self.twisting));
        own.chain(materials).chain(pairs).flatten().next()
    }

    /// Returns the keys of all resistances to rolling and twisting, rolling first.
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

    /// Computes the largest stiffness of resistance to rolling and to twisting among contacts of free bodies of the
    /// materials `free` with bodies and walls of the materials `met`. Stiffnesses of tangential springs are left out.
    pub(crate) fn largest_resistance(&self, mut free: Vec<u16>, mut met: Vec<u16>) -> LargestResistance {
        let names = self.names();
        for numbers in [&mut free, &mut met] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let mut largest = LargestResistance::default();
        let stiffness = |one: Resistance| match one.stiffness {
            Some(Stiffness::Fixed(stiffness)) => stiffness,
            Some(Stiffness::Tangential) | None => 0.0,
        };
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
