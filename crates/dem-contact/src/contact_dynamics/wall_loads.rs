//! Forces and torques of rigid bodies on walls.

use rrp_geom::glam::DVec3;

use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::rigid_dynamics::RigidDynamics;
use crate::wall::WallLoad;
use crate::wall::images::{Touched, TouchedPoints};

impl<L> RigidDynamics<L> {
    /// Point in m of a contact with a wall, at the image of the body that touches the wall. It differs from the
    /// contact's `point` once the body has left a periodic domain.
    #[must_use]
    pub fn point_on_wall(&self, contact: &RigidContact) -> DVec3 {
        let domain = self.detector.list().domain();
        if domain.periods() == DVec3::ZERO {
            return contact.point;
        }
        let reach = contact.radius + contact.gap;
        let centre = contact.point - reach * contact.normal;
        let inside = domain.inside(centre);
        let mut points = TouchedPoints::default();
        let wall = self.detector.walls.get(contact.b).map(|wall| wall.placed(self.began));
        if let Some(placed) = wall.filter(|placed| placed.plane().is_none()) {
            placed.touch(inside, reach + 1e-6 * contact.radius, domain.periods(), &mut points);
        }
        // If several images of the body touch, the image with this normal is the right one.
        let against = |touched: &&Touched| touched.patch.normal.dot(contact.normal);
        let image = points.touched.iter().min_by(|a, b| against(a).total_cmp(&against(b)));
        contact.point + (inside - centre) + image.map_or(DVec3::ZERO, |touched| touched.shift)
    }

    /// Force (N) and torque (N m) on each wall in the last step, summed over contacts that push; normal forces are
    /// compatible forces if the step computed them. Torques are about the point of the wall at the start of the step,
    /// [`Wall::point_at`](crate::wall::Wall::point_at).
    #[must_use]
    pub fn wall_loads(&self) -> Vec<WallLoad> {
        let mut loads = vec![WallLoad::default(); self.detector.walls.len()];
        for contact in self.last.contacts.iter().filter(|contact| contact.with_wall && contact.best_force() > 0.0) {
            let (Some(load), Some(wall)) = (loads.get_mut(contact.b), self.detector.walls.get(contact.b)) else {
                continue;
            };
            let force = contact.best_force() * contact.normal + contact.tangential_force;
            load.force += force;
            let moment = (self.point_on_wall(contact) - wall.point_at(self.began)).cross(force);
            load.torque += if contact.couple == DVec3::ZERO { moment } else { moment + contact.couple };
            load.contacts += 1;
        }
        loads
    }
}
