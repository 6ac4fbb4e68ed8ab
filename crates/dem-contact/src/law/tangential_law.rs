//! The tangential part of a contact law.

use std::borrow::Cow;

use rrp_geom::glam::DVec3;

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::lever_arm::LeverArm;
use crate::law::own_name::own_name;
use crate::law::tangential_slope::TangentialJacobian;

/// Tangential part of a contact law: tangential force, torque against rolling and twisting (the couple), and the
/// history of the contact.
///
/// A law without history has `History = ()`. A law with a history, such as a friction spring, gets the history of the
/// contact at the accepted state in `history`, and overwrites it with the history at the end of the step. A new contact
/// starts from the default.
///
/// A law with a history sees a contact from one side only: from the body with the lower id, or from the body at a wall.
/// A law without history may see a contact from both sides: if a and b are exchanged, velocity, normal and spin change
/// sign, and force and couple must change sign too.
///
/// A law may be called twice for one contact with the same arguments: the result must depend only on the arguments.
///
/// The methods are inlined into a vectorised loop, which also evaluates contacts that do not touch and discards their
/// results. Prefer selecting values to branching, and never panic. Never return NaN for a contact: a force that is not
/// finite fails the step with [`IntegrateError::ForceNotFinite`](rrp_integrate::IntegrateError::ForceNotFinite).
pub trait TangentialLaw: Send + Sync {
    /// Type of the history of a contact with this law; see [`ContactHistory`].
    type History: ContactHistory;

    /// Computes the tangential force on body b in N, world frame, and updates the contact's history.
    fn force(&self, contact: &ContactKinematics, history: &mut Self::History) -> DVec3;

    /// Derivatives of the tangential force from the `history` at the accepted state; only implicit steps call this
    /// method. The default takes central differences.
    fn slope(&self, contact: &ContactKinematics, history: &Self::History) -> TangentialJacobian {
        TangentialJacobian::by_differences(contact, |contact| self.force(contact, &mut history.clone()))
    }

    /// Computes the torque on body b in N m by which the contact resists rolling and twisting, world frame; body a gets
    /// the opposite torque.
    ///
    /// `spin` is the spin of b relative to a in rad/s. The method is called after [`force`](Self::force), with the
    /// `history` that `force` left, and only if [`resists_rolling`](Self::resists_rolling).
    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut Self::History) -> DVec3 {
        let _ = (contact, spin, history);
        DVec3::ZERO
    }

    /// Whether the [`couple`](Self::couple) of this law can be nonzero.
    fn resists_rolling(&self) -> bool {
        false
    }

    /// Stiffness in N/m of the spring against slip, from the `history`; zero without a spring.
    fn spring_stiffness(&self, history: &Self::History) -> f64 {
        let _ = history;
        0.0
    }

    /// Energy in J that the contact stores, from its `history`, for example in tangential springs.
    fn stored_energy(&self, contact: &ContactKinematics, history: &Self::History) -> f64 {
        let _ = (contact, history);
        0.0
    }

    /// Whether the law reads how fast a contact [turns](ContactKinematics::turning) about its normal. Only explicit
    /// steps provide this spin.
    fn turns(&self) -> bool {
        false
    }

    /// Lever arm at which the tangential force acts on each of the two bodies.
    fn lever(&self) -> LeverArm {
        LeverArm::ContactPoint
    }

    /// Whether the tangential force of this law can be nonzero. If not, spins need not be read.
    fn is_active(&self) -> bool {
        true
    }

    /// Name of the tangential law, which is stored with its contacts: by default the last part of the name of its type.
    fn name(&self) -> Cow<'static, str> {
        own_name::<Self>()
    }
}
