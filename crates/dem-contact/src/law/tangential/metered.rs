//! The work of friction, contact by contact.

use rrp_geom::glam::{DMat3, DVec3};

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::TangentialLaw;
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;

/// A tangential law that also records the work of friction of each contact: its work against slip, rolling and
/// twisting, less the energy of its springs. It is exact to first order of the step.
///
/// Two changes of stored energy are not work against a slip and are not recorded, although the ledger counts them as
/// dissipated: those of a [`MindlinSpring`](crate::law::MindlinSpring) whose contact changes its radius, and those of a
/// spring whose contact changes its [share](ContactKinematics::share).
///
/// It adds eight bytes to the history. The work is read out as
/// [`Contact::friction_work`](crate::law::Contact::friction_work). Apart from the two changes, the sum over all
/// contacts there ever were is in [`Ledger::dissipated`](crate::force::Ledger::dissipated).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WithFrictionWork<T> {
    inner: T,
}

/// The history of the law inside, and the work of friction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrictionWorkHistory<M> {
    /// The history of the law inside.
    pub inner: M,
    /// Work taken out of the motion since the contact began, in J.
    pub work: f64,
}

impl<M: ContactHistory> ContactHistory for FrictionWorkHistory<M> {
    fn reversed(self) -> Self {
        Self { inner: self.inner.reversed(), ..self }
    }

    #[inline(always)]
    fn turned(self, rotation: &DMat3) -> Self {
        Self { inner: self.inner.turned(rotation), ..self }
    }

    fn begun(self) -> Self {
        Self { inner: self.inner.begun(), work: 0.0 }
    }
}

impl<T: TangentialLaw> WithFrictionWork<T> {
    /// `law` with a record of the work of friction.
    #[must_use]
    pub fn new(law: T) -> Self {
        Self { inner: law }
    }
}

impl<T: TangentialLaw> TangentialLaw for WithFrictionWork<T> {
    type History = FrictionWorkHistory<T::History>;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut Self::History) -> DVec3 {
        let before = self.inner.stored_energy(contact, &history.inner);
        let force = self.inner.force(contact, &mut history.inner);
        let stored = self.inner.stored_energy(contact, &history.inner) - before;
        history.work -= contact.share * (force.dot(contact.velocity) * contact.elapsed + stored);
        force
    }

    fn slope(&self, contact: &ContactKinematics, history: &Self::History) -> TangentialJacobian {
        self.inner.slope(contact, &history.inner)
    }

    #[inline(always)]
    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut Self::History) -> DVec3 {
        let before = self.inner.stored_energy(contact, &history.inner);
        let couple = self.inner.couple(contact, spin, &mut history.inner);
        let stored = self.inner.stored_energy(contact, &history.inner) - before;
        history.work -= contact.share * (couple.dot(spin) * contact.elapsed + stored);
        couple
    }

    fn resists_rolling(&self) -> bool {
        self.inner.resists_rolling()
    }

    #[inline(always)]
    fn normal_overlap(&self, overlap: f64, radius: f64, history: &Self::History) -> Option<f64> {
        self.inner.normal_overlap(overlap, radius, &history.inner)
    }

    fn is_hysteretic(&self) -> bool {
        self.inner.is_hysteretic()
    }

    #[inline(always)]
    fn spring_stiffness(&self, history: &Self::History) -> f64 {
        self.inner.spring_stiffness(&history.inner)
    }

    #[inline(always)]
    fn stored_energy(&self, contact: &ContactKinematics, history: &Self::History) -> f64 {
        self.inner.stored_energy(contact, &history.inner)
    }

    fn friction_work(&self, history: &Self::History) -> Option<f64> {
        Some(history.work)
    }

    fn turns(&self) -> bool {
        self.inner.turns()
    }

    fn lever(&self) -> LeverArm {
        self.inner.lever()
    }

    fn is_active(&self) -> bool {
        self.inner.is_active()
    }
}
