//! The body or wall at each end of a bridge, and the gap between the two ends.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::bridge::wet_wall::PlacedWall;
use crate::law::Partner;
use crate::neighbor::domain::Domain;

/// A liquid bridge between two bodies, or a body and a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bridge {
    /// Body at one end of the liquid bridge; the body of lower number if the bridge joins two bodies.
    pub body: usize,
    /// Body or wall at the other end of the bridge; a wall has the number of its [`WetWall`](crate::bridge::WetWall).
    pub partner: Partner,
    /// Volume of the liquid in the bridge in m³.
    pub volume: f64,
}

impl Bridge {
    pub(super) fn key(&self) -> (usize, Partner) {
        (self.body, self.partner)
    }

    pub(super) fn bodies(&self) -> impl Iterator<Item = usize> + use<> {
        [Some(self.body), self.partner.body()].into_iter().flatten()
    }
}

/// Bodies, walls and domain at one state, from which the gaps of liquid bridges are computed.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    pub(super) domain: &'a Domain,
    pub(super) walls: &'a [PlacedWall<'a>],
}

/// Geometry and motion of the gap of a liquid bridge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Gap in m between the two ends of the bridge, negative where they overlap.
    pub(super) gap: f64,
    /// Unit vector from the body of the bridge to the other body or the wall.
    pub(super) direction: DVec3,
    /// Harmonic mean R in m of the radii of the two bodies; twice the radius of the body at a wall.
    pub(super) radius: f64,
    /// Speed in m/s at which the gap closes by the motion of free bodies and of walls; the velocity of fixed bodies is
    /// ignored.
    pub(super) approach: f64,
    /// Velocity in m/s of the wall at its point nearest to the body, the foot of the bridge; zero between two bodies.
    pub(super) wall_velocity: DVec3,
    /// Vector in m from the reference point of the wall to the foot of the bridge; zero for a bridge between bodies.
    pub(super) wall_arm: DVec3,
}

impl Span {
    const NONE: Self = Self {
        gap: f64::INFINITY,
        direction: DVec3::ZERO,
        radius: 1.0,
        approach: 0.0,
        wall_velocity: DVec3::ZERO,
        wall_arm: DVec3::ZERO,
    };
}

impl Setting<'_> {
    pub(super) fn span(&self, body: usize, partner: Partner) -> Span {
        let Self { bodies, state, domain, walls } = *self;
        let radii = bodies.radius();
        let speed = |body: usize, direction: DVec3| {
            let is_free = bodies.inverse_mass()[body] > 0.0;
            if is_free { state.velocity().get(body).dot(direction) } else { 0.0 }
        };
        let position = state.position().get(body);
        let radius = radii[body];
        match partner {
            Partner::Body(other) => {
                let separation = domain.separation(position, state.position().get(other));
                let distance = separation.length();
                let direction = separation / distance;
                Span {
                    gap: distance - radius - radii[other],
                    direction,
                    radius: 2.0 * radius * radii[other] / (radius + radii[other]),
                    approach: speed(body, direction) - speed(other, direction),
                    wall_velocity: DVec3::ZERO,
                    wall_arm: DVec3::ZERO,
                }
            }
            Partner::Wall(number) => {
                let placed = walls.iter().find(|wall| wall.number == number).map(|wall| &wall.placed);
                let Some((placed, (point, normal))) = placed.and_then(|placed| Some((placed, placed.plane()?))) else {
                    return Span::NONE;
                };
                let distance = (position - point).dot(normal);
                let direction = -normal;
                let foot = position + distance * direction;
                let wall_velocity = placed.velocity_at(foot);
                Span {
                    gap: distance - radius,
                    direction,
                    radius: 2.0 * radius,
                    approach: speed(body, direction) - wall_velocity.dot(direction),
                    wall_velocity,
                    wall_arm: foot - placed.point,
                }
            }
        }
    }
}
