//! A list with the present centres of its bodies, and the bound of how far they have moved.

use std::sync::Arc;

use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::neighbor::displacement_bounds::{DisplacementBounds, GroupBounds};
use crate::neighbor::domain::Domain;
use crate::neighbor::minimum_image::MinimumImage;
use crate::neighbor::rebuild_criterion::{ListLimits, RebuildCriterion, half};
use crate::neighbor::tiles::Tiling;

/// Largest number of spheres whose displacements are bounded together. They follow each other in layers of cells.
const GROUP: usize = 256;

/// A list, and where the centres of its spheres are.
#[derive(Debug, Clone)]
pub(crate) struct TrackedList {
    pub(crate) tiling: Arc<Tiling>,
    /// By place: present centre, in the image nearest to where the list was made for it, and radius, in m.
    pub(crate) position: Vec<[f64; 4]>,
    /// The domain that the list was made in, and the present one: with images nearest to where they were.
    pub(crate) start: Domain,
    pub(crate) domain: Domain,
    /// By tile: bound in m on the path of each centre since the list was made, back and forth.
    pub(crate) path: Vec<f64>,
    /// Largest distance in m of a centre from where the list was made for it, with half of how far an image has moved.
    displacement: f64,
    /// What the last inspection of all displacements showed, and the bound in m on the path of each centre since.
    criterion: RebuildCriterion,
    since_inspection: f64,
}

impl TrackedList {
    /// A list whose centres are where it was made for them.
    pub(crate) fn new(tiling: Tiling, domain: Domain) -> Self {
        Self {
            start: domain,
            domain,
            position: tiling.reference().to_vec(),
            path: vec![0.0; tiling.tiles().len()],
            displacement: 0.0,
            criterion: RebuildCriterion::NONE,
            since_inspection: 0.0,
            tiling: Arc::new(tiling),
        }
    }

    /// Reads present radii and centres (m). True if the list holds for them.
    ///
    /// Whether it holds depends on the present centres and those that it was made for, and on nothing in between.
    pub(crate) fn follow(&mut self, limits: &ListLimits<'_>, radius: &ScalarColumn, centre: &VectorColumn) -> bool {
        let domain = limits.domain.near(&self.start);
        // Of two centres that are a pair through an image, half for each.
        let [image_step, image_way] = [&self.domain, &self.start].map(|before| 0.5 * domain.moved_since(before));
        self.domain = domain;
        let nearest = MinimumImage::of(&self.domain);
        let travels = self.tiling.gather(nearest, radius, centre, &mut self.position);
        if !travels.iter().all(|travel| travel.are_known) {
            // As if all had gone back to where the list was made.
            self.position.copy_from_slice(self.tiling.reference());
            self.path.iter_mut().for_each(|path| *path += self.displacement);
            self.inspect_anew();
            self.displacement = 0.0;
            return false;
        }
        self.path.iter_mut().zip(&travels).for_each(|(path, travel)| *path += travel.step);
        self.since_inspection += travels.iter().map(|travel| travel.step).fold(0.0, f64::max) + image_step;
        self.displacement = travels.iter().map(|travel| travel.displacement).fold(0.0, f64::max) + image_way;
        self.displacement <= half(self.tiling.skin() - limits.range)
            || self.criterion.covers(self.since_inspection)
            || self.passes_inspection(limits)
    }

    /// Has the next call look at all displacements.
    pub(crate) fn inspect_anew(&mut self) {
        self.criterion = RebuildCriterion::NONE;
    }

    /// Up to this gap (m) all pairs of the present centres are listed.
    pub(crate) fn covered_gap(&self) -> f64 {
        (self.tiling.skin() - 2.0 * self.displacement).max(self.criterion.covered_gap(self.since_inspection))
    }

    /// Inspects all displacements; true if the list is seen to hold although some centre is further than half the skin
    /// from where it was.
    #[cold]
    fn passes_inspection(&mut self, limits: &ListLimits<'_>) -> bool {
        let (bounds, skin) = (self.bounds(), self.tiling.skin());
        let seen = RebuildCriterion::inspect(&bounds, skin, limits, [&self.domain, &self.start]);
        (self.criterion, self.since_inspection) = (seen.unwrap_or(RebuildCriterion::NONE), 0.0);
        seen.is_some()
    }

    /// Bounds of all displacements.
    pub(super) fn bounds(&self) -> DisplacementBounds {
        let (mut groups, reference) = (Vec::new(), self.tiling.reference());
        for tile in self.tiling.tiles() {
            let (now, start) = (&self.position[tile.places.clone()], &reference[tile.places.clone()]);
            groups.extend(now.chunks(GROUP).zip(start.chunks(GROUP)).map(|(now, start)| bounds(now, start)));
        }
        DisplacementBounds::of_groups(groups)
    }
}

/// The bounds of a group of spheres: where they are now, and where the list was made for them.
fn bounds(now: &[[f64; 4]], start: &[[f64; 4]]) -> GroupBounds {
    let mut all = GroupBounds::NONE;
    for (now, start) in now.iter().zip(start) {
        let [now, from] = [now, start].map(|&[x, y, z, _]| [x, y, z]);
        let moved: [f64; 3] = std::array::from_fn(|c| now[c] - from[c]);
        all.start = all.start.with(from, from);
        all.displacement = all.displacement.with(moved, moved);
        all.now = all.now.with(now, now);
        let square = moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2];
        all.largest_square = all.largest_square.max(square);
        all.radius = all.radius.max(start[3]);
    }
    all
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use crate::neighbor::NeighborList;
    use crate::neighbor::domain::Domain;

    #[test]
    fn spheres_that_flowed_together_are_listed_when_one_comes_back() {
        let mut list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
        let radius = [0.5; 2].into_iter().collect();
        let mut update = |x: [f64; 2]| {
            let is_new = list.update(&radius, &x.into_iter().map(|x| DVec3::X * x).collect()).unwrap();
            (is_new, list.pairs().len())
        };
        assert_eq!(update([0.0, 1.15]), (true, 0));
        // Both three skins further: they are as far from each other as before.
        assert_eq!(update([0.3, 1.45]), (false, 0));
        // No centre is further from its start than before.
        assert_eq!(update([0.3, 1.25]), (true, 1));
    }
}
