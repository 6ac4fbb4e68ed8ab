//! How long a list holds.

use crate::neighbor::displacement_bounds::{DisplacementBounds, MovedImage};
use crate::neighbor::domain::Domain;

/// The limits that centres must keep for a list to hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListLimits<'a> {
    pub(crate) domain: &'a Domain,
    /// Pairs have to be listed up to this gap, in m.
    pub(crate) range: f64,
    /// Whether no centre may be further than half the skin beyond a periodic side.
    pub(crate) keeps_inside: bool,
}

/// How long a list holds, as known from an inspection of all centres.
///
/// A list holds if no centre is further than half the skin from where it was made for it, or if bounds show that all
/// unlisted pairs are apart. Whether it does depends on the centres it was made for, the present centres and the kind
/// of walls, not on when the last inspection was: one that is left out would have been passed.
#[derive(Debug, Clone, Copy)]
pub(super) struct RebuildCriterion {
    /// How far in m each centre may go after the inspection before another one is needed.
    spare: f64,
    /// At the inspection, unlisted pairs were further apart than this, in m.
    gap: f64,
}

impl RebuildCriterion {
    /// Of a list that was not inspected.
    pub(super) const NONE: Self = Self { spare: f64::NEG_INFINITY, gap: f64::NEG_INFINITY };

    /// For a list whose centres have these displacements; `None` if it may not hold. With `keeps_inside` it holds only
    /// if no centre is further than half the skin beyond a periodic side. `skin` is the gap that pairs were listed up
    /// to; the domains are the present one, and that in which the list was made.
    pub(super) fn inspect(
        bounds: &DisplacementBounds,
        skin: f64,
        &ListLimits { range, keeps_inside, .. }: &ListLimits<'_>,
        [domain, start]: [&Domain; 2],
    ) -> Option<Self> {
        let largest = bounds.largest() + domain.moved_since(start);
        if !largest.is_finite() {
            return None;
        }
        // Within a quarter of a period of where a centre came from, there is one image only, and it is the nearest one.
        // So a later caller finds the same images.
        let periods = domain.periods().to_array();
        let period = periods.into_iter().filter(|&period| period > 0.0).fold(f64::INFINITY, f64::min);
        // A new list finds bodies that left the domain; half a skin beyond it they may be unnoticed.
        let (enough, room) = (0.125 * (skin - range), bounds.room(domain, keeps_inside) + half(skin - range));
        let gap = bounds.gap(skin, periods, &images_moved(start, domain), range + enough);
        // With little to spare, the next inspections would cost more than a new list.
        let spare = (gap - (range + enough)).min(0.25 * period - largest).min(room);
        // If centres move further by d, each component of a difference of displacements grows by 2 d at most.
        (spare >= 0.0).then(|| Self { spare: spare / (2.0 * 3.0_f64.sqrt()) * (1.0 - 1e-9), gap })
    }

    /// Whether the list holds after each centre has gone a path of this length (m) at most since the inspection.
    pub(super) fn covers(&self, path: f64) -> bool {
        path <= self.spare
    }

    /// After such a path (m) unlisted pairs are still further apart than this, in m.
    pub(super) fn covered_gap(&self, path: f64) -> f64 {
        self.gap - 2.0 * path
    }
}

/// All images in a box that deforms, none in a box at rest.
fn images_moved(start: &Domain, now: &Domain) -> Vec<MovedImage> {
    if !now.is_deforming() {
        return Vec::new();
    }
    let images = start.shifts().into_iter().zip(now.shifts()).take(27);
    images
        .map(|(start, now)| {
            let [from, to] = [start, now].map(|[x, y, z, _]| [x, y, z]);
            MovedImage { start: from, moved: std::array::from_fn(|c| to[c] - from[c]) }
        })
        .collect()
}

/// Half the skin; rounding in what is compared must not make it longer.
pub(super) fn half(skin: f64) -> f64 {
    0.5 * skin * (1.0 - 1e-9)
}
