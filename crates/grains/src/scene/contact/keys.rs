//! Keys of the laws of a contact model, for messages, and which laws need each other.

use dem_contact::law::Damping;

use super::{ContactModel, NormalLaw, PairLaw};
use crate::error::{GrainsError, Location};
use crate::scene::resistance::Resistance;
use crate::scene::tangential::TangentLaw;
use crate::value::word_of;

impl ContactModel {
    /// Checks that materials with moduli, and the values of pairs that are means of materials, are given only where a
    /// normal law needs them.
    pub(crate) fn check_materials(&self) -> Result<(), GrainsError> {
        let of_pairs = self.pairs.iter().filter_map(|pair| pair.normal);
        let needs_moduli = of_pairs.chain([self.normal]).any(|normal| normal == NormalLaw::HertzMindlin);
        match (needs_moduli, self.materials.is_empty()) {
            (true, true) => {
                return Err(GrainsError::MissingKey { at: Location::of("contact"), missing: "materials".into() });
            }
            (false, false) => {
                let problem = "materials by their moduli need the normal law `hertz-mindlin`: write it as `normal` of \
                               `contact` or of a pair, or leave out `materials`";
                return Err(GrainsError::conflict("contact.materials", problem));
            }
            (true, false) | (false, true) => {}
        }
        let pairs = self.pairs.iter().enumerate();
        for (index, pair) in pairs.filter(|(_, pair)| self.normal_of(pair) != NormalLaw::HertzMindlin) {
            if pair.restitution.is_some() {
                let problem = "is for the normal law `hertz-mindlin`: for `hooke` and `hertz` write \
                               `damping = { restitution = 0.6 }`";
                return Err(GrainsError::conflict(format!("contact.pairs[{index}].restitution"), problem));
            }
            if pair.friction.is_some() {
                let problem = "is for the normal law `hertz-mindlin`: for `hooke` and `hertz` write \
                               `tangential = { friction-spring = { stiffness = 3e4, friction = 0.2 } }`";
                return Err(GrainsError::conflict(format!("contact.pairs[{index}].friction"), problem));
            }
        }
        Ok(())
    }

    /// Returns the key of the law by which contacts stick or yield, for messages; none if they do neither.
    pub(crate) fn key_of_sticking(&self) -> Option<&'static str> {
        match (self.adhesion, self.plastic) {
            (Some(_), _) => Some("contact.adhesion"),
            (None, Some(_)) => Some("contact.plastic"),
            (None, None) => None,
        }
    }

    /// Checks that laws of contacts that stick or yield have the normal law that they need.
    pub(crate) fn check_sticking(&self) -> Result<(), GrainsError> {
        let conflict = |key: String, problem| Err(GrainsError::conflict(key, problem));
        let is_hooke = matches!(self.normal, NormalLaw::Hooke { .. });
        if self.adhesion.is_some() && self.plastic.is_some() {
            let problem = "belongs to the normal law `hooke`, and `adhesion` to `hertz` and `hertz-mindlin`: write \
                           only one of them";
            return conflict("contact.plastic".into(), problem);
        }
        if self.adhesion.is_some() && is_hooke {
            let problem = "needs the normal law `hertz` or `hertz-mindlin` in `contact.normal`: write it there, and \
                           `hooke` in `contact.pairs` for the pairs that do not stick; beside `hooke` write `plastic`";
            return conflict("contact.adhesion".into(), problem);
        }
        if self.plastic.is_some() && !is_hooke {
            let problem = "needs the normal law `hooke` in `contact.normal`: write it there, or write `adhesion` \
                           beside `hertz` and `hertz-mindlin`";
            return conflict("contact.plastic".into(), problem);
        }
        let adhesion_of_pair = self.pairs.iter().position(|pair| pair.adhesion.is_some());
        let adhesion_of_material = self.materials.iter().position(|one| one.adhesion.is_some());
        if self.adhesion.is_none() {
            let problem = if is_hooke {
                "needs a law of adhesion, and `hooke` has none: write `hertz` or `hertz-mindlin` in `contact.normal`, \
                 `contact.adhesion = { jkr = 0.0 }` with the work of adhesion of all other contacts instead of 0.0, \
                 and `hooke` in `contact.pairs` for the pairs that do not stick"
            } else {
                "needs a law of adhesion: write `contact.adhesion = { jkr = 0.0 }`, or `dmt`, with the work of \
                 adhesion of all other contacts instead of 0.0"
            };
            if let Some(index) = adhesion_of_material {
                return conflict(format!("contact.materials[{index}].adhesion"), problem);
            }
            if let Some(index) = adhesion_of_pair {
                return conflict(format!("contact.pairs[{index}].adhesion"), problem);
            }
        }
        let never_sticks = |pair: &PairLaw| matches!(self.normal_of(pair), NormalLaw::Hooke { .. });
        if let Some(index) = self.pairs.iter().position(|pair| pair.adhesion.is_some() && never_sticks(pair)) {
            let problem = "needs the normal law `hertz` or `hertz-mindlin`: write it as `normal` of this pair, or \
                           leave out `adhesion`";
            return conflict(format!("contact.pairs[{index}].adhesion"), problem);
        }
        Ok(())
    }

    /// Returns the key of the first law in the scene that does not follow from materials. Explicit damping by `none`
    /// counts.
    pub(crate) fn key_of_own_laws(&self) -> Option<String> {
        let is_own = |law: &TangentLaw| *law == TangentLaw::Frictionless || !law.follows_from_moduli();
        let is_numbered = |normal: NormalLaw| normal != NormalLaw::HertzMindlin;
        let slip = self.tangential_laws().find(|(_, law)| is_own(law)).map(|(key, _)| format!("{key}.tangential"));
        let general = [
            ("damping", self.damping.is_some()),
            ("rolling", self.rolling.is_some()),
            ("twisting", self.twisting.is_some()),
            ("normal", true),
        ];
        let general = || {
            let given = general.into_iter().find(|(_, is_given)| *is_given && is_numbered(self.normal));
            given.map(|(name, _)| format!("contact.{name}"))
        };
        let of_pair = || {
            let numbered = self.pairs.iter().position(|pair| pair.normal.is_some_and(is_numbered));
            numbered.map(|index| format!("contact.pairs[{index}].normal"))
        };
        slip.or_else(general).or_else(of_pair)
    }

    /// Returns the key of the first damping law, unless it is `none`.
    pub(crate) fn key_of_damping(&self) -> Option<String> {
        let is_damped = |damping: Option<Damping>| damping.is_some_and(|law| law != Damping::NONE);
        let of_pair = || {
            let damped = self.pairs.iter().position(|pair| is_damped(pair.damping));
            damped.map(|index| format!("contact.pairs[{index}].damping"))
        };
        is_damped(self.damping).then(|| "contact.damping".to_owned()).or_else(of_pair)
    }

    /// Returns the key of the tables that name the materials, for messages.
    pub(crate) fn key_of_materials(&self) -> &'static str {
        if self.materials.is_empty() { "contact.pairs" } else { "contact.materials" }
    }

    /// Lists the tangential laws with the keys of the tables that have them, the law of all contacts first.
    pub(crate) fn tangential_laws(&self) -> impl Iterator<Item = (String, TangentLaw)> {
        let of_pair = |(index, pair): (usize, &PairLaw)| (format!("contact.pairs[{index}]"), pair.tangential);
        let own = ("contact".to_owned(), self.tangential);
        let all = std::iter::once(own).chain(self.pairs.iter().enumerate().map(of_pair));
        all.filter_map(|(key, law)| law.map(|law| (key, law)))
    }

    /// Returns the key of the first friction coefficient: of a material or a pair, unless it is zero, or of a
    /// tangential law.
    pub(crate) fn key_of_friction(&self) -> Option<String> {
        let rough = |friction: f64| friction != 0.0;
        let is_spring = |law: TangentLaw| law != TangentLaw::Frictionless && law.follows_from_moduli();
        let is_used =
            self.tangential != Some(TangentLaw::Frictionless) || self.tangential_laws().any(|(_, law)| is_spring(law));
        let material = self.materials.iter().position(|one| rough(one.friction));
        let pair = self.pairs.iter().position(|pair| pair.friction.is_some_and(rough));
        let of_material = material.map(|index| format!("contact.materials[{index}].friction"));
        let of_material = of_material.or_else(|| pair.map(|index| format!("contact.pairs[{index}].friction")));
        let mut of_laws = self.tangential_laws();
        let of_law = of_laws.find(|(_, law)| law.friction().is_some()).map(|(key, _)| format!("{key}.tangential"));
        of_material.filter(|_| is_used).or(of_law)
    }

    /// Returns the key of the first tangential law whose history turns with its contact.
    pub(crate) fn key_of_objective(&self) -> Option<String> {
        let found = self.tangential_laws().find(|(_, law)| law.is_objective());
        found.map(|(key, law)| format!("{key}.tangential.{}.objective", word_of(&law)))
    }

    /// Lists the resistances to rolling and to twisting with their keys, rolling first: those of all contacts, of
    /// materials and of pairs.
    pub(crate) fn resistances(&self) -> impl Iterator<Item = (String, Resistance)> {
        let all = move || {
            let materials = self.materials.iter().enumerate();
            let materials = materials.map(|(k, one)| (format!("contact.materials[{k}]"), [one.rolling, one.twisting]));
            let pairs = self.pairs.iter().enumerate();
            let pairs = pairs.map(|(k, pair)| (format!("contact.pairs[{k}]"), [pair.rolling, pair.twisting]));
            std::iter::once(("contact".to_owned(), [self.rolling, self.twisting])).chain(materials).chain(pairs)
        };
        ["rolling", "twisting"].into_iter().enumerate().flat_map(move |(kind, name)| {
            all().filter_map(move |(key, both)| Some((format!("{key}.{name}"), both[kind]?)))
        })
    }
}
