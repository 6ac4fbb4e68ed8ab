//! Contacts of a configuration for output, and the error for the deepest overlap.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::force::deepest_overlap::DeepestOverlap;
use crate::law::contact::{Contact, Partner, PowerByMotion, sort_contacts};
use crate::law::contact_law::ContactLaw;
use crate::statics::configuration::Configuration;
use crate::statics::contact_rows::NearContact;

impl Configuration<'_> {
    /// Returns all contacts, sorted as in [`ContactForce`](crate::force::ContactForce), and the number of rattlers:
    /// movable bodies without a contact.
    pub(super) fn contacts(&self, law: &dyn ContactLaw) -> (Vec<Contact>, usize) {
        let mut found = Vec::new();
        let mut touched = vec![false; self.len()];
        self.rows.each_touching(&mut |place, contact, shared| {
            touched[place] = true;
            found.extend(self.contact(law, place, contact, shared));
        });
        sort_contacts(&mut found);
        let rattlers = touched.iter().zip(&self.movable).filter(|&(&touched, &movable)| movable && !touched).count();
        (found, rattlers)
    }

    /// Returns a near contact as a `Contact`; `None` at the second body of a movable pair, to report each pair once.
    fn contact(
        &self,
        law: &dyn ContactLaw,
        place: usize,
        contact: &NearContact,
        shared: Option<&NearContact>,
    ) -> Option<Contact> {
        let order = self.list.order();
        let body = order[place] as usize;
        let normal = DVec3::from_array(contact.normal);
        let (a, b, normal, from) = match contact.wall() {
            Some(wall) => (body, Partner::Wall(wall), normal, place),
            None => match order[contact.place()] as usize {
                other if body < other => (body, Partner::Body(other), normal, place),
                // A fixed body has no row of its own.
                other if contact.is_held() => (other, Partner::Body(body), -normal, contact.place()),
                _ => return None,
            },
        };
        let whole = [law.force(contact.overlap, contact.radius), law.energy(contact.overlap, contact.radius)];
        let [push, energy] = shared.map_or([0.0; 2], |shared| {
            [law.force(shared.overlap, shared.radius), law.energy(shared.overlap, shared.radius)]
        });
        let lost = shared.map_or(DVec3::ZERO, |shared| DVec3::from_array(shared.normal) * -push);
        let along = lost.dot(normal);
        let arm = self.radius[from] - if b.wall().is_some() { contact.overlap } else { 0.5 * contact.overlap };
        Some(Contact {
            a,
            b,
            normal,
            point: self.by_body.position.get(a) + self.by_body.jump[a] + arm * normal,
            overlap: contact.overlap,
            normal_force: whole[0] + along,
            tangential_force: lost - along * normal,
            couple: DVec3::ZERO,
            elastic_energy: whole[1] - energy,
            tangential_energy: 0.0,
            dissipated_power: 0.0,
            power_by_motion: PowerByMotion::default(),
        })
    }

    /// Returns the error for the deepest contact, whose overlap is a radius or more.
    pub(super) fn deepest_overlap(&self) -> DemError {
        let mut deepest = DeepestOverlap::new();
        let body = |place: usize| self.list.order()[place] as usize;
        self.rows.each(&mut |place, contact| match contact.wall() {
            Some(wall) => deepest.offer_wall(body(place), wall, contact.overlap, self.radius[place]),
            None => {
                let radius = self.radius[place].min(self.radius[contact.place()]);
                deepest.offer_pair([body(place), body(contact.place())], contact.overlap, radius);
            }
        });
        deepest.into_error()
    }
}
