use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::error::DemError;
use crate::force::ContactForce;
use crate::law::contact::{Contact, Partner, PowerByMotion};
use crate::neighbor::Domain;
use crate::util::length::check_length;

/// Contact of soft or rigid bodies, as measurements use it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Number of body a.
    pub a: usize,
    /// Body or wall b.
    pub b: Partner,
    /// Unit normal from body a to body b, world frame.
    pub normal: DVec3,
    /// Overlap in m; negative where a law acts across a gap.
    pub overlap: f64,
    /// Force of body a on body b in N, world frame.
    pub force: DVec3,
    /// Torque on b in N m that resists rolling and twisting, world frame.
    pub couple: DVec3,
    /// Power in W that the contact dissipates.
    pub power: PowerByMotion,
}

impl Touch {
    /// Whether the bodies overlap, or push each other as rigid bodies do without overlap.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.overlap > 0.0 || self.force.dot(self.normal) > 0.0
    }
}

/// Checks that the numbers of the bodies of all contacts are below `bodies`.
///
/// # Errors
/// [`DemError::InvalidParameter`].
pub(crate) fn check_touches(touches: &[Touch], bodies: usize) -> Result<(), DemError> {
    let numbers = touches.iter().flat_map(|touch| [Some(touch.a), touch.b.body()]).flatten();
    match numbers.into_iter().find(|&number| number >= bodies) {
        None => Ok(()),
        Some(number) => {
            let parameter = "the body of a contact";
            let range = "the number of a body that is there";
            Err(DemError::InvalidParameter { parameter, range, value: number as f64 })
        }
    }
}

impl From<&Contact> for Touch {
    fn from(contact: &Contact) -> Self {
        let &Contact { a, b, normal, overlap, normal_force, tangential_force, couple, power_by_motion, .. } = contact;
        let force = normal_force * normal + tangential_force;
        Self { a, b, normal, overlap, force, couple, power: power_by_motion }
    }
}

/// Segment of a contact, from the centre of one of its grains to the contact point, with force and power.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    /// Number of the grain at the start of the segment; never a fixed body.
    pub(super) grain: usize,
    /// Centre in m of the grain, at the periodic image that is in contact.
    pub(super) start: DVec3,
    /// Vector from the centre of the grain to the contact point, in m.
    pub(super) arm: DVec3,
    /// Force of the grain on the other body or wall of the contact, in N.
    pub(super) force: DVec3,
    /// Unit normal of the contact, out of the grain.
    pub(super) normal: DVec3,
    /// Number of the other grain; `None` for a wall or a fixed body.
    pub(super) other: Option<usize>,
    /// Power in W that counts for this grain: a half, or all if there is no other grain.
    pub(super) power: PowerByMotion,
    /// Whether the contact is [closed](Touch::is_closed).
    pub(super) is_closed: bool,
}

/// The bodies and contacts of one state, from which all measurements are made.
///
/// ```
/// use dem_contact::force::ContactForce;
/// use dem_contact::law::{Damping, Frictionless, Hooke, Laws};
/// use dem_contact::measure::{Extent, Selection, Snapshot};
/// use dem_contact::neighbor::{Boundary, Domain, NeighborList};
/// use rrp_geom::glam::DVec3;
/// use rrp_integrate::{Bodies, Body, State};
///
/// // A periodic column of spheres that overlap by a hundredth: the force is 10 N on an area of 9 m².
/// let domain = Domain::new(DVec3::ZERO, DVec3::new(3.0, 3.0, 2.97), [Boundary::Periodic; 3])?;
/// let bodies = Bodies::new([Body::sphere(1.0, 0.5); 3])?;
/// let mut state = State::at_rest(3);
/// for i in 0..3 {
///     state.position_mut().set(i, DVec3::Z * 0.99 * i as f64);
/// }
/// let laws = Laws::of(Hooke::new(1e3, Damping::NONE)?, Frictionless);
/// let contacts = ContactForce::new(NeighborList::new(domain, 0.1)?, laws);
/// let bulk = Snapshot::read(&contacts, &bodies, &state)?.bulk(&Selection::of(Extent::Whole))?;
/// assert!(bulk.stress().is_some_and(|stress| (stress.z_axis.z - 10.0 / 9.0).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Snapshot<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    /// Domain in its shape at the time of the state.
    pub(super) domain: Domain,
    pub(super) touches: Vec<Touch>,
}

impl<'a> Snapshot<'a> {
    /// Makes a snapshot of the contacts of `contacts` at `state`.
    ///
    /// # Errors
    /// Errors of [`ContactForce::contacts`].
    pub fn read(contacts: &ContactForce, bodies: &'a Bodies, state: &'a State) -> Result<Self, DemError> {
        let touches = contacts.contacts(bodies, state)?.iter().map(Touch::from).collect();
        Self::new(bodies, state, contacts.list().domain(), touches)
    }

    /// Makes a snapshot of bodies and their contacts in `domain`.
    ///
    /// # Errors
    /// Errors of [`State::check_columns`] inside [`DemError::Integrate`], errors of [`Domain::at`], and
    /// [`DemError::InvalidParameter`] for a contact of a body that does not exist.
    pub fn new(bodies: &'a Bodies, state: &'a State, domain: &Domain, touches: Vec<Touch>) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        check_touches(&touches, bodies.len())?;
        Ok(Self { bodies, state, domain: domain.at(state.time())?, touches })
    }

    /// Returns all contacts of the snapshot.
    #[must_use]
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    pub(super) fn is_grain(&self, body: usize) -> bool {
        self.bodies.inverse_mass()[body] > 0.0
    }

    pub(super) fn grains(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.bodies.len()).filter(|&body| self.is_grain(body))
    }

    pub(super) fn check_members(&self, members: Option<&[bool]>) -> Result<(), DemError> {
        let check = |members: &[bool]| check_length("members of what is measured", self.bodies.len(), members.len());
        members.map_or(Ok(()), check)
    }

    /// Velocity of a body in m/s, relative to the uniform flow in a domain that deforms.
    pub(super) fn velocity(&self, body: usize) -> DVec3 {
        let velocity = self.state.velocity().get(body);
        if self.domain.is_deforming() {
            velocity - self.domain.velocity_gradient() * (self.state.position().get(body) - self.domain.low())
        } else {
            velocity
        }
    }

    /// Returns the segments from grains to contact points: for each contact that of body a, then that of body b. Walls
    /// and fixed bodies have no segments.
    pub(super) fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        self.touches.iter().flat_map(|touch| self.segments_of(touch)).flatten()
    }

    fn segments_of(&self, touch: &Touch) -> [Option<Segment>; 2] {
        let &Touch { a, b, normal, overlap, force, power, .. } = touch;
        let center = self.state.position().get(a);
        let radius = self.bodies.radius()[a];
        let is_closed = touch.is_closed();
        let grain = |body: usize| self.is_grain(body).then_some(body);
        let Some(b) = b.body() else {
            let arm = (radius - overlap) * normal;
            let of_a = Segment { grain: a, start: center, arm, force, normal, other: None, power, is_closed };
            return [Some(of_a), None];
        };
        let arm = (radius - 0.5 * overlap) * normal;
        let power = if self.is_grain(a) && self.is_grain(b) { power.times(0.5) } else { power };
        let of_a = Segment { grain: a, start: center, arm, force, normal, other: grain(b), power, is_closed };
        let back = (0.5 * overlap - self.bodies.radius()[b]) * normal;
        let of_b = Segment {
            grain: b,
            start: center + arm - back,
            arm: back,
            force: -force,
            normal: -normal,
            other: grain(a),
            power,
            is_closed,
        };
        [grain(a).map(|_| of_a), grain(b).map(|_| of_b)]
    }

    /// Marks the rattlers: grains with fewer than `least` contacts, not counting contacts with rattlers. The search
    /// repeats until no further rattler is found.
    #[must_use]
    pub fn rattlers(&self, least: usize) -> Vec<bool> {
        let mut counts = vec![0_usize; self.bodies.len()];
        let mut partners = vec![Vec::new(); self.bodies.len()];
        for Segment { grain, other, .. } in self.segments().filter(|segment| segment.is_closed) {
            counts[grain] += 1;
            partners[grain].extend(other);
        }
        let mut rattles = vec![false; self.bodies.len()];
        let mut found: Vec<usize> = self.grains().filter(|&grain| counts[grain] < least).collect();
        found.iter().for_each(|&grain| rattles[grain] = true);
        while let Some(grain) = found.pop() {
            for &other in &partners[grain] {
                counts[other] -= 1;
                if counts[other] < least && !rattles[other] {
                    rattles[other] = true;
                    found.push(other);
                }
            }
        }
        rattles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rrp_integrate::Body;

    fn touch([a, b]: [usize; 2]) -> Touch {
        Touch {
            a,
            b: Partner::Body(b),
            normal: DVec3::X,
            overlap: 0.01,
            force: DVec3::X,
            couple: DVec3::ZERO,
            power: PowerByMotion::default(),
        }
    }

    #[test]
    fn rattlers_are_found_one_after_another() {
        // A chain 0-1-2 with a loose end, whose other end touches a triangle 3-4-5.
        let bodies = Bodies::new([Body::sphere(1.0, 0.5); 6]).unwrap();
        let state = State::at_rest(6);
        let touches = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [3, 5]].map(touch).to_vec();
        let snapshot = Snapshot::new(&bodies, &state, &Domain::OPEN, touches).unwrap();
        assert_eq!(snapshot.rattlers(2), [true, true, true, false, false, false]);
        assert_eq!(snapshot.rattlers(1), [false; 6]);
        assert_eq!(snapshot.rattlers(3), [true; 6]);
    }

    #[test]
    fn a_contact_of_nobody_is_refused() {
        let bodies = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
        let state = State::at_rest(1);
        assert!(Snapshot::new(&bodies, &state, &Domain::OPEN, vec![touch([0, 1])]).is_err());
    }
}
