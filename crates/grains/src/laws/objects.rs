//! Law objects: the only file of `grains` that is compiled for each pair of a normal and a tangential law type.

use dem_contact::law::{
    CoRotating, ContactLaw, CoulombViscous, Dmt, FrictionSpring, Frictionless, Hertz, Hooke, Jkr, Laws,
    MindlinDeresiewicz, MindlinSpring, PlasticHooke, Rolling, SpringSlider, TangentialLaw, Viscous,
};

#[derive(Debug, Clone, Copy)]
pub(super) struct PairOfLaws {
    /// Normal law without adhesion and yielding.
    pub(super) elastic: Normal,
    /// Normal law of the pair's contacts, which may stick or yield.
    pub(super) normal: Normal,
    pub(super) tangential: Tangential,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Normal {
    Hooke(Hooke),
    Hertz(Hertz),
    PlasticHooke(PlasticHooke),
    Jkr(Jkr),
    Dmt(Dmt),
}

/// A tangential law with its resistances to rolling and twisting.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tangential {
    pub(super) slip: Slip,
    pub(super) rolling: Option<SpringSlider>,
    pub(super) twisting: Option<SpringSlider>,
    /// Whether the contact history, such as the stretch of a tangential spring, rotates with the contact.
    pub(super) is_objective: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Slip {
    Frictionless,
    Viscous(Viscous),
    CoulombViscous(CoulombViscous),
    FrictionSpring(FrictionSpring),
    MindlinSpring(MindlinSpring),
    MindlinDeresiewicz(MindlinDeresiewicz),
}

impl Slip {
    pub(super) fn has_spring(&self) -> bool {
        !matches!(self, Self::Frictionless | Self::Viscous(_) | Self::CoulombViscous(_))
    }
}

impl Tangential {
    pub(super) const NONE: Self = Self::of(Slip::Frictionless);

    pub(super) const fn of(slip: Slip) -> Self {
        Self { slip, rolling: None, twisting: None, is_objective: false }
    }

    /// Joins a normal law and a slip law to one law object. Resistances to rolling and twisting wrap `slip`; the
    /// rotation of the history wraps both.
    fn around<T: TangentialLaw + 'static>(&self, normal: impl ContactLaw + 'static, slip: T) -> Laws {
        let resists = self.rolling.or(self.twisting).is_some();
        let resisting = |slip: T| Rolling::with_resistances(slip, self.rolling, self.twisting);
        match (resists, self.is_objective && size_of::<T::History>() > 0) {
            (false, false) => Laws::of(normal, slip),
            (true, false) => Laws::of(normal, resisting(slip)),
            (false, true) => Laws::of(normal, CoRotating::new(slip)),
            (true, true) => Laws::of(normal, CoRotating::new(resisting(slip))),
        }
    }
}

impl PairOfLaws {
    pub(super) fn object(self) -> Laws {
        match self.normal {
            Normal::Hooke(law) => beside(law, &self.tangential),
            Normal::Hertz(law) => beside(law, &self.tangential),
            Normal::PlasticHooke(law) => beside(law, &self.tangential),
            Normal::Jkr(law) => beside(law, &self.tangential),
            Normal::Dmt(law) => beside(law, &self.tangential),
        }
    }
}

fn beside(normal: impl ContactLaw + 'static, tangential: &Tangential) -> Laws {
    match tangential.slip {
        Slip::Frictionless => tangential.around(normal, Frictionless),
        Slip::Viscous(law) => tangential.around(normal, law),
        Slip::CoulombViscous(law) => tangential.around(normal, law),
        Slip::FrictionSpring(law) => tangential.around(normal, law),
        Slip::MindlinSpring(law) => tangential.around(normal, law),
        Slip::MindlinDeresiewicz(law) => tangential.around(normal, law),
    }
}
