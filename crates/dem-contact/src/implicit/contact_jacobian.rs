//! Derivatives of the impulses of one contact by the velocities of the step.

use rrp_geom::glam::DVec3;

use crate::implicit::contact::ImplicitContact;
use crate::implicit::weights::StepWeights;

/// Change of the impulses of one contact with a change of the step's velocities and spins.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ImpulseChange {
    /// Change in kg m/s of the impulse on the second body b.
    pub(super) impulse: DVec3,
    /// Change of n × `F_t` (contact normal and tangential force) times the time (s) for which the force acts.
    pub(super) torque_per_arm: DVec3,
    /// Change in m of the lever arm of each body; both change equally.
    pub(super) arm: f64,
}

/// Second body of a contact for the off-diagonal block of the Jacobian, if the step moves this body.
#[derive(Clone, Copy)]
pub(super) struct CoupledBody {
    /// Index of the body in the order of the neighbour list.
    pub(super) place: usize,
    /// Lever arm of the body in m: distance of its centre from the contact.
    pub(super) arm: f64,
}

impl ImplicitContact {
    /// Part of this contact in the symmetric part of −∂R/∂V (kg), where R is the residual and V the velocity of body a:
    /// along the normal and across it. Tangential forces and the [`ridge`](Self::ridge_stiffness) of a wall are not
    /// included.
    #[inline(always)]
    pub(super) fn stiffness(&self, weights: &StepWeights) -> [f64; 2] {
        let m = &self.geometry;
        let e = &self.elastic;
        let mut along = weights.elastic * e.travel_time * e.slope;
        let mut across = -weights.elastic * e.travel_time * e.size * e.turn;
        if let Some(d) = &self.dissipative {
            along += weights.dissipative * (weights.evaluation_time * d.by_overlap - d.by_rate);
            across -= weights.dissipative * weights.evaluation_time * d.normal_force * m.curvature;
        }
        if weights.convex { [along.max(0.0), across.max(0.0)] } else { [along, across] }
    }

    /// Additional [`stiffness`](Self::stiffness) in kg along the direction in which a curved wall bends more.
    #[inline(always)]
    pub(super) fn ridge_stiffness(&self, weights: &StepWeights) -> f64 {
        let m = &self.geometry;
        let e = &self.elastic;
        let normal_force = self.dissipative.map_or(0.0, |d| d.normal_force);
        let force =
            weights.elastic * e.travel_time * e.size + weights.dissipative * weights.evaluation_time * normal_force;
        let stiffness = -force * m.ridge.1;
        if weights.convex { stiffness.max(0.0) } else { stiffness }
    }

    /// Viscous coefficient in kg of the tangential force in the symmetric part of the Jacobian.
    pub(super) fn viscosity(&self, weights: &StepWeights) -> f64 {
        self.dissipative.map_or(0.0, |d| weights.dissipative * d.viscosity)
    }

    /// Computes the exact change of the contact's impulses with a change `velocity` of b's velocity relative to a, and
    /// a change `arm_spins` of `l_a Ω_a + l_b Ω_b`, the spins Ω times the constant lever arms l.
    pub(super) fn change(&self, weights: &StepWeights, velocity: DVec3, arm_spins: DVec3) -> ImpulseChange {
        let m = &self.geometry;
        let e = &self.elastic;
        let n = self.geometry.normal;
        let ridge = |moved: DVec3| m.ridge.0 * (m.ridge.1 * m.ridge.0.dot(moved));
        let moved = velocity * e.travel_time;
        let fallen = e.falling.dot(moved);
        let mut impulse = moved * (e.size * e.turn) - e.direction * (fallen * (e.slope + e.size * e.turn));
        impulse += ridge(moved) * e.size;
        impulse *= weights.elastic;
        let Some(d) = &self.dissipative else { return ImpulseChange { impulse, ..ImpulseChange::default() } };
        let moved = velocity * weights.evaluation_time;
        let overlap = -n.dot(moved);
        let normal = (moved + n * overlap) * m.curvature + ridge(moved);
        let rate_now = m.velocity.dot(n);
        let rate = velocity.dot(n) + m.velocity.dot(normal);
        let turned = arm_spins - m.lost_spins * overlap;
        let at_point = velocity - turned.cross(n) - m.arm_spins.cross(normal);
        let slip = at_point - n * rate - normal * rate_now;
        let dissipated = d.by_overlap * overlap + d.by_rate * rate;
        let normal_force = d.law_normal[0] * overlap + d.law_normal[1] * rate;
        let slope = &d.slope;
        let of_law = slope.by_velocity * slip + slope.by_normal_force * normal_force + slope.by_overlap * overlap;
        let tangential = of_law * d.onset[0] + d.law_tangential * (d.onset[1] * overlap + d.onset[2] * rate);
        impulse += weights.dissipative * (normal * d.normal_force + n * dissipated + tangential);
        let torque_per_arm = weights.dissipative * (normal.cross(d.tangential) + n.cross(tangential));
        ImpulseChange { impulse, torque_per_arm, arm: -m.arm_loss * overlap }
    }

    /// Computes the [`change`](Self::change) of impulses in a symmetric form, for symmetric solvers.
    pub(super) fn symmetric_change(&self, weights: &StepWeights, velocity: DVec3, arm_spins: DVec3) -> ImpulseChange {
        let n = self.geometry.normal;
        let [along, across] = self.stiffness(weights);
        let viscosity = self.viscosity(weights);
        let part = n * n.dot(velocity);
        let slip = velocity - part - arm_spins.cross(n);
        let tangential = slip * -viscosity;
        let (ridge, _) = self.geometry.ridge;
        let on_ridge = ridge * (ridge.dot(velocity) * self.ridge_stiffness(weights));
        ImpulseChange {
            impulse: -part * along - (velocity - part) * across - on_ridge + tangential,
            torque_per_arm: n.cross(tangential),
            arm: 0.0,
        }
    }
}
