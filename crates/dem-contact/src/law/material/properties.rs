//! Materials by their elastic constants, and the laws that follow from them.

use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::parameter::{not_negative, positive};
use crate::law::material::law_table::LawTable;
use crate::law::normal::damping::Damping;
use crate::law::normal::hertz::Hertz;
use crate::law::tangential::mindlin_spring::MindlinSpring;
use crate::law::tangential::partial_slip::PartialSlip;
use crate::law::tangential::rolling::Rolling;
use crate::law::tangential::spring_slider::{ResistanceSpring, SpringSlider};

/// What a body or wall is made of; see [`Materials`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Material {
    /// Young's modulus in Pa.
    pub young: f64,
    /// Poisson's ratio, in (−1, 1/2].
    pub poisson: f64,
    /// Restitution of an impact between two bodies of this material: speed after over speed before, in (0, 1].
    pub restitution: f64,
    /// Friction coefficient μ.
    pub friction: f64,
    /// Resistance to rolling; units as in [`Rolling`].
    pub rolling: Option<SpringSlider>,
    /// Resistance to twisting; units as in [`Rolling`].
    pub twisting: Option<SpringSlider>,
}

impl Material {
    /// A material that resists neither rolling nor twisting.
    #[must_use]
    pub fn new(young: f64, poisson: f64, restitution: f64, friction: f64) -> Self {
        Self { young, poisson, restitution, friction, rolling: None, twisting: None }
    }

    fn check(&self) -> Result<(), DemError> {
        positive("Young's modulus", self.young)?;
        if !(self.poisson > -1.0 && self.poisson <= 0.5) {
            let (parameter, range) = ("Poisson's ratio", "in (-1, 1/2]");
            return Err(DemError::InvalidParameter { parameter, range, value: self.poisson });
        }
        Damping::restitution(self.restitution)?;
        not_negative("the friction coefficient", self.friction)?;
        Ok(())
    }
}

/// Materials by number, and values that single pairs have of their own.
///
/// Moduli add up as compliances: `1/E* = Σ (1 − ν²)/E` and `1/G* = Σ 2 (2 − ν)(1 + ν)/E`. Restitution, friction and the
/// parameters of resistances are geometric means, unless a pair has its own.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given"))]
pub struct Materials {
    materials: Vec<Material>,
    /// Values of pairs a ≤ b that replace the means.
    restitution: OfPairs<f64>,
    friction: OfPairs<f64>,
    rolling: OfPairs<Option<SpringSlider>>,
    twisting: OfPairs<Option<SpringSlider>>,
}

/// Values of some pairs of materials.
type OfPairs<N> = Vec<([usize; 2], N)>;

impl Materials {
    /// These materials, numbered from zero.
    #[must_use]
    pub fn new(materials: impl IntoIterator<Item = Material>) -> Self {
        Self { materials: materials.into_iter().collect(), ..Self::default() }
    }

    /// The same with this restitution and friction between a and b.
    ///
    /// # Errors
    /// Those of [`with_restitution`](Self::with_restitution) and [`with_friction`](Self::with_friction).
    pub fn with_pair(self, a: usize, b: usize, restitution: f64, friction: f64) -> Result<Self, DemError> {
        self.with_restitution(a, b, restitution)?.with_friction(a, b, friction)
    }

    /// The same with this restitution between a and b.
    ///
    /// # Errors
    /// [`LawError::InvalidPair`] for the pair, with [`LawError::UnknownMaterial`] or [`DemError::InvalidParameter`] as
    /// its reason.
    pub fn with_restitution(mut self, a: usize, b: usize, restitution: f64) -> Result<Self, DemError> {
        let pair = self.pair(a, b)?;
        Damping::restitution(restitution).map_err(of_pair(pair))?;
        give(&mut self.restitution, pair, restitution);
        Ok(self)
    }

    /// The same with this friction coefficient between a and b.
    ///
    /// # Errors
    /// As [`with_restitution`](Self::with_restitution).
    pub fn with_friction(mut self, a: usize, b: usize, friction: f64) -> Result<Self, DemError> {
        let pair = self.pair(a, b)?;
        not_negative("the friction coefficient", friction).map_err(of_pair(pair))?;
        give(&mut self.friction, pair, friction);
        Ok(self)
    }

    /// The same with this resistance to rolling between a and b, or none. It replaces the mean of both materials; units
    /// as in [`Rolling`].
    ///
    /// # Errors
    /// [`LawError::InvalidPair`] for the pair, with [`LawError::UnknownMaterial`] as its reason.
    pub fn with_rolling(mut self, a: usize, b: usize, rolling: Option<SpringSlider>) -> Result<Self, DemError> {
        let pair = self.pair(a, b)?;
        give(&mut self.rolling, pair, rolling);
        Ok(self)
    }

    /// The same with this resistance to twisting between a and b, or none.
    ///
    /// # Errors
    /// As [`with_rolling`](Self::with_rolling).
    pub fn with_twisting(mut self, a: usize, b: usize, twisting: Option<SpringSlider>) -> Result<Self, DemError> {
        let pair = self.pair(a, b)?;
        give(&mut self.twisting, pair, twisting);
        Ok(self)
    }

    /// The numbers of a pair, the smaller one first.
    fn pair(&self, a: usize, b: usize) -> Result<[usize; 2], DemError> {
        let (pair, materials) = ([a.min(b), a.max(b)], self.materials.len());
        if pair[1] < materials {
            return Ok(pair);
        }
        let unknown = DemError::Law(LawError::UnknownMaterial {
            what: "pair with material",
            which: pair[0],
            material: pair[1],
            materials,
        });
        Err(of_pair(pair)(unknown))
    }

    /// Hertz' law with Mindlin's tangential stiffness `8 G* √(R δ)` as one spring, Coulomb's limit, and damping by
    /// restitution in both directions. Resistances to rolling and twisting are left out.
    ///
    /// # Errors
    /// [`LawError::InvalidPair`] with the pair of materials and the reason.
    pub fn hertz_mindlin(&self) -> Result<LawTable<Hertz, MindlinSpring>, DemError> {
        LawTable::new(self.materials.len(), |a, b| self.between(a, b)?.hertz_mindlin())
    }

    /// Hertz' law with the tangential law of Cattaneo and Mindlin, partial slip included, and damping by restitution in
    /// both directions. Resistances to rolling and twisting are left out.
    ///
    /// # Errors
    /// As [`hertz_mindlin`](Self::hertz_mindlin).
    pub fn hertz_partial_slip(&self) -> Result<LawTable<Hertz, PartialSlip>, DemError> {
        LawTable::new(self.materials.len(), |a, b| {
            let Between { hertz, modulus, friction, damping } = self.between(a, b)?;
            Ok((hertz, PartialSlip::new(modulus, friction)?.damped(damping)))
        })
    }

    /// [`hertz_mindlin`](Self::hertz_mindlin) with resistance to rolling and twisting, for pairs of which both
    /// materials have it or which have their own.
    ///
    /// # Errors
    /// As [`hertz_mindlin`](Self::hertz_mindlin).
    pub fn hertz_mindlin_rolling(&self) -> Result<LawTable<Hertz, Rolling<MindlinSpring>>, DemError> {
        LawTable::new(self.materials.len(), |a, b| {
            let (hertz, spring) = self.between(a, b)?.hertz_mindlin()?;
            let Coefficients { rolling, twisting, .. } = self.coefficients(a, b)?;
            Ok((hertz, Rolling::with_resistances(spring, rolling, twisting)))
        })
    }

    /// [`hertz_partial_slip`](Self::hertz_partial_slip) with resistance to rolling and twisting, likewise.
    ///
    /// # Errors
    /// As [`hertz_mindlin`](Self::hertz_mindlin).
    pub fn hertz_partial_slip_rolling(&self) -> Result<LawTable<Hertz, Rolling<PartialSlip>>, DemError> {
        let (slips, resistances) = (self.hertz_partial_slip()?, self.hertz_mindlin_rolling()?);
        LawTable::new(self.materials.len(), |a, b| {
            let &(hertz, slip) = slips.between(a, b);
            Ok((hertz, resistances.between(a, b).1.beside(slip)))
        })
    }

    /// Number of materials.
    pub(crate) fn len(&self) -> usize {
        self.materials.len()
    }

    /// What two materials have in common beside their moduli.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`].
    pub(crate) fn coefficients(&self, a: usize, b: usize) -> Result<Coefficients, DemError> {
        let [first, second] = [a, b].map(|k| &self.materials[k]);
        first.check()?;
        second.check()?;
        let pair = [a.min(b), a.max(b)];
        Ok(Coefficients {
            restitution: own(&self.restitution, pair).unwrap_or(geometric(first.restitution, second.restitution)),
            friction: own(&self.friction, pair).unwrap_or(geometric(first.friction, second.friction)),
            rolling: own(&self.rolling, pair).unwrap_or(mean(first.rolling, second.rolling)),
            twisting: own(&self.twisting, pair).unwrap_or(mean(first.twisting, second.twisting)),
        })
    }

    fn between(&self, a: usize, b: usize) -> Result<Between, DemError> {
        let [first, second] = [self.materials[a], self.materials[b]];
        let Coefficients { restitution, friction, .. } = self.coefficients(a, b)?;
        let plane = |m: &Material| (1.0 - m.poisson * m.poisson) / m.young;
        let shear = |m: &Material| 2.0 * (2.0 - m.poisson) * (1.0 + m.poisson) / m.young;
        let (young, shear) = ((plane(&first) + plane(&second)).recip(), (shear(&first) + shear(&second)).recip());
        let damping = Damping::restitution(restitution)?;
        Ok(Between { hertz: Hertz::new(4.0 / 3.0 * young, damping)?, modulus: 8.0 * shear, friction, damping })
    }
}

/// Impact, friction and resistances of a pair of materials.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coefficients {
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    pub(crate) rolling: Option<SpringSlider>,
    pub(crate) twisting: Option<SpringSlider>,
}

/// The constants of a pair of materials.
struct Between {
    hertz: Hertz,
    /// `8 G*` in Pa.
    modulus: f64,
    friction: f64,
    damping: Damping,
}

impl Between {
    fn hertz_mindlin(self) -> Result<(Hertz, MindlinSpring), DemError> {
        let spring = MindlinSpring::new(self.modulus, 0.0, self.friction)?;
        Ok((self.hertz, spring.damped(self.damping)))
    }
}

/// Materials as they are stored, before they are checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    materials: Vec<Material>,
    restitution: OfPairs<f64>,
    friction: OfPairs<f64>,
    rolling: OfPairs<Option<SpringSlider>>,
    twisting: OfPairs<Option<SpringSlider>>,
}

#[cfg(feature = "serde")]
impl TryFrom<Given> for Materials {
    type Error = DemError;

    fn try_from(given: Given) -> Result<Self, DemError> {
        let made = Self::new(given.materials);
        let made =
            given.restitution.into_iter().try_fold(made, |made, ([a, b], own)| made.with_restitution(a, b, own))?;
        let made = given.friction.into_iter().try_fold(made, |made, ([a, b], own)| made.with_friction(a, b, own))?;
        let made = given.rolling.into_iter().try_fold(made, |made, ([a, b], own)| made.with_rolling(a, b, own))?;
        given.twisting.into_iter().try_fold(made, |made, ([a, b], own)| made.with_twisting(a, b, own))
    }
}

/// Gives a pair a value of its own.
fn give<N>(given: &mut OfPairs<N>, pair: [usize; 2], number: N) {
    given.retain(|(known, _)| *known != pair);
    given.push((pair, number));
}

/// The own value of a pair, if it has one.
fn own<N: Copy>(given: &OfPairs<N>, pair: [usize; 2]) -> Option<N> {
    given.iter().find(|(known, _)| *known == pair).map(|(_, own)| *own)
}

fn of_pair(materials: [usize; 2]) -> impl Fn(DemError) -> DemError {
    move |reason| DemError::Law(LawError::InvalidPair { materials, reason: reason.into() })
}

fn geometric(a: f64, b: f64) -> f64 {
    (a * b).sqrt()
}

/// The resistance between two materials: none where one of them has none, and one by its coefficient alone where one of
/// them has no spring.
fn mean(a: Option<SpringSlider>, b: Option<SpringSlider>) -> Option<SpringSlider> {
    let (a, b) = (a?, b?);
    Some(SpringSlider {
        spring: match (a.spring, b.spring) {
            (ResistanceSpring::None, _) | (_, ResistanceSpring::None) => ResistanceSpring::None,
            (ResistanceSpring::Of(a), ResistanceSpring::Of(b)) => ResistanceSpring::Of(geometric(a, b)),
            (ResistanceSpring::OfSlip, _) | (_, ResistanceSpring::OfSlip) => ResistanceSpring::OfSlip,
        },
        damping: geometric(a.damping, b.damping),
        friction: geometric(a.friction, b.friction),
    })
}
