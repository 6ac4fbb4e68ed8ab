//! Tangential laws, few types for all of them: [`Memoryless`] without contact history, [`Spring`] with a spring as
//! history, and [`AnyTangential`] beside resistance to rolling and twisting. Partial slip, with its long history, is a
//! type of its own.

use dem_contact::law::{
    ContactKinematics, CoulombViscous, FrictionSpring, Frictionless, LeverArm, MindlinHistory, MindlinSpring,
    PartialSlip, Rolling, SpringSlider, TangentialJacobian, TangentialLaw, Viscous, WithTangentialLaw,
};
use rrp_geom::glam::DVec3;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::normal::other_kind;
use crate::error::{GrainsError, Location};
use crate::scene::contact::{ContactModel, NormalLaw, TangentLaw};
use crate::scene::resistance::{Resistance, Stiffness};
use crate::value::{not_negative, positive};

/// A tangential law that can be stored, with its history.
pub(crate) trait Tangential:
    TangentialLaw<History: Serialize + DeserializeOwned> + Copy + Serialize + DeserializeOwned + 'static
{
    /// The law of `model`, whose key is `key`.
    ///
    /// # Errors
    /// For a model of another kind, and for values without meaning.
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError>;
}

/// A tangential law without history. A contact without friction is evaluated without tangential terms, whatever this
/// type is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Memoryless {
    Frictionless,
    Viscous(Viscous),
    CoulombViscous(CoulombViscous),
}

/// A tangential law whose contacts have a spring.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Spring {
    Linear(FrictionSpring),
    Mindlin(MindlinSpring),
}

/// Any tangential law; the spring of one without history stays at zero.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum AnyTangential {
    Memoryless(Memoryless),
    Spring(Spring),
}

/// The kind of contact history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slip {
    /// Nothing.
    Memoryless,
    /// A spring.
    Spring,
    /// The springs of partial slip.
    Partial,
}

impl Slip {
    /// That of the contacts of `model`.
    ///
    /// # Errors
    /// For partial slip beside another normal law than Hertz'.
    pub(super) fn of(model: &ContactModel) -> Result<Self, GrainsError> {
        match (model.tangential.unwrap_or_default(), model.normal) {
            (TangentLaw::PartialSlip { .. }, NormalLaw::Hooke { .. }) => {
                let (at, problem) = (Location::of("contact.tangential"), "partial slip needs the normal law `hertz`");
                Err(GrainsError::Conflict { at, problem })
            }
            (TangentLaw::PartialSlip { .. }, _) if model.adhesion.is_some() => {
                let (at, problem) =
                    (Location::of("contact.tangential"), "partial slip has no adhesion: give `mindlin-spring`");
                Err(GrainsError::Conflict { at, problem })
            }
            (TangentLaw::PartialSlip { .. }, _) => Ok(Self::Partial),
            (TangentLaw::FrictionSpring { .. } | TangentLaw::MindlinSpring { .. }, _) => Ok(Self::Spring),
            (TangentLaw::Frictionless | TangentLaw::Viscous { .. } | TangentLaw::CoulombViscous { .. }, _) => {
                Ok(Self::Memoryless)
            }
        }
    }
}

impl TangentialLaw for Memoryless {
    type History = ();

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut ()) -> DVec3 {
        match self {
            Self::Frictionless => DVec3::ZERO,
            Self::Viscous(law) => law.force(contact, history),
            Self::CoulombViscous(law) => law.force(contact, history),
        }
    }

    fn slope(&self, contact: &ContactKinematics, history: &()) -> TangentialJacobian {
        match self {
            Self::Frictionless => TangentialJacobian::default(),
            Self::Viscous(law) => law.slope(contact, history),
            Self::CoulombViscous(law) => law.slope(contact, history),
        }
    }

    fn is_active(&self) -> bool {
        match self {
            Self::Frictionless => false,
            Self::Viscous(law) => law.is_active(),
            Self::CoulombViscous(law) => law.is_active(),
        }
    }

    #[inline(always)]
    fn with_own_type<W: WithTangentialLaw<()>>(&self, task: W) {
        match self {
            Self::Frictionless => task.with(&Frictionless),
            Self::Viscous(law) => task.with(law),
            Self::CoulombViscous(law) => task.with(law),
        }
    }
}

impl TangentialLaw for Spring {
    /// The spring of [`FrictionSpring`] is the one inside.
    type History = MindlinHistory;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut MindlinHistory) -> DVec3 {
        match self {
            Self::Linear(law) => law.force(contact, &mut history.spring),
            Self::Mindlin(law) => law.force(contact, history),
        }
    }

    fn slope(&self, contact: &ContactKinematics, history: &MindlinHistory) -> TangentialJacobian {
        match self {
            Self::Linear(law) => law.slope(contact, &history.spring),
            Self::Mindlin(law) => law.slope(contact, history),
        }
    }

    #[inline(always)]
    fn spring_stiffness(&self, history: &MindlinHistory) -> f64 {
        match self {
            Self::Linear(law) => law.spring_stiffness(&history.spring),
            Self::Mindlin(law) => law.spring_stiffness(history),
        }
    }

    fn stored_energy(&self, contact: &ContactKinematics, history: &MindlinHistory) -> f64 {
        match self {
            Self::Linear(law) => law.stored_energy(contact, &history.spring),
            Self::Mindlin(law) => law.stored_energy(contact, history),
        }
    }

    fn lever(&self) -> LeverArm {
        match self {
            Self::Linear(law) => law.lever(),
            Self::Mindlin(law) => law.lever(),
        }
    }

    fn is_active(&self) -> bool {
        match self {
            Self::Linear(law) => law.is_active(),
            Self::Mindlin(law) => law.is_active(),
        }
    }

    #[inline(always)]
    fn with_own_type<W: WithTangentialLaw<MindlinHistory>>(&self, task: W) {
        match self {
            Self::Linear(law) => task.with(&LinearSpring(*law)),
            Self::Mindlin(law) => task.with(law),
        }
    }
}

/// A [`FrictionSpring`] with the history of [`Spring`].
struct LinearSpring(FrictionSpring);

impl TangentialLaw for LinearSpring {
    type History = MindlinHistory;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut MindlinHistory) -> DVec3 {
        self.0.force(contact, &mut history.spring)
    }

    #[inline(always)]
    fn spring_stiffness(&self, history: &MindlinHistory) -> f64 {
        self.0.spring_stiffness(&history.spring)
    }

    fn stored_energy(&self, contact: &ContactKinematics, history: &MindlinHistory) -> f64 {
        self.0.stored_energy(contact, &history.spring)
    }

    fn lever(&self) -> LeverArm {
        self.0.lever()
    }

    fn is_active(&self) -> bool {
        self.0.is_active()
    }
}

impl TangentialLaw for AnyTangential {
    type History = MindlinHistory;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut MindlinHistory) -> DVec3 {
        match self {
            Self::Memoryless(law) => law.force(contact, &mut ()),
            Self::Spring(law) => law.force(contact, history),
        }
    }

    #[inline(always)]
    fn spring_stiffness(&self, history: &MindlinHistory) -> f64 {
        match self {
            Self::Memoryless(_) => 0.0,
            Self::Spring(law) => law.spring_stiffness(history),
        }
    }

    fn stored_energy(&self, contact: &ContactKinematics, history: &MindlinHistory) -> f64 {
        match self {
            Self::Memoryless(_) => 0.0,
            Self::Spring(law) => law.stored_energy(contact, history),
        }
    }

    fn lever(&self) -> LeverArm {
        match self {
            Self::Memoryless(law) => law.lever(),
            Self::Spring(law) => law.lever(),
        }
    }

    fn is_active(&self) -> bool {
        match self {
            Self::Memoryless(law) => law.is_active(),
            Self::Spring(law) => law.is_active(),
        }
    }

    #[inline(always)]
    fn with_own_type<W: WithTangentialLaw<MindlinHistory>>(&self, task: W) {
        match self {
            // Its spring, which stays at zero, makes it another type.
            Self::Memoryless(_) => task.with(self),
            Self::Spring(law) => law.with_own_type(task),
        }
    }
}

impl Tangential for Memoryless {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        let under = |law: &str, name: &str| format!("{key}.tangential.{law}.{name}");
        let refused = GrainsError::refused(format!("{key}.tangential"));
        match model.tangential.unwrap_or_default() {
            TangentLaw::Frictionless => Ok(Self::Frictionless),
            TangentLaw::Viscous { gamma } => {
                not_negative(under("viscous", "gamma"), gamma)?;
                Viscous::new(gamma).map(Self::Viscous).map_err(refused)
            }
            TangentLaw::CoulombViscous { gamma, friction } => {
                not_negative(under("coulomb-viscous", "gamma"), gamma)?;
                not_negative(under("coulomb-viscous", "friction"), friction)?;
                CoulombViscous::new(gamma, friction).map(Self::CoulombViscous).map_err(refused)
            }
            _ => other_kind(key, "tangential"),
        }
    }
}

impl Tangential for Spring {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        let refused = GrainsError::refused(format!("{key}.tangential"));
        let under = |law: &str, name: &str| format!("{key}.tangential.{law}.{name}");
        let check_damping = |law: &str, gamma, friction| {
            not_negative(under(law, "gamma"), gamma)?;
            not_negative(under(law, "friction"), friction)
        };
        match model.tangential.unwrap_or_default() {
            TangentLaw::FrictionSpring { stiffness, gamma, friction } => {
                positive(under("friction-spring", "stiffness"), stiffness)?;
                check_damping("friction-spring", gamma, friction)?;
                FrictionSpring::new(stiffness, gamma, friction).map(Self::Linear).map_err(refused)
            }
            TangentLaw::MindlinSpring { modulus, gamma, friction } => {
                positive(under("mindlin-spring", "modulus"), modulus)?;
                check_damping("mindlin-spring", gamma, friction)?;
                MindlinSpring::new(modulus, gamma, friction).map(Self::Mindlin).map_err(refused)
            }
            _ => other_kind(key, "tangential"),
        }
    }
}

impl Tangential for AnyTangential {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        if Slip::of(model)? == Slip::Spring {
            return Spring::of(model, key).map(Self::Spring);
        }
        Memoryless::of(model, key).map(Self::Memoryless)
    }
}

impl Tangential for PartialSlip {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        let TangentLaw::PartialSlip { modulus, friction } = model.tangential.unwrap_or_default() else {
            return other_kind(key, "tangential");
        };
        let under = |name: &str| format!("{key}.tangential.partial-slip.{name}");
        positive(under("modulus"), modulus)?;
        not_negative(under("friction"), friction)?;
        Self::new(modulus, friction).map_err(GrainsError::refused(format!("{key}.tangential")))
    }
}

impl<T: Tangential> Tangential for Rolling<T> {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        let slip = T::of(model, key)?;
        let is_of_slip = |one: Resistance| one.stiffness == Some(Stiffness::Tangential);
        let of_slip = [("rolling", model.rolling), ("twisting", model.twisting)];
        let of_slip = of_slip.into_iter().find(|(_, one)| one.is_some_and(is_of_slip));
        if let (Slip::Memoryless, Some((name, _))) = (Slip::of(model)?, of_slip) {
            let problem = "there is no tangential spring: give a number, or a `tangential` law with a spring";
            return Err(GrainsError::Conflict { at: Location::of(format!("{key}.{name}.stiffness")), problem });
        }
        let slider = |name: &str, resistance: Resistance| slider(format!("{key}.{name}"), resistance);
        let rolling = model.rolling.map(|resistance| slider("rolling", resistance)).transpose()?;
        let twisting = model.twisting.map(|resistance| slider("twisting", resistance)).transpose()?;
        Ok(match (rolling, twisting) {
            (Some(rolling), Some(twisting)) => Self::new(slip, rolling).with_twisting(twisting),
            (Some(rolling), None) => Self::new(slip, rolling),
            (None, Some(twisting)) => Self::twisting_alone(slip, twisting),
            // Only other materials resist: a slider without friction carries no load.
            (None, None) => {
                let none = Resistance { stiffness: Some(Stiffness::Fixed(1.0)), damping: 0.0, friction: 0.0 };
                Self::new(slip, slider("rolling", none)?)
            }
        })
    }
}

/// The resistance at `key`.
pub(super) fn slider(key: String, resistance: Resistance) -> Result<SpringSlider, GrainsError> {
    let Resistance { stiffness, damping, friction } = resistance;
    let under = |part: &str| format!("{key}.{part}");
    not_negative(under("damping"), damping)?;
    not_negative(under("friction"), friction)?;
    let made = match stiffness {
        None if damping > 0.0 => {
            let problem = "belongs to a spring: give `stiffness` too, or leave it out";
            return Err(GrainsError::Conflict { at: Location::of(under("damping")), problem });
        }
        None => SpringSlider::coefficient(friction),
        Some(Stiffness::Tangential) => SpringSlider::as_stiff_as_slip(damping, friction),
        Some(Stiffness::Fixed(stiffness)) => {
            positive(under("stiffness"), stiffness)?;
            SpringSlider::new(stiffness, damping, friction)
        }
    };
    made.map_err(GrainsError::refused(key))
}
