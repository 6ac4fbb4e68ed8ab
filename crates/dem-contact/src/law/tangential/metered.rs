//! The work of friction, contact by contact.

use rrp_geom::glam::{DMat3, DVec3};

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::TangentialLaw;
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;

/// A tangential law that also records, for each contact, how much work it has taken out of the motion for good: what it did
/// against the slip, the rolling and the twisting less what its springs hold. Right to the first order of the step.
///
/// What a [`MindlinSpring`](crate::law::tangential::mindlin_spring::MindlinSpring) loses or gains as the contact changes its radius, and any spring as the
/// [share](ContactKinematics::share) of its contact changes, is not work against a slip and not counted here, though the ledger counts it as
/// dissipated.
///
/// Eight bytes a contact, which laws on their own do not pay. Shown as
/// [`Contact::friction_work`](crate::law::contact::Contact::friction_work); the sum over all contacts there ever were is, but
/// for that, in [`Ledger::dissipated`](crate::force::ledger::Ledger::dissipated).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WithFrictionWork<T> {
    inner: T,
}

/// What a metered contact remembers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FrictionWorkHistory<M> {
    /// Of the law that is metered.
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
    /// `law` with a meter.
    #[must_use]
    pub fn new(law: T) -> Self {
        Self { inner: law }
    }
}

impl<T: TangentialLaw> TangentialLaw for WithFrictionWork<T> {
    type History = FrictionWorkHistory<T::History>;

    #[inline(always)]
    fn force(&self, slip: &ContactKinematics, memory: &mut Self::History) -> DVec3 {
        let before = self.inner.stored_energy(slip, &memory.inner);
        let force = self.inner.force(slip, &mut memory.inner);
        let stored = self.inner.stored_energy(slip, &memory.inner) - before;
        memory.work -= slip.share * (force.dot(slip.velocity) * slip.elapsed + stored);
        force
    }

    fn slope(&self, slip: &ContactKinematics, memory: &Self::History) -> TangentialJacobian {
        self.inner.slope(slip, &memory.inner)
    }

    #[inline(always)]
    fn couple(&self, slip: &ContactKinematics, spin: DVec3, memory: &mut Self::History) -> DVec3 {
        let before = self.inner.stored_energy(slip, &memory.inner);
        let couple = self.inner.couple(slip, spin, &mut memory.inner);
        let stored = self.inner.stored_energy(slip, &memory.inner) - before;
        memory.work -= slip.share * (couple.dot(spin) * slip.elapsed + stored);
        couple
    }

    fn resists_rolling(&self) -> bool {
        self.inner.resists_rolling()
    }

    #[inline(always)]
    fn stored_energy(&self, slip: &ContactKinematics, memory: &Self::History) -> f64 {
        self.inner.stored_energy(slip, &memory.inner)
    }

    fn friction_work(&self, memory: &Self::History) -> Option<f64> {
        Some(memory.work)
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
