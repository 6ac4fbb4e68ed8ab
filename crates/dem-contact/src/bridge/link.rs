//! Between whom a bridge is, and across which gap.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::bridge::wet_plane::WetPlane;
use crate::law::Partner;
use crate::neighbor::domain::Domain;

/// A bridge.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bridge {
    /// Its body, that with the lower number if it joins two.
    pub body: usize,
    /// What it joins the body with; walls are numbered as wet planes.
    pub partner: Partner,
    /// Volume in m³.
    pub volume: f64,
}

impl Bridge {
    /// The order of bridges.
    pub(super) fn key(&self) -> (usize, Partner) {
        (self.body, self.partner)
    }

    /// The bodies that it joins, one or two.
    pub(super) fn bodies(&self) -> impl Iterator<Item = usize> + use<> {
        [Some(self.body), self.partner.body()].into_iter().flatten()
    }
}

/// What bridges span at a state.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    pub(super) domain: &'a Domain,
    pub(super) planes: &'a [WetPlane],
}

/// The gap that a bridge is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// In m, negative where the two overlap.
    pub(super) gap: f64,
    /// Unit vector from the body to its partner.
    pub(super) direction: DVec3,
    /// Harmonic mean of both radii in m.
    pub(super) radius: f64,
    /// How fast the two come closer by the motion of free bodies, in m/s.
    pub(super) approach: f64,
}

impl Setting<'_> {
    pub(super) fn span(&self, body: usize, partner: Partner) -> Span {
        let Self { bodies, state, domain, planes } = *self;
        let radii = bodies.radius();
        let speed = |body: usize, direction: DVec3| {
            let is_free = bodies.inverse_mass()[body] > 0.0;
            if is_free { state.velocity().get(body).dot(direction) } else { 0.0 }
        };
        let (position, radius) = (state.position().get(body), radii[body]);
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
                }
            }
            Partner::Wall(plane) => {
                let WetPlane { point, normal } = planes[plane];
                Span {
                    gap: (position - point).dot(normal) - radius,
                    direction: -normal,
                    radius: 2.0 * radius,
                    approach: speed(body, -normal),
                }
            }
        }
    }
}
