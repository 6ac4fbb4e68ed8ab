//! The normal part of a contact law.

use std::borrow::Cow;

use crate::law::own_name::own_name;

/// Normal part of a contact law: functions of the overlap δ in m, for δ > 0, or for δ > −[range](Self::range) if the
/// law acts at a distance.
///
/// `radius` is the reduced radius `r_a r_b/(r_a + r_b)` in m, and `mass` is the reduced mass `m_a m_b/(m_a + m_b)` in
/// kg; at a wall both are those of the body.
///
/// The methods are inlined into a vectorised loop: keep them short and free of branches. The loop also evaluates pairs
/// beyond their range, up to the range of the largest bodies, and discards the results. So a method must not panic for
/// any arguments. For a contact a method must return a finite force; otherwise the step fails with
/// [`IntegrateError::ForceNotFinite`](rrp_integrate::IntegrateError::ForceNotFinite).
pub trait ContactLaw: Send + Sync {
    /// Elastic energy of a contact in J; zero where a contact begins.
    fn energy(&self, overlap: f64, radius: f64) -> f64;

    /// Elastic normal force in N, the derivative of the energy; zero at δ = 0, unless it jumps or the law has a range.
    fn force(&self, overlap: f64, radius: f64) -> f64;

    /// Stiffness in N/m of the normal law: the derivative of the elastic force by the overlap.
    fn stiffness(&self, overlap: f64, radius: f64) -> f64;

    /// Damping coefficient c of the normal force in kg/s: the normal force is [`force`](Self::force) + c dδ/dt.
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        let _ = (overlap, radius, mass);
        0.0
    }

    /// Derivative of [`damping`](Self::damping) by the overlap, in kg/(m s). Only implicit steps call this method. The
    /// default is a central difference.
    fn damping_slope(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        let [below, above] = [overlap * (1.0 - 1e-6), overlap * (1.0 + 1e-6)];
        let change = self.damping(above, radius, mass) - self.damping(below, radius, mass);
        if above > below { change / (above - below) } else { 0.0 }
    }

    /// Whether the [`damping`](Self::damping) of this law can be nonzero. If not, velocities need not be read.
    fn is_damped(&self) -> bool {
        true
    }

    /// Whether the whole normal force is cut off at zero if damping or elastic attraction makes it attractive. Without
    /// damping and friction nothing is cut off. Never return `true` for an attractive law: its attraction would be
    /// lost.
    fn is_capped(&self) -> bool {
        false
    }

    /// Largest gap in m at which two surfaces of this reduced radius (m) act on each other, such as the gap at which a
    /// liquid bridge breaks. The range must not decrease with the radius. The history of a contact begins and ends at
    /// this gap: to remember a rupture for longer, make the range larger than that of the force.
    ///
    /// Lists reach further by the range of the largest bodies. Implicit steps and static equilibrium refuse laws with a
    /// range.
    fn range(&self, radius: f64) -> f64 {
        let _ = radius;
        0.0
    }

    /// Whether the normal force depends on the history of the contact or jumps, as in contacts that stick or yield.
    /// Such a law has a memory of one number for each contact. Implicit steps and static equilibrium refuse it.
    ///
    /// A step in which the force jumps has an error of first order. The energy ledger records the whole work of normal
    /// forces, and counts as dissipated what contacts do not store, so that the balance closes in each step. Where a
    /// body touches a mesh at two patches that merge, both forces count in full, because each depends on the history of
    /// its own patch.
    fn is_hysteretic(&self) -> bool {
        false
    }

    /// Returns the number that a contact remembers after a step that ends with this overlap, and whether the surfaces
    /// then act on each other. `before` is the number remembered so far, zero for a new contact. The number is kept as
    /// long as surfaces overlap or are within the [range](Self::range) of the law, whether they act on each other or
    /// not.
    ///
    /// Only called if the law [is hysteretic](Self::is_hysteretic).
    fn remember(&self, overlap: f64, radius: f64, before: f64) -> Memory {
        Memory { number: before, acts: overlap > -self.range(radius) }
    }

    /// Elastic overlap in m, on which force, energy and damping depend: for example the overlap minus the depth of a
    /// dent. `memory` is the number that the contact remembers after the step. Only called if the law [is
    /// hysteretic](Self::is_hysteretic).
    fn elastic_overlap(&self, overlap: f64, memory: f64) -> f64 {
        let _ = memory;
        overlap
    }

    /// Radius a of the contact area in m. The default is NaN at δ < 0: override it if the law acts at a distance.
    /// Tangential laws read the overlap a²/R, at which Hertz' contact has this radius, with the reduced radius R. Only
    /// called if the law [is hysteretic](Self::is_hysteretic).
    fn contact_radius(&self, overlap: f64, radius: f64) -> f64 {
        (radius * overlap).sqrt()
    }

    /// Load in N that is added to the normal force in the limits of friction, rolling and twisting, so that an
    /// attraction does not reduce the friction of a contact. Tangential laws read the sum, or zero if it is negative.
    ///
    /// With this load Coulomb's limit is `μ (F_n + 3πwR)` for [`Jkr`](crate::law::Jkr) and `μ (F_n + 2πwR)` for
    /// [`Dmt`](crate::law::Dmt) (w: work of adhesion, R: `radius`). Only called if [hysteretic](Self::is_hysteretic).
    fn friction_load(&self, overlap: f64, radius: f64) -> f64 {
        let _ = (overlap, radius);
        0.0
    }

    /// Name of the normal law, which is stored with its contacts: by default the last part of the name of its type.
    fn name(&self) -> Cow<'static, str> {
        own_name::<Self>()
    }
}

/// Memory of a contact with a hysteretic normal law after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// Number that the contact remembers, even while its surfaces do not act on each other; zero for a new contact.
    pub number: f64,
    /// Whether the surfaces of the contact act on each other. If not, the contact has no force, and the springs of its
    /// tangential law begin at zero again.
    pub acts: bool,
}
