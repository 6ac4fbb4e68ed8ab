//! Spring and dashpot in parallel, in series with a slider that sticks up to a limit and then slides.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};

/// Resistance of a contact to slip, rolling or twisting: `F = −(k s + c v)` at the stretch s and the speed v, at most
/// `μ |F_n|`. While the contact slides, the stretch changes until spring and dashpot, at the rate ds/dt, carry the
/// limit. No path gains energy. With [its coefficient alone](Self::coefficient) the resistance is `μ |F_n|` against the
/// motion.
///
/// Units depend on the kind of motion; see [`Rolling`](crate::law::Rolling).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SpringSlider {
    pub(in crate::law) spring: ResistanceSpring,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    pub(in crate::law) damping: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    pub(crate) friction: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::law) enum ResistanceSpring {
    /// No spring: the resistance is given by its coefficient alone.
    None,
    /// Spring of this stiffness, in the unit of the resistance.
    Of(#[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))] f64),
    /// Spring with the present stiffness of the contact's spring against slip.
    OfSlip,
}

impl ResistanceSpring {
    /// Stiffness of the resistance if the spring against slip has the stiffness `slip`; zero without a spring.
    #[inline(always)]
    pub(in crate::law) fn stiffness(self, slip: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Of(stiffness) => stiffness,
            Self::OfSlip => slip,
        }
    }
}

impl SpringSlider {
    /// Makes a resistance with the stiffness k, the damping c and the friction coefficient μ.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless all numbers are finite, the stiffness is positive and the other two are
    /// not negative.
    pub fn new(stiffness: f64, damping: f64, friction: f64) -> Result<Self, DemError> {
        Ok(Self {
            spring: ResistanceSpring::Of(positive("the stiffness of a resistance", stiffness)?),
            damping: not_negative("the damping of a resistance", damping)?,
            friction: not_negative("the coefficient of a resistance", friction)?,
        })
    }

    /// Makes the constant resistance `μ |F_n|` against the motion, at each contact at most the torque that stops the
    /// spin within a step.
    ///
    /// The resistance has no memory. A ball on an incline of the angle α, whose slope is below μ, does not rest but
    /// creeps at 5/2 g sin α times the time step. A ball that touches two or more walls is stopped more than once, so
    /// its spin changes its sign from step to step; the amplitude is the change of spin by the limit in one step. With
    /// a spring, see [`as_stiff_as_slip`](Self::as_stiff_as_slip), the ball rests in both cases.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `friction` is finite and not negative.
    pub fn coefficient(friction: f64) -> Result<Self, DemError> {
        let friction = not_negative("the coefficient of a resistance", friction)?;
        Ok(Self { spring: ResistanceSpring::None, damping: 0.0, friction })
    }

    /// Makes a resistance whose spring always has the stiffness of the tangential spring of the contact, with the
    /// damping c and the coefficient μ: for rolling `k_r = k_t R²`. If the stiffness grows with the contact, the torque
    /// stays, like the force of a [`MindlinSpring`](crate::law::MindlinSpring). Only the damping resists if the
    /// tangential law has no spring, or has a growing spring without friction.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless both are finite and not negative.
    pub fn as_stiff_as_slip(damping: f64, friction: f64) -> Result<Self, DemError> {
        Ok(Self {
            spring: ResistanceSpring::OfSlip,
            damping: not_negative("the damping of a resistance", damping)?,
            friction: not_negative("the coefficient of a resistance", friction)?,
        })
    }

    #[inline(always)]
    pub(super) fn is_coefficient(&self) -> bool {
        self.spring == ResistanceSpring::None
    }
}

/// Returns the torque against the spin `rate` (rad/s): `limit` (N m), but at most the torque that stops a body with the
/// moment of inertia `inertia` (kg m²) in the time `elapsed` (s).
#[inline(always)]
pub(super) fn constant_resistance(rate: DVec3, limit: f64, inertia: f64, elapsed: f64) -> DVec3 {
    let speed = rate.length().max(f64::MIN_POSITIVE);
    // For a step of length zero the quotient is infinite, or NaN at rest, and the limit remains.
    (rate / speed) * -limit.min(inertia * speed / elapsed)
}

/// Spring, dashpot and slider of one contact at one time: stiffness k, damping c and limit of the force.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slider {
    pub(in crate::law) stiffness: f64,
    pub(in crate::law) damping: f64,
    pub(super) limit: f64,
    /// Stretch by which the spring relaxes while the contact slides, for each unit of force above the limit: see
    /// [`Give`].
    pub(in crate::law) give: GiveFraction,
}

/// Rule by which the spring of a sliding contact relaxes, so that its force falls to the friction limit.
#[derive(Debug, Clone, Copy)]
pub(super) enum Give {
    /// After a step of the length h (s), spring and dashpot, at the rate of the spring, carry the limit L together: `k
    /// s₁ + c (s₁ − s₀)/h = L`. For h = 0 a spring with a dashpot keeps its stretch, and a spring without a dashpot is
    /// cut back to the limit.
    Step(f64),
    /// Rule of LAMMPS: after a step, spring and dashpot, at the rate of the slip, carry the limit L together:
    /// `k s₁ + c v = L`. In fast slip the spring is stretched against the motion, and stores energy that the motion has
    /// not lost.
    AsInLammps,
}

/// Stretch by which the spring of a sliding contact relaxes for each unit of force above the limit, in m/N or rad/(N
/// m). Stored as a fraction, since [`Slider::pull`] computes one quotient for this stretch and for the limit.
#[derive(Debug, Clone, Copy)]
pub(super) struct GiveFraction {
    numerator: f64,
    denominator: f64,
}

impl GiveFraction {
    #[inline(always)]
    pub(super) fn value(self) -> f64 {
        self.numerator / self.denominator
    }
}

impl Give {
    #[inline(always)]
    pub(in crate::law) fn of(self, stiffness: f64, damping: f64) -> GiveFraction {
        let [numerator, denominator] = match self {
            // A spring without dashpot is cut back to the limit even if no time has passed.
            Self::Step(elapsed) if damping > 0.0 => [elapsed, stiffness * elapsed + damping],
            Self::Step(_) | Self::AsInLammps if stiffness > 0.0 => [1.0, stiffness],
            Self::Step(_) | Self::AsInLammps => [0.0, 1.0],
        };
        GiveFraction { numerator, denominator }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Pull {
    pub(in crate::law) force: DVec3,
    pub(in crate::law) spring: DVec3,
}

/// Derivatives of the force of a [`Slider`] (spring, dashpot and friction limit) by its velocity and by the limit.
#[derive(Debug, Clone, Copy)]
pub(super) struct SliderSlope {
    pub(super) by_velocity: DMat3,
    /// Derivative of the force by its limit: the unit vector along the force in sliding, zero in sticking.
    pub(super) by_limit: DVec3,
    pub(super) slides: bool,
}

impl Slider {
    /// Returns the force of the slider at the stretch `spring`, which includes the motion in the step, and the
    /// `velocity`; and the stretch after sliding has relaxed the spring.
    #[inline(always)]
    pub(super) fn pull(&self, spring: DVec3, velocity: DVec3) -> Pull {
        let &Self { stiffness, damping, limit, give: GiveFraction { numerator, denominator } } = self;
        let force = spring * -stiffness - velocity * damping;
        let square = force.length_squared();
        let slides = square > limit * limit;
        // One division serves both quotients, since divisions have a long latency (docs/decisions/0038).
        let size = square.sqrt();
        let quotient = (size * denominator).recip();
        let part = if slides { limit * denominator * quotient } else { 1.0 };
        let cut = if slides { (1.0 - part) * (numerator * size * quotient) } else { 0.0 };
        Pull { force: force * part, spring: spring + force * cut }
    }

    /// Returns the derivatives of the slider's force by its velocity, which also stretches the spring for the time
    /// `elapsed` (s), and by the limit.
    pub(super) fn slope(&self, spring: DVec3, velocity: DVec3, elapsed: f64) -> SliderSlope {
        let force = spring * -self.stiffness - velocity * self.damping;
        let size = force.length();
        let rate = self.stiffness * elapsed + self.damping;
        if size <= self.limit {
            let by_velocity = DMat3::from_diagonal(DVec3::splat(-rate));
            return SliderSlope { by_velocity, by_limit: DVec3::ZERO, slides: false };
        }
        let direction = force / size;
        let along = DMat3::from_cols(direction * direction.x, direction * direction.y, direction * direction.z);
        let by_velocity = (along - DMat3::IDENTITY) * (rate * self.limit / size);
        SliderSlope { by_velocity, by_limit: direction, slides: true }
    }
}

#[inline(always)]
pub(super) fn flattened(vector: DVec3, normal: DVec3) -> DVec3 {
    vector - normal * vector.dot(normal)
}
