//! The two traits of a contact law: its normal and its tangential part.

use rrp_geom::glam::DVec3;

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;

/// The normal part of a contact law: functions of the overlap δ > 0 (m); of −[range](Self::range) < δ for a law that
/// acts at a distance.
///
/// `radius` is the reduced radius `r_a r_b/(r_a + r_b)` in m, and `mass` is the reduced mass `m_a m_b/(m_a + m_b)` in
/// kg; at a wall they are those of the body.
///
/// The methods are inlined into a vectorised loop: keep them short and free of branches. The loop also evaluates pairs
/// that do not touch, with δ = −range and possibly a radius that is NaN, and discards the result. So a method must not
/// panic, whatever its arguments.
pub trait ContactLaw: Send + Sync {
    /// Elastic energy in J; zero where a contact begins.
    fn energy(&self, overlap: f64, radius: f64) -> f64;

    /// Elastic force in N, the derivative of the energy; zero at δ = 0, unless it jumps there or the law has a range.
    fn force(&self, overlap: f64, radius: f64) -> f64;

    /// Derivative of the force in N/m.
    fn stiffness(&self, overlap: f64, radius: f64) -> f64;

    /// Damping coefficient c in kg/s: the normal force is `force` + c dδ/dt.
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        let _ = (overlap, radius, mass);
        0.0
    }

    /// Derivative of [`damping`](Self::damping) by the overlap, in kg/(m s). Only implicit steps ask for it. The
    /// default is a central difference.
    fn damping_slope(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        let [below, above] = [overlap * (1.0 - 1e-6), overlap * (1.0 + 1e-6)];
        let change = self.damping(above, radius, mass) - self.damping(below, radius, mass);
        if above > below { change / (above - below) } else { 0.0 }
    }

    /// Whether [`damping`](Self::damping) is ever nonzero. If not, velocities need not be read.
    fn is_damped(&self) -> bool {
        true
    }

    /// Whether a normal force that damping makes attractive is cut off at zero.
    fn is_capped(&self) -> bool {
        false
    }

    /// The gap in m between two surfaces of this reduced radius (m) up to which they act on each other, such as that at
    /// which a bridge breaks. It does not fall with the radius. The history of a contact begins and ends there.
    ///
    /// Lists reach further by the range of the largest bodies. Implicit steps and static equilibrium refuse laws with a
    /// range.
    fn range(&self, radius: f64) -> f64 {
        let _ = radius;
        0.0
    }

    /// Does `task` with this law, as [`TangentialLaw::with_own_type`].
    #[inline(always)]
    fn with_own_type<W: WithContactLaw>(&self, task: W)
    where
        Self: Sized,
    {
        task.with(self);
    }
}

/// A task, such as a loop over contacts, for any normal law.
pub trait WithContactLaw {
    /// Does the task.
    fn with<L: ContactLaw>(self, law: &L);
}

/// The tangential part of a contact law.
///
/// A law without history has `History = ()`. A law with a history, such as a friction spring, gets the committed
/// history of the contact in `history` and leaves there the history to commit with the step. A new contact starts from
/// the default.
///
/// A law with a history sees a contact from one side only: from the body with the lower id, or from the body at a wall.
/// A law without history may see a contact from both sides: if a and b are exchanged, velocity, normal and spin change
/// sign, and force and couple must change sign too.
///
/// A law may be called twice for one contact, with the same arguments: the result must depend on them alone.
///
/// The methods are inlined into a vectorised loop, which also evaluates contacts that do not touch and discards the
/// result. Prefer selecting values to branching, and never panic.
pub trait TangentialLaw: Send + Sync {
    /// The history of a contact. A `DVec3` changes sign with the side; see [`ContactHistory`]. A history that
    /// transforms differently needs a type of its own.
    type History: ContactHistory;

    /// Tangential force on b in N, world frame.
    fn force(&self, contact: &ContactKinematics, history: &mut Self::History) -> DVec3;

    /// Derivatives of the force at the committed `history`. Only implicit steps ask for them. The default takes central
    /// differences.
    fn slope(&self, contact: &ContactKinematics, history: &Self::History) -> TangentialJacobian {
        TangentialJacobian::by_differences(contact, |contact| self.force(contact, &mut history.clone()))
    }

    /// Torque on b in N m by which the contact resists rolling and twisting, world frame; a gets the opposite.
    ///
    /// `spin` is that of b relative to a in rad/s. It is called after [`force`](Self::force), with the `history` which
    /// that left, and only if [`resists_rolling`](Self::resists_rolling).
    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut Self::History) -> DVec3 {
        let _ = (contact, spin, history);
        DVec3::ZERO
    }

    /// Whether [`couple`](Self::couple) is ever nonzero.
    fn resists_rolling(&self) -> bool {
        false
    }

    /// The overlap (m) at which the normal law acts, of a contact with this overlap and reduced radius (m) and the
    /// committed `history`: such as what a dent leaves of it. `None` where the surfaces do not act on each other, such
    /// as those that have not touched yet: the contact has no force, and its history ends.
    ///
    /// Only called if the law [is hysteretic](Self::is_hysteretic).
    fn normal_overlap(&self, overlap: f64, radius: f64, history: &Self::History) -> Option<f64> {
        let _ = (radius, history);
        Some(overlap)
    }

    /// Whether the normal force depends on the history, or jumps. Its whole work is then recorded for a ledger, which
    /// counts as dissipated what is not stored. Implicit steps and static equilibrium refuse such laws.
    fn is_hysteretic(&self) -> bool {
        false
    }

    /// Stiffness in N/m of the spring that `history` holds against slip; zero without one.
    fn spring_stiffness(&self, history: &Self::History) -> f64 {
        let _ = history;
        0.0
    }

    /// Energy in J stored in `history`, such as that of springs.
    fn stored_energy(&self, contact: &ContactKinematics, history: &Self::History) -> f64 {
        let _ = (contact, history);
        0.0
    }

    /// Work of friction in J since the contact began, if `history` records it; positive when taken out of the motion.
    fn friction_work(&self, history: &Self::History) -> Option<f64> {
        let _ = history;
        None
    }

    /// Whether the law reads how fast a contact [turns](ContactKinematics::turning). Implicit steps do not know that.
    fn turns(&self) -> bool {
        false
    }

    /// Where the force acts on the bodies.
    fn lever(&self) -> LeverArm {
        LeverArm::ContactPoint
    }

    /// Whether the force is ever nonzero. If not, spins need not be read.
    fn is_active(&self) -> bool {
        true
    }

    /// Does `task` with this law. A type that is one of several laws, such as an enum, gives the law that it is: a loop
    /// over contacts then chooses once, not at each contact.
    #[inline(always)]
    fn with_own_type<W: WithTangentialLaw<Self::History>>(&self, task: W)
    where
        Self: Sized,
    {
        task.with(self);
    }
}

/// A task, such as a loop over contacts, for any tangential law with histories of type `M`.
pub trait WithTangentialLaw<M> {
    /// Does the task.
    fn with<T: TangentialLaw<History = M>>(self, law: &T);
}

impl<T: TangentialLaw + ?Sized> TangentialLaw for &T {
    type History = T::History;

    #[inline(always)]
    fn force(&self, contact: &ContactKinematics, history: &mut Self::History) -> DVec3 {
        T::force(self, contact, history)
    }

    fn slope(&self, contact: &ContactKinematics, history: &Self::History) -> TangentialJacobian {
        T::slope(self, contact, history)
    }

    #[inline(always)]
    fn couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut Self::History) -> DVec3 {
        T::couple(self, contact, spin, history)
    }

    #[inline(always)]
    fn resists_rolling(&self) -> bool {
        T::resists_rolling(self)
    }

    #[inline(always)]
    fn normal_overlap(&self, overlap: f64, radius: f64, history: &Self::History) -> Option<f64> {
        T::normal_overlap(self, overlap, radius, history)
    }

    fn is_hysteretic(&self) -> bool {
        T::is_hysteretic(self)
    }

    #[inline(always)]
    fn spring_stiffness(&self, history: &Self::History) -> f64 {
        T::spring_stiffness(self, history)
    }

    fn stored_energy(&self, contact: &ContactKinematics, history: &Self::History) -> f64 {
        T::stored_energy(self, contact, history)
    }

    fn friction_work(&self, history: &Self::History) -> Option<f64> {
        T::friction_work(self, history)
    }

    #[inline(always)]
    fn turns(&self) -> bool {
        T::turns(self)
    }

    fn lever(&self) -> LeverArm {
        T::lever(self)
    }

    #[inline(always)]
    fn is_active(&self) -> bool {
        T::is_active(self)
    }
}
