//! What contacts that stick or yield remember, and their friction.

use rrp_geom::glam::{DMat3, DVec3};

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::TangentialLaw;
use crate::law::normal::adhesive::AdhesiveLaw;
use crate::law::tangential::lever_arm::LeverArm;

/// A tangential law beside a normal law that sticks or yields. It keeps what the normal law remembers of each contact.
///
/// Give the field the same normal law, `ContactForce::new(list, law, Adhesive::new(law, tangential))`: alone, a normal
/// law remembers nothing. Put `Adhesive` around [`Rolling`](crate::law::Rolling), and
/// [`CoRotating`](crate::law::CoRotating) around `Adhesive`.
///
/// The law inside sees the normal force plus the [load](AdhesiveLaw::friction_load) of adhesion, so that friction,
/// rolling and twisting are at most `μ (F_n + 3πwR)` beside [`Jkr`](crate::law::Jkr) and `μ (F_n + 2πwR)` beside
/// [`Dmt`](crate::law::Dmt). It sees the overlap at which Hertz' contact has the radius of this one.
///
/// Where a force jumps, its step has an error of first order. The ledger records the work of the whole normal force and
/// counts as dissipated what the contact does not store, so that it closes in each step. Where a body touches a mesh at
/// two patches that run into each other, both forces count in full.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Adhesive<N, T> {
    normal: N,
    tangential: T,
}

/// The history of a contact that sticks or yields.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Adhered<M> {
    /// The history of the tangential law.
    pub tangential: M,
    /// What the normal law [remembers](AdhesiveLaw::remember); zero before there was a contact.
    pub normal: f64,
}

impl<M: ContactHistory> ContactHistory for Adhered<M> {
    fn reversed(self) -> Self {
        Self { tangential: self.tangential.reversed(), ..self }
    }

    #[inline(always)]
    fn turned(self, rotation: &DMat3) -> Self {
        Self { tangential: self.tangential.turned(rotation), ..self }
    }

    /// A contact beside another has to form on its own.
    fn begun(self) -> Self {
        Self { tangential: self.tangential.begun(), normal: 0.0 }
    }
}

impl<N: AdhesiveLaw, T: TangentialLaw> Adhesive<N, T> {
    /// `tangential` beside the law `normal`.
    #[must_use]
    pub fn new(normal: N, tangential: T) -> Self {
        Self { normal, tangential }
    }

    /// The contact as the tangential law sees it.
    #[inline(always)]
    fn loaded(&self, contact: &ContactKinematics) -> ContactKinematics {
        let &ContactKinematics { overlap, radius, normal_force, .. } = contact;
        let contact_radius = self.normal.contact_radius(overlap, radius);
        ContactKinematics {
            normal_force: (normal_force + self.normal.friction_load(overlap, radius)).max(0.0),
            overlap: contact_radius * contact_radius / radius,
            ..*contact
        }
    }
}

impl<N: AdhesiveLaw, T: TangentialLaw> TangentialLaw for Adhesive<N, T> {
    type History = Adhered<T::History>;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut Self::History) -> DVec3 {
        history.normal = self.normal.remember(contact.overlap, contact.radius, history.normal).unwrap_or(0.0);
        if !self.tangential.is_active() {
            return DVec3::ZERO;
        }
        self.tangential.force(&self.loaded(contact), &mut history.tangential)
    }

    #[inline(always)]
    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut Self::History) -> DVec3 {
        self.tangential.couple(&self.loaded(contact), spin, &mut history.tangential)
    }

    fn resists_rolling(&self) -> bool {
        self.tangential.resists_rolling()
    }

    #[inline(always)]
    fn normal_overlap(&self, overlap: f64, radius: f64, history: &Self::History) -> Option<f64> {
        let memory = self.normal.remember(overlap, radius, history.normal)?;
        Some(self.normal.elastic_overlap(overlap, memory))
    }

    fn is_hysteretic(&self) -> bool {
        true
    }

    #[inline(always)]
    fn spring_stiffness(&self, history: &Self::History) -> f64 {
        self.tangential.spring_stiffness(&history.tangential)
    }

    #[inline(always)]
    fn stored_energy(&self, contact: &ContactKinematics, history: &Self::History) -> f64 {
        self.tangential.stored_energy(&self.loaded(contact), &history.tangential)
    }

    fn friction_work(&self, history: &Self::History) -> Option<f64> {
        self.tangential.friction_work(&history.tangential)
    }

    fn turns(&self) -> bool {
        self.tangential.turns()
    }

    fn lever(&self) -> LeverArm {
        self.tangential.lever()
    }

    /// The normal law has to remember.
    fn is_active(&self) -> bool {
        true
    }
}
