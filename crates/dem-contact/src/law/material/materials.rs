//! Materials by number, and the laws of their pairs.

use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::parameter::not_negative;
use crate::law::material::pair_of_materials::{MaterialTangential, PairOfMaterials};
use crate::law::material::pair_table::LawTable;
use crate::law::material::properties::{Coefficients, Material};
use crate::law::normal::damping::Damping;
use crate::law::tangential::spring_slider::SpringSlider;

/// Materials by number, and values of single pairs that replace the means of their materials.
///
/// The compliances of the two materials of a pair add up: `1/E* = Σ (1 − ν²)/E` and `1/G* = Σ 2 (2 − ν)(1 + ν)/E`, with
/// the reduced moduli E* and G*, Young's modulus E and Poisson's ratio ν. Restitution, friction and the parameters of
/// resistances are geometric means, unless a pair has values of its own.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given"))]
pub struct Materials {
    materials: Vec<Material>,
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

    fn known(&self, a: usize, b: usize) -> Result<[usize; 2], DemError> {
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

    /// Makes the table of Hertz' law with a tangential law, with normal and tangential damping by restitution. For
    /// pairs that resist rolling or twisting the tangential law is wrapped in [`Rolling`](crate::law::Rolling).
    ///
    /// # Errors
    /// [`LawError::InvalidPair`] with the pair of materials and the reason.
    pub fn hertz(&self, tangential: MaterialTangential) -> Result<LawTable, DemError> {
        LawTable::new(self.materials.len(), |a, b| {
            let pair = self.of([a, b])?;
            pair.laws(pair.hertz(), tangential)
        })
    }

    /// Makes the table of Hertz' law with Mindlin's stiffness `8 G* √(R δ)` as one spring (G*: reduced shear modulus,
    /// R: reduced radius, δ: overlap) and Coulomb's limit: [`hertz`](Self::hertz) with
    /// [`MaterialTangential::MindlinSpring`].
    ///
    /// # Errors
    /// Errors of [`hertz`](Self::hertz).
    pub fn hertz_mindlin(&self) -> Result<LawTable, DemError> {
        self.hertz(MaterialTangential::MindlinSpring)
    }

    /// Returns the constants of the pair of materials a and b, from which laws are made.
    ///
    /// # Errors
    /// [`LawError::InvalidPair`] for the pair, with [`LawError::UnknownMaterial`] or [`DemError::InvalidParameter`] as
    /// its reason.
    pub fn pair(&self, a: usize, b: usize) -> Result<PairOfMaterials, DemError> {
        let pair = self.known(a, b)?;
        self.of(pair).map_err(of_pair(pair))
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
        let mean = Coefficients::mean(first, second);
        Ok(Coefficients {
            restitution: own(&self.restitution, pair).unwrap_or(mean.restitution),
            friction: own(&self.friction, pair).unwrap_or(mean.friction),
            rolling: own(&self.rolling, pair).unwrap_or(mean.rolling),
            twisting: own(&self.twisting, pair).unwrap_or(mean.twisting),
        })
    }

    fn of(&self, pair: [usize; 2]) -> Result<PairOfMaterials, DemError> {
        let [a, b] = pair;
        let coefficients = self.coefficients(a, b)?;
        PairOfMaterials::new(pair.map(|k| &self.materials[k]), coefficients)
    }
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

/// Returns the value of its own that a pair of materials a ≤ b was given; `None` if it has the mean of both materials.
fn own<N: Copy>(given: &OfPairs<N>, pair: [usize; 2]) -> Option<N> {
    given.iter().find(|(known, _)| *known == pair).map(|(_, own)| *own)
}

fn of_pair(materials: [usize; 2]) -> impl Fn(DemError) -> DemError {
    move |reason| DemError::Law(LawError::InvalidPair { materials, reason: reason.into() })
}
