//! Laws of two materials.

use crate::error::DemError;
use crate::law::contact_law::ContactLaw;
use crate::law::laws::Laws;
use crate::law::material::pair_table::LawTable;
use crate::law::material::properties::{Coefficients, Material, Materials, of_pair};
use crate::law::normal::damping::Damping;
use crate::law::normal::hertz::Hertz;
use crate::law::tangential::memoryless::Frictionless;
use crate::law::tangential::mindlin_deresiewicz::MindlinDeresiewicz;
use crate::law::tangential::mindlin_spring::MindlinSpring;
use crate::law::tangential::rolling::Rolling;
use crate::law::tangential::spring_slider::SpringSlider;
use crate::law::tangential_law::TangentialLaw;

/// Choice of the tangential law whose constants are computed from those of two materials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaterialTangential {
    /// Tangential law [`MindlinSpring`]: Mindlin's stiffness as one spring, with Coulomb's limit.
    MindlinSpring,
    /// Tangential law [`MindlinDeresiewicz`]: partial slip by Cattaneo and Mindlin.
    MindlinDeresiewicz,
    /// Tangential law [`Frictionless`]: no friction, and no resistance to rolling or twisting either.
    Frictionless,
}

/// Constants of a pair of materials, made by [`Materials::pair`](crate::law::Materials::pair), and laws with these
/// constants.
///
/// ```
/// use dem_contact::law::{Jkr, Material, MaterialTangential, Materials};
///
/// let pair = Materials::new([Material::new(7e10, 0.2, 0.8, 0.4)]).pair(0, 0)?;
/// let sticky = pair.laws(Jkr::new(pair.hertz(), 0.05)?, MaterialTangential::MindlinSpring)?;
/// # let _ = sticky;
/// # Ok::<(), dem_contact::error::DemError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PairOfMaterials {
    hertz: Hertz,
    /// Tangential modulus 8 G* in Pa of the pair of materials, with the reduced shear modulus G*.
    modulus: f64,
    damping: Damping,
    coefficients: Coefficients,
}

impl PairOfMaterials {
    pub(super) fn new([a, b]: [&Material; 2], coefficients: Coefficients) -> Result<Self, DemError> {
        let plane = |m: &Material| (1.0 - m.poisson * m.poisson) / m.young;
        let shear = |m: &Material| 2.0 * (2.0 - m.poisson) * (1.0 + m.poisson) / m.young;
        let young = (plane(a) + plane(b)).recip();
        let shear = (shear(a) + shear(b)).recip();
        let damping = Damping::restitution(coefficients.restitution)?;
        Ok(Self { hertz: Hertz::new(4.0 / 3.0 * young, damping)?, modulus: 8.0 * shear, damping, coefficients })
    }

    /// Returns Hertz' law with the modulus of this pair of materials, and damping by their restitution.
    #[must_use]
    pub fn hertz(&self) -> Hertz {
        self.hertz
    }

    /// Returns Mindlin's tangential stiffness `8 G* √(R δ)` as one spring, with damping by restitution: G* is the
    /// reduced shear modulus of the materials, R the reduced radius and δ the overlap.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] if the modulus is too large for a number.
    pub fn mindlin_spring(&self) -> Result<MindlinSpring, DemError> {
        Ok(MindlinSpring::new(self.modulus, 0.0, self.coefficients.friction)?.damped(self.damping))
    }

    /// Returns the tangential law of Cattaneo and Mindlin for this pair of materials, with damping by their
    /// restitution.
    ///
    /// # Errors
    /// Errors of [`mindlin_spring`](Self::mindlin_spring).
    pub fn mindlin_deresiewicz(&self) -> Result<MindlinDeresiewicz, DemError> {
        Ok(MindlinDeresiewicz::new(self.modulus, self.coefficients.friction)?.damped(self.damping))
    }

    /// Resistance of this pair of materials to rolling, if there is any; units as in [`Rolling`].
    #[must_use]
    pub fn rolling(&self) -> Option<SpringSlider> {
        self.coefficients.rolling
    }

    /// Resistance of this pair of materials to twisting, if there is any; units as in [`Rolling`].
    #[must_use]
    pub fn twisting(&self) -> Option<SpringSlider> {
        self.coefficients.twisting
    }

    /// Joins a normal law with the tangential law of these materials. If the materials resist rolling or twisting, the
    /// tangential law is wrapped in [`Rolling`].
    ///
    /// # Errors
    /// Errors of [`mindlin_spring`](Self::mindlin_spring).
    pub fn laws(&self, normal: impl ContactLaw + 'static, tangential: MaterialTangential) -> Result<Laws, DemError> {
        Ok(match tangential {
            MaterialTangential::MindlinSpring => self.resisting(normal, self.mindlin_spring()?),
            MaterialTangential::MindlinDeresiewicz => self.resisting(normal, self.mindlin_deresiewicz()?),
            MaterialTangential::Frictionless => Laws::of(normal, Frictionless),
        })
    }

    fn resisting(&self, normal: impl ContactLaw + 'static, slip: impl TangentialLaw + 'static) -> Laws {
        match (self.rolling(), self.twisting()) {
            (None, None) => Laws::of(normal, slip),
            (rolling, twisting) => Laws::of(normal, Rolling::with_resistances(slip, rolling, twisting)),
        }
    }
}

impl Materials {
    /// Makes the table of Hertz' law with a tangential law, with normal and tangential damping by restitution. For
    /// pairs that resist rolling or twisting the tangential law is wrapped in [`Rolling`](crate::law::Rolling).
    ///
    /// # Errors
    /// [`LawError::InvalidPair`](crate::error::LawError) with the pair of materials and the reason.
    pub fn hertz(&self, tangential: MaterialTangential) -> Result<LawTable, DemError> {
        LawTable::new(self.len(), |a, b| {
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
    /// `InvalidPair` for the pair, with [`UnknownMaterial`](crate::error::LawError) or [`DemError::InvalidParameter`]
    /// as its reason.
    pub fn pair(&self, a: usize, b: usize) -> Result<PairOfMaterials, DemError> {
        let pair = self.known(a, b)?;
        self.of(pair).map_err(of_pair(pair))
    }

    fn of(&self, pair: [usize; 2]) -> Result<PairOfMaterials, DemError> {
        let [a, b] = pair;
        let coefficients = self.coefficients(a, b)?;
        PairOfMaterials::new(pair.map(|k| &self.materials[k]), coefficients)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::law::LawError;
    use crate::law::normal::jkr::Jkr;
    use crate::law::pair_law::PairLaw;

    #[test]
    fn only_pairs_that_resist_have_resistances_and_other_normal_laws_may_be_given() {
        let resistance = SpringSlider::new(10.0, 0.1, 0.2).unwrap();
        let plain = Material::new(1e7, 0.3, 0.8, 0.5);
        let resists = Material { twisting: Some(resistance), ..plain };
        let materials = Materials::new([plain, resists]).with_rolling(0, 1, Some(resistance)).unwrap();
        let names = |tangential: MaterialTangential| {
            let laws = materials.hertz(tangential).unwrap();
            [[0, 0], [0, 1], [1, 1]].map(|[a, b]| laws.between(a, b).traits().names.join(" "))
        };
        for (tangential, name) in [
            (MaterialTangential::MindlinSpring, "MindlinSpring"),
            (MaterialTangential::MindlinDeresiewicz, "MindlinDeresiewicz"),
        ] {
            let rolling = format!("Hertz Rolling<{name}>");
            assert_eq!(names(tangential), [format!("Hertz {name}"), rolling.clone(), rolling]);
        }
        assert_eq!(names(MaterialTangential::Frictionless), ["Hertz Frictionless"; 3]);
        let pair = materials.pair(1, 0).unwrap();
        assert_eq!([pair.rolling(), pair.twisting()], [Some(resistance), None]);
        let sticky = pair.laws(Jkr::new(pair.hertz(), 0.1).unwrap(), MaterialTangential::MindlinSpring).unwrap();
        assert_eq!(sticky.traits().names, ["Jkr", "Rolling<MindlinSpring>"]);
    }

    #[test]
    fn unknown_and_invalid_materials_are_named_once() {
        let materials = Materials::new([Material::new(1e7, 0.3, 0.8, 0.5), Material::new(1e7, 0.7, 0.8, 0.5)]);
        let invalid = [materials.pair(1, 0).unwrap_err(), materials.hertz_mindlin().unwrap_err()];
        for error in invalid {
            assert!(matches!(
                error,
                DemError::Law(LawError::InvalidPair { materials: [0, 1], reason })
                    if matches!(*reason, DemError::InvalidParameter { parameter: "Poisson's ratio", .. })
            ));
        }
        assert!(matches!(
            materials.pair(2, 0).unwrap_err(),
            DemError::Law(LawError::InvalidPair { materials: [0, 2], reason })
                if matches!(*reason, DemError::Law(LawError::UnknownMaterial { material: 2, materials: 2, .. }))
        ));
    }
}
