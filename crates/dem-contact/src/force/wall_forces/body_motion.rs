//! The velocities and spins of bodies near walls.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

/// Where the motion of a body is read.
pub(crate) enum BodyMotion<'a> {
    /// Columns by slot: velocity with reciprocal mass, and spin. They are empty if the terms do not need them.
    BySlot { velocity: &'a [[f64; 4]], spin: &'a [[f64; 4]] },
    /// The state itself; `order` is the body in each slot.
    OfState { bodies: &'a Bodies, state: &'a State, order: &'a [u32] },
}

/// Velocity in m/s, reciprocal mass in 1/kg and spin in rad/s of one body; at rest where the terms do not need them.
pub(super) struct MotionOfBody {
    pub(super) velocity: DVec3,
    pub(super) inverse_mass: f64,
    pub(super) spin: DVec3,
}

impl BodyMotion<'_> {
    /// The motion of the body in a slot.
    #[inline(always)]
    pub(super) fn at(&self, slot: usize) -> MotionOfBody {
        let vector = |row: &[f64; 4]| DVec3::new(row[0], row[1], row[2]);
        match self {
            Self::BySlot { velocity, spin } => {
                let (velocity, spin) = (velocity.get(slot), spin.get(slot));
                MotionOfBody {
                    velocity: velocity.map_or(DVec3::ZERO, vector),
                    inverse_mass: velocity.map_or(1.0, |row| row[3]),
                    spin: spin.map_or(DVec3::ZERO, vector),
                }
            }
            Self::OfState { bodies, state, order } => {
                let body = order[slot] as usize;
                MotionOfBody {
                    velocity: state.velocity().get(body),
                    inverse_mass: bodies.inverse_mass()[body],
                    spin: state.spin(bodies, body),
                }
            }
        }
    }
}
