//! One contact in an implicit step: its impulses, and how they change with the velocities of the step.

use rrp_geom::glam::{DMat3, DVec3};

use crate::force::contact_model::{ContactForces, ContactState, contact_forces, contact_kinematics};
use crate::implicit::weights::StepWeights;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::tangential::slope::TangentialJacobian;

/// Where a contact of a and b is at the point of the step where forces are evaluated; b may be a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactGeometry {
    /// Unit normal from a to b, and how fast it turns: the reciprocal distance, zero for a plane.
    pub(crate) normal: DVec3,
    pub(crate) curvature: f64,
    /// How much faster it turns along one direction, of a wall that is not a plane: v vᵀ times the number.
    pub(crate) ridge: (DVec3, f64),
    pub(crate) overlap: f64,
    /// The arm of a, and what the overlap takes from each arm: half of it, or all for a wall.
    pub(crate) arm: f64,
    pub(crate) give: f64,
    /// Reduced radius and mass.
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    /// Velocity V of b relative to a, of the centres.
    pub(crate) velocity: DVec3,
    /// `l_a Ω_a + l_b Ω_b`, and `Ω_a + Ω_b` times `give`.
    pub(crate) turning: DVec3,
    pub(crate) rolling: DVec3,
    /// Which side laws see it from.
    pub(crate) side: f64,
    /// How much of it is its own, and how that changes with the overlap, if the overlap at its saddle changes as much.
    pub(crate) share: [f64; 2],
}

impl ContactGeometry {
    /// The share of what is no part of another contact.
    pub(crate) const WHOLE: [f64; 2] = [1.0, 0.0];
}

/// The elastic force on b: along `direction` at `size`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Elastic {
    pub(crate) size: f64,
    /// Derivative of the size by the overlap at the place that the unknowns move.
    pub(crate) slope: f64,
    pub(crate) direction: DVec3,
    /// Unit vector by which that overlap falls, and how fast the direction turns.
    pub(crate) falling: DVec3,
    pub(crate) turn: f64,
    /// Time that the place moves with the velocity, in s.
    pub(crate) reach: f64,
}

/// What is dissipative: force on b, and derivatives.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Dissipative {
    pub(crate) normal_force: f64,
    pub(crate) tangential: DVec3,
    /// Derivatives of the normal force by the overlap and by the rate v·n.
    by_overlap: f64,
    by_rate: f64,
    /// What is there of the law's forces, and its derivatives by overlap and rate.
    onset: [f64; 3],
    /// The law's tangential force with its derivatives, and those of the law's normal force, elastic too.
    law_tangential: DVec3,
    slope: TangentialJacobian,
    whole: [f64; 2],
    /// Coefficient of an isotropic viscous force that bounds the tangential one.
    viscosity: f64,
}

/// A contact with its forces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImplicitContact {
    pub(crate) meeting: ContactGeometry,
    pub(crate) elastic: Elastic,
    pub(crate) dissipative: Option<Dissipative>,
}

/// Overlap in terms of what a contact gains until forces are evaluated over which dissipative forces set in.
const ONSET: f64 = 0.1;

/// Reciprocal of the share of the mass that dissipative forces may take from the Jacobian where bodies part.
const PARTING: f64 = 4.0;

impl Dissipative {
    /// What is dissipative in a contact that touches, `reach` (s) after the start of the step.
    ///
    /// A damping that jumps from nothing to c v at the touch leaves equations without a solution: with it bodies do not
    /// reach the touch in time, without it they go beyond. So it sets in over a tenth of the overlap that the present velocity
    /// makes in the time `reach`; a contact that is older than that has the whole of it. Where bodies part, what pulls them
    /// back ends over at least as much as keeps the equations monotone, which matters at steps of the order of m/c.
    /// Derivatives of the tangential force are left out without `slopes`.
    #[inline]
    pub(crate) fn new<L: ContactLaw, T: TangentialLaw>(
        (law, tangential): (&L, &T),
        meeting: &ContactGeometry,
        weights: &StepWeights,
        memory: &mut T::History,
        slopes: bool,
    ) -> Self {
        let &ContactGeometry { normal, overlap, radius, mass, velocity, turning, .. } = meeting;
        let &StepWeights { reach, step, .. } = weights;
        let mut scratch = *memory;
        let capped = law.is_capped();
        let at_point = velocity - turning.cross(normal);
        let side = meeting.side;
        let touch = ContactState {
            normal: normal * side,
            overlap,
            radius,
            mass,
            velocity: at_point * side,
            spin: DVec3::ZERO,
            turning: DVec3::ZERO,
            elapsed: reach,
            share: 1.0,
        };
        if size_of::<T::History>() > 0 {
            // What is remembered is that of the end of the step.
            let whole_step = ContactState { elapsed: step, share: meeting.share[0], ..touch };
            contact_forces(law, tangential, capped, &whole_step, memory);
        }
        let slope = (slopes && tangential.is_active())
            .then(|| tangential.slope(&contact_kinematics(law, capped, &touch).0, &scratch));
        let ContactForces { elastic, normal: whole_force, tangential: force, .. } =
            contact_forces(law, tangential, capped, &touch, &mut scratch);
        let force = force * side;
        let rate = velocity.dot(normal);
        let stiffness = law.stiffness(overlap, radius);
        let (by_overlap, by_rate) = if capped && whole_force <= 0.0 {
            (-stiffness, 0.0)
        } else {
            (-law.damping_slope(overlap, radius, mass) * rate, -law.damping(overlap, radius, mass))
        };
        let (mut share, mut growth) = (ONSET, 0.0);
        let parting = if rate > 0.0 { PARTING * weights.dissipative / mass } else { 0.0 };
        if parting * law.damping(overlap, radius, mass) > share {
            share = parting * law.damping(overlap, radius, mass);
            growth = parting * law.damping_slope(overlap, radius, mass) / share;
        }
        let full = share * reach * rate.abs();
        let part = overlap / full;
        let onset = if part < 1.0 { [part, full.recip() - part * growth, -part / rate] } else { [1.0, 0.0, 0.0] };
        let damping = whole_force - elastic;
        let mut dissipative = Self {
            normal_force: onset[0] * damping,
            tangential: force * onset[0],
            by_overlap: onset[0] * by_overlap + damping * onset[1],
            by_rate: onset[0] * by_rate + damping * onset[2],
            onset,
            law_tangential: force,
            whole: [stiffness + by_overlap, by_rate],
            ..Self::default()
        };
        if let Some(slope) = slope {
            dissipative.slope = slope.seen_from(side);
            dissipative.viscosity = onset[0] * largest_across(normal, dissipative.slope.by_velocity);
        }
        if meeting.share[0] < 1.0 { dissipative.of_share(meeting.share) } else { dissipative }
    }

    /// The same of a contact of which this is the share.
    fn of_share(self, [share, by_overlap]: [f64; 2]) -> Self {
        let [part, onset_by_overlap, onset_by_rate] = self.onset;
        Self {
            normal_force: share * self.normal_force,
            tangential: share * self.tangential,
            by_overlap: share * self.by_overlap + by_overlap * self.normal_force,
            by_rate: share * self.by_rate,
            onset: [share * part, share * onset_by_overlap + by_overlap * part, share * onset_by_rate],
            viscosity: share * self.viscosity,
            ..self
        }
    }
}

/// The larger principal value of −G across the normal, zero if it is negative.
fn largest_across(normal: DVec3, by_velocity: DMat3) -> f64 {
    let first = normal.any_orthonormal_vector();
    let second = normal.cross(first);
    let form = |u: DVec3, v: DVec3| -0.5 * (u.dot(by_velocity * v) + v.dot(by_velocity * u));
    let (a, b, c) = (form(first, first), form(first, second), form(second, second));
    (0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt()).max(0.0)
}

/// Change of the impulse on b, and of n × `F_t` times the weight.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Change {
    pub(crate) impulse: DVec3,
    pub(crate) twist: DVec3,
    /// Of the arms.
    pub(crate) arm: f64,
}

impl ImplicitContact {
    /// The elastic force on b.
    #[inline(always)]
    pub(crate) fn elastic_force(&self) -> DVec3 {
        self.elastic.direction * self.elastic.size
    }

    /// The dissipative force on b.
    #[inline(always)]
    pub(crate) fn dissipative_force(&self) -> DVec3 {
        let normal = self.meeting.normal;
        self.dissipative.as_ref().map_or(DVec3::ZERO, |d| normal * d.normal_force + d.tangential)
    }

    /// The symmetric part of how the residual of a depends on its own velocity: along the normal and across it.
    #[inline(always)]
    pub(crate) fn stiffness(&self, weights: &StepWeights) -> [f64; 2] {
        let (m, e) = (&self.meeting, &self.elastic);
        let mut along = weights.elastic * e.reach * e.slope;
        let mut across = -weights.elastic * e.reach * e.size * e.turn;
        if let Some(d) = &self.dissipative {
            along += weights.dissipative * (weights.reach * d.by_overlap - d.by_rate);
            across -= weights.dissipative * weights.reach * d.normal_force * m.curvature;
        }
        if weights.convex { [along.max(0.0), across.max(0.0)] } else { [along, across] }
    }

    /// What the ridge of a wall adds to [`stiffness`](Self::stiffness), along its direction.
    #[inline(always)]
    pub(crate) fn ridge_stiffness(&self, weights: &StepWeights) -> f64 {
        let (m, e) = (&self.meeting, &self.elastic);
        let normal_force = self.dissipative.map_or(0.0, |d| d.normal_force);
        let force = weights.elastic * e.reach * e.size + weights.dissipative * weights.reach * normal_force;
        let stiffness = -force * m.ridge.1;
        if weights.convex { stiffness.max(0.0) } else { stiffness }
    }

    /// n × `F_t`, of which each body feels the negative times its arm.
    #[inline(always)]
    pub(crate) fn twist(&self) -> DVec3 {
        self.dissipative.as_ref().map_or(DVec3::ZERO, |d| self.meeting.normal.cross(d.tangential))
    }

    /// The coefficient of the tangential force in the symmetric part.
    pub(crate) fn viscosity(&self, weights: &StepWeights) -> f64 {
        self.dissipative.map_or(0.0, |d| weights.dissipative * d.viscosity)
    }

    /// How the impulse changes with the velocity of b relative to a and with `l_a Ω_a + l_b Ω_b` at given arms.
    pub(crate) fn change(&self, weights: &StepWeights, velocity: DVec3, turning: DVec3) -> Change {
        let (m, e, n) = (&self.meeting, &self.elastic, self.meeting.normal);
        let ridge = |moved: DVec3| m.ridge.0 * (m.ridge.1 * m.ridge.0.dot(moved));
        // The elastic force, where the place moves by `reach`.
        let moved = velocity * e.reach;
        let fallen = e.falling.dot(moved);
        let mut impulse = moved * (e.size * e.turn) - e.direction * (fallen * (e.slope + e.size * e.turn));
        impulse += ridge(moved) * e.size;
        impulse *= weights.elastic;
        let Some(d) = &self.dissipative else { return Change { impulse, ..Change::default() } };
        let moved = velocity * weights.reach;
        let overlap = -n.dot(moved);
        let normal = (moved + n * overlap) * m.curvature + ridge(moved);
        let (rate_now, rate) = (m.velocity.dot(n), velocity.dot(n) + m.velocity.dot(normal));
        let turned = turning - m.rolling * overlap;
        let at_point = velocity - turned.cross(n) - m.turning.cross(normal);
        let slip = at_point - n * rate - normal * rate_now;
        let dissipated = d.by_overlap * overlap + d.by_rate * rate;
        let whole = d.whole[0] * overlap + d.whole[1] * rate;
        let slope = &d.slope;
        let of_law = slope.by_velocity * slip + slope.by_normal_force * whole + slope.by_overlap * overlap;
        let tangential = of_law * d.onset[0] + d.law_tangential * (d.onset[1] * overlap + d.onset[2] * rate);
        impulse += weights.dissipative * (normal * d.normal_force + n * dissipated + tangential);
        let twist = weights.dissipative * (normal.cross(d.tangential) + n.cross(tangential));
        Change { impulse, twist, arm: -m.give * overlap }
    }

    /// [`change`](Self::change) of a symmetric approximation.
    pub(crate) fn symmetric_change(&self, weights: &StepWeights, velocity: DVec3, turning: DVec3) -> Change {
        let n = self.meeting.normal;
        let [along, across] = self.stiffness(weights);
        let viscosity = self.viscosity(weights);
        let part = n * n.dot(velocity);
        let slip = velocity - part - turning.cross(n);
        let tangential = slip * -viscosity;
        let (ridge, _) = self.meeting.ridge;
        let on_ridge = ridge * (ridge.dot(velocity) * self.ridge_stiffness(weights));
        Change {
            impulse: -part * along - (velocity - part) * across - on_ridge + tangential,
            twist: n.cross(tangential),
            arm: 0.0,
        }
    }
}
