//! What can be read from contacts without changing anything.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::ContactForce;
use crate::force::contact_model::{ContactForces, ContactState, own, push, slip};
use crate::law::contact::Contact;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::neighbor::NeighborList;
use crate::wall::surface::Patch;

/// What a touching contact is shown to: a, b, the patch if b is a wall, the arm of a, and the state of the contact.
type Show<'a> = dyn FnMut(usize, usize, Option<&Patch>, f64, ContactState) + 'a;

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// All touching contacts at `state`: pairs sorted by a, then b, with a < b, then those with walls, wall by wall.
    ///
    /// LawAssignment with memory are read as for a step of no length, from the committed memory.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] where materials are those of another number of bodies, [`ContactError::OverlapTooLarge`](crate::error::ContactError::OverlapTooLarge),
    /// [`ContactError::BehindWall`](crate::error::ContactError::BehindWall), those of [`State::check_columns`] inside [`DemError::Integrate`], and what making a list
    /// for `state` can fail with, should the present list not hold for it.
    pub fn contacts(&self, bodies: &Bodies, state: &State) -> Result<Vec<Contact>, DemError> {
        let mut contacts = Vec::new();
        self.each_touch(bodies, state, &mut |a, b, patch, arms, touch| {
            let key = [a as u32, b as u32];
            let mut memory = if let Some(patch) = patch {
                self.walls.committed.of_feature([key[1], key[0]], patch.feature)
            } else {
                self.memory.of_pair(&self.list, key)
            };
            let (law, tangential) =
                if patch.is_some() { self.laws.at_wall(key[0], b) } else { self.laws.of_bodies(key[0], key[1]) };
            let capped = law.is_capped();
            let push: ContactForces = push(law, tangential, capped, &touch, &mut memory);
            let ContactState { normal, overlap, radius, velocity, spin, share, .. } = touch;
            let (slip, _) = slip(law, capped, &touch);
            let saddle = patch.and_then(|patch| patch.saddle.as_ref());
            let (_, taken) = own(law, saddle, overlap, radius);
            let along = taken.dot(normal);
            contacts.push(Contact {
                a,
                b,
                with_wall: patch.is_some(),
                normal,
                point: state.position().get(a) + arms * normal,
                overlap,
                normal_force: push.normal + along,
                tangential_force: push.tangential + (taken - along * normal),
                couple: push.couple,
                elastic_energy: elastic_energy(law, patch, overlap, radius),
                tangential_energy: share * tangential.stored_energy(&slip, &memory),
                friction_work: tangential.friction_work(&memory),
                dissipated_power: -push.dissipative(normal).dot(velocity) - push.couple.dot(spin),
            });
        })?;
        Ok(contacts)
    }

    /// Elastic energy of all contacts at `state`, in J.
    ///
    /// # Errors
    /// As [`contacts`](Self::contacts).
    pub fn elastic_energy(&self, bodies: &Bodies, state: &State) -> Result<f64, DemError> {
        let mut sum = 0.0;
        self.each_touch(bodies, state, &mut |a, b, patch, _, touch| {
            let (a, kinds) = (a as u32, &self.laws);
            let (law, _) = if patch.is_some() { kinds.at_wall(a, b) } else { kinds.of_bodies(a, b as u32) };
            sum += elastic_energy(law, patch, touch.overlap, touch.radius);
        })?;
        Ok(sum)
    }

    /// Energy that the tangential laws hold at all contacts, in J, from the committed memory.
    ///
    /// # Errors
    /// As [`contacts`](Self::contacts).
    pub fn tangential_energy(&self, bodies: &Bodies, state: &State) -> Result<f64, DemError> {
        if size_of::<T::History>() == 0 {
            return Ok(0.0);
        }
        Ok(self.contacts(bodies, state)?.iter().map(|contact| contact.tangential_energy).sum())
    }

    /// Shows each touching contact.
    fn each_touch(&self, bodies: &Bodies, state: &State, show: &mut Show<'_>) -> Result<(), DemError> {
        state.check_columns(bodies)?;
        self.laws.check_bodies(bodies.len())?;
        let made;
        let holds = self.list.holds(bodies.radius(), state.position(), self.walls.stand_once());
        let list: &NeighborList = if holds {
            &self.list
        } else {
            let mut fresh = self.list.fresh(self.list.skin())?;
            fresh.update(bodies.radius(), state.position())?;
            made = fresh;
            &made
        };
        let lever = self.laws.lever();
        let arm = |radius: f64, overlap: f64| radius - 0.5 * lever * overlap;
        let inverse_mass = |i: usize| bodies.inverse_mass()[i];
        let fixed = |i: usize| inverse_mass(i) <= 0.0;
        let (position, velocity) = (state.position(), state.velocity());
        for [a, b] in list.pairs() {
            let separation = list.domain().separation(position.get(a), position.get(b));
            let (distance, [ra, rb]) = (separation.length(), [a, b].map(|i| bodies.radius()[i]));
            let overlap = ra + rb - distance;
            if overlap <= 0.0 || fixed(a) && fixed(b) {
                continue;
            }
            if overlap >= ra.min(rb) {
                return Err(DemError::Contact(ContactError::OverlapTooLarge {
                    bodies: [a, b],
                    overlap,
                    radius: ra.min(rb),
                }));
            }
            let normal = separation / distance;
            let rolling = arm(ra, overlap) * state.spin(bodies, a) + arm(rb, overlap) * state.spin(bodies, b);
            let touch = ContactState {
                normal,
                overlap,
                radius: ra * rb / (ra + rb),
                mass: (inverse_mass(a) + inverse_mass(b)).recip(),
                velocity: velocity.get(b) - velocity.get(a) - rolling.cross(normal),
                spin: state.spin(bodies, b) - state.spin(bodies, a),
                turning: state.spin(bodies, b) + state.spin(bodies, a),
                elapsed: 0.0,
                share: 1.0,
            };
            show(a, b, None, ra - 0.5 * overlap, touch);
        }
        // The image that forces are found for, should it be known.
        let image = |a: usize| match holds {
            true if list.domain().periods() != DVec3::ZERO => list.image(a, position.get(a)),
            _ => list.domain().inside(position.get(a)),
        };
        let (mut pieces, mut patches) = (Vec::new(), Vec::new());
        for (w, wall) in self.walls.walls.iter().enumerate() {
            let placed = wall.placed(state.time());
            placed.check(w, list.domain().periods())?;
            let Some((origin, out)) = placed.plane() else {
                for a in (0..bodies.len()).filter(|&a| bodies.radius()[a] > 0.0 && !fixed(a)) {
                    let (radius, position) = (bodies.radius()[a], image(a));
                    patches.clear();
                    placed.patches(position, radius, &mut pieces, &mut patches);
                    for patch in &patches {
                        let (normal, overlap) = (-patch.normal, radius - patch.distance);
                        if overlap >= radius || !patch.distance.is_finite() {
                            return Err(DemError::Contact(ContactError::BehindWall {
                                body: a,
                                wall: w,
                                overlap,
                                radius,
                            }));
                        }
                        let rolling: DVec3 = (radius - lever * overlap) * state.spin(bodies, a);
                        let law = &self.laws.at_wall(a as u32, w).0;
                        let (share, _) = own(law, patch.saddle.as_ref(), overlap, radius);
                        let on_wall = placed.velocity_at(position + patch.distance * normal);
                        let touch = ContactState {
                            normal,
                            overlap,
                            radius,
                            mass: inverse_mass(a).recip(),
                            velocity: on_wall - velocity.get(a) - rolling.cross(normal),
                            spin: placed.spin - state.spin(bodies, a),
                            turning: placed.spin + state.spin(bodies, a),
                            elapsed: 0.0,
                            share,
                        };
                        show(a, w, Some(patch), patch.distance, touch);
                    }
                }
                continue;
            };
            let normal = -out;
            for a in 0..bodies.len() {
                let radius = bodies.radius()[a];
                // What does not change comes first, so that only the centre is rounded.
                let overlap = position.get(a).dot(normal) - (origin.dot(normal) - radius);
                if radius <= 0.0 || overlap <= 0.0 || fixed(a) {
                    continue;
                }
                if overlap >= radius {
                    return Err(DemError::Contact(ContactError::BehindWall { body: a, wall: w, overlap, radius }));
                }
                let rolling: DVec3 = (radius - lever * overlap) * state.spin(bodies, a);
                let touch = ContactState {
                    normal,
                    overlap,
                    radius,
                    mass: inverse_mass(a).recip(),
                    velocity: placed.velocity_at(position.get(a) + (radius - overlap) * normal)
                        - velocity.get(a)
                        - rolling.cross(normal),
                    spin: placed.spin - state.spin(bodies, a),
                    turning: placed.spin + state.spin(bodies, a),
                    elapsed: 0.0,
                    share: 1.0,
                };
                show(a, w, Some(&Patch::flat(0, out, radius - overlap)), radius - overlap, touch);
            }
        }
        Ok(())
    }
}

/// The elastic energy of a contact, less what is that of another one too.
fn elastic_energy<L: ContactLaw>(law: &L, patch: Option<&Patch>, overlap: f64, radius: f64) -> f64 {
    let there = patch.and_then(|patch| patch.saddle?.overlap(radius));
    law.energy(overlap, radius) - there.map_or(0.0, |there| law.energy(there, radius))
}
