//! From the laws of a scene to types: loops over contacts are compiled for each pair of laws.

use dem_contact::{
    ContactLaw, CoulombViscous, Damping, DemError, FrictionSpring, Hertz, Hooke, MindlinSpring, TangentialLaw, Viscous,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::memoryless::Memoryless;
use super::sprung::Sprung;
use crate::scene::{ContactModel, DampingLaw, NormalLaw, TangentLaw};
use crate::{GrainsError, build};

/// A normal law that can be stored.
pub(crate) trait Normal: ContactLaw + Clone + Serialize + DeserializeOwned + 'static {}

impl<L: ContactLaw + Clone + Serialize + DeserializeOwned + 'static> Normal for L {}

/// A tangential law that can be stored, with its memory.
pub(crate) trait Tangent:
    TangentialLaw<Memory: Serialize + DeserializeOwned> + Clone + Serialize + DeserializeOwned + 'static
{
}

impl<T> Tangent for T where
    T: TangentialLaw<Memory: Serialize + DeserializeOwned> + Clone + Serialize + DeserializeOwned + 'static
{
}

/// What is to be done once the types of the laws are known.
pub(crate) trait WithLaws {
    /// What it makes.
    type Output;

    /// Does it.
    fn with<L: Normal, T: Tangent>(self, law: L, tangential: T) -> Self::Output;
}

/// Does `work` with the laws of `model`.
pub(crate) fn with_laws<W: WithLaws>(model: &ContactModel, work: W) -> Result<W::Output, GrainsError> {
    let damping = damping(&model.damping).map_err(GrainsError::refused("contact.damping"))?;
    let normal = |name: &str| format!("contact.normal.{name}.stiffness");
    match model.normal {
        NormalLaw::Hooke { stiffness } => {
            build::positive(normal("hooke"), stiffness)?;
            with_normal(Hooke::new(stiffness, damping).map_err(GrainsError::refused("contact.normal"))?, model, work)
        }
        NormalLaw::Hertz { stiffness } => {
            build::positive(normal("hertz"), stiffness)?;
            with_normal(Hertz::new(stiffness, damping).map_err(GrainsError::refused("contact.normal"))?, model, work)
        }
    }
}

fn with_normal<L: Normal, W: WithLaws>(law: L, model: &ContactModel, work: W) -> Result<W::Output, GrainsError> {
    let key = |law: &str, name: &str| format!("contact.tangential.{law}.{name}");
    let refused = GrainsError::refused("contact.tangential");
    Ok(match model.tangential {
        TangentLaw::Frictionless => work.with(law, Memoryless::Frictionless),
        TangentLaw::Viscous { gamma } => {
            build::not_negative(key("viscous", "gamma"), gamma)?;
            work.with(law, Memoryless::Viscous(Viscous::new(gamma).map_err(refused)?))
        }
        TangentLaw::CoulombViscous { gamma, friction } => {
            build::not_negative(key("coulomb-viscous", "gamma"), gamma)?;
            build::not_negative(key("coulomb-viscous", "friction"), friction)?;
            work.with(law, Memoryless::CoulombViscous(CoulombViscous::new(gamma, friction).map_err(refused)?))
        }
        TangentLaw::FrictionSpring { stiffness, gamma, friction } => {
            check_spring("friction-spring", stiffness, gamma, friction)?;
            work.with(law, Sprung::Linear(FrictionSpring::new(stiffness, gamma, friction).map_err(refused)?))
        }
        TangentLaw::MindlinSpring { stiffness, gamma, friction } => {
            check_spring("mindlin-spring", stiffness, gamma, friction)?;
            work.with(law, Sprung::Mindlin(MindlinSpring::new(stiffness, gamma, friction).map_err(refused)?))
        }
    })
}

fn check_spring(law: &str, stiffness: f64, gamma: f64, friction: f64) -> Result<(), GrainsError> {
    let key = |name: &str| format!("contact.tangential.{law}.{name}");
    build::positive(key("stiffness"), stiffness)?;
    build::not_negative(key("gamma"), gamma)?;
    build::not_negative(key("friction"), friction).map(|_| ())
}

fn damping(law: &DampingLaw) -> Result<Damping, DemError> {
    match *law {
        DampingLaw::None => Ok(Damping::NONE),
        DampingLaw::Coefficient(gamma) => Damping::coefficient(gamma),
        DampingLaw::Restitution(restitution) => Damping::restitution(restitution),
        DampingLaw::RestitutionCapped(restitution) => Damping::restitution_capped(restitution),
    }
}
