//! One contact in an implicit step: its geometry and its forces.
//!
//! The part of a contact in the Jacobian is in [`contact_jacobian`](crate::implicit::contact_jacobian).

use rrp_geom::glam::{DMat3, DVec3};

use crate::force::contact_model::{ContactState, contact_kinematics, relative_velocity};
use crate::implicit::weights::StepWeights;
use crate::law::contact::ContactKinematics;
use crate::law::pair_law::LawTraits;
use crate::law::tangential::slope::TangentialJacobian;

/// The side from which laws see a contact of two bodies with these ids: 1 if a has the lower id, otherwise −1.
#[inline(always)]
pub(crate) fn side(a: u32, b: u32) -> f64 {
    if a < b { 1.0 } else { -1.0 }
}

/// The arm l of each body in m, from its centre to the point that tangential forces act at, in the middle of the
/// overlap.
#[inline(always)]
pub(crate) fn arm(radius: f64, overlap: f64) -> f64 {
    radius - 0.5 * overlap
}

/// The geometry of a contact of a and b at the point of the step where forces are evaluated; b may be a wall.
///
/// Lengths are in m, vectors in the world frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactGeometry {
    /// Unit normal from a to b.
    pub(crate) normal: DVec3,
    /// Angle by which the normal turns over the distance by which b moves across it, in 1/m: the reciprocal distance of
    /// the centres, zero for a plane.
    pub(crate) curvature: f64,
    /// A direction v along which the normal of a curved wall turns faster, and the excess (1/m), which multiplies v vᵀ.
    pub(crate) ridge: (DVec3, f64),
    pub(crate) overlap: f64,
    /// The arm of a.
    pub(crate) arm: f64,
    /// The derivative of each arm by the overlap, with a minus sign: 1/2 for a pair, 1 for a wall.
    pub(crate) arm_loss: f64,
    /// Reduced radius.
    pub(crate) radius: f64,
    /// Reduced mass in kg.
    pub(crate) mass: f64,
    /// Velocity V of the centre of b relative to that of a, in m/s.
    pub(crate) velocity: DVec3,
    /// `l_a Ω_a + l_b Ω_b` with the arms l, in m/s.
    pub(crate) arm_spins: DVec3,
    /// The derivative of [`arm_spins`](Self::arm_spins) by the overlap, with a minus sign, in 1/s.
    pub(crate) lost_spins: DVec3,
    /// The result of [`side`]: 1 if laws see the contact from its first body, −1 from its second one.
    pub(crate) side: f64,
    /// The [share](crate::law::contact::ContactKinematics::share) of the contact, and its derivative by the overlap
    /// (1/m) where the overlap at the saddle changes as much.
    pub(crate) share: [f64; 2],
}

impl ContactGeometry {
    /// The [`share`](Self::share) of a contact whose overlap counts at no other contact.
    pub(crate) const WHOLE: [f64; 2] = [1.0, 0.0];

    /// Returns the contact as its laws see it where forces are evaluated, and the elastic part of the normal force (N).
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

    /// Takes the history of a contact that touches where forces are evaluated from the start of the step to its end.
    pub(crate) fn advance_history(&self, traits: &LawTraits, weights: &StepWeights, history: &mut [f64]) {
        if !history.is_empty() {
            let contact = self.seen_by(traits, weights).0;
            let whole_step = ContactKinematics { elapsed: weights.step, share: self.share[0], ..contact };
            traits.tangential.force_and_couple(&whole_step, DVec3::ZERO, history);
        }
    }
}

/// Largest width of a history that is copied on the stack. Histories of all laws of this crate are narrower; wider ones
/// are copied on the heap, which costs an allocation for each contact.
const SHORT: usize = 64;

/// Returns the tangential force on b (N) alone, without its derivatives.
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

/// The elastic force on b: `size` (N) along `direction`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ElasticForce {
    pub(crate) size: f64,
    /// Derivative of the size by the overlap at the position that depends on the unknowns, in N/m.
    pub(crate) slope: f64,
    pub(crate) direction: DVec3,
    /// Unit vector of the motion of b along which the overlap falls.
    pub(crate) falling: DVec3,
    /// Angle by which the direction turns over the change of the position that depends on the unknowns, in 1/m.
    pub(crate) turn: f64,
    /// Derivative of the position that depends on the unknowns by the velocity of the step, in s.
    pub(crate) travel_time: f64,
}

/// The dissipative force on b, and its derivatives.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DissipativeForce {
    /// Force along the normal in N.
    pub(crate) normal_force: f64,
    /// Force across the normal in N.
    pub(crate) tangential: DVec3,
    /// Derivatives of the normal force by the overlap and by the rate v·n.
    pub(super) by_overlap: f64,
    pub(super) by_rate: f64,
    /// The part of the law's forces that has set in, and its derivatives by overlap and rate.
    pub(super) onset: [f64; 3],
    /// The law's tangential force, and its derivatives.
    pub(super) law_tangential: DVec3,
    pub(super) slope: TangentialJacobian,
    /// Derivatives of the law's whole normal force, elastic too, by overlap and rate.
    pub(super) law_normal: [f64; 2],
    /// Coefficient of an isotropic viscous force that bounds the tangential one, in kg/s.
    pub(super) viscosity: f64,
}

/// A contact with its forces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImplicitContact {
    pub(crate) geometry: ContactGeometry,
    pub(crate) elastic: ElasticForce,
    pub(crate) dissipative: Option<DissipativeForce>,
}

/// Damping sets in over this share of the overlap that a contact gains until forces are evaluated.
const ONSET: f64 = 0.1;

/// Reciprocal of the share of the mass that dissipative forces may take from the Jacobian where bodies part.
const PARTING: f64 = 4.0;

impl DissipativeForce {
    /// Computes the dissipative force of a contact that touches at the evaluation time of the step; `history` is the
    /// committed one. Derivatives of the tangential force are left out without `slopes`.
    ///
    /// A damping that jumps from zero to c v at the touch leaves equations without a solution: with damping, bodies do
    /// not reach the touch in time; without damping, they pass it. Damping therefore sets in over a tenth of the
    /// overlap that the present velocity makes until the evaluation time. An older contact has its full damping. Where
    /// bodies part, the force that pulls them back ends over at least the overlap that keeps the equations monotone;
    /// this matters at steps of about m/c.
    #[inline]
    pub(crate) fn new(
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

    /// The dissipative force of a share of the contact, given with the derivative of the share by the overlap.
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

/// The larger principal value across the normal of the symmetric part of −`by_velocity`; zero if it is negative.
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
    /// The elastic force on b, in N.
    #[inline(always)]
    pub(crate) fn elastic_force(&self) -> DVec3 {
        self.elastic.direction * self.elastic.size
    }

    /// The dissipative force on b, in N.
    #[inline(always)]
    pub(crate) fn dissipative_force(&self) -> DVec3 {
        let normal = self.geometry.normal;
        self.dissipative.as_ref().map_or(DVec3::ZERO, |d| normal * d.normal_force + d.tangential)
    }

    /// n × `F_t` in N: the torque on each body is the negative of it times the body's arm.
    #[inline(always)]
    pub(crate) fn torque_per_arm(&self) -> DVec3 {
        self.dissipative.as_ref().map_or(DVec3::ZERO, |d| self.geometry.normal.cross(d.tangential))
    }
}
