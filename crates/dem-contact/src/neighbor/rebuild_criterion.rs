//! How long a list is valid.

use rrp_geom::glam::DVec3;
use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::neighbor::displacement_bounds::DisplacementBounds;
use crate::neighbor::domain::Domain;
use crate::neighbor::{NeighborList, Standing};

/// For which further ways of its centres a list is known to hold, since someone looked.
///
/// It holds if no centre has gone further than half the skin, or if pairs that are not listed are seen to be apart. Which
/// lists hold depends on the centres that they were made for, on the present ones and on the kind of walls, not on when someone
/// looked.
#[derive(Debug, Clone, Copy)]
pub(super) struct RebuildCriterion {
    /// How far the furthest centre was from where the list was made for it when someone looked, and up to where no one has to
    /// look again, in m.
    at: f64,
    limit: f64,
    /// Pairs that are not listed were further apart than this then, in m.
    gap: f64,
}

impl RebuildCriterion {
    /// Of a list for the centres that it is made for.
    pub(super) fn of_new(skin: f64) -> Self {
        Self { at: 0.0, limit: half(skin), gap: skin }
    }

    /// Of a list whose centres have gone these ways; `None` if it may not hold. `inside` asks that none is further than half the
    /// skin beyond a periodic side.
    pub(super) fn seen(travels: &DisplacementBounds, skin: f64, domain: &Domain, inside: bool) -> Option<Self> {
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
fn half(skin: f64) -> f64 {
    0.5 * skin * (1.0 - 1e-9)
}

impl NeighborList {
    /// Whether the list holds for these centres; `inside` is what [`keep_inside`](Self::keep_inside) is told.
    pub(crate) fn holds(&self, radius: &ScalarColumn, position: &VectorColumn, inside: bool) -> bool {
        let made = matches!(self.standing, Standing::Trial | Standing::Accepted);
        if !made || self.len() != radius.len() || position.len() != radius.len() {
            return false;
        }
        let near = self.near();
        let image = |place, i: usize| near.wrap(position.get(i).to_array(), self.start(place));
        let known = self.order.iter().enumerate().all(|(place, &i)| {
            let (i, same) = (i as usize, self.packed[place][3].to_bits() == radius[i as usize].to_bits());
            same && image(place, i).1 < f64::INFINITY
        });
        known && {
            let mut travels = DisplacementBounds::default();
            travels.read(self, &|place, i| [self.start(place), image(place, i).0]);
            RebuildCriterion::seen(&travels, self.skin, &self.domain, inside).is_some()
        }
    }

    /// Where the list was made for the body at a place.
    fn start(&self, place: usize) -> [f64; 3] {
        match self.packed[place] {
            [x, y, z, _] if self.standing == Standing::Trial => [x, y, z],
            _ => self.reference[self.order[place] as usize],
        }
    }

    /// The image of a body's centre that forces are found for where the list [holds](Self::holds).
    pub(crate) fn image(&self, body: usize, position: DVec3) -> DVec3 {
        let (image, _) = self.near().wrap(position.to_array(), self.start(self.rank()[body] as usize));
        DVec3::from_array(image)
    }

    /// Whether packed centres are to stay within half the skin of periodic sides, as what stands in the domain once has to ask.
    pub(crate) fn keep_inside(&mut self, keeps: bool) {
        if self.keeps_inside != keeps {
            // What was seen does not say that they do.
            (self.keeps_inside, self.validity) = (keeps, RebuildCriterion::of_new(self.skin));
        }
    }

    /// Looks at where the packed centres have come from; true if the list is seen to hold for them.
    pub(super) fn looks_valid(&mut self) -> bool {
        // A radius has changed, or something is not a number.
        if !self.moved.is_finite() {
            return false;
        }
        let mut travels = std::mem::take(&mut self.travels);
        travels.read(self, &|place, i| {
            let [x, y, z, _] = self.packed[place];
            [self.reference[i], [x, y, z]]
        });
        let seen = RebuildCriterion::seen(&travels, self.skin, &self.domain, self.keeps_inside);
        self.travels = travels;
        let Some(validity) = seen else { return false };
        (self.moved, self.validity) = (validity.at(), validity);
        true
    }
}
