//! The laws of one pair of materials, which evaluate a batch of contacts with one call.

use std::fmt;
use std::sync::Arc;

use crate::error::law::LawError;
use crate::law::batch::{Contacts, Forces};
use crate::law::contact_history::Layout;
use crate::law::contact_law::ContactLaw;
use crate::law::lever_arm::LeverArm;
use crate::law::one_contact::OneContact;

/// Laws of the contacts of one pair of materials: a normal and a tangential law.
///
/// Contact forces call their laws only through this trait. Make an object of a normal and a tangential law by
/// [`Laws::of`](crate::law::Laws::of). Implement the trait yourself for laws that work on whole batches, such as laws
/// in another language, and for laws that can fail.
///
/// Explicit steps, and readings such as [`ContactForce::contacts`](crate::force::ContactForce::contacts), call
/// [`apply`](Self::apply). Implicit steps, static equilibrium and cuboids call the functions in
/// [`traits`](Self::traits) instead.
pub trait PairLaw: Send + Sync {
    /// Properties of the laws of a pair of materials, and their functions for one contact.
    fn traits(&self) -> &LawTraits;

    /// Computes the forces of a batch of contacts. `before` has the history of each contact at the accepted state, slot
    /// by slot; write the histories to be committed to `after`. Forces and history of a slot must depend only on the
    /// contact and on the history `before` in this slot.
    ///
    /// The last slots may be copies of the last contact, with zeros or the history of another contact in `before`. The
    /// results of copies are dropped, but a law must be able to evaluate them. Where the law has a range, slots may
    /// have pairs beyond this range, up to the range of the largest bodies: call [`Forces::leave_out`] for these pairs,
    /// and write zeros to `after`.
    ///
    /// `forces` may hold the forces of another batch: set the force in each slot, and the [couple](Forces::set_couple)
    /// if the law resists rolling. Energies need not be set unless the batch [wants](Contacts::wants_energy) them.
    ///
    /// # Errors
    /// [`LawError::Failed`] if the law cannot be evaluated. The step then fails and leaves state, histories, list and
    /// ledger unchanged.
    fn apply(
        &self,
        contacts: &Contacts,
        before: &[f64],
        after: &mut [f64],
        forces: &mut Forces,
    ) -> Result<(), LawError>;
}

/// Constructor of the laws for dynamic relaxation, from a damping ratio: the elastic part of a normal law with damping
/// of this ratio to the critical damping, without friction.
pub type Relaxed = dyn Fn(f64) -> Arc<dyn PairLaw> + Send + Sync;

/// Properties of the contact laws of a pair of materials, and their functions for one contact.
#[derive(Clone)]
pub struct LawTraits {
    /// Normal law of the contacts, for callers that evaluate one contact at a time.
    pub normal: Arc<dyn ContactLaw>,
    /// Tangential law of the contacts, for callers that evaluate one contact at a time.
    pub tangential: Arc<dyn OneContact>,
    /// Names of the normal and of the tangential law, by which stored contacts refer to them.
    pub names: [String; 2],
    /// Layout of the history of a contact with these laws: the kinds of its numbers.
    pub layout: Layout,
    /// Whether normal forces of these laws have damping.
    pub is_damped: bool,
    /// Whether normal forces of these laws depend on the history, or jump.
    pub is_hysteretic: bool,
    /// Whether the whole normal force is cut off at zero if damping or elastic attraction makes it attractive. Without
    /// damping and friction nothing is cut off.
    pub is_capped: bool,
    /// Whether tangential forces of these laws are ever nonzero.
    pub is_tangential: bool,
    /// Whether torques of these laws against rolling or twisting are ever nonzero.
    pub resists_rolling: bool,
    /// Whether the tangential law reads how fast a contact turns about its normal.
    pub turns: bool,
    /// Lever arm at which tangential forces of these laws act. It also decides when laws read the slip: in the middle
    /// of a step if forces act at the contact point, at its end if they act at the radius, as in LAMMPS.
    pub lever: LeverArm,
    /// Constructor of the laws for dynamic relaxation; if `None`, static equilibrium refuses the law.
    pub relaxed: Option<Arc<Relaxed>>,
}

/// Record of the laws of a pair of materials, stored with contact histories: a history is valid only for laws with
/// these names and this layout.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LawRecord {
    names: [String; 2],
    pub(crate) layout: Layout,
}

impl fmt::Display for LawRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [normal, tangential] = &self.names;
        write!(formatter, "{normal} with {tangential} (histories of {} numbers)", self.layout.width())
    }
}

impl LawTraits {
    pub(crate) fn record(&self) -> LawRecord {
        LawRecord { names: self.names.clone(), layout: self.layout.clone() }
    }

    /// Whether forces of these laws depend on velocities or on the history.
    #[must_use]
    pub fn needs_motion(&self) -> bool {
        self.is_damped || self.is_tangential || self.resists_rolling || self.is_hysteretic
    }

    pub(crate) fn acts_at_a_distance(&self) -> bool {
        self.normal.range(1.0) > 0.0
    }
}

impl fmt::Debug for LawTraits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [normal, tangential] = &self.names;
        write!(formatter, "{normal} with {tangential}")
    }
}

impl fmt::Debug for dyn PairLaw + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.traits().fmt(formatter)
    }
}
