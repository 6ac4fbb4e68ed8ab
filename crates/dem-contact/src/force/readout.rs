//! Reading contacts and energies without changing anything.
//!
//! Contacts of pairs, planes and other walls are found in three ways, and each becomes a [`ContactState`] in
//! `contact_state`. Where the present list does not hold for the state, a list of its own is made for the reading.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::ContactForce;
use crate::force::contact_model::{
    ContactForces, ContactState, contact_forces, contact_kinematics, elastic_energy, relative_velocity, saddle_share,
};
use crate::law::contact::Contact;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::neighbor::tracked::TrackedList;
use crate::util::exact_sum::ExactSum;
use crate::wall::placed::Placed;
use crate::wall::placed_surface::PlacedSurface;
use crate::wall::surface::{Patch, Saddle};

/// A touching contact with its laws.
struct TouchingContact<'a, L, T> {
    /// Body a, and body b or the number of the wall.
    a: usize,
    b: usize,
    /// The patch of the wall, if b is a wall.
    patch: Option<&'a Patch>,
    /// Distance of the contact point from the centre of a along the normal, in m.
    arm: f64,
    state: ContactState,
    law: &'a L,
    tangential: &'a T,
}

impl<L, T> TouchingContact<'_, L, T> {
    fn saddle(&self) -> Option<&Saddle> {
        self.patch.and_then(|patch| patch.saddle.as_ref())
    }
}

/// The geometry of a contact of two partners, with their reduced radius and mass.
struct ContactGeometry {
    /// Unit normal from a to b.
    normal: DVec3,
    /// In m.
    overlap: f64,
    /// Reduced radius in m and reduced mass in kg.
    radius: f64,
    mass: f64,
    /// See [`ContactState::share`].
    share: f64,
}

/// How two partners of a contact move: see [`relative_velocity`].
struct PartnerMotion {
    /// In m/s.
    centres: DVec3,
    rolling: DVec3,
    /// Spins of a and b in rad/s.
    spin: [DVec3; 2],
}

/// The state of a contact for a step of no length.
fn contact_state(geometry: &ContactGeometry, motion: &PartnerMotion) -> ContactState {
    let &ContactGeometry { normal, overlap, radius, mass, share } = geometry;
    let &PartnerMotion { centres, rolling, spin: [spin_a, spin_b] } = motion;
    ContactState {
        normal,
        overlap,
        radius,
        mass,
        velocity: relative_velocity(centres, rolling, normal),
        spin: spin_b - spin_a,
        turning: spin_b + spin_a,
        elapsed: 0.0,
        share,
    }
}

/// The bodies, the state that is read, and a list with its centres.
struct Reading<'a> {
    bodies: &'a Bodies,
    state: &'a State,
    list: &'a TrackedList,
}

impl Reading<'_> {
    fn is_fixed(&self, body: usize) -> bool {
        self.bodies.inverse_mass()[body] <= 0.0
    }

    /// The velocity (m/s) of the image that is `seen` from a, in m; `raw` is the separation (m) from the body itself.
    fn relative(&self, velocity: DVec3, raw: DVec3, seen: DVec3) -> DVec3 {
        if self.list.domain.is_deforming() { velocity - self.list.domain.image_velocity(raw - seen) } else { velocity }
    }

    /// The image of a centre (m) that forces are evaluated at.
    fn image(&self, body: usize) -> DVec3 {
        let [x, y, z, _] = self.list.position[self.list.tiling.place()[body] as usize];
        DVec3::new(x, y, z)
    }
}

/// A wall at the time of the state.
struct PlacedWall<'a> {
    number: usize,
    placed: Placed<'a>,
}

/// A body at a patch of a wall; the overlap is as the kind of wall rounds it.
struct TouchedPatch<'a> {
    body: usize,
    /// Its centre and its overlap in m.
    position: DVec3,
    overlap: f64,
    patch: &'a Patch,
}

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// All touching contacts at `state`: pairs sorted by a, then b, with a < b, then those with walls, wall by wall.
    ///
    /// Laws with a history are read as for a step of no length, from the committed history.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] where materials are those of another number of bodies,
    /// [`ContactError::OverlapTooLarge`],
    /// [`ContactError::BehindWall`], those of [`State::check_columns`] inside
    /// [`DemError::Integrate`], and those of [`NeighborList::update`](crate::neighbor::NeighborList::update) if the
    /// present list does not hold for `state`.
    pub fn contacts(&self, bodies: &Bodies, state: &State) -> Result<Vec<Contact>, DemError> {
        let (mut contacts, committed) = (Vec::new(), self.histories.committed());
        self.each_contact(bodies, state, &mut |contact| {
            let (saddle, &TouchingContact { a, b, patch, arm, state: ref touching, law, tangential }) =
                (contact.saddle(), contact);
            let mut history = match patch {
                Some(patch) => committed.of_wall(a, b, patch.feature),
                None => committed.of_pair(a, b),
            };
            let capped = law.is_capped();
            let forces: ContactForces = contact_forces(law, tangential, capped, touching, &mut history);
            let &ContactState { normal, overlap, radius, velocity, spin, share, .. } = touching;
            let (kinematics, _) = contact_kinematics(law, capped, touching);
            let correction = saddle_share(law, saddle, overlap, radius).correction;
            let along = correction.dot(normal);
            contacts.push(by_number(Contact {
                a,
                b,
                with_wall: patch.is_some(),
                normal,
                point: state.position().get(a) + arm * normal,
                overlap,
                normal_force: forces.normal + along,
                tangential_force: forces.tangential + (correction - along * normal),
                couple: forces.couple,
                elastic_energy: elastic_energy(law, saddle, overlap, radius),
                tangential_energy: share * tangential.stored_energy(&kinematics, &history),
                friction_work: tangential.friction_work(&history),
                dissipated_power: -forces.dissipative(normal).dot(velocity) - forces.couple.dot(spin),
            }));
        })?;
        let pairs = contacts.iter().take_while(|contact| !contact.with_wall).count();
        contacts[..pairs].sort_unstable_by_key(|contact| (contact.a, contact.b));
        Ok(contacts)
    }

    /// Elastic energy of all contacts at `state`, in J.
    ///
    /// # Errors
    /// As [`contacts`](Self::contacts).
    pub fn elastic_energy(&self, bodies: &Bodies, state: &State) -> Result<f64, DemError> {
        let mut sum = ExactSum::ZERO;
        self.each_contact(bodies, state, &mut |contact| {
            sum.add(elastic_energy(contact.law, contact.saddle(), contact.state.overlap, contact.state.radius));
        })?;
        Ok(sum.value())
    }

    /// Energy stored by the tangential laws at all contacts, in J, from the committed history.
    ///
    /// # Errors
    /// As [`contacts`](Self::contacts).
    pub fn tangential_energy(&self, bodies: &Bodies, state: &State) -> Result<f64, DemError> {
        if size_of::<T::History>() == 0 {
            return Ok(0.0);
        }
        Ok(ExactSum::of(self.contacts(bodies, state)?.iter().map(|contact| contact.tangential_energy)))
    }

    /// Calls `show` for each touching contact: pairs first, then walls.
    fn each_contact(
        &self,
        bodies: &Bodies,
        state: &State,
        show: &mut dyn FnMut(&TouchingContact<'_, L, T>),
    ) -> Result<(), DemError> {
        state.check_columns(bodies)?;
        self.laws.check_bodies(bodies.len())?;
        let list = &self.list.at(bodies, state, self.walls.stand_once())?;
        let reading = Reading { bodies, state, list };
        self.each_pair_contact(&reading, show)?;
        let (mut pieces, mut patches) = (Vec::new(), Vec::new());
        for (number, wall) in self.walls.walls.iter().enumerate() {
            let placed = wall.placed(state.time());
            placed.check(number, self.list.domain().periods())?;
            let wall = PlacedWall { number, placed };
            let can_touch = |body: usize| bodies.radius()[body] > 0.0 && !reading.is_fixed(body);
            for body in (0..bodies.len()).filter(|&body| can_touch(body)) {
                let (radius, range) = (bodies.radius()[body], self.laws.at_wall(body as u32, number).0.range());
                match placed.surface() {
                    PlacedSurface::Plane { origin, out } => {
                        // The constant part comes first, so that only the centre is rounded.
                        let (position, normal) = (state.position().get(body), -out);
                        let overlap = position.dot(normal) - (origin.dot(normal) - radius);
                        if overlap > 0.0 - range {
                            let patch = &Patch::flat(0, out, radius - overlap);
                            let touched = TouchedPatch { body, position, overlap, patch };
                            self.show_wall_contact(&reading, &wall, &touched, show)?;
                        }
                    }
                    PlacedSurface::Surface(_) => {
                        let position = reading.image(body);
                        patches.clear();
                        placed.patches(position, radius + range, &mut pieces, &mut patches);
                        for patch in &patches {
                            let touched = TouchedPatch { body, position, overlap: radius - patch.distance, patch };
                            self.show_wall_contact(&reading, &wall, &touched, show)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Calls `show` for each touching pair.
    fn each_pair_contact(
        &self,
        reading: &Reading<'_>,
        show: &mut dyn FnMut(&TouchingContact<'_, L, T>),
    ) -> Result<(), DemError> {
        let &Reading { bodies, state, list, .. } = reading;
        let lever = self.laws.lever();
        let arm = |radius: f64, overlap: f64| radius - 0.5 * lever * overlap;
        let inverse_mass = |body: usize| bodies.inverse_mass()[body];
        let (position, velocity) = (state.position(), state.velocity());
        let (order, mut outcome) = (list.tiling.order(), Ok(()));
        list.tiling.each_pair(&mut |places, _| {
            let [a, b] = places.map(|place| order[place] as usize);
            let separation = list.domain.separation(position.get(a), position.get(b));
            let (distance, [ra, rb]) = (separation.length(), [a, b].map(|body| bodies.radius()[body]));
            let overlap = ra + rb - distance;
            let (law, tangential) = self.laws.of_bodies(a as u32, b as u32);
            if overlap <= 0.0 - law.range() || outcome.is_err() {
                return;
            }
            if overlap >= ra.min(rb) {
                let (bodies, radius) = ([a.min(b), a.max(b)], ra.min(rb));
                outcome = Err(DemError::Contact(ContactError::OverlapTooLarge { bodies, overlap, radius }));
                return;
            }
            let spin = [a, b].map(|body| state.spin(bodies, body));
            let geometry = ContactGeometry {
                normal: separation / distance,
                overlap,
                radius: ra * rb / (ra + rb),
                mass: (inverse_mass(a) + inverse_mass(b)).recip(),
                share: 1.0,
            };
            let motion = PartnerMotion {
                centres: reading.relative(
                    velocity.get(b) - velocity.get(a),
                    position.get(b) - position.get(a),
                    separation,
                ),
                rolling: arm(ra, overlap) * spin[0] + arm(rb, overlap) * spin[1],
                spin,
            };
            let state = contact_state(&geometry, &motion);
            show(&TouchingContact { a, b, patch: None, arm: ra - 0.5 * overlap, state, law, tangential });
        });
        outcome
    }

    /// Calls `show` for the contact of a body with one patch of a wall.
    fn show_wall_contact(
        &self,
        reading: &Reading<'_>,
        wall: &PlacedWall<'_>,
        &TouchedPatch { body, position, overlap, patch }: &TouchedPatch<'_>,
        show: &mut dyn FnMut(&TouchingContact<'_, L, T>),
    ) -> Result<(), DemError> {
        let (&Reading { bodies, state, .. }, &PlacedWall { number, placed }) = (reading, wall);
        let (radius, normal) = (bodies.radius()[body], -patch.normal);
        if overlap >= radius || !patch.distance.is_finite() {
            return Err(DemError::Contact(ContactError::BehindWall { body, wall: number, overlap, radius }));
        }
        let (law, tangential) = self.laws.at_wall(body as u32, number);
        let geometry = ContactGeometry {
            normal,
            overlap,
            radius,
            mass: bodies.inverse_mass()[body].recip(),
            share: saddle_share(law, patch.saddle.as_ref(), overlap, radius).share,
        };
        let spin = state.spin(bodies, body);
        let velocity = reading.relative(state.velocity().get(body), state.position().get(body), reading.image(body));
        let motion = PartnerMotion {
            centres: placed.velocity_at(position + patch.distance * normal) - velocity,
            rolling: (radius - self.laws.lever() * overlap) * spin,
            spin: [spin, placed.spin],
        };
        let (arm, state) = (patch.distance, contact_state(&geometry, &motion));
        show(&TouchingContact { a: body, b: number, patch: Some(patch), arm, state, law, tangential });
        Ok(())
    }
}

/// A contact of two bodies seen from the lower number. Laws see it from the lower id.
fn by_number(contact: Contact) -> Contact {
    let Contact { a, b, normal, tangential_force, couple, .. } = contact;
    if contact.with_wall || a < b {
        return contact;
    }
    Contact { a: b, b: a, normal: -normal, tangential_force: -tangential_force, couple: -couple, ..contact }
}
