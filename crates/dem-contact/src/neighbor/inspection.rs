//! Inspecting whether a list holds, from the displacements of all centres since it was made.

use rrp_geom::glam::DVec3;
use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::neighbor::displacement_bounds::DisplacementBounds;
use crate::neighbor::rebuild_criterion::RebuildCriterion;
use crate::neighbor::{ListState, NeighborList};

impl NeighborList {
    /// Whether the list holds for these centres (m); `keeps_inside` as for [`keep_inside`](Self::keep_inside).
    pub(crate) fn holds(&self, radius: &ScalarColumn, position: &VectorColumn, keeps_inside: bool) -> bool {
        let has_rows = matches!(self.state, ListState::Trial | ListState::Accepted);
        if !has_rows || self.len() != radius.len() || position.len() != radius.len() {
            return false;
        }
        let nearest = self.minimum_image();
        let image = |slot, body: usize| nearest.wrap(position.get(body).to_array(), self.start(slot));
        let are_known = self.order.iter().enumerate().all(|(slot, &body)| {
            let (body, same) = (body as usize, self.packed[slot][3].to_bits() == radius[body as usize].to_bits());
            same && image(slot, body).1 < f64::INFINITY
        });
        are_known && {
            let mut bounds = DisplacementBounds::default();
            bounds.measure(&self.order, &self.packed, &|slot, body| [self.start(slot), image(slot, body).0]);
            RebuildCriterion::inspect(&bounds, self.skin, &self.domain, keeps_inside).is_some()
        }
    }

    /// The centre in m that the list was made for, by slot.
    fn start(&self, slot: usize) -> [f64; 3] {
        match self.packed[slot] {
            [x, y, z, _] if self.state == ListState::Trial => [x, y, z],
            _ => self.reference[self.order[slot] as usize],
        }
    }

    /// The image (m) of a body's centre that forces are evaluated at where the list [holds](Self::holds).
    pub(crate) fn image(&self, body: usize, position: DVec3) -> DVec3 {
        let start = self.start(self.slot_of_body()[body] as usize);
        let (image, _) = self.minimum_image().wrap(position.to_array(), start);
        DVec3::from_array(image)
    }

    /// Sets whether packed centres have to stay within half the skin of periodic sides. A wall that stands in a
    /// periodic domain once needs that.
    pub(crate) fn keep_inside(&mut self, keeps_inside: bool) {
        if self.keeps_inside != keeps_inside {
            // The last inspection does not say whether they do.
            (self.keeps_inside, self.criterion) = (keeps_inside, RebuildCriterion::at_build(self.skin));
        }
    }

    /// Inspects the displacements of all packed centres; true if the list is seen to hold for them.
    pub(super) fn passes_inspection(&mut self) -> bool {
        // A radius has changed, or a centre is not a number.
        if !self.displacement.is_finite() {
            return false;
        }
        let mut bounds = std::mem::take(&mut self.displacement_bounds);
        bounds.measure(&self.order, &self.packed, &|slot, body| {
            let [x, y, z, _] = self.packed[slot];
            [self.reference[body], [x, y, z]]
        });
        let inspected = RebuildCriterion::inspect(&bounds, self.skin, &self.domain, self.keeps_inside);
        self.displacement_bounds = bounds;
        let Some(criterion) = inspected else { return false };
        (self.displacement, self.criterion) = (criterion.inspected_at(), criterion);
        true
    }
}
