//! The two traits of a contact law: its normal and its tangential part.

use rrp_geom::glam::DVec3;

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::tangential::lever_arm::LeverArm;
use crate::law::tangential::slope::TangentialJacobian;

/// The normal part of a contact law: functions of the overlap δ > 0 (m).
///
/// `radius` is the reduced radius `r_a r_b/(r_a + r_b)` in m and `mass` the reduced mass `m_a m_b/(m_a + m_b)` in kg; for a
/// wall they are those of the body. The methods are inlined into a vectorised loop: keep them short and free of branches.
/// That loop also asks for pairs that are only near, with δ = 0 and maybe a radius that is NaN, and throws the answer
/// away: a method must not panic, whatever it is given.
pub trait ContactLaw: Send + Sync {
    /// Elastic energy in J; zero at δ = 0.
    fn energy(&self, overlap: f64, radius: f64) -> f64;

    /// Elastic force in N, the derivative of the energy; zero at δ = 0.
    fn force(&self, overlap: f64, radius: f64) -> f64;

    /// Derivative of the force in N/m.
    fn stiffness(&self, overlap: f64, radius: f64) -> f64;

    /// Damping coefficient c in kg/s: the normal force is `force` + c dδ/dt.
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        let _ = (overlap, radius, mass);
        0.0
    }

    /// Derivative of [`damping`](Self::damping) by the overlap, in kg/(m s); asked for by implicit steps only. Unless
    /// overridden, a central difference.
    fn damping_slope(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        let [below, above] = [overlap * (1.0 - 1e-6), overlap * (1.0 + 1e-6)];
        let change = self.damping(above, radius, mass) - self.damping(below, radius, mass);
        if above > below { change / (above - below) } else { 0.0 }
    }

    /// Whether [`damping`](Self::damping) is ever other than zero; without it velocities need not be read.
    fn is_damped(&self) -> bool {
        true
    }

    /// Whether a normal force that damping has made attractive is cut off at zero.
    fn is_capped(&self) -> bool {
        false
    }
}

/// The tangential part of a contact law.
///
/// A law without memory has `History = ()`. A law with memory, such as a friction spring, gets what was committed for this
/// contact in `memory` and leaves there what is to be committed with the step; a new contact starts from the default.
/// A contact is shown to laws with memory from one side only: from the body with the smaller number, or from the body at a
/// wall. What is remembered is turned around only where bodies get other numbers. A law without memory may be shown it from
/// both sides: exchanging a and b turns velocity, normal and spin around, and must turn force and couple around.
///
/// The methods are inlined into a vectorised loop, which also asks for contacts that do not touch and throws the answer
/// away: prefer choices of values to branches, and never panic.
pub trait TangentialLaw: Send + Sync {
    /// What a contact remembers from step to step. A `DVec3` is turned around with the contact, see [`ContactHistory`]; what is
    /// not needs a type of its own.
    type History: ContactHistory;

    /// Tangential force on b in N, world frame.
    fn force(&self, slip: &ContactKinematics, memory: &mut Self::History) -> DVec3;

    /// Derivatives of the force at the committed `memory`; asked for by implicit steps only. Unless overridden, central
    /// differences.
    fn slope(&self, slip: &ContactKinematics, memory: &Self::History) -> TangentialJacobian {
        TangentialJacobian::by_differences(slip, |slip| self.force(slip, &mut memory.clone()))
    }

    /// Torque on b in N m by which the contact resists rolling and twisting, world frame; a gets the opposite. `spin` is
    /// that of b relative to a in rad/s. Asked for after [`force`](Self::force), with what that left in `memory`, and only if
    /// [`resists_rolling`](Self::resists_rolling).
    fn couple(&self, slip: &ContactKinematics, spin: DVec3, memory: &mut Self::History) -> DVec3 {
        let _ = (slip, spin, memory);
        DVec3::ZERO
    }

    /// Whether [`couple`](Self::couple) is ever other than zero.
    fn resists_rolling(&self) -> bool {
        false
    }

    /// Energy in J that `memory` stands for, such as that of springs.
    fn stored_energy(&self, slip: &ContactKinematics, memory: &Self::History) -> f64 {
        let _ = (slip, memory);
        0.0
    }

    /// Work in J that friction has taken out of the motion at this contact since it began, if `memory` records it.
    fn friction_work(&self, memory: &Self::History) -> Option<f64> {
        let _ = memory;
        None
    }

    /// Whether the law reads how fast a contact [turns](ContactKinematics::turning), which implicit steps do not know.
    fn turns(&self) -> bool {
        false
    }

    /// Where the force acts on the bodies.
    fn lever(&self) -> LeverArm {
        LeverArm::ContactPoint
    }

    /// Whether the force is ever other than zero; without it spins need not be read.
    fn is_active(&self) -> bool {
        true
    }
}
