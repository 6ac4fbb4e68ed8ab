//! The stored form of the implicit integrator: all that a step does not rebuild, without the contact laws.

use crate::bond::ties::Ties;
use crate::error::DemError;
use crate::force::restart::StoredContacts;
use crate::implicit::form::DiscreteForm;
use crate::implicit::implicit_dem::ImplicitDem;
use crate::implicit::options::NewtonOptions;
use crate::law::material::pair_table::LawTable;

/// Stored form of an [`ImplicitDem`]: contacts, ties, equations and options, without laws and buffers.
///
/// Laws are not stored, since they may be those of the program: give them to [`restore`](Self::restore).
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct StoredImplicitDem {
    pub(super) contacts: StoredContacts,
    pub(super) ties: Option<Ties>,
    pub(super) form: DiscreteForm,
    pub(super) options: NewtonOptions,
    pub(super) skin: f64,
    pub(super) dt: f64,
    pub(super) compensation: Vec<[f64; 3]>,
}

impl StoredImplicitDem {
    /// Returns the stored integrator with these laws, which must have the names and history layouts of its laws. Going
    /// on with the stored state and the same laws gives the same bits as the run without a stop.
    ///
    /// # Errors
    /// As [`StoredContacts::restore`] and [`ImplicitDem::new`]; [`DemError::InvalidParameter`] for numbers out of
    /// range.
    pub fn restore(self, laws: impl Into<LawTable>) -> Result<ImplicitDem, DemError> {
        let Self { contacts, ties, form, options, skin, dt, compensation } = self;
        let integrator = ImplicitDem::new(contacts.restore(laws)?, dt)?.with_form(form)?.with_options(options)?;
        integrator.restored(ties, skin, compensation)
    }
}
