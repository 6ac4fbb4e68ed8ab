//! From the laws of a scene to types: loops over contacts are compiled for each pair of kinds of laws.

use dem_contact::error::DemError;
use dem_contact::law::{
    ContactLaw, CoulombViscous, Damping, FrictionSpring, Hertz, Hooke, LawTable, MindlinSpring, Rolling, SpringSlider,
    TangentialLaw, Viscous,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::materials;
use super::memoryless::Memoryless;
use super::slipping::Slipping;
use super::sprung::Sprung;
use crate::scene::{ContactModel, DampingLaw, NormalLaw, PairLaw, Resistance, TangentLaw};
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
    fn with<L: Normal, T: Tangent>(self, laws: LawTable<L, T>) -> Self::Output;
}

/// Does `work` with the laws of `model`, resistance to rolling and twisting included. What is not asked for with them is not
/// compiled for them.
pub(crate) fn with_all_laws<W: WithLaws>(model: &ContactModel, work: W) -> Result<W::Output, GrainsError> {
    if model.resistances().iter().all(Vec::is_empty) {
        return with_laws(model, work);
    }
    Ok(match model.normal {
        NormalLaw::Hooke { .. } => work.with(pairs::<Hooke, Rolling<Slipping>>(model)?),
        NormalLaw::Hertz { .. } => work.with(pairs::<Hertz, Rolling<Slipping>>(model)?),
        NormalLaw::HertzMindlin => work.with(materials::rolling(model)?),
    })
}

/// Does `work` with the laws of `model`, but for resistance to rolling and twisting.
pub(crate) fn with_laws<W: WithLaws>(model: &ContactModel, work: W) -> Result<W::Output, GrainsError> {
    Ok(match (model.normal, has_spring(model)) {
        (NormalLaw::Hooke { .. }, false) => work.with(pairs::<Hooke, Memoryless>(model)?),
        (NormalLaw::Hooke { .. }, true) => work.with(pairs::<Hooke, Sprung>(model)?),
        (NormalLaw::Hertz { .. }, false) => work.with(pairs::<Hertz, Memoryless>(model)?),
        (NormalLaw::Hertz { .. }, true) => work.with(pairs::<Hertz, Sprung>(model)?),
        (NormalLaw::HertzMindlin, _) if model.key_of_friction().is_none() => work.with(materials::frictionless(model)?),
        (NormalLaw::HertzMindlin, _) => work.with(materials::sprung(model)?),
    })
}

fn has_spring(model: &ContactModel) -> bool {
    matches!(model.tangential, Some(TangentLaw::FrictionSpring { .. } | TangentLaw::MindlinSpring { .. }))
}

/// The laws of all pairs of materials.
fn pairs<L: Normal, T: Tangent>(model: &ContactModel) -> Result<LawTable<L, T>, GrainsError> {
    let names = model.names();
    let usual = (L::of(model, "contact")?, T::of(model, "contact")?);
    let (mut special, mut known) = (Vec::new(), Vec::new());
    for (index, pair) in model.pairs.iter().enumerate() {
        let whole = model.with(pair);
        let key = format!("contact.pairs[{index}]");
        let mixed = [("restitution", pair.restitution.is_some()), ("friction", pair.friction.is_some())];
        if let Some((name, _)) = mixed.into_iter().find(|(_, given)| *given) {
            let problem =
                "belongs to materials, beside the normal law `hertz-mindlin`; give `damping` and `tangential`";
            return Err(GrainsError::Conflict { at: Location::of(format!("{key}.{name}")), problem });
        }
        let numbers = numbers(&names, pair, &key, &mut known)?;
        special.push((numbers, (L::of(&whole, &key)?, T::of(&whole, &key)?)));
    }
    let between = |a: usize, b: usize| {
        let found = special.iter().find(|(numbers, _)| *numbers == [a.min(b), a.max(b)]);
        Ok(found.map_or(usual, |(_, laws)| *laws))
    };
    LawTable::new(names.len(), between).map_err(GrainsError::refused("contact.pairs"))
}

/// The numbers of a pair of materials in order, which are then `known`; each pair has one law.
pub(super) fn numbers(
    names: &[String],
    pair: &PairLaw,
    key: &str,
    known: &mut Vec<[usize; 2]>,
) -> Result<[usize; 2], GrainsError> {
    let number = |name: &String| build::bodies::material(names, name, &format!("{key}.between")).map(usize::from);
    let mut numbers = [number(&pair.between[0])?, number(&pair.between[1])?];
    numbers.sort_unstable();
    if known.contains(&numbers) {
        let problem = "the law between these two materials is given twice";
        return Err(GrainsError::Conflict { at: Location::of(key), problem });
    }
    known.push(numbers);
    Ok(numbers)
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
        match model.tangential.unwrap_or_default() {
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
        match model.tangential.unwrap_or_default() {
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

impl Tangent for Rolling<Slipping> {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        let slip = if has_spring(model) {
            Slipping::Sprung(Sprung::of(model, key)?)
        } else {
            Slipping::Memoryless(Memoryless::of(model, key)?)
        };
        let slider = |name: &str, resistance: Resistance| slider(format!("{key}.{name}"), resistance);
        let rolling = model.rolling.map(|resistance| slider("rolling", resistance)).transpose()?;
        let twisting = model.twisting.map(|resistance| slider("twisting", resistance)).transpose()?;
        Ok(match (rolling, twisting) {
            (Some(rolling), Some(twisting)) => Self::new(slip, rolling).with_twisting(twisting),
            (Some(rolling), None) => Self::new(slip, rolling),
            (None, Some(twisting)) => Self::twisting_alone(slip, twisting),
            // Only other materials resist: a slider without friction carries nothing.
            (None, None) => {
                Self::new(slip, slider("rolling", Resistance { stiffness: 1.0, damping: 0.0, friction: 0.0 })?)
            }
        })
    }
}

/// The resistance at `key`.
pub(super) fn slider(key: String, resistance: Resistance) -> Result<SpringSlider, GrainsError> {
    let Resistance { stiffness, damping, friction } = resistance;
    let under = |part: &str| format!("{key}.{part}");
    build::positive(under("stiffness"), stiffness)?;
    build::not_negative(under("damping"), damping)?;
    build::not_negative(under("friction"), friction)?;
    SpringSlider::new(stiffness, damping, friction).map_err(GrainsError::refused(key))
}

fn damping(model: &ContactModel, key: &str) -> Result<Damping, GrainsError> {
    let made: Result<Damping, DemError> = match model.damping.unwrap_or_default() {
        DampingLaw::None => Ok(Damping::NONE),
        DampingLaw::Coefficient(gamma) => Damping::coefficient(gamma),
        DampingLaw::Restitution(restitution) => Damping::restitution(restitution),
        DampingLaw::RestitutionCapped(restitution) => Damping::restitution_capped(restitution),
    };
    made.map_err(GrainsError::refused(format!("{key}.damping")))
}
