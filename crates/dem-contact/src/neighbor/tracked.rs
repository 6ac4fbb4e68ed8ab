//! A neighbour list with the present centres of its bodies, and the test whether the list holds.
//!
//! A list holds if no centre is further than half the skin from its position when the list was made, or if an
//! inspection of all displacements shows that unlisted pairs do not touch. The result depends on the centres at both
//! times and on whether walls have periodic images, but not on the time of the last inspection: an inspection is left
//! out only if the list would pass it.

use std::ops::Range;
use std::sync::Arc;

use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::neighbor::displacement_bounds::{DisplacementBounds, GroupBounds, MovedImage};
use crate::neighbor::domain::{Boundary, Domain};
use crate::neighbor::minimum_image::MinimumImage;
use crate::neighbor::tiles::Tiling;
use crate::neighbor::tiles::bounds::Bounds;

/// Largest number of consecutive spheres whose displacements share one bound.
const GROUP: usize = 256;

/// Two consecutive spheres belong to different groups of bounds if their distance along z is larger than the sum of
/// their radii times this factor, plus the skin.
const APART: f64 = 4.0;

/// A neighbour list with the present centres of its spheres, and how long the list holds.
#[derive(Debug, Clone)]
pub(crate) struct TrackedList {
    pub(crate) tiling: Arc<Tiling>,
    /// Present centre of each sphere, in the image nearest to its centre in `tiling.reference`, and radius, in m, in
    /// the order of the tiles.
    pub(crate) position: Vec<[f64; 4]>,
    /// Domain when the list was made. The field `domain` is the domain when centres were read last, with images counted
    /// as when the list was made.
    pub(crate) start: Domain,
    pub(crate) domain: Domain,
    /// Upper bound in m, by tile, on the length of the path of each centre since the list was made.
    pub(crate) path: Vec<f64>,
    /// Largest displacement in m of a centre since the list was made, plus half the motion of a periodic image.
    pub(super) displacement: f64,
    spare: f64,
    gap: f64,
    /// Upper bound in m on the length of the path of each centre since the last inspection of displacements.
    since_inspection: f64,
}

/// Largest distances by which the centres of a neighbour list have moved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Travel {
    /// Largest displacement in m of a centre since the list was made, plus half the motion of a periodic image.
    pub(crate) displacement: f64,
    /// Largest displacement in m of a centre since the last reading of centres, plus half the motion of a periodic
    /// image.
    pub(crate) step: f64,
}

/// Result in m of an inspection of all displacements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spare {
    /// Distance in m that every centre may travel before the next inspection is needed.
    pub(super) travel: f64,
    /// Lower bound in m on the present gap between the bodies of an unlisted pair.
    gap: f64,
}

impl TrackedList {
    pub(super) fn new(tiling: Tiling, domain: Domain) -> Self {
        Self {
            start: domain,
            domain,
            position: tiling.reference.to_vec(),
            path: vec![0.0; tiling.tiles.len()],
            displacement: 0.0,
            spare: f64::NEG_INFINITY,
            gap: f64::NEG_INFINITY,
            since_inspection: 0.0,
            tiling: Arc::new(tiling),
        }
    }

    /// Reads present radii and centres (m) in this domain. Returns true if the list still has all pairs with gaps of up
    /// to `range` (m) and, with `keeps_inside`, no centre is further than half the skin beyond a periodic side.
    pub(super) fn follow(
        &mut self,
        domain: &Domain,
        range: f64,
        keeps_inside: bool,
        radius: &ScalarColumn,
        centre: &VectorColumn,
    ) -> bool {
        self.read(domain, radius, centre).is_some() && self.holds(domain, range, keeps_inside)
    }

    /// Whether the list holds for the centres that were read last, in this domain.
    pub(super) fn holds(&mut self, domain: &Domain, range: f64, keeps_inside: bool) -> bool {
        let largest = self.displacement + self.image_way(domain);
        self.displacement <= self.free_travel(range)
            || self.since_inspection <= self.spare
            || self.passes_inspection(range, keeps_inside, largest)
    }

    /// Half the motion in m of a periodic image in this domain since the list was made.
    pub(super) fn image_way(&self, domain: &Domain) -> f64 {
        0.5 * domain.near(&self.start).moved_since(&self.start)
    }

    /// Reads present radii and centres (m) in this domain. `None` if a radius is not that of the list, or if a centre
    /// is not finite or too many periods away to count.
    pub(super) fn read(&mut self, domain: &Domain, radius: &ScalarColumn, centre: &VectorColumn) -> Option<Travel> {
        let domain = domain.near(&self.start);
        // Each of the two centres of a pair is charged with half of the motion of the image through which they are a
        // pair.
        let [image_step, image_way] = [&self.domain, &self.start].map(|before| 0.5 * domain.moved_since(before));
        self.domain = domain;
        let nearest = MinimumImage::of(&self.domain);
        let travels = self.tiling.gather(nearest, radius, centre, &mut self.position);
        if !travels.iter().all(|travel| travel.are_known) {
            self.position.copy_from_slice(&self.tiling.reference);
            self.path.iter_mut().for_each(|path| *path += self.displacement);
            self.inspect_anew();
            self.displacement = 0.0;
            return None;
        }
        self.path.iter_mut().zip(&travels).for_each(|(path, travel)| *path += travel.step);
        let step = travels.iter().map(|travel| travel.step).fold(0.0, f64::max) + image_step;
        self.since_inspection += step;
        self.displacement = travels.iter().map(|travel| travel.displacement).fold(0.0, f64::max) + image_way;
        Some(Travel { displacement: self.displacement, step })
    }

    /// Displacement in m of a centre up to which no inspection is needed, if laws act up to gaps of `range` (m).
    pub(super) fn free_travel(&self, range: f64) -> f64 {
        half(self.tiling.skin - range)
    }

    pub(super) fn inspect_anew(&mut self) {
        (self.spare, self.gap) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    }

    /// Largest gap in m up to which the list certainly has all pairs at the present centres.
    pub(crate) fn covered_gap(&self) -> f64 {
        (self.tiling.skin - 2.0 * self.displacement).max(self.gap - 2.0 * self.since_inspection)
    }

    /// Inspects all displacements since the list was made; `largest` (m) is a bound on them, with the motion of images.
    /// Returns true if the list holds although a centre has moved by more than half the skin.
    #[cold]
    fn passes_inspection(&mut self, range: f64, keeps_inside: bool, largest: f64) -> bool {
        self.inspect_anew();
        self.since_inspection = 0.0;
        let found = largest.is_finite().then(|| self.spare(&self.displacement_bounds(keeps_inside), range, largest));
        let Some(Spare { travel, gap }) = found.flatten() else { return false };
        (self.spare, self.gap) = (travel, gap);
        true
    }

    /// Returns how far all centres can travel until the next inspection, from bounds on all displacements, which are at
    /// most `largest` (m) with the motion of images. `None` if the list does not hold.
    pub(super) fn spare(&self, bounds: &DisplacementBounds, range: f64, largest: f64) -> Option<Spare> {
        // Within a quarter of a period of the original position the nearest image is unique, so that a later call finds
        // the same image.
        let skin = self.tiling.skin;
        let periods = self.domain.periods().to_array();
        let period = periods.into_iter().filter(|&period| period > 0.0).fold(f64::INFINITY, f64::min);
        // Only the making of a list checks that bodies are in the domain, so the list must not hold if a centre is half
        // a skin outside.
        let enough = range + 0.125 * (skin - range);
        let room = bounds.room + half(skin - range);
        let gap = bounds.tree().gap(skin, periods, &images_moved(&self.start, &self.domain), enough);
        // Near a gap of `range` the next inspections would cost more than a new list, so `enough` has a margin.
        let spare = (gap - enough).min(0.25 * period - largest).min(room);
        // If each centre moves by d, each component of a difference of displacements grows by at most 2 d.
        (spare >= 0.0).then(|| Spare { travel: spare / (2.0 * 3.0_f64.sqrt()) * (1.0 - 1e-9), gap })
    }

    /// Distance in m that all centres may move before one of them is beyond a closed side of the domain or, with
    /// `periodic`, beyond a periodic side; negative if one is beyond already.
    fn room(&self, periodic: bool) -> f64 {
        let counts = |&c: &usize| match self.domain.boundary()[c] {
            Boundary::Closed => true,
            Boundary::Periodic => periodic,
            Boundary::Open => false,
        };
        let low = self.domain.low();
        let high = self.domain.high();
        let beside = |c: usize| self.position.iter().map(move |centre| (centre[c] - low[c]).min(high[c] - centre[c]));
        (0..3).filter(counts).flat_map(beside).fold(f64::INFINITY, f64::min)
    }

    /// Returns bounds on the displacements, since the list was made, of the bodies that the list owns (not of ghosts),
    /// and on the distance of all its centres to closed sides or, with `keeps_inside`, to periodic sides too.
    pub(super) fn displacement_bounds(&self, keeps_inside: bool) -> DisplacementBounds {
        let reference = &self.tiling.reference;
        let of_tile = |(own, places): (u32, Range<usize>)| {
            let now = &self.position[places.clone()];
            let start = &reference[places];
            let are_near = |one: &_, next: &_| are_near(one, next, self.tiling.skin);
            let groups = start.chunk_by(are_near).flat_map(|run| run.chunks(GROUP)).scan(0, |first, start| {
                let now = &now[*first..*first + start.len()];
                *first += start.len();
                let moved = now.iter().zip(start).map(|(now, from)| std::array::from_fn(|c| now[c] - from[c]));
                Some(GroupBounds { start: Bounds::of(start.iter().copied()), displacement: Bounds::of(moved) })
            });
            (self.tiling.names.get(own as usize).copied().unwrap_or(own), groups.collect())
        };
        let tiles = (0..).zip(self.tiling.own_places()).map(of_tile).collect();
        DisplacementBounds { tiles, room: self.room(keeps_inside) }
    }
}

/// Whether two consecutive spheres of a tile are nearly in one layer of grid cells, so that they can share bounds. A
/// few spheres that fall onto many then have bounds of their own. Spheres of radius zero have no pairs, so they can
/// share the bounds of any group.
fn are_near(one: &[f64; 4], next: &[f64; 4], skin: f64) -> bool {
    let radii = one[3] + next[3];
    radii <= 0.0 || (next[2] - one[2]).abs() <= APART * radii + skin
}

/// Returns half the skin (m) less a margin, so that rounding errors of distances cannot make a list hold too long.
fn half(skin: f64) -> f64 {
    0.5 * skin * (1.0 - 1e-9)
}

/// Returns the periodic images of all bodies, with the motion of each image relative to its body since the box had the
/// shape `start`. Empty in a box at rest, whose images do not move.
fn images_moved(start: &Domain, now: &Domain) -> Vec<MovedImage> {
    let moves = now.is_deforming() || now.moved_since(start) > 0.0;
    let images = start.shifts().into_iter().zip(now.shifts()).take(if moves { 27 } else { 0 });
    let moved =
        |(start, now): ([f64; 4], [f64; 4])| MovedImage { start, moved: std::array::from_fn(|c| now[c] - start[c]) };
    images.map(moved).collect()
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
        // Both bodies have moved by three skins together, so their gap is the same.
        assert_eq!(update([0.3, 1.45]), (false, 0));
        assert_eq!(update([0.3, 1.25]), (true, 1));
    }

    #[test]
    fn layers_are_bounded_together_where_cells_are_wide_and_where_bodies_have_no_size() {
        let place = |i: u32| DVec3::new(f64::from(i % 8), f64::from(i / 8 % 8), f64::from(i * 7 % 64) / 64.0);
        for (skin, radius) in [(2.0, 0.05), (0.1, 0.0)] {
            let mut list = NeighborList::new(Domain::OPEN, skin).unwrap();
            // One sphere has a size: the grid cells follow from its diameter.
            let radii = [0.5].into_iter().chain([radius; 511]).collect();
            list.update(&radii, &(0..512).map(place).collect()).unwrap();
            let bounds = list.displacement_bounds();
            let groups: usize = bounds.tiles.iter().map(|(_, groups)| groups.len()).sum();
            assert!(groups < 40, "{skin} {radius}: {groups}");
        }
    }

    #[test]
    fn one_that_falls_onto_many_at_rest_needs_no_new_list_until_it_is_near() {
        let mut list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
        let radius = [0.5; 10].into_iter().collect();
        let mut update = |z: f64| {
            let bed = (0..9).map(|i| DVec3::new(f64::from(i % 3), f64::from(i / 3), 0.0));
            list.update(&radius, &bed.chain([DVec3::new(1.0, 1.0, z)]).collect()).unwrap()
        };
        assert!(update(9.0));
        assert!((1..150).all(|k| !update(9.0 - 0.05 * f64::from(k))));
        assert!(update(1.005));
    }
}
