//! From the laws of a scene to types: loops over contacts are compiled for each pair of kinds of laws.

use dem_contact::{
    ContactLaw, CoulombViscous, Damping, DemError, FrictionSpring, Hertz, Hooke, MindlinSpring, PairLaws,
    TangentialLaw, Viscous,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::memoryless::Memoryless;
use super::sprung::Sprung;
use crate::scene::{ContactModel, DampingLaw, NormalLaw, TangentLaw};
use crate::{GrainsError, Location, build};

/// A normal law that can be stored.
pub(crate) trait Normal: ContactLaw + Copy + Serialize + DeserializeOwned + 'static {
    /// The law, if it is of this kind; `key` is where the model is.
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError>;
}

/// A tangential law that can be stored, with its memory.
pub(crate) trait Tangent:
    TangentialLaw<Memory: Serialize + DeserializeOwned> + Copy + Serialize + DeserializeOwned + 'static
{
    /// The law, if it is of this kind; `key` is where the model is.
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError>;
}

/// What is to be done once the types of the laws are known.
pub(crate) trait WithLaws {
    /// What it makes.
    type Output;

    /// Does it.
    fn with<L: Normal, T: Tangent>(self, laws: PairLaws<L, T>) -> Self::Output;
}

/// Does `work` with the laws of `model`.
pub(crate) fn with_laws<W: WithLaws>(model: &ContactModel, work: W) -> Result<W::Output, GrainsError> {
    let sprung = matches!(model.tangential, TangentLaw::FrictionSpring { .. } | TangentLaw::MindlinSpring { .. });
    Ok(match (model.normal, sprung) {
        (NormalLaw::Hooke { .. }, false) => work.with(pairs::<Hooke, Memoryless>(model)?),
        (NormalLaw::Hooke { .. }, true) => work.with(pairs::<Hooke, Sprung>(model)?),
        (NormalLaw::Hertz { .. }, false) => work.with(pairs::<Hertz, Memoryless>(model)?),
        (NormalLaw::Hertz { .. }, true) => work.with(pairs::<Hertz, Sprung>(model)?),
    })
}

/// The laws of all pairs of materials.
fn pairs<L: Normal, T: Tangent>(model: &ContactModel) -> Result<PairLaws<L, T>, GrainsError> {
    let names = model.materials();
    let usual = (L::of(model, "contact")?, T::of(model, "contact")?);
    let mut special = Vec::new();
    for (index, pair) in model.pairs.iter().enumerate() {
        let whole = ContactModel {
            normal: pair.normal.unwrap_or(model.normal),
            damping: pair.damping.unwrap_or(model.damping),
            tangential: pair.tangential.unwrap_or(model.tangential),
            ..ContactModel::of(model.normal)
        };
        let key = format!("contact.pairs[{index}]");
        let mut numbers = pair.between.each_ref().map(|name| names.iter().position(|known| known == name).unwrap_or(0));
        numbers.sort_unstable();
        if special.iter().any(|(known, _)| *known == numbers) {
            let problem = "the law between these two materials is given twice";
            return Err(GrainsError::Conflict { at: Location::of(key), problem });
        }
        special.push((numbers, (L::of(&whole, &key)?, T::of(&whole, &key)?)));
    }
    let between = |a: usize, b: usize| {
        let found = special.iter().find(|(numbers, _)| *numbers == [a.min(b), a.max(b)]);
        Ok(found.map_or(usual, |(_, laws)| *laws))
    };
    PairLaws::new(names.len(), between).map_err(GrainsError::refused("contact.pairs"))
}

fn other_kind<L>(key: &str, name: &str) -> Result<L, GrainsError> {
    let problem = "must be of the same kind as that of all contacts";
    Err(GrainsError::Conflict { at: Location::of(format!("{key}.{name}")), problem })
}

impl Normal for Hooke {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        let NormalLaw::Hooke { stiffness } = model.normal else { return other_kind(key, "normal") };
        build::positive(format!("{key}.normal.hooke.stiffness"), stiffness)?;
        Self::new(stiffness, damping(model, key)?).map_err(GrainsError::refused(format!("{key}.normal")))
    }
}

impl Normal for Hertz {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        let NormalLaw::Hertz { stiffness } = model.normal else { return other_kind(key, "normal") };
        build::positive(format!("{key}.normal.hertz.stiffness"), stiffness)?;
        Self::new(stiffness, damping(model, key)?).map_err(GrainsError::refused(format!("{key}.normal")))
    }
}

impl Tangent for Memoryless {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        let under = |law: &str, name: &str| format!("{key}.tangential.{law}.{name}");
        let refused = GrainsError::refused(format!("{key}.tangential"));
        match model.tangential {
            TangentLaw::Frictionless => Ok(Self::Frictionless),
            TangentLaw::Viscous { gamma } => {
                build::not_negative(under("viscous", "gamma"), gamma)?;
                Viscous::new(gamma).map(Self::Viscous).map_err(refused)
            }
            TangentLaw::CoulombViscous { gamma, friction } => {
                build::not_negative(under("coulomb-viscous", "gamma"), gamma)?;
                build::not_negative(under("coulomb-viscous", "friction"), friction)?;
                CoulombViscous::new(gamma, friction).map(Self::CoulombViscous).map_err(refused)
            }
            _ => other_kind(key, "tangential"),
        }
    }
}

impl Tangent for Sprung {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        let refused = GrainsError::refused(format!("{key}.tangential"));
        let check = |law: &str, stiffness, gamma, friction| -> Result<(), GrainsError> {
            let under = |name: &str| format!("{key}.tangential.{law}.{name}");
            build::positive(under("stiffness"), stiffness)?;
            build::not_negative(under("gamma"), gamma)?;
            build::not_negative(under("friction"), friction).map(|_| ())
        };
        match model.tangential {
            TangentLaw::FrictionSpring { stiffness, gamma, friction } => {
                check("friction-spring", stiffness, gamma, friction)?;
                FrictionSpring::new(stiffness, gamma, friction).map(Self::Linear).map_err(refused)
            }
            TangentLaw::MindlinSpring { stiffness, gamma, friction } => {
                check("mindlin-spring", stiffness, gamma, friction)?;
                MindlinSpring::new(stiffness, gamma, friction).map(Self::Mindlin).map_err(refused)
            }
            _ => other_kind(key, "tangential"),
        }
    }
}

fn damping(model: &ContactModel, key: &str) -> Result<Damping, GrainsError> {
    let made: Result<Damping, DemError> = match model.damping {
        DampingLaw::None => Ok(Damping::NONE),
        DampingLaw::Coefficient(gamma) => Damping::coefficient(gamma),
        DampingLaw::Restitution(restitution) => Damping::restitution(restitution),
        DampingLaw::RestitutionCapped(restitution) => Damping::restitution_capped(restitution),
    };
    made.map_err(GrainsError::refused(format!("{key}.damping")))
}
