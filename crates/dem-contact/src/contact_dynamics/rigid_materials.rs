use cd_solve::friction::Resistance;

use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::parameter::{fraction, not_negative};
use crate::law::{Materials, PairTable};

/// Coefficients of friction, restitution, rolling and twisting of a contact of rigid bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactCoefficients {
    /// Coulomb's friction coefficient μ of the contact: |fₜ| ≤ μ fₙ.
    pub friction: f64,
    /// Newton's coefficient of restitution e of the contact, in [0, 1].
    pub restitution: f64,
    /// Rolling friction coefficient μᵣ, no unit: the couple across the normal is at most μᵣ R fₙ, R the reduced radius.
    pub rolling: f64,
    /// Twisting friction coefficient `μ_w` in m: the couple about the normal is at most `μ_w` fₙ.
    pub twisting: f64,
}

impl ContactCoefficients {
    /// Makes the coefficients of a contact that resists neither rolling nor twisting.
    #[must_use]
    pub fn new(friction: f64, restitution: f64) -> Self {
        Self { friction, restitution, ..Self::default() }
    }

    fn check(&self) -> Result<(), DemError> {
        let Self { friction, restitution, rolling, twisting } = *self;
        not_negative("the friction", friction)?;
        not_negative("the rolling friction", rolling)?;
        not_negative("the twisting friction", twisting)?;
        fraction("the restitution", restitution).map(drop)
    }
}

/// Coefficients of rigid contacts for all pairs of materials, and the materials of bodies and walls.
///
/// Bodies and walls beyond the end of their list are of material 0.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidMaterials {
    pairs: PairTable<ContactCoefficients>,
    of_body: Vec<u16>,
    of_wall: Vec<u16>,
}

impl RigidMaterials {
    /// Makes coefficients for bodies and walls of one material.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for a coefficient that is negative or not finite, or a restitution above one.
    pub fn uniform(coefficients: ContactCoefficients) -> Result<Self, DemError> {
        coefficients.check()?;
        Self::new(1, |_, _| Ok(coefficients))
    }

    /// Makes coefficients of friction, restitution and resistances from `materials`: geometric means for pairs of
    /// materials, or the values of the pair. Moduli, stiffnesses and dampings do not apply to rigid contacts.
    ///
    /// # Errors
    /// [`LawError::InvalidPair`], [`DemError::InvalidParameter`].
    pub fn of_materials(materials: &Materials) -> Result<Self, DemError> {
        Self::new(materials.len(), |a, b| {
            let given = materials.coefficients(a, b)?;
            let [rolling, twisting] = [given.rolling, given.twisting].map(|one| one.map_or(0.0, |one| one.friction));
            Ok(ContactCoefficients { friction: given.friction, restitution: given.restitution, rolling, twisting })
        })
    }

    /// Makes the coefficients of `materials` materials; `between` is called once for each pair a ≤ b. All bodies and
    /// walls have material 0.
    ///
    /// # Errors
    /// [`LawError::InvalidPair`] with the pair for which `between` fails or whose coefficients are out of range,
    /// [`DemError::InvalidParameter`] unless there are 1 to 65536 materials.
    pub fn new(
        materials: usize,
        mut between: impl FnMut(usize, usize) -> Result<ContactCoefficients, DemError>,
    ) -> Result<Self, DemError> {
        let pairs = PairTable::new(materials, |a, b| {
            let coefficients = between(a, b)?;
            coefficients.check().map(|()| coefficients)
        })?;
        Ok(Self { pairs, of_body: Vec::new(), of_wall: Vec::new() })
    }

    /// Sets the restitution of all pairs of materials.
    ///
    /// # Errors
    /// [`LawError::InvalidPair`] unless the restitution is in [0, 1].
    pub fn with_restitution(self, restitution: f64) -> Result<Self, DemError> {
        let pairs = self.pairs;
        let given = |a, b| Ok(ContactCoefficients { restitution, ..*pairs.between(a, b) });
        Ok(Self { pairs: Self::new(pairs.materials(), given)?.pairs, ..self })
    }

    /// Sets the material numbers of bodies and walls.
    ///
    /// # Errors
    /// [`LawError::UnknownMaterial`].
    pub fn with_numbers(self, of_body: Vec<u16>, of_wall: Vec<u16>) -> Result<Self, DemError> {
        let materials = self.pairs.materials();
        for (what, numbers) in [("body", &of_body), ("wall", &of_wall)] {
            if let Some(which) = numbers.iter().position(|&number| usize::from(number) >= materials) {
                let material = numbers[which].into();
                return Err(DemError::Law(LawError::UnknownMaterial { what, which, material, materials }));
            }
        }
        Ok(Self { of_body, of_wall, ..self })
    }

    /// Material numbers of bodies, and of walls.
    #[must_use]
    pub fn numbers(&self) -> (&[u16], &[u16]) {
        (&self.of_body, &self.of_wall)
    }

    /// Coefficients of the materials that meet at a contact.
    #[must_use]
    pub fn of(&self, contact: &RigidContact) -> ContactCoefficients {
        let number = |of: &[u16], which: usize| usize::from(of.get(which).copied().unwrap_or(0));
        let other = if contact.with_wall { &self.of_wall } else { &self.of_body };
        *self.pairs.between(number(&self.of_body, contact.a), number(other, contact.b))
    }

    /// Whether contacts of all pairs of materials have no friction and no resistance to rolling or twisting.
    #[must_use]
    pub fn are_frictionless(&self) -> bool {
        self.resistance() == Resistance::Sliding && self.pairs.all().iter().all(|c| c.friction <= 0.0)
    }

    /// Restitution of all pairs of materials; `None` if pairs differ.
    #[must_use]
    pub fn restitution(&self) -> Option<f64> {
        let first = self.pairs.between(0, 0).restitution;
        let same = self.pairs.all().iter().all(|c| c.restitution.to_bits() == first.to_bits());
        same.then_some(first)
    }

    /// Kinds of relative motion that contacts of at least one pair of materials resist.
    #[must_use]
    pub fn resistance(&self) -> Resistance {
        let any = |property: fn(&ContactCoefficients) -> f64| self.pairs.all().iter().any(|c| property(c) > 0.0);
        if any(|c| c.twisting) {
            Resistance::RollingAndTwisting
        } else if any(|c| c.rolling) {
            Resistance::Rolling
        } else {
            Resistance::Sliding
        }
    }
}
