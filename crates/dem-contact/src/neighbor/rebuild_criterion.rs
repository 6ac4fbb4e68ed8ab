//! How long a list holds.

use rrp_geom::glam::DVec3;
use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::neighbor::displacement_bounds::DisplacementBounds;
use crate::neighbor::domain::Domain;
use crate::neighbor::{ListState, NeighborList};

/// Up to which displacement of its centres a list holds, as known from the last inspection of all centres.
///
/// A list holds if no centre has moved further than half the skin, or if bounds show that all unlisted pairs are apart.
/// Whether it does depends on the centres it was made for, the present centres and the kind of walls, not on when the
/// last inspection was.
#[derive(Debug, Clone, Copy)]
pub(super) struct RebuildCriterion {
    /// Largest displacement in m at the inspection.
    inspected_at: f64,
    /// Displacement in m up to which no inspection is needed.
    limit: f64,
    /// At the inspection, unlisted pairs were further apart than this, in m.
    gap: f64,
}

impl RebuildCriterion {
    /// For a list whose centres are where it was made for them.
    pub(super) fn at_build(skin: f64) -> Self {
        Self { inspected_at: 0.0, limit: half(skin), gap: skin }
    }

    /// For a list whose centres have these displacements; `None` if it may not hold. With `keeps_inside` it holds only
    /// if no centre is further than half the skin beyond a periodic side.
    pub(super) fn inspect(bounds: &DisplacementBounds, skin: f64, domain: &Domain, keeps_inside: bool) -> Option<Self> {
        let largest = bounds.largest();
        if !largest.is_finite() {
            return None;
        }
        if largest <= half(skin) {
            return Some(Self { inspected_at: largest, limit: half(skin), gap: skin - 2.0 * largest });
        }
        // Within a quarter of a period of where a centre came from, there is one image only, and it is the nearest one.
        // So a later caller finds the same images.
        let periods = domain.periods().to_array();
        let period = periods.into_iter().filter(|&period| period > 0.0).fold(f64::INFINITY, f64::min);
        // A new list finds bodies that left the domain; half a skin beyond it they may be unnoticed.
        let (enough, room) = (0.125 * skin, bounds.room(domain, keeps_inside) + half(skin));
        let gap = bounds.gap(skin, periods, enough);
        // With little to spare, the next inspections would cost more than a new list.
        let spare = (gap - enough).min(0.25 * period - largest).min(room);
        // If centres move further by d, each component of a difference of displacements grows by 2 d at most.
        (spare >= 0.0).then(|| Self {
            inspected_at: largest,
            limit: largest + spare / (2.0 * 3.0_f64.sqrt()) * (1.0 - 1e-9),
            gap,
        })
    }

    /// Whether the list holds while no centre is further than `displacement` (m) from where the list was made for it.
    pub(super) fn covers(&self, displacement: f64) -> bool {
        displacement <= self.limit
    }

    /// Largest displacement in m at the inspection.
    pub(super) fn inspected_at(&self) -> f64 {
        self.inspected_at
    }

    /// At this displacement (m) unlisted pairs are still further apart than this, in m.
    pub(super) fn covered_gap(&self, displacement: f64) -> f64 {
        self.gap - 2.0 * (displacement - self.inspected_at)
    }
}

/// Half the skin; rounding in what is compared must not make it longer.
fn half(skin: f64) -> f64 {
    0.5 * skin * (1.0 - 1e-9)
}

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
            bounds.measure(self, &|slot, body| [self.start(slot), image(slot, body).0]);
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
        bounds.measure(self, &|slot, body| {
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
