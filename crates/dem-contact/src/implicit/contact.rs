//! One contact in an implicit step: its geometry and its forces.
//!
//! [`contact_jacobian`](crate::implicit::contact_jacobian) has the part of a contact in the Jacobian.

use rrp_geom::glam::{DMat3, DVec3};

use crate::force::contact_model::{ContactState, contact_kinematics, relative_velocity};
use crate::implicit::weights::StepWeights;
use crate::law::contact::ContactKinematics;
use crate::law::pair_law::LawTraits;
use crate::law::tangential_slope::TangentialJacobian;

/// Returns the sign of a contact by the ids of its bodies: 1 if laws see the contact from body a, which then has the
/// lower id; −1 if they see it from body b.
#[inline(always)]
pub(super) fn side(a: u32, b: u32) -> f64 {
    if a < b { 1.0 } else { -1.0 }
}

/// Returns the lever arm of a body at a contact in m: the distance from its centre to the middle of the overlap.
#[inline(always)]
pub(super) fn arm(radius: f64, overlap: f64) -> f64 {
    radius - 0.5 * overlap
}

/// Geometry of a contact of a body a and a body or wall b where forces are evaluated; m, world frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactGeometry {
    /// Unit normal of the contact from body a to body or wall b.
    pub(super) normal: DVec3,
    /// Turn of the normal per displacement of body b relative to a, across the normal, in 1/m: the reciprocal distance
    /// of the centres, zero for a plane, for another wall the part that is equal in all directions.
    pub(super) curvature: f64,
    /// Direction in which a curved wall bends more, and the additional curvature (1/m) in this direction.
    pub(super) ridge: (DVec3, f64),
    pub(super) overlap: f64,
    /// Lever arm in m of body a, from its centre to the contact point.
    pub(super) arm: f64,
    /// Minus the derivative of the lever arm of each body by the overlap: 1/2 for a pair, 1 for a wall.
    pub(super) arm_loss: f64,
    pub(super) radius: f64,
    pub(super) mass: f64,
    /// Velocity of the centre of body b relative to body a during the step, in m/s.
    pub(super) velocity: DVec3,
    /// Velocity `l_a Ω_a + l_b Ω_b` from the spins Ω and the lever arms l, in m/s.
    pub(super) arm_spins: DVec3,
    /// Minus the derivative of [`arm_spins`](Self::arm_spins) by the overlap, in 1/s.
    pub(super) lost_spins: DVec3,
    /// Sign from [`side`]: 1 if laws see the contact from body a, which then has the lower id; −1 if they see it from
    /// body b.
    pub(super) side: f64,
    /// The [share](crate::law::contact::ContactKinematics::share) of the elastic force that counts at this contact, and
    /// its derivative by the overlap (1/m) if the overlap at the [`Saddle`](crate::wall::Saddle) changes equally.
    pub(super) share: [f64; 2],
}

impl ContactGeometry {
    /// Value of [`share`](Self::share) for a contact whose elastic force counts in full.
    pub(super) const WHOLE: [f64; 2] = [1.0, 0.0];

    /// Returns the contact as its laws see it where forces are evaluated, and the elastic normal force (N).
    #[inline(always)]
    fn seen_by(&self, traits: &LawTraits, weights: &StepWeights) -> (ContactKinematics, f64) {
        let &Self { normal, overlap, radius, mass, velocity, arm_spins, side, .. } = self;
        let state = ContactState {
            normal: normal * side,
            overlap,
            radius,
            mass,
            velocity: relative_velocity(velocity, arm_spins, normal) * side,
            spin: DVec3::ZERO,
            turning: DVec3::ZERO,
            elapsed: weights.evaluation_time,
            share: 1.0,
        };
        contact_kinematics(traits, &state)
    }

    /// Advances the history of a touching contact over the whole step. Laws without history are not called.
    pub(super) fn advance_history(&self, traits: &LawTraits, weights: &StepWeights, history: &mut [f64]) {
        if !history.is_empty() {
            let contact = self.seen_by(traits, weights).0;
            let whole_step = ContactKinematics { elapsed: weights.step, share: self.share[0], ..contact };
            traits.tangential.force_and_couple(&whole_step, DVec3::ZERO, history);
        }
    }
}

/// Largest width of a contact history that is copied on the stack, more than all laws of this crate need. Wider
/// histories cost a heap allocation for each contact.
const SHORT: usize = 64;

/// Computes the tangential force of the contact on body b (N), without derivatives.
#[inline(always)]
fn tangential_force(traits: &LawTraits, contact: &ContactKinematics, history: &[f64]) -> DVec3 {
    let mut short = [0.0; SHORT];
    let mut wide = Vec::new();
    let after = match short.get_mut(..history.len()) {
        Some(short) => short,
        None => {
            wide.resize(history.len(), 0.0);
            &mut wide[..]
        }
    };
    after.copy_from_slice(history);
    let [force, _] = traits.tangential.force_and_couple(contact, DVec3::ZERO, after);
    force
}

/// Elastic force of a contact on its second body or wall b: `size` (N) along `direction`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ElasticForce {
    pub(super) size: f64,
    /// Derivative (N/m) of the size by the overlap; with exact energy, by the overlap at the end of the step.
    pub(super) slope: f64,
    pub(super) direction: DVec3,
    /// Unit vector of the motion of body b that reduces the overlap fastest.
    pub(super) falling: DVec3,
    /// Turn (rad/m) of the direction per change of the relative position across this direction.
    pub(super) turn: f64,
    /// Derivative (s) of the relative position where the force is evaluated by the relative velocity in the step.
    pub(super) travel_time: f64,
}

/// Dissipative force of a contact on its second body or wall b, with derivatives by overlap and velocity.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DissipativeForce {
    pub(super) normal_force: f64,
    pub(super) tangential: DVec3,
    /// Derivatives of the dissipative normal force by the overlap and by the normal velocity of body b.
    pub(super) by_overlap: f64,
    pub(super) by_rate: f64,
    /// Factor in [0, 1] with which the dissipative forces of a new or ending contact set in, and its derivatives by the
    /// overlap and by the rate of the overlap.
    pub(super) onset: [f64; 3],
    /// Tangential force (N) of the contact law, before the factor `onset` is applied; `slope` has its derivatives.
    pub(super) law_tangential: DVec3,
    pub(super) slope: TangentialJacobian,
    /// Derivatives of the whole normal force of the law, elastic part included, by the overlap and by its rate.
    pub(super) law_normal: [f64; 2],
    /// Coefficient in kg/s of the isotropic viscous force that replaces the tangential force in the symmetric Jacobian:
    /// the largest derivative of the tangential force by a slip velocity, in any direction.
    pub(super) viscosity: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ImplicitContact {
    pub(super) geometry: ContactGeometry,
    pub(super) elastic: ElasticForce,
    pub(super) dissipative: Option<DissipativeForce>,
}

/// Share of a new contact's overlap at the evaluation point over which damping sets in.
const ONSET: f64 = 0.1;

/// Reciprocal of the largest share of the reduced mass by which the end of damping at separating bodies may reduce the
/// Jacobian, so that the equations stay monotone.
const PARTING: f64 = 4.0;

impl DissipativeForce {
    /// Computes the dissipative force of a contact that touches where the step evaluates forces. `history` is the
    /// history of the contact at the accepted state. Without `slopes` derivatives of the tangential force are left out.
    ///
    /// A damping that jumps from zero to c v at the first touch can leave the equations without a solution: damped
    /// bodies do not touch in time, undamped bodies do. Damping of a new contact therefore sets in over a tenth of the
    /// overlap that the present velocity makes until the evaluation time; older contacts have their full damping. Where
    /// bodies separate, the attractive part ends over at least the overlap that keeps the equations monotone, which
    /// matters at steps of about m/c.
    #[inline]
    pub(super) fn new(
        traits: &LawTraits,
        geometry: &ContactGeometry,
        weights: &StepWeights,
        history: &[f64],
        slopes: bool,
    ) -> Self {
        let &ContactGeometry { normal, overlap, radius, mass, velocity, side, .. } = geometry;
        let law = &*traits.normal;
        let (contact, elastic) = geometry.seen_by(traits, weights);
        let whole_force = contact.normal_force;
        let (force, slope) = if !traits.is_tangential {
            (DVec3::ZERO, None)
        } else if slopes {
            let (force, slope) = traits.tangential.force_and_slope(&contact, history);
            (force * side, Some(slope))
        } else {
            (tangential_force(traits, &contact, history) * side, None)
        };
        let rate = velocity.dot(normal);
        let stiffness = law.stiffness(overlap, radius);
        let [coefficient, coefficient_slope] = if traits.is_damped {
            [law.damping(overlap, radius, mass), law.damping_slope(overlap, radius, mass)]
        } else {
            [0.0; 2]
        };
        let (by_overlap, by_rate) = if traits.is_capped && whole_force <= 0.0 {
            (-stiffness, 0.0)
        } else {
            (-coefficient_slope * rate, -coefficient)
        };
        let mut share = ONSET;
        let mut growth = 0.0;
        let parting = if rate > 0.0 { PARTING * weights.dissipative / mass } else { 0.0 };
        if parting * coefficient > share {
            share = parting * coefficient;
            growth = parting * coefficient_slope / share;
        }
        let full = share * weights.evaluation_time * rate.abs();
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
            law_normal: [stiffness + by_overlap, by_rate],
            ..Self::default()
        };
        if let Some(slope) = slope {
            dissipative.slope = slope.seen_from(side);
            dissipative.viscosity = onset[0] * largest_across(normal, dissipative.slope.by_velocity);
        }
        if geometry.share[0] < 1.0 { dissipative.scaled_to_share(geometry.share) } else { dissipative }
    }

    /// Scales the dissipative force by the contact's [share](ContactGeometry::share), given with its derivative.
    fn scaled_to_share(self, [share, by_overlap]: [f64; 2]) -> Self {
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

/// Larger principal value, across `normal`, of the symmetric part of −`by_velocity`, in kg/s; zero if it is negative.
fn largest_across(normal: DVec3, by_velocity: DMat3) -> f64 {
    let first = normal.any_orthonormal_vector();
    let second = normal.cross(first);
    let form = |u: DVec3, v: DVec3| -0.5 * (u.dot(by_velocity * v) + v.dot(by_velocity * u));
    let a = form(first, first);
    let b = form(first, second);
    let c = form(second, second);
    (0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt()).max(0.0)
}

impl ImplicitContact {
    #[inline(always)]
    pub(super) fn elastic_force(&self) -> DVec3 {
        self.elastic.direction * self.elastic.size
    }

    /// Dissipative force on the second body or wall, tangential part included, in N.
    #[inline(always)]
    pub(super) fn dissipative_force(&self) -> DVec3 {
        let normal = self.geometry.normal;
        self.dissipative.as_ref().map_or(DVec3::ZERO, |d| normal * d.normal_force + d.tangential)
    }

    /// Cross product n × `F_t` in N of contact normal and tangential force; the torque on a body is −arm times it.
    #[inline(always)]
    pub(super) fn torque_per_arm(&self) -> DVec3 {
        self.dissipative.as_ref().map_or(DVec3::ZERO, |d| self.geometry.normal.cross(d.tangential))
    }
}
