//! Contacts with walls in an implicit step.

use rrp_geom::glam::DVec3;

use crate::force::contact_model::saddle_share;
use crate::force::histories::wall_history::recall;
use crate::implicit::body_equations::{BodyEquations, ContactBody};
use crate::implicit::contact::{ContactGeometry, ElasticForce, ImplicitContact};
use crate::implicit::discrete_gradient::discrete_gradient;
use crate::implicit::system::UniformPlane;
use crate::law::contact_law::ContactLaw;
use crate::law::pair_law::LawTraits;
use crate::wall::images::{Touched, TouchedPoints};
use crate::wall::placed::Placed;
use crate::wall::surface::{Bend, Patch, Saddle};

/// Part of a wall (plane, facet, edge, corner or curved patch) that a body touches.
#[derive(Debug, Clone, Copy)]
pub(super) struct TouchedPart<'a> {
    /// Number of the touched part of the wall, the key of its history.
    pub(super) feature: u32,
    pub(super) normal: DVec3,
    /// History of the contact at the accepted state; `None` if the contact is new.
    pub(super) history: Option<&'a [f64]>,
}

/// Callback for each contact with a wall: the contact and the touched part of the wall. The part is `None` for the
/// force that is subtracted at a saddle, which has no history.
type ContactVisitor<'a> = dyn FnMut(&ImplicitContact, Option<TouchedPart<'_>>) + 'a;

impl<const D: usize> BodyEquations<'_, D> {
    /// Calls `visit` for each contact of body `a` with the wall number `w`, with its history. A contact that shares
    /// overlap with another one is followed by the force to be subtracted at the [`Saddle`] between them, without a
    /// history.
    pub(super) fn each_wall_contact(&self, w: usize, a: &ContactBody, visit: &mut ContactVisitor<'_>) {
        if a.radius <= 0.0 {
            return;
        }
        let known = self.histories.histories_at_wall(a.body, w);
        if let Some(plane) = self.system.planes.get(w).and_then(Option::as_ref) {
            let history = known.first_row();
            if let Some(contact) = self.plane(w, plane, a, history) {
                visit(&contact, Some(TouchedPart { feature: 0, normal: -plane.normal, history }));
            }
            return;
        }
        let time = self.context.weights.evaluation_time;
        let placed = self.walls[w].placed(self.context.time + time);
        let here = (a.origin + a.velocity * time) + a.compensation;
        let mut points = TouchedPoints::default();
        let mut recalled = Vec::new();
        placed.touch(here, a.radius, self.list.domain().periods(), &mut points);
        if points.touched.is_empty() {
            return;
        }
        let traits = self.laws.at_wall(a.body, w).traits();
        let width = traits.layout.width();
        recall(&known, &points.touched, &traits.layout, &mut recalled);
        for (k, Touched { patch, shift, .. }) in points.touched.iter().enumerate() {
            let touched = TouchedWall { placed: &placed, here: here + *shift };
            let history = Some(&recalled[k * width..(k + 1) * width]);
            let contact = self.surface(&touched, patch, a, traits, history);
            visit(&contact, Some(TouchedPart { feature: patch.feature, normal: patch.normal, history }));
            if let Some(saddle) = patch.saddle.as_ref().filter(|saddle| saddle.overlap(a.radius).is_some()) {
                visit(&self.at_saddle(&touched, saddle, a, &*traits.normal), None);
            }
        }
    }

    /// Computes a contact with a wall that is not a plane of constant velocity. The Jacobian neglects that the velocity
    /// of a turning wall depends on the contact point, an error of the wall's turn in a step.
    fn surface(
        &self,
        wall: &TouchedWall<'_>,
        patch: &Patch,
        a: &ContactBody,
        traits: &LawTraits,
        history: Option<&[f64]>,
    ) -> ImplicitContact {
        let law = &*traits.normal;
        let at_saddle = patch.saddle.as_ref().and_then(|saddle| Some((saddle, saddle.overlap(a.radius)?)));
        let share = at_saddle.map_or(ContactGeometry::WHOLE, |(saddle, there)| {
            let here = a.radius - patch.distance;
            let share = saddle_share(law, Some(saddle), here, a.radius).share;
            let by_overlap = (1.0 - share) * law.stiffness(here, a.radius) - law.stiffness(there, a.radius);
            [share, if share > 0.0 && share < 1.0 { by_overlap / law.force(here, a.radius) } else { 0.0 }]
        });
        let bend = Bend::new(patch.normal, &patch.turning);
        let geometry = ContactGeometry { share, ..wall.geometry(patch.normal, patch.distance, &bend, a) };
        let overlap = geometry.overlap;
        let elastic = self.elastic(&geometry, law.force(overlap, a.radius), law.stiffness(overlap, a.radius));
        let dissipative = self.dissipative(traits, &geometry, history);
        ImplicitContact { geometry, elastic, dissipative }
    }

    /// Returns the force to be subtracted at the [`Saddle`] between two contacts with a wall that share an overlap.
    fn at_saddle(
        &self,
        wall: &TouchedWall<'_>,
        saddle: &Saddle,
        a: &ContactBody,
        law: &dyn ContactLaw,
    ) -> ImplicitContact {
        let bend = Bend::new(saddle.normal, &saddle.turning);
        let geometry = wall.geometry(saddle.normal, saddle.distance, &bend, a);
        let overlap = geometry.overlap;
        let elastic = self.elastic(&geometry, -law.force(overlap, a.radius), -law.stiffness(overlap, a.radius));
        ImplicitContact { geometry, elastic, dissipative: None }
    }

    /// Computes the contact of a body with a plane wall; `None` if there is no force. A new contact has no `history`.
    #[inline(always)]
    fn plane(
        &self,
        w: usize,
        plane: &UniformPlane,
        a: &ContactBody,
        history: Option<&[f64]>,
    ) -> Option<ImplicitContact> {
        let weights = &self.context.weights;
        let &UniformPlane { normal, height, velocity } = plane;
        let velocity = velocity - a.velocity;
        // Subtracting the constants first leaves only the rounding of centres, also far from the origin.
        let from = (a.origin.dot(normal) - (height - a.radius)) + a.compensation.dot(normal);
        let fall = velocity.dot(normal);
        let overlap = from - fall * weights.evaluation_time;
        let to = from - fall * weights.step;
        let touches = overlap > 0.0 || weights.exact && (from > 0.0 || to > 0.0);
        if !touches || a.radius <= 0.0 {
            return None;
        }
        let traits = self.laws.at_wall(a.body, w).traits();
        let law = &*traits.normal;
        let arm = a.radius - overlap;
        let geometry = ContactGeometry {
            normal,
            curvature: 0.0,
            ridge: (DVec3::ZERO, 0.0),
            overlap,
            arm,
            arm_loss: 1.0,
            radius: a.radius,
            mass: a.inverse_mass.recip(),
            velocity,
            arm_spins: a.spin * arm,
            lost_spins: a.spin,
            side: 1.0,
            share: ContactGeometry::WHOLE,
        };
        let elastic = if weights.exact {
            let [size, slope] = discrete_gradient(law, from, to, a.radius);
            ElasticForce { size, slope, direction: normal, falling: normal, turn: 0.0, travel_time: weights.step }
        } else {
            self.elastic(&geometry, law.force(overlap, a.radius), law.stiffness(overlap, a.radius))
        };
        let dissipative = self.dissipative(traits, &geometry, history);
        Some(ImplicitContact { geometry, elastic, dissipative })
    }
}

/// Wall that a body touches, and the centre of the body or its image, at the evaluation time.
struct TouchedWall<'a> {
    placed: &'a Placed<'a>,
    here: DVec3,
}

impl TouchedWall<'_> {
    /// Returns the geometry of a contact with the point of a wall at `distance` (m) from the centre of the body; `out`
    /// is the outward normal of the wall at this point.
    fn geometry(&self, out: DVec3, distance: f64, bend: &Bend, a: &ContactBody) -> ContactGeometry {
        let normal = -out;
        let arm = distance;
        ContactGeometry {
            normal,
            curvature: bend.even,
            ridge: (bend.ridge, bend.more),
            overlap: a.radius - distance,
            arm,
            arm_loss: 1.0,
            radius: a.radius,
            mass: a.inverse_mass.recip(),
            velocity: self.placed.velocity_at(self.here + arm * normal) - a.velocity,
            arm_spins: a.spin * arm,
            lost_spins: a.spin,
            side: 1.0,
            share: ContactGeometry::WHOLE,
        }
    }
}
