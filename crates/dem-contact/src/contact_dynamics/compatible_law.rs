use std::sync::Arc;

use crate::contact_dynamics::rigid_contact::RigidContact;

/// Elastic law whose limit of infinite stiffness defines compatible forces: an exponent and ratios of stiffnesses.
#[derive(Clone)]
pub struct CompatibleLaw {
    exponent: f64,
    stiffness: Arc<dyn Fn(&RigidContact) -> f64 + Send + Sync>,
}

impl CompatibleLaw {
    /// Makes Hooke's law F = k δ with all contacts equally stiff.
    #[must_use]
    pub fn hooke() -> Self {
        Self { exponent: 2.0, stiffness: Arc::new(|_| 1.0) }
    }

    /// Makes Hertz' law F = K √R δ^{3/2} with one modulus; R is the reduced radius of a contact.
    ///
    /// A corner of a cuboid has no radius. A step with such a contact at a wall, open or not, fails with
    /// [`DemError::Solve`](crate::error::DemError::Solve); use [`new`](Self::new) there.
    #[must_use]
    pub fn hertz() -> Self {
        Self { exponent: 2.5, stiffness: Arc::new(|contact| contact.radius.sqrt()) }
    }

    /// Makes the law F = k δᵖ⁻¹ of the overlap δ, with the exponent p of the energy from 2 to 3. Only ratios of the
    /// stiffnesses k matter, so that any unit will do.
    #[must_use]
    pub fn new(exponent: f64, stiffness: impl Fn(&RigidContact) -> f64 + Send + Sync + 'static) -> Self {
        Self { exponent, stiffness: Arc::new(stiffness) }
    }

    /// Returns this law with each stiffness multiplied by the harmonic mean of the moduli of the two bodies, `[OK18]`
    /// section 8.2.2, or by the modulus of the body at a wall. Bodies beyond the end of `moduli` have modulus 1.
    #[must_use]
    pub fn with_moduli(self, moduli: impl Into<Box<[f64]>>) -> Self {
        let moduli = moduli.into();
        let stiffness = self.stiffness;
        let of = move |body: usize| moduli.get(body).copied().unwrap_or(1.0);
        let scaled = move |contact: &RigidContact| {
            let a = of(contact.a);
            let b = if contact.with_wall { a } else { of(contact.b) };
            stiffness(contact) * 2.0 * a * b / (a + b)
        };
        Self { exponent: self.exponent, stiffness: Arc::new(scaled) }
    }

    /// Exponent p of the elastic energy of a contact, which is proportional to δᵖ.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// Returns the stiffness of each of these contacts, in any common unit.
    pub(super) fn stiffnesses(&self, contacts: &[RigidContact]) -> Vec<f64> {
        contacts.iter().map(|contact| (self.stiffness)(contact)).collect()
    }
}

impl std::fmt::Debug for CompatibleLaw {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CompatibleLaw").field("exponent", &self.exponent).finish_non_exhaustive()
    }
}
