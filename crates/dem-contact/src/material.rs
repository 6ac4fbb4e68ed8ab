//! Materials, and the laws between them.

use crate::error::{not_negative, positive};
use crate::{Damping, DemError, Hertz, MindlinSpring, PairLaws, PartialSlip, Rolling, SpringSlider};

/// What bodies are made of, for [`Materials`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Material {
    /// Young's modulus in Pa.
    pub young: f64,
    /// Poisson's ratio, in (−1, 1/2].
    pub poisson: f64,
    /// Speed after over speed before an impact with its like, in (0, 1].
    pub restitution: f64,
    /// Friction coefficient μ.
    pub friction: f64,
    /// Resistance to rolling, units as of [`Rolling`].
    pub rolling: Option<SpringSlider>,
    /// Resistance to twisting, units as of [`Rolling`].
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

/// Materials by number, and what is known of their pairs.
///
/// Moduli add up as compliances, `1/E* = Σ (1 − ν²)/E` and `1/G* = Σ 2 (2 − ν)(1 + ν)/E`; restitution, friction and the numbers
/// of resistances to rolling are geometric means, unless [`with_pair`](Self::with_pair) gives the pair its own.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given"))]
pub struct Materials {
    materials: Vec<Material>,
    /// Restitution and friction of pairs a ≤ b.
    pairs: Vec<([usize; 2], [f64; 2])>,
}

impl Materials {
    /// These materials, numbered from zero.
    #[must_use]
    pub fn new(materials: impl IntoIterator<Item = Material>) -> Self {
        Self { materials: materials.into_iter().collect(), pairs: Vec::new() }
    }

    /// The same with this restitution and friction between a and b.
    ///
    /// # Errors
    /// [`DemError::InvalidPair`] with [`DemError::UnknownMaterial`] or [`DemError::InvalidParameter`].
    pub fn with_pair(mut self, a: usize, b: usize, restitution: f64, friction: f64) -> Result<Self, DemError> {
        let (pair, materials) = ([a.min(b), a.max(b)], self.materials.len());
        let known = if pair[1] < materials {
            Damping::restitution(restitution).and_then(|_| not_negative("the friction coefficient", friction))
        } else {
            Err(DemError::UnknownMaterial { what: "pair with material", which: pair[0], material: pair[1], materials })
        };
        known.map_err(|reason| DemError::InvalidPair { materials: pair, reason: reason.into() })?;
        self.pairs.retain(|(known, _)| *known != pair);
        self.pairs.push((pair, [restitution, friction]));
        Ok(self)
    }

    /// The law of Hertz with Mindlin's tangential stiffness `8 G* √(R δ)`, damping by restitution along and across, and
    /// Coulomb's limit. Resistances to rolling are left out.
    ///
    /// # Errors
    /// [`DemError::InvalidPair`] with the pair of materials and what is wrong with it.
    pub fn hertz_mindlin(&self) -> Result<PairLaws<Hertz, MindlinSpring>, DemError> {
        PairLaws::new(self.materials.len(), |a, b| self.between(a, b)?.hertz_mindlin())
    }

    /// The law of Hertz with the tangential one of Cattaneo and Mindlin, partial slip included, damping by restitution along and across.
    /// Resistances to rolling are left out.
    ///
    /// # Errors
    /// As [`hertz_mindlin`](Self::hertz_mindlin).
    pub fn hertz_partial_slip(&self) -> Result<PairLaws<Hertz, PartialSlip>, DemError> {
        PairLaws::new(self.materials.len(), |a, b| {
            let Between { hertz, modulus, friction, damping } = self.between(a, b)?;
            Ok((hertz, PartialSlip::new(modulus, friction)?.damped(damping)))
        })
    }

    /// The same with resistance to rolling and twisting, where both materials of a pair have it.
    ///
    /// # Errors
    /// As [`hertz_mindlin`](Self::hertz_mindlin).
    pub fn hertz_mindlin_rolling(&self) -> Result<PairLaws<Hertz, Rolling<MindlinSpring>>, DemError> {
        PairLaws::new(self.materials.len(), |a, b| {
            let (hertz, spring) = self.between(a, b)?.hertz_mindlin()?;
            let [a, b] = [a, b].map(|k| &self.materials[k]);
            Ok((hertz, Rolling::with_resistances(spring, mean(a.rolling, b.rolling), mean(a.twisting, b.twisting))))
        })
    }

    fn between(&self, a: usize, b: usize) -> Result<Between, DemError> {
        let [first, second] = [self.materials[a], self.materials[b]];
        first.check()?;
        second.check()?;
        let plane = |m: &Material| (1.0 - m.poisson * m.poisson) / m.young;
        let shear = |m: &Material| 2.0 * (2.0 - m.poisson) * (1.0 + m.poisson) / m.young;
        let (young, shear) = ((plane(&first) + plane(&second)).recip(), (shear(&first) + shear(&second)).recip());
        let own = self.pairs.iter().find(|(pair, _)| *pair == [a.min(b), a.max(b)]);
        let geometric = |a: f64, b: f64| (a * b).sqrt();
        let mixed = [geometric(first.restitution, second.restitution), geometric(first.friction, second.friction)];
        let [restitution, friction] = own.map_or(mixed, |(_, own)| *own);
        let damping = Damping::restitution(restitution)?;
        Ok(Between { hertz: Hertz::new(4.0 / 3.0 * young, damping)?, modulus: 8.0 * shear, friction, damping })
    }
}

/// What is between two materials.
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

/// Materials as they are stored, to be checked on the way in.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    materials: Vec<Material>,
    pairs: Vec<([usize; 2], [f64; 2])>,
}

#[cfg(feature = "serde")]
impl TryFrom<Given> for Materials {
    type Error = DemError;

    fn try_from(given: Given) -> Result<Self, DemError> {
        given.pairs.iter().try_fold(Self::new(given.materials), |materials, &([a, b], [restitution, friction])| {
            materials.with_pair(a, b, restitution, friction)
        })
    }
}

/// The resistance between two materials: none where one of them has none.
fn mean(a: Option<SpringSlider>, b: Option<SpringSlider>) -> Option<SpringSlider> {
    let (a, b) = (a?, b?);
    let geometric = |a: f64, b: f64| (a * b).sqrt();
    Some(SpringSlider {
        stiffness: geometric(a.stiffness, b.stiffness),
        damping: geometric(a.damping, b.damping),
        friction: geometric(a.friction, b.friction),
    })
}
