//! The integrator as it is stored: all that a step does not make again.

use crate::bond::ties::Ties;
use crate::error::DemError;
use crate::force::ContactForce;
use crate::implicit::form::DiscreteForm;
use crate::implicit::implicit_dem::ImplicitDem;
use crate::implicit::options::NewtonOptions;
use crate::law::contact_law::{ContactLaw, TangentialLaw};

/// Contacts, ties, equations and options; buffers are made again.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(bound(
    serialize = "ContactForce<L, T>: serde::Serialize",
    deserialize = "ContactForce<L, T>: serde::Deserialize<'de>"
))]
pub(crate) struct Parts<L, T: TangentialLaw> {
    contacts: ContactForce<L, T>,
    ties: Option<Ties>,
    form: DiscreteForm,
    options: NewtonOptions,
    skin: f64,
    dt: f64,
    residue: Vec<[f64; 3]>,
}

impl<L: ContactLaw, T: TangentialLaw> TryFrom<Parts<L, T>> for ImplicitDem<L, T> {
    type Error = DemError;

    fn try_from(parts: Parts<L, T>) -> Result<Self, DemError> {
        let made = Self::new(parts.contacts, parts.dt)?.with_form(parts.form)?.with_options(parts.options)?;
        made.restored(parts.ties, parts.skin, parts.residue)
    }
}

impl<L: ContactLaw, T: TangentialLaw> From<ImplicitDem<L, T>> for Parts<L, T> {
    fn from(integrator: ImplicitDem<L, T>) -> Self {
        let (form, options, dt) = (integrator.form(), integrator.options(), integrator.dt());
        let (contacts, ties, skin, residue) = integrator.into_parts();
        Self { contacts, ties, form, options, skin, dt, residue }
    }
}
