//! Materials with their elastic constants, and the constants of their pairs.

use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::parameter::{not_negative, positive};
use crate::law::normal::damping::Damping;
use crate::law::tangential::spring_slider::{ResistanceSpring, SpringSlider};

/// Constants of the material of a body or a wall; see [`Materials`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Material {
    /// Young's modulus of the material in Pa.
    pub young: f64,
    /// Poisson's ratio of the material, in (−1, 1/2].
    pub poisson: f64,
    /// Restitution of an impact between two bodies of this material: speed after over speed before, in (0, 1].
    pub restitution: f64,
    /// Friction coefficient μ between two bodies of this material.
    pub friction: f64,
    /// Resistance to rolling between two bodies of this material; units as in [`Rolling`](crate::law::Rolling).
    pub rolling: Option<SpringSlider>,
    /// Resistance to twisting between two bodies of this material; units as in [`Rolling`](crate::law::Rolling).
    pub twisting: Option<SpringSlider>,
}

impl Material {
    /// Makes a material without resistance to rolling or twisting.
    #[must_use]
    pub fn new(young: f64, poisson: f64, restitution: f64, friction: f64) -> Self {
        Self { young, poisson, restitution, friction, rolling: None, twisting: None }
    }

    /// Checks that all numbers of the material are in their ranges.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] with the first number that is out of its range.
    pub fn check(&self) -> Result<(), DemError> {
        positive("Young's modulus", self.young)?;
        if !(self.poisson > -1.0 && self.poisson <= 0.5) {
            let parameter = "Poisson's ratio";
            let range = "above -1 and at most 1/2";
            return Err(DemError::InvalidParameter { parameter, range, value: self.poisson });
        }
        Damping::restitution(self.restitution)?;
        not_negative("the friction coefficient", self.friction)?;
        Ok(())
    }
}

/// Materials by number, and values of single pairs that replace the means of their materials.
///
/// The compliances of the two materials of a pair add up: `1/E* = Σ (1 − ν²)/E` and `1/G* = Σ 2 (2 − ν)(1 + ν)/E`, with
/// the reduced moduli E* and G*, Young's modulus E and Poisson's ratio ν. Restitution, friction and the parameters of
/// resistances are geometric means, unless a pair has values of its own.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given"))]
pub struct Materials {
    pub(super) materials: Vec<Material>,
    /// Restitution of pairs of materials a ≤ b with a value of their own in place of the mean; the fields below have
    /// friction, rolling and twisting of such pairs.
    restitution: OfPairs<f64>,
    friction: OfPairs<f64>,
    rolling: OfPairs<Option<SpringSlider>>,
    twisting: OfPairs<Option<SpringSlider>>,
}

type OfPairs<N> = Vec<([usize; 2], N)>;

impl Materials {
    /// Makes a set of materials, which are numbered from zero.
    #[must_use]
    pub fn new(materials: impl IntoIterator<Item = Material>) -> Self {
        Self { materials: materials.into_iter().collect(), ..Self::default() }
    }

    /// Sets the restitution and the friction coefficient between materials a and b.
    ///
    /// # Errors
    /// Errors of [`with_restitution`](Self::with_restitution) and [`with_friction`](Self::with_friction).
    pub fn with_pair(self, a: usize, b: usize, restitution: f64, friction: f64) -> Result<Self, DemError> {
        self.with_restitution(a, b, restitution)?.with_friction(a, b, friction)
    }

    /// Sets the coefficient of restitution between materials a and b.
    ///
    /// # Errors
    /// [`LawError::InvalidPair`] for the pair, with [`LawError::UnknownMaterial`] or [`DemError::InvalidParameter`] as
    /// its reason.
    pub fn with_restitution(mut self, a: usize, b: usize, restitution: f64) -> Result<Self, DemError> {
        let pair = self.known(a, b)?;
        Damping::restitution(restitution).map_err(of_pair(pair))?;
        give(&mut self.restitution, pair, restitution);
        Ok(self)
    }

    /// Sets the friction coefficient between materials a and b.
    ///
    /// # Errors
    /// Errors of [`with_restitution`](Self::with_restitution).
    pub fn with_friction(mut self, a: usize, b: usize, friction: f64) -> Result<Self, DemError> {
        let pair = self.known(a, b)?;
        not_negative("the friction coefficient", friction).map_err(of_pair(pair))?;
        give(&mut self.friction, pair, friction);
        Ok(self)
    }

    /// Sets the resistance to rolling between materials a and b, or none, in place of the mean of both materials; units
    /// as in [`Rolling`](crate::law::Rolling).
    ///
    /// # Errors
    /// [`LawError::InvalidPair`] for the pair, with [`LawError::UnknownMaterial`] as its reason.
    pub fn with_rolling(mut self, a: usize, b: usize, rolling: Option<SpringSlider>) -> Result<Self, DemError> {
        let pair = self.known(a, b)?;
        give(&mut self.rolling, pair, rolling);
        Ok(self)
    }

    /// Sets the resistance to twisting between materials a and b, or none, in place of the mean of both materials.
    ///
    /// # Errors
    /// Errors of [`with_rolling`](Self::with_rolling).
    pub fn with_twisting(mut self, a: usize, b: usize, twisting: Option<SpringSlider>) -> Result<Self, DemError> {
        let pair = self.known(a, b)?;
        give(&mut self.twisting, pair, twisting);
        Ok(self)
    }

    pub(super) fn known(&self, a: usize, b: usize) -> Result<[usize; 2], DemError> {
        let pair = [a.min(b), a.max(b)];
        let materials = self.materials.len();
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

    pub(crate) fn len(&self) -> usize {
        self.materials.len()
    }

    /// Returns restitution, friction and resistances between materials a and b.
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
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Coefficients {
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    pub(crate) rolling: Option<SpringSlider>,
    pub(crate) twisting: Option<SpringSlider>,
}

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

fn give<N>(given: &mut OfPairs<N>, pair: [usize; 2], number: N) {
    given.retain(|(known, _)| *known != pair);
    given.push((pair, number));
}

/// Value of a pair of materials; `None` if the pair has the mean of both materials.
fn own<N: Copy>(given: &OfPairs<N>, pair: [usize; 2]) -> Option<N> {
    given.iter().find(|(known, _)| *known == pair).map(|(_, own)| *own)
}

pub(super) fn of_pair(materials: [usize; 2]) -> impl Fn(DemError) -> DemError {
    move |reason| DemError::Law(LawError::InvalidPair { materials, reason: reason.into() })
}

fn geometric(a: f64, b: f64) -> f64 {
    (a * b).sqrt()
}

/// Returns the mean resistance of two materials to rolling or twisting. There is no resistance if one of the materials
/// has none. There is no spring if one resistance has none. The spring is as stiff as the tangential spring if both
/// resistances have springs and one of them is that stiff.
fn mean(a: Option<SpringSlider>, b: Option<SpringSlider>) -> Option<SpringSlider> {
    let a = a?;
    let b = b?;
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
