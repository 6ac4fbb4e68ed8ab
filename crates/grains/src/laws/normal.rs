//! Normal laws.

use dem_contact::error::DemError;
use dem_contact::law::{ContactLaw, Damping, Hertz, Hooke, WithContactLaw};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{GrainsError, Location};
use crate::scene::contact::{ContactModel, DampingLaw, NormalLaw};
use crate::value::positive;

/// A normal law that can be stored.
pub(crate) trait Normal: ContactLaw + Copy + Serialize + DeserializeOwned + 'static {
    /// The law of `model`, whose key is `key`.
    ///
    /// # Errors
    /// For a model of another kind, and for values without meaning.
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError>;
}

/// Any normal law that neither sticks nor yields. Loops over contacts choose it once for many contacts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum AnyNormal {
    Hooke(Hooke),
    Hertz(Hertz),
}

impl Normal for AnyNormal {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        match model.normal {
            NormalLaw::Hooke { .. } => hooke(model, key).map(Self::Hooke),
            NormalLaw::Hertz { .. } | NormalLaw::HertzMindlin => hertz(model, key).map(Self::Hertz),
        }
    }
}

/// Hooke's law of `model`, whose key is `key`.
pub(super) fn hooke(model: &ContactModel, key: &str) -> Result<Hooke, GrainsError> {
    let NormalLaw::Hooke { stiffness } = model.normal else { return other_kind(key, "normal") };
    positive(format!("{key}.normal.hooke.stiffness"), stiffness)?;
    Hooke::new(stiffness, damping(model, key)?).map_err(GrainsError::refused(format!("{key}.normal")))
}

/// Hertz' law of `model`, whose key is `key`.
pub(super) fn hertz(model: &ContactModel, key: &str) -> Result<Hertz, GrainsError> {
    let NormalLaw::Hertz { modulus } = model.normal else { return other_kind(key, "normal") };
    positive(format!("{key}.normal.hertz.modulus"), modulus)?;
    Hertz::new(modulus, damping(model, key)?).map_err(GrainsError::refused(format!("{key}.normal")))
}

/// Does the same for each law.
macro_rules! each {
    ($self:expr, $law:ident => $value:expr) => {
        match $self {
            AnyNormal::Hooke($law) => $value,
            AnyNormal::Hertz($law) => $value,
        }
    };
}

impl ContactLaw for AnyNormal {
    #[inline]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        each!(self, law => law.energy(overlap, radius))
    }

    #[inline]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        each!(self, law => law.force(overlap, radius))
    }

    #[inline]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        each!(self, law => law.stiffness(overlap, radius))
    }

    #[inline]
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        each!(self, law => law.damping(overlap, radius, mass))
    }

    #[inline]
    fn damping_slope(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        each!(self, law => law.damping_slope(overlap, radius, mass))
    }

    fn is_damped(&self) -> bool {
        each!(self, law => law.is_damped())
    }

    fn is_capped(&self) -> bool {
        each!(self, law => law.is_capped())
    }

    fn range(&self, radius: f64) -> f64 {
        each!(self, law => law.range(radius))
    }

    #[inline(always)]
    fn with_own_type<W: WithContactLaw>(&self, task: W) {
        each!(self, law => task.with(law));
    }
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

/// The error for a pair of materials whose law is of another kind than the general one.
pub(super) fn other_kind<L>(key: &str, name: &str) -> Result<L, GrainsError> {
    let problem = "must be of the same kind as that of all contacts";
    Err(GrainsError::Conflict { at: Location::of(format!("{key}.{name}")), problem })
}
