//! Objects that join a normal and a tangential law; the only place where loops over contacts are compiled for laws.
//!
//! The normal and the tangential half of a contact are separate loops over a batch, `normal_half` and
//! `tangential_half`. So the number of compiled loops grows with the number of laws, not with the number of
//! combinations.

mod normal_half;
mod tangential_half;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use self::normal_half::NormalHalf;
use self::tangential_half::{Histories, Pressed, Rubbed, TangentialHalf};
use crate::error::law::LawError;
use crate::law::batch::{BATCH, Contacts, Forces};
use crate::law::contact_history::{Kind, Layout};
use crate::law::contact_law::ContactLaw;
use crate::law::damped_law::DampedLaw;
use crate::law::one_contact::OneContact;
use crate::law::pair_law::{LawTraits, PairLaw};
use crate::law::tangential::memoryless::Frictionless;
use crate::law::tangential_law::TangentialLaw;

/// Normal and tangential law of a contact as one object.
///
/// ```
/// use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws, PairLaw};
///
/// let laws = Laws::of(Hooke::new(2e5, Damping::NONE)?, FrictionSpring::new(6e4, 0.0, 0.5)?);
/// assert_eq!(laws.traits().names, ["Hooke", "FrictionSpring"]);
/// # Ok::<(), dem_contact::error::DemError>(())
/// ```
#[derive(Clone)]
pub struct Laws {
    normal: Arc<dyn NormalHalf>,
    tangential: Arc<dyn TangentialHalf>,
    traits: LawTraits,
}

impl Laws {
    /// Makes the laws of a contact from a normal and a tangential law.
    #[must_use]
    pub fn of(normal: impl ContactLaw + 'static, tangential: impl TangentialLaw + 'static) -> Self {
        let normal = Arc::new(normal);
        let twin_of = Arc::clone(&normal);
        let mut laws = Self::without_twin(normal, tangential);
        laws.traits.relaxed = Some(Arc::new(move |ratio| {
            let law = DampedLaw { law: Arc::clone(&twin_of), ratio };
            Arc::new(Self::without_twin(Arc::new(law), Frictionless))
        }));
        laws
    }

    /// Makes laws whose trait `relaxed` is `None`, so that static equilibrium refuses them: the damped laws of dynamic
    /// relaxation, and the laws to which [`of`](Self::of) then adds this trait.
    fn without_twin(normal: Arc<impl ContactLaw + 'static>, tangential: impl TangentialLaw + 'static) -> Self {
        let tangential = Arc::new(tangential);
        let traits = traits(&normal, &tangential);
        Self { normal, tangential, traits }
    }

    /// Returns these laws under other names than those of their types, such as the text of a formula.
    #[must_use]
    pub fn named(mut self, normal: impl Into<String>, tangential: impl Into<String>) -> Self {
        self.traits.names = [normal.into(), tangential.into()];
        self
    }
}

fn traits<L: ContactLaw + 'static, T: TangentialLaw + 'static>(normal: &Arc<L>, tangential: &Arc<T>) -> LawTraits {
    let layout = Layout::of::<T::History>();
    LawTraits {
        names: [normal.name().into_owned(), tangential.name().into_owned()],
        // The memory of a hysteretic normal law follows the history of the tangential law.
        layout: if normal.is_hysteretic() { layout.with(Kind::Sum) } else { layout },
        is_damped: normal.is_damped(),
        is_hysteretic: normal.is_hysteretic(),
        is_capped: normal.is_capped(),
        is_tangential: tangential.is_active(),
        resists_rolling: tangential.resists_rolling(),
        turns: tangential.turns(),
        lever: tangential.lever(),
        relaxed: None,
        normal: Arc::clone(normal) as Arc<dyn ContactLaw>,
        tangential: Arc::clone(tangential) as Arc<dyn OneContact>,
    }
}

impl fmt::Debug for Laws {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.traits.fmt(formatter)
    }
}

impl From<Laws> for Arc<dyn PairLaw> {
    fn from(laws: Laws) -> Self {
        Arc::new(laws)
    }
}

impl PairLaw for Laws {
    fn traits(&self) -> &LawTraits {
        &self.traits
    }

    fn apply(
        &self,
        contacts: &Contacts,
        before: &[f64],
        after: &mut [f64],
        forces: &mut Forces,
    ) -> Result<(), LawError> {
        if self.traits.is_hysteretic {
            self.apply_with_memory(contacts, before, after, forces);
            return Ok(());
        }
        self.normal.press(contacts, forces);
        let Forces { normal, tangential, couple, tangential_energy, .. } = forces;
        self.tangential.rub(
            contacts,
            &Pressed { force: normal, overlap: &contacts.overlap },
            &mut Histories { before, after },
            &mut Rubbed { force: tangential, couple, energy: tangential_energy },
        );
        if self.traits.acts_at_a_distance() {
            self.leave_out(contacts, after, forces);
        }
        Ok(())
    }
}

/// Histories of the tangential law for a batch of contacts, without the memories of the normal law. The inline capacity
/// of eight numbers for each contact suffices for springs against slip, rolling and twisting.
type OwnHistories = SmallVec<[f64; 512]>;

impl Laws {
    /// Computes forces and histories of a batch of contacts, as [`PairLaw::apply`], if the normal law is hysteretic:
    /// its memory is the last number of each history.
    fn apply_with_memory(&self, contacts: &Contacts, before: &[f64], after: &mut [f64], forces: &mut Forces) {
        let width = self.traits.layout.width();
        let own = width - 1;
        let mut memory = [0.0; BATCH];
        let mut own_before = OwnHistories::new();
        for (memory, row) in memory.iter_mut().zip(before.chunks_exact(width)) {
            *memory = row[own];
            own_before.extend_from_slice(&row[..own]);
        }
        self.normal.press_with_memory(contacts, &mut memory, forces);
        let mut own_after = OwnHistories::from_elem(0.0, own_before.len());
        let Forces { load, loaded_overlap, tangential, couple, tangential_energy, .. } = forces;
        self.tangential.rub(
            contacts,
            &Pressed { force: load, overlap: loaded_overlap },
            &mut Histories { before: &own_before, after: &mut own_after },
            &mut Rubbed { force: tangential, couple, energy: tangential_energy },
        );
        for (slot, row) in after.chunks_exact_mut(width).take(contacts.lanes).enumerate() {
            row[..own].copy_from_slice(&own_after[slot * own..(slot + 1) * own]);
        }
        self.leave_out(contacts, after, forces);
        // A contact whose surfaces do not act on each other resets its springs, but keeps its memory.
        for (memory, row) in memory.iter().zip(after.chunks_exact_mut(width)).take(contacts.lanes) {
            row[own] = *memory;
        }
    }

    fn leave_out(&self, contacts: &Contacts, after: &mut [f64], forces: &mut Forces) {
        let width = self.traits.layout.width();
        for slot in 0..contacts.lanes.min(BATCH) {
            if !forces.acts[slot] {
                forces.leave_out(slot);
                after[slot * width..(slot + 1) * width].fill(0.0);
            }
        }
    }
}
