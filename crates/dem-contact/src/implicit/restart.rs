//! The stored form of the integrator: all that a step does not rebuild.

use crate::bond::ties::Ties;
use crate::error::DemError;
use crate::force::ContactForce;
use crate::implicit::form::DiscreteForm;
use crate::implicit::implicit_dem::ImplicitDem;
use crate::implicit::options::NewtonOptions;
use crate::law::contact_law::{ContactLaw, TangentialLaw};

/// Contacts, ties, equations and options, without buffers.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(bound(
    serialize = "ContactForce<L, T>: serde::Serialize",
    deserialize = "ContactForce<L, T>: serde::Deserialize<'de>"
))]
pub(crate) struct StoredImplicitDem<L, T: TangentialLaw> {
    contacts: ContactForce<L, T>,
    ties: Option<Ties>,
    form: DiscreteForm,
    options: NewtonOptions,
    skin: f64,
    dt: f64,
    compensation: Vec<[f64; 3]>,
}

impl<L: ContactLaw, T: TangentialLaw> TryFrom<StoredImplicitDem<L, T>> for ImplicitDem<L, T> {
    type Error = DemError;

    fn try_from(stored: StoredImplicitDem<L, T>) -> Result<Self, DemError> {
        let integrator = Self::new(stored.contacts, stored.dt)?.with_form(stored.form)?.with_options(stored.options)?;
        integrator.restored(stored.ties, stored.skin, stored.compensation)
    }
}

impl<L: ContactLaw, T: TangentialLaw> From<ImplicitDem<L, T>> for StoredImplicitDem<L, T> {
    fn from(integrator: ImplicitDem<L, T>) -> Self {
        let (form, options, dt) = (integrator.form(), integrator.options(), integrator.dt());
        let (contacts, ties, skin, compensation) = integrator.into_parts();
        Self { contacts, ties, form, options, skin, dt, compensation }
    }
}
