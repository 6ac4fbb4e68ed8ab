//! Laws of tests as few types.
//!
//! The contact loop is compiled for each pair of types of laws, and that is most of what this program takes to compile.
//! So tests take their laws as [`AnyNormal`] beside [`Memoryless`] or [`Remembering`], which choose at each contact. The
//! forces have the bits of the law inside. Tests of the loop itself, in `determinism` and `friction/bed`, take laws as
//! they are.

use std::any::Any;

use dem_contact::law::{
    CoRotated, CoRotating, ContactHistory, ContactKinematics, ContactLaw, CoulombViscous, FrictionSpring,
    FrictionWorkHistory, Frictionless, Hertz, Hooke, LeverArm, MindlinHistory, MindlinSpring, PartialSlip,
    PartialSlipHistory, Rolled, Rolling, TangentialJacobian, TangentialLaw, Viscous, WithFrictionWork,
};
use rrp_geom::glam::{DMat3, DVec3};

use crate::laws::Exponential;
use crate::{friction, history, walls};

/// A tangential law that is told as one of the few types.
pub(crate) trait Common: Copy + Send + Sync {
    /// That type.
    type Law: TangentialLaw + Copy;

    /// The same law as that type.
    fn common(self) -> Self::Law;
}

/// An enum of laws, with one variant for each.
macro_rules! laws {
    ($(#[$attribute:meta])* $name:ident { $($variant:ident($law:ty),)* }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub(crate) enum $name {
            $($variant($law),)*
        }

        $(impl From<$law> for $name {
            fn from(law: $law) -> Self {
                Self::$variant(law)
            }
        })*
    };
}

/// The same of tangential laws, which are told as it.
macro_rules! tangential_laws {
    ($(#[$attribute:meta])* $name:ident { $($variant:ident($law:ty),)* }) => {
        laws! { $(#[$attribute])* $name { $($variant($law),)* } }

        $(impl Common for $law {
            type Law = $name;

            fn common(self) -> $name {
                self.into()
            }
        })*
    };
}

/// Does the same for each variant of a law.
macro_rules! each {
    ($self:expr, $name:ident { $($variant:ident),* }, $law:ident => $value:expr) => {
        match $self {
            $($name::$variant($law) => $value,)*
        }
    };
}

laws! {
    /// A normal law.
    AnyNormal {
        Hooke(Hooke),
        Hertz(Hertz),
        Exponential(Exponential),
        Tie(friction::time_level::Tie),
    }
}

macro_rules! normal {
    ($self:expr, $law:ident => $value:expr) => {
        each!($self, AnyNormal { Hooke, Hertz, Exponential, Tie }, $law => $value)
    };
}

impl ContactLaw for AnyNormal {
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        normal!(self, law => law.energy(overlap, radius))
    }

    fn force(&self, overlap: f64, radius: f64) -> f64 {
        normal!(self, law => law.force(overlap, radius))
    }

    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        normal!(self, law => law.stiffness(overlap, radius))
    }

    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        normal!(self, law => law.damping(overlap, radius, mass))
    }

    fn damping_slope(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        normal!(self, law => law.damping_slope(overlap, radius, mass))
    }

    fn is_damped(&self) -> bool {
        normal!(self, law => law.is_damped())
    }

    fn is_capped(&self) -> bool {
        normal!(self, law => law.is_capped())
    }
}

tangential_laws! {
    /// A tangential law without history.
    Memoryless {
        Frictionless(Frictionless),
        Viscous(Viscous),
        CoulombViscous(CoulombViscous),
        Brake(friction::ledger::Brake),
    }
}

macro_rules! memoryless {
    ($self:expr, $law:ident => $value:expr) => {
        each!($self, Memoryless { Frictionless, Viscous, CoulombViscous, Brake }, $law => $value)
    };
}

impl TangentialLaw for Memoryless {
    type History = ();

    fn force(&self, contact: &ContactKinematics, history: &mut ()) -> DVec3 {
        memoryless!(self, law => law.force(contact, history))
    }

    fn slope(&self, contact: &ContactKinematics, history: &()) -> TangentialJacobian {
        memoryless!(self, law => law.slope(contact, history))
    }

    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut ()) -> DVec3 {
        memoryless!(self, law => law.couple(contact, spin, history))
    }

    fn resists_rolling(&self) -> bool {
        memoryless!(self, law => law.resists_rolling())
    }

    fn lever(&self) -> LeverArm {
        memoryless!(self, law => law.lever())
    }

    fn is_active(&self) -> bool {
        memoryless!(self, law => law.is_active())
    }
}

tangential_laws! {
    /// A tangential law with a history.
    Remembering {
        Spring(FrictionSpring),
        Mindlin(MindlinSpring),
        Slip(PartialSlip),
        Unlimited(history::Spring),
        Limited(walls::support::Spring),
        Rolls(Rolling<FrictionSpring>),
        MindlinRolls(Rolling<MindlinSpring>),
        Turns(CoRotating<FrictionSpring>),
        MindlinTurns(CoRotating<MindlinSpring>),
        SlipTurns(CoRotating<PartialSlip>),
        GripTurns(CoRotating<friction::time_level::Grip>),
        RollsAndTurns(CoRotating<Rolling<FrictionSpring>>),
        Metered(WithFrictionWork<FrictionSpring>),
        MeteredRolls(WithFrictionWork<Rolling<FrictionSpring>>),
        MeteredTurns(WithFrictionWork<CoRotating<FrictionSpring>>),
        MeteredRollsAndTurns(WithFrictionWork<CoRotating<Rolling<FrictionSpring>>>),
    }
}

macro_rules! remembering {
    ($self:expr, $law:ident => $value:expr) => {
        each!(
            $self,
            Remembering {
                Spring, Mindlin, Slip, Unlimited, Limited, Rolls, MindlinRolls, Turns, MindlinTurns, SlipTurns,
                GripTurns, RollsAndTurns, Metered, MeteredRolls, MeteredTurns, MeteredRollsAndTurns
            },
            $law => $value
        )
    };
}

impl TangentialLaw for Remembering {
    type History = AnyHistory;

    fn force(&self, contact: &ContactKinematics, history: &mut AnyHistory) -> DVec3 {
        remembering!(self, law => history.change(|own| law.force(contact, own)))
    }

    fn slope(&self, contact: &ContactKinematics, history: &AnyHistory) -> TangentialJacobian {
        remembering!(self, law => law.slope(contact, &history.own()))
    }

    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut AnyHistory) -> DVec3 {
        remembering!(self, law => history.change(|own| law.couple(contact, spin, own)))
    }

    fn resists_rolling(&self) -> bool {
        remembering!(self, law => law.resists_rolling())
    }

    fn stored_energy(&self, contact: &ContactKinematics, history: &AnyHistory) -> f64 {
        remembering!(self, law => law.stored_energy(contact, &history.own()))
    }

    fn friction_work(&self, history: &AnyHistory) -> Option<f64> {
        remembering!(self, law => law.friction_work(&history.own()))
    }

    fn turns(&self) -> bool {
        remembering!(self, law => law.turns())
    }

    fn lever(&self) -> LeverArm {
        remembering!(self, law => law.lever())
    }

    fn is_active(&self) -> bool {
        remembering!(self, law => law.is_active())
    }
}

/// An enum of histories, with one variant for each.
macro_rules! histories {
    ($($variant:ident($history:ty),)*) => {
        /// The history of a [`Remembering`] law.
        #[derive(Debug, Clone, Copy, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub(crate) enum AnyHistory {
            /// Of a new contact.
            #[default]
            New,
            $($variant($history),)*
        }

        $(impl From<$history> for AnyHistory {
            fn from(history: $history) -> Self {
                Self::$variant(history)
            }
        })*

        impl AnyHistory {
            /// The history as its own type: that of a new contact if it is none.
            fn own<H: Copy + Default + 'static>(&self) -> H {
                let found: &dyn Any = match self {
                    Self::New => &(),
                    $(Self::$variant(history) => history,)*
                };
                found.downcast_ref().copied().unwrap_or_default()
            }
        }

        impl ContactHistory for AnyHistory {
            fn reversed(self) -> Self {
                match self {
                    Self::New => Self::New,
                    $(Self::$variant(history) => Self::$variant(history.reversed()),)*
                }
            }

            fn turned(self, rotation: &DMat3) -> Self {
                match self {
                    Self::New => Self::New,
                    $(Self::$variant(history) => Self::$variant(history.turned(rotation)),)*
                }
            }

            fn begun(self) -> Self {
                match self {
                    Self::New => Self::New,
                    $(Self::$variant(history) => Self::$variant(history.begun()),)*
                }
            }
        }
    };
}

histories! {
    Spring(DVec3),
    Slip(PartialSlipHistory),
    Mindlin(MindlinHistory),
    Rolls(Rolled<DVec3>),
    MindlinRolls(Rolled<MindlinHistory>),
    Turns(CoRotated<DVec3>),
    MindlinTurns(CoRotated<MindlinHistory>),
    SlipTurns(CoRotated<PartialSlipHistory>),
    RollsAndTurns(CoRotated<Rolled<DVec3>>),
    Metered(FrictionWorkHistory<DVec3>),
    MeteredRolls(FrictionWorkHistory<Rolled<DVec3>>),
    MeteredTurns(FrictionWorkHistory<CoRotated<DVec3>>),
    MeteredRollsAndTurns(FrictionWorkHistory<CoRotated<Rolled<DVec3>>>),
}

impl AnyHistory {
    /// Changes the history as its own type. It is not inlined: the contact loop would have it for each law.
    #[inline(never)]
    fn change<H: Copy + Default + Into<Self> + 'static, R>(&mut self, change: impl FnOnce(&mut H) -> R) -> R {
        let mut own = self.own();
        let result = change(&mut own);
        *self = own.into();
        result
    }
}
