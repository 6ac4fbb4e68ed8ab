//! Constants of materials, and their means for a pair of materials.

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::law::normal::damping::Damping;
use crate::law::tangential::spring_slider::{ResistanceSpring, SpringSlider};

/// Constants of the material of a body or a wall; see [`Materials`](crate::law::Materials).
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

/// Restitution, friction and resistances between two materials.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coefficients {
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    pub(crate) rolling: Option<SpringSlider>,
    pub(crate) twisting: Option<SpringSlider>,
}

impl Coefficients {
    /// Returns the geometric means of the constants of two materials.
    pub(super) fn mean(a: &Material, b: &Material) -> Self {
        Self {
            restitution: geometric(a.restitution, b.restitution),
            friction: geometric(a.friction, b.friction),
            rolling: mean(a.rolling, b.rolling),
            twisting: mean(a.twisting, b.twisting),
        }
    }
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
