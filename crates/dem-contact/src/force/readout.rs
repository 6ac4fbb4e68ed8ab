//! Reading contacts and energies without changing anything.
//!
//! [`ContactForce::contacts`] finds contacts of pairs and walls; energies are sums over them. If the present list does
//! not hold for the state, a temporary list is made for the reading.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};
use rrp_parallel::ExactSum;

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::ContactForce;
use crate::force::contact_model::{
    ContactForces, ContactState, SaddleShare, elastic_energy, relative_velocity, saddle_share,
};
use crate::force::histories::carried::CarriedHistories;
use crate::force::histories::wall_history::KnownAtWall;
use crate::force::ledger::StoredEnergy;
use crate::law::batch::{Contacts, Forces, get, set};
use crate::law::contact::{Contact, Partner, PowerByMotion, sort_contacts};
use crate::neighbor::tracked::TrackedList;
use crate::wall::images::{Touched, TouchedPoints};
use crate::wall::surface::Patch;

/// Input for reading contacts from a state: bodies, state, its neighbour list, histories at the accepted state, and a
/// predicate that selects the bodies whose contacts are read.
struct Reading<'a> {
    bodies: &'a Bodies,
    state: &'a State,
    list: TrackedList,
    committed: CarriedHistories,
    is_among: &'a dyn Fn(usize) -> bool,
}

struct OneSlot {
    contacts: Contacts,
    forces: Forces,
    before: Vec<f64>,
    after: Vec<f64>,
}

impl OneSlot {
    fn new() -> Self {
        let contacts = Contacts { lanes: 1, wants_energy: true, ..Contacts::new() };
        Self { contacts, forces: Forces::new(), before: Vec::new(), after: Vec::new() }
    }

    fn fill(&mut self, state: &ContactState, history: Option<&[f64]>, width: usize) {
        let &ContactState { normal, overlap, radius, mass, velocity, spin, turning, elapsed, share } = state;
        let contacts = &mut self.contacts;
        let rate = velocity.dot(normal);
        set(&mut contacts.normal, 0, normal);
        set(&mut contacts.slip, 0, velocity - normal * rate);
        set(&mut contacts.spin, 0, spin);
        contacts.overlap[0] = overlap;
        contacts.rate[0] = rate;
        contacts.radius[0] = radius;
        contacts.mass[0] = mass;
        contacts.turning[0] = 0.5 * turning.dot(normal);
        contacts.share[0] = share;
        contacts.elapsed = elapsed;
        self.before.clear();
        self.before.extend_from_slice(history.unwrap_or_default());
        self.before.resize(width, 0.0);
        self.after.clear();
        self.after.resize(width, 0.0);
        self.forces.tangential_energy[0] = 0.0;
        set(&mut self.forces.couple, 0, DVec3::ZERO);
    }
}

impl Reading<'_> {
    /// Velocity (m/s), relative to body a, of the periodic image of body b whose separation from a is `seen` (m); `raw`
    /// is the separation of body b itself, whose velocity relative to a is `velocity`.
    fn relative(&self, velocity: DVec3, raw: DVec3, seen: DVec3) -> DVec3 {
        if self.list.domain.is_deforming() { velocity - self.list.domain.image_velocity(raw - seen) } else { velocity }
    }
}

impl ContactForce {
    /// Returns all contacts at `state`: pairs sorted by a, then b, with a < b, then contacts with walls, wall by wall.
    /// Surfaces that act on each other at a distance have contacts with an overlap δ ≤ 0.
    ///
    /// Laws with a history are evaluated from the history at the accepted state, for a step of zero length.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if the number of materials is not that of the bodies,
    /// [`ContactError::OverlapTooLarge`], [`ContactError::BehindWall`], the errors of the laws, of
    /// [`State::check_columns`] inside [`DemError::Integrate`], and of
    /// [`NeighborList::update`](crate::neighbor::NeighborList::update) if the present list does not hold for `state`.
    pub fn contacts(&self, bodies: &Bodies, state: &State) -> Result<Vec<Contact>, DemError> {
        let mut contacts = self.contacts_of(bodies, state, &|_| true)?;
        sort_contacts(&mut contacts);
        Ok(contacts)
    }

    /// Returns the energy in J that the contacts of some bodies store at `state`: contacts with each other, with all
    /// other bodies and with walls. `is_among` says for a body number whether the body is one of them. Tangential
    /// energies are those of the history at the accepted state.
    ///
    /// # Errors
    /// As [`contacts`](Self::contacts).
    pub fn stored_energy(
        &self,
        bodies: &Bodies,
        state: &State,
        is_among: &dyn Fn(usize) -> bool,
    ) -> Result<StoredEnergy, DemError> {
        let found = self.contacts_of(bodies, state, is_among)?;
        let elastic = ExactSum::of(found.iter().map(|contact| contact.elastic_energy));
        let tangential = ExactSum::of(found.iter().map(|contact| contact.tangential_energy));
        let in_recorded_work = match &self.work {
            None => 0.0,
            Some(_) if !self.setup.laws.are_hysteretic() => tangential,
            // With hysteretic normal laws the recorded work includes all stored energy once forces were evaluated.
            Some(book) if book.bodies() > 0 => tangential + elastic,
            Some(_) => 0.0,
        };
        Ok(StoredEnergy { elastic, tangential, in_recorded_work })
    }

    /// Returns the elastic energy of all contacts at `state`, in J.
    ///
    /// # Errors
    /// As [`contacts`](Self::contacts).
    pub fn elastic_energy(&self, bodies: &Bodies, state: &State) -> Result<f64, DemError> {
        Ok(self.stored_energy(bodies, state, &|_| true)?.elastic)
    }

    /// Returns the energy in J that tangential laws store at all contacts, from the history at the accepted state.
    ///
    /// # Errors
    /// As [`contacts`](Self::contacts).
    pub fn tangential_energy(&self, bodies: &Bodies, state: &State) -> Result<f64, DemError> {
        Ok(self.stored_energy(bodies, state, &|_| true)?.tangential)
    }

    /// Finds the contacts of the bodies for which `is_among` is true with all bodies and walls, in any order: sums over
    /// contacts are exact, so the order does not matter.
    fn contacts_of(
        &self,
        bodies: &Bodies,
        state: &State,
        is_among: &dyn Fn(usize) -> bool,
    ) -> Result<Vec<Contact>, DemError> {
        state.check_columns(bodies)?;
        self.setup.check(bodies)?;
        let list = self.list.at(bodies, state)?;
        let committed = self.histories.committed_of(&self.setup.laws, is_among);
        let reading = Reading { bodies, state, list, committed, is_among };
        Ok([self.contacts_of_pairs(&reading)?, self.contacts_with_walls(&reading)?].concat())
    }

    fn contacts_of_pairs(&self, reading: &Reading<'_>) -> Result<Vec<Contact>, DemError> {
        let (Reading { bodies, state, list, .. }, mut contacts) = (reading, Vec::new());
        let position = state.position();
        let velocity = state.velocity();
        let mut slot = OneSlot::new();
        for (places, _) in list.tiling.pairs() {
            let [a, b] = places.map(|place| list.tiling.order[place] as usize);
            if !((reading.is_among)(a) || (reading.is_among)(b)) {
                continue;
            }
            let separation = list.domain.separation(position.get(a), position.get(b));
            let (distance, [ra, rb]) = (separation.length(), [a, b].map(|body| bodies.radius()[body]));
            let overlap = ra + rb - distance;
            let radius = ra * rb / (ra + rb);
            let traits = self.setup.laws.of_bodies(a as u32, b as u32).traits();
            if overlap <= 0.0 - traits.normal.range(radius) {
                continue;
            }
            if overlap >= ra.min(rb) {
                let bodies = [a.min(b), a.max(b)];
                let radius = ra.min(rb);
                return Err(DemError::Contact(ContactError::OverlapTooLarge { bodies, overlap, radius }));
            }
            let (normal, [spin_a, spin_b]) =
                (separation / distance, [a, b].map(|body| self.setup.fixed_spins.of(bodies, state, body)));
            let raw = position.get(b) - position.get(a);
            let centres = reading.relative(velocity.get(b) - velocity.get(a), raw, separation);
            let give = 0.5 * traits.lever.share() * overlap;
            let rolling = (ra - give) * spin_a + (rb - give) * spin_b;
            let touching = ContactState {
                normal,
                overlap,
                radius,
                mass: (bodies.inverse_mass()[a] + bodies.inverse_mass()[b]).recip(),
                velocity: relative_velocity(centres, rolling, normal),
                spin: spin_b - spin_a,
                turning: spin_b + spin_a,
                elapsed: 0.0,
                share: 1.0,
            };
            let found = self.contact(reading, [a, b], None, ra - 0.5 * overlap, &touching, &mut slot)?;
            contacts.extend(found.map(by_number));
        }
        Ok(contacts)
    }

    fn contacts_with_walls(&self, reading: &Reading<'_>) -> Result<Vec<Contact>, DemError> {
        let (Reading { bodies, state, list, .. }, mut contacts) = (reading, Vec::new());
        let mut points = TouchedPoints::default();
        let periods = self.list.domain().periods();
        let mut slot = OneSlot::new();
        for (number, wall) in self.walls.walls.iter().enumerate() {
            let placed = wall.placed(state.time());
            placed.check(number, periods)?;
            let can_touch = |&body: &usize| bodies.radius()[body] > 0.0 && bodies.inverse_mass()[body] > 0.0;
            let is_read = |&body: &usize| (reading.is_among)(body) && self.setup.felt.has(body, number);
            for body in (0..bodies.len()).filter(can_touch).filter(is_read) {
                let [x, y, z, _] = list.position[list.tiling.place[body] as usize];
                let image = DVec3::new(x, y, z);
                let radius = bodies.radius()[body];
                let traits = self.setup.laws.at_wall(body as u32, number).traits();
                placed.touch(image, radius + traits.normal.range(radius), periods, &mut points);
                for Touched { patch, shift, .. } in &points.touched {
                    let overlap = radius - patch.distance;
                    let normal = -patch.normal;
                    if overlap >= radius || !patch.distance.is_finite() {
                        let wall = number;
                        return Err(DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius }));
                    }
                    let spin = state.spin(bodies, body);
                    let velocity = reading.relative(state.velocity().get(body), state.position().get(body), image);
                    let point = image + *shift + patch.distance * normal;
                    let centres = placed.surface_velocity_at(point, normal) - velocity;
                    let rolling = (radius - traits.lever.share() * overlap) * spin;
                    let touching = ContactState {
                        normal,
                        overlap,
                        radius,
                        mass: bodies.inverse_mass()[body].recip(),
                        velocity: relative_velocity(centres, rolling, normal),
                        spin: placed.spin - spin,
                        turning: placed.spin + spin,
                        elapsed: 0.0,
                        share: 1.0,
                    };
                    let pair = [body, number];
                    contacts.extend(self.contact(reading, pair, Some(patch), patch.distance, &touching, &mut slot)?);
                }
            }
        }
        Ok(contacts)
    }

    /// Evaluates the contact of the bodies a and b or, with a `patch`, of body a with wall b, which the body touches at
    /// this patch. Returns `None` if the law is hysteretic and no force acts. The contact point is `arm` (m) from the
    /// centre of body a along the normal.
    ///
    /// # Errors
    /// Errors of the laws.
    fn contact(
        &self,
        reading: &Reading<'_>,
        [a, b]: [usize; 2],
        patch: Option<&Patch>,
        arm: f64,
        state: &ContactState,
        slot: &mut OneSlot,
    ) -> Result<Option<Contact>, DemError> {
        let (law, partner, history) = match patch {
            Some(patch) => {
                let history = KnownAtWall::of_sorted(&reading.committed.walls, a, b).at(patch);
                (self.setup.laws.at_wall(a as u32, b), Partner::Wall(b), history)
            }
            None => (self.setup.laws.of_bodies(a as u32, b as u32), Partner::Body(b), reading.committed.of_pair(a, b)),
        };
        let traits = law.traits();
        let saddle = patch.and_then(|patch| patch.saddle.as_ref()).filter(|_| !traits.is_hysteretic);
        let &ContactState { normal, overlap, radius, velocity, spin, .. } = state;
        let SaddleShare { share, correction } = saddle_share(&*traits.normal, saddle, overlap, radius);
        slot.fill(&ContactState { share, ..*state }, history, traits.layout.width());
        law.apply(&slot.contacts, &slot.before, &mut slot.after, &mut slot.forces)?;
        let found = &slot.forces;
        if traits.is_hysteretic && !found.acts[0] {
            return Ok(None);
        }
        let forces = ContactForces {
            elastic: found.elastic[0],
            normal: if share < 1.0 {
                found.elastic[0] + share * (found.normal[0] - found.elastic[0])
            } else {
                found.normal[0]
            },
            tangential: share * get(&found.tangential, 0),
            couple: share * get(&found.couple, 0),
        };
        let along = correction.dot(normal);
        let twisting = forces.couple.dot(normal) * spin.dot(normal);
        Ok(Some(Contact {
            a,
            b: partner,
            normal,
            point: reading.state.position().get(a) + arm * normal,
            overlap,
            normal_force: forces.normal + along,
            tangential_force: forces.tangential + (correction - along * normal),
            couple: forces.couple,
            elastic_energy: if traits.is_hysteretic {
                found.elastic_energy[0]
            } else {
                elastic_energy(&*traits.normal, saddle, overlap, radius)
            },
            tangential_energy: found.tangential_energy[0],
            dissipated_power: -forces.dissipative(normal).dot(velocity) - forces.couple.dot(spin),
            power_by_motion: PowerByMotion {
                normal: (forces.elastic - forces.normal) * normal.dot(velocity),
                sliding: -forces.tangential.dot(velocity),
                rolling: twisting - forces.couple.dot(spin),
                twisting: -twisting,
            },
        }))
    }
}

/// Exchanges the bodies of a contact, if needed, so that a is the body with the lower number; contact laws see it from
/// the body with the lower permanent id.
fn by_number(contact: Contact) -> Contact {
    let Contact { a, b, normal, tangential_force, couple, .. } = contact;
    let Some(b) = b.body().filter(|&b| b < a) else { return contact };
    Contact {
        a: b,
        b: Partner::Body(a),
        normal: -normal,
        tangential_force: -tangential_force,
        couple: -couple,
        ..contact
    }
}
