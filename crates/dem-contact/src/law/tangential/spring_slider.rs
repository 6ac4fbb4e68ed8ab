//! A spring with a dashpot beside it and a slider behind both: what sticks until it slides.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};

/// Stiffness, damping and limit of a resistance: `F = −(k s + c v)`, cut off at `μ |F_n|`; while it slides, the spring s is cut
/// back to what carries the limit.
///
/// Units are those of the motion that is resisted, see [`Rolling`](crate::law::tangential::rolling::Rolling).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SpringSlider {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    pub(crate) stiffness: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    pub(crate) damping: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    pub(crate) friction: f64,
}

impl SpringSlider {
    /// A resistance with the stiffness k, the damping c and the coefficient μ.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless all are finite, the stiffness positive and the others not negative.
    pub fn new(stiffness: f64, damping: f64, friction: f64) -> Result<Self, DemError> {
        Ok(Self {
            stiffness: positive("the stiffness of a resistance", stiffness)?,
            damping: not_negative("the damping of a resistance", damping)?,
            friction: not_negative("the coefficient of a resistance", friction)?,
        })
    }
}

/// One resistance at one time: stiffness k, damping c, largest force.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slider {
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    pub(crate) limit: f64,
    /// c/k in s, for which most laws need no quotient of each contact.
    pub(crate) lag: f64,
    /// The same where that is the same all through a contact, else zero: while it slides, the spring leaves to the dashpot
    /// what this share of it carries. Of a share that falls as the contact grows, the spring would later pull too far.
    pub(crate) lead: f64,
}

impl Slider {
    /// Force of the spring `spring` stretched at `velocity`, both across the normal, and the spring afterwards.
    #[inline(always)]
    pub(crate) fn pull(&self, spring: DVec3, velocity: DVec3) -> (DVec3, DVec3) {
        let &Self { stiffness, damping, limit, lag, lead } = self;
        let force = spring * -stiffness - velocity * damping;
        let square = force.length_squared();
        let slides = square > limit * limit;
        // Divided where it slides only: elsewhere the quotient may be anything.
        let part = if slides { limit / square.sqrt() } else { 1.0 };
        let cut = (spring + velocity * lag) * part - velocity * lead;
        let pick = |cut: f64, spring: f64| if slides { cut } else { spring };
        (force * part, DVec3::new(pick(cut.x, spring.x), pick(cut.y, spring.y), pick(cut.z, spring.z)))
    }

    /// Derivatives of the force by a velocity that also stretches the spring for the time `elapsed`, and by the limit.
    pub(crate) fn slope(&self, spring: DVec3, velocity: DVec3, elapsed: f64) -> (DMat3, DVec3, bool) {
        let force = spring * -self.stiffness - velocity * self.damping;
        let (size, rate) = (force.length(), self.stiffness * elapsed + self.damping);
        if size <= self.limit {
            return (DMat3::from_diagonal(DVec3::splat(-rate)), DVec3::ZERO, false);
        }
        let direction = force / size;
        let along = DMat3::from_cols(direction * direction.x, direction * direction.y, direction * direction.z);
        ((along - DMat3::IDENTITY) * (rate * self.limit / size), direction, true)
    }
}

/// Turns what lay in the tangent plane of a contact into the present one, by dropping what sticks out.
#[inline(always)]
pub(crate) fn flattened(vector: DVec3, normal: DVec3) -> DVec3 {
    vector - normal * vector.dot(normal)
}
