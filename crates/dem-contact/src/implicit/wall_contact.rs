//! Contacts with walls in an implicit step.

use rrp_geom::glam::DVec3;

use crate::force::contact_model::saddle_share;
use crate::force::wall_forces::history::ContactKey;
use crate::implicit::body_equations::{BodyEquations, Side};
use crate::implicit::contact::{ContactGeometry, Dissipative, Elastic, ImplicitContact};
use crate::implicit::discrete_gradient::mean_force;
use crate::implicit::system::UniformPlane;
use crate::implicit::weights::Setting;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::wall::Wall;
use crate::wall::placed::Placed;
use crate::wall::surface::{Bend, Patch, Saddle};

/// Which part of a wall a contact is on with the normal out of it, and what it is to remember.
pub(crate) type Kept<M> = ((u32, DVec3), M);

impl<L: ContactLaw, T: TangentialLaw, const D: usize> BodyEquations<'_, L, T, D> {
    /// Shows each contact with a wall, what it is on, with its normal out of the wall, and what it is to remember; and after it,
    /// with `None`, what it has to lose at its saddle.
    #[inline]
    pub(crate) fn at_wall(
        &self,
        (w, wall): (usize, &Wall),
        (body, a): (u32, &Side),
        mut show: impl FnMut(&ImplicitContact, Option<Kept<T::History>>),
    ) {
        if a.radius <= 0.0 {
            return;
        }
        let committed = &self.walls.committed;
        if let Some(plane) = self.stage.planes.get(w).and_then(Option::as_ref) {
            let mut memory = committed.of_only_contact(ContactKey { wall: w as u32, body });
            if let Some(encounter) = self.plane((w, plane), a, &mut memory) {
                show(&encounter, Some(((0, -plane.normal), memory)));
            }
            return;
        }
        let reach = self.setting.weights.reach;
        let placed = wall.placed(self.setting.time + reach);
        let here = (a.origin + a.velocity * reach) + a.residue;
        let (mut pieces, mut patches, mut recalled) = (Vec::new(), Vec::new(), Vec::new());
        placed.patches(here, a.radius, &mut pieces, &mut patches);
        committed.recall(ContactKey { wall: w as u32, body }, &patches, &mut recalled);
        for (patch, memory) in patches.iter().zip(&mut recalled) {
            let encounter = self.surface(&placed, patch, (w, here, a), memory);
            show(&encounter, Some(((patch.feature, patch.normal), *memory)));
            if let Some(saddle) = patch.saddle.as_ref().filter(|saddle| saddle.overlap(a.radius).is_some()) {
                show(&self.at_saddle(&placed, saddle, (w, here, a)), None);
            }
        }
    }

    /// A contact with a wall that is curved, or does not move uniformly. That the velocity of a wall that turns depends on
    /// where it is touched is left out of the Jacobian: the part is the angle that it turns by in a step.
    fn surface(
        &self,
        placed: &Placed<'_>,
        patch: &Patch,
        (w, here, a): (usize, DVec3, &Side),
        memory: &mut T::History,
    ) -> ImplicitContact {
        let (law, tangential) = self.laws.at_wall(a.body, w);
        let at_saddle = patch.saddle.as_ref().and_then(|saddle| Some((saddle, saddle.overlap(a.radius)?)));
        let share = at_saddle.map_or(ContactGeometry::WHOLE, |(saddle, there)| {
            let here = a.radius - patch.distance;
            let share = saddle_share(law, Some(saddle), here, a.radius).share;
            let by_overlap = (1.0 - share) * law.stiffness(here, a.radius) - law.stiffness(there, a.radius);
            [share, if share > 0.0 && share < 1.0 { by_overlap / law.force(here, a.radius) } else { 0.0 }]
        });
        let bend = Bend::new(patch.normal, &patch.turning);
        let meeting = ContactGeometry { share, ..on_surface(placed, (patch.normal, patch.distance), &bend, (here, a)) };
        let overlap = meeting.overlap;
        let elastic = self.elastic(&meeting, law.force(overlap, a.radius), law.stiffness(overlap, a.radius));
        let dissipative = (self.dissipates && overlap > 0.0)
            .then(|| Dissipative::new((law, tangential), &meeting, &self.setting.weights, memory, self.slopes));
        ImplicitContact { meeting, elastic, dissipative }
    }

    /// What a contact with a wall has to lose because another one has it too.
    fn at_saddle(&self, placed: &Placed<'_>, saddle: &Saddle, (w, here, a): (usize, DVec3, &Side)) -> ImplicitContact {
        let (law, _) = self.laws.at_wall(a.body, w);
        let bend = Bend::new(saddle.normal, &saddle.turning);
        let meeting = on_surface(placed, (saddle.normal, saddle.distance), &bend, (here, a));
        let overlap = meeting.overlap;
        let elastic = self.elastic(&meeting, -law.force(overlap, a.radius), -law.stiffness(overlap, a.radius));
        ImplicitContact { meeting, elastic, dissipative: None }
    }

    /// A plane that the body may touch.
    #[inline(always)]
    fn plane(&self, (w, plane): (usize, &UniformPlane), a: &Side, memory: &mut T::History) -> Option<ImplicitContact> {
        let Setting { weights, .. } = self.setting;
        let &UniformPlane { normal, height, velocity } = plane;
        let velocity = velocity - a.velocity;
        // What does not change comes first: where a wall is far from the origin of coordinates only centres are rounded.
        let from = (a.origin.dot(normal) - (height - a.radius)) + a.residue.dot(normal);
        let fall = velocity.dot(normal);
        let (overlap, to) = (from - fall * weights.reach, from - fall * weights.step);
        let touches = overlap > 0.0 || weights.exact && (from > 0.0 || to > 0.0);
        if !touches || a.radius <= 0.0 {
            return None;
        }
        let (law, tangential) = self.laws.at_wall(a.body, w);
        let arm = a.radius - overlap;
        let meeting = ContactGeometry {
            normal,
            curvature: 0.0,
            ridge: (DVec3::ZERO, 0.0),
            overlap,
            arm,
            give: 1.0,
            radius: a.radius,
            mass: a.inverse_mass.recip(),
            velocity,
            turning: a.spin * arm,
            rolling: a.spin,
            side: 1.0,
            share: ContactGeometry::WHOLE,
        };
        let elastic = if weights.exact {
            let [size, slope] = mean_force(law, from, to, a.radius);
            Elastic { size, slope, direction: normal, falling: normal, turn: 0.0, reach: weights.step }
        } else {
            self.elastic(&meeting, law.force(overlap, a.radius), law.stiffness(overlap, a.radius))
        };
        let dissipative = (self.dissipates && overlap > 0.0)
            .then(|| Dissipative::new((law, tangential), &meeting, &self.setting.weights, memory, self.slopes));
        Some(ImplicitContact { meeting, elastic, dissipative })
    }
}

/// Where a body touches a wall that is `distance` away along its `normal`.
fn on_surface(
    placed: &Placed<'_>,
    (out, distance): (DVec3, f64),
    bend: &Bend,
    (here, a): (DVec3, &Side),
) -> ContactGeometry {
    let (normal, arm) = (-out, distance);
    ContactGeometry {
        normal,
        curvature: bend.even,
        ridge: (bend.ridge, bend.more),
        overlap: a.radius - distance,
        arm,
        give: 1.0,
        radius: a.radius,
        mass: a.inverse_mass.recip(),
        velocity: placed.velocity_at(here + arm * normal) - a.velocity,
        turning: a.spin * arm,
        rolling: a.spin,
        side: 1.0,
        share: ContactGeometry::WHOLE,
    }
}
