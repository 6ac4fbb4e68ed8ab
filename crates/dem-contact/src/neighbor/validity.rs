//! How long a list is valid.

use super::travels::Travels;
use crate::Domain;

/// For which further ways of its centres a list is known to hold, since someone looked.
///
/// It holds if no centre has gone further than half the skin, or if pairs that are not listed are seen to be apart. Which
/// lists hold depends on the centres that they were made for and on the present ones alone, not on when someone looked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Validity {
    /// How far the furthest centre was from where the list was made for it when someone looked, and up to where no one has to
    /// look again, in m.
    at: f64,
    limit: f64,
    /// Pairs that are not listed were further apart than this then, in m.
    gap: f64,
}

impl Validity {
    /// Of a list for the centres that it is made for.
    pub(super) fn of_new(skin: f64) -> Self {
        Self { at: 0.0, limit: half(skin), gap: skin }
    }

    /// Of a list whose centres have gone these ways; `None` if it may not hold. `inside` asks that none is further than half the
    /// skin beyond a periodic side.
    pub(super) fn seen(travels: &Travels, skin: f64, domain: &Domain, inside: bool) -> Option<Self> {
        let at = travels.furthest();
        if !at.is_finite() {
            return None;
        }
        if at <= half(skin) {
            return Some(Self { at, limit: half(skin), gap: skin - 2.0 * at });
        }
        // Two images of a centre cannot both be within a quarter of a period of where it came from, nor any image be nearer to that
        // than one that is: who comes upon the list later sees the same ones.
        let periods = domain.periods().to_array();
        let period = periods.into_iter().filter(|&period| period > 0.0).fold(f64::INFINITY, f64::min);
        // A new list finds out who left the domain, which one may do by half a skin unseen.
        let (enough, room) = (0.125 * skin, travels.room(domain, inside) + half(skin));
        let gap = travels.gap(skin, periods, enough);
        // With little left, looking would come dearer than a new list.
        let spare = (gap - enough).min(0.25 * period - at).min(room);
        // Per way that centres go further each component of a difference of ways grows by two at most.
        (spare >= 0.0).then(|| Self { at, limit: at + spare / (2.0 * 3.0_f64.sqrt()) * (1.0 - 1e-9), gap })
    }

    /// Whether the list holds where no centre is further than `moved` (m) from where the list was made for it, by ways that
    /// were added up since someone looked.
    pub(super) fn covers(&self, moved: f64) -> bool {
        moved <= self.limit
    }

    /// How far the furthest centre was then, in m.
    pub(super) fn at(&self) -> f64 {
        self.at
    }

    /// How far apart pairs that are not listed still are then, in m.
    pub(super) fn gap(&self, moved: f64) -> f64 {
        self.gap - 2.0 * (moved - self.at)
    }
}

/// Half the skin; rounding in what is compared must not make it longer.
pub(super) fn half(skin: f64) -> f64 {
    0.5 * skin * (1.0 - 1e-9)
}
