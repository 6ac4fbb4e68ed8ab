//! How long a list holds.

use crate::neighbor::displacement_bounds::DisplacementBounds;
use crate::neighbor::domain::Domain;

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

    /// At this displacement (m) unlisted pairs are still further apart than this, in m.
    pub(super) fn covered_gap(&self, displacement: f64) -> f64 {
        self.gap - 2.0 * (displacement - self.inspected_at)
    }
}

/// Half the skin; rounding in what is compared must not make it longer.
fn half(skin: f64) -> f64 {
    0.5 * skin * (1.0 - 1e-9)
}
