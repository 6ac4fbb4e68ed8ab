//! Bounds on the displacements of centres since a list was made, and on the gaps of pairs that are not listed.

use crate::neighbor::domain::{Boundary, Domain};

/// An axis-aligned box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Bounds {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    #[inline(always)]
    pub(super) fn with(self, low: [f64; 3], high: [f64; 3]) -> Self {
        Self {
            low: std::array::from_fn(|c| if low[c] < self.low[c] { low[c] } else { self.low[c] }),
            high: std::array::from_fn(|c| if high[c] > self.high[c] { high[c] } else { self.high[c] }),
        }
    }

    fn with_all(self, other: &Self) -> Self {
        self.with(other.low, other.high)
    }

    fn moved(&self, by: [f64; 3]) -> Self {
        let [low, high] = [self.low, self.high].map(|corner| std::array::from_fn(|c| corner[c] + by[c]));
        Self { low, high }
    }

    /// The largest length of the difference of a vector in one box and a vector in the other.
    fn largest_difference(&self, other: &Self) -> f64 {
        let most = |c: usize| (self.high[c] - other.low[c]).max(other.high[c] - self.low[c]);
        length([most(0), most(1), most(2)])
    }

    /// The least distance of a point in one box and a point in the other or in one of its images.
    fn least_distance(&self, other: &Self, periods: [f64; 3]) -> f64 {
        let between = |c: usize, shift: f64| {
            (other.low[c] + shift - self.high[c]).max(self.low[c] - (other.high[c] + shift)).max(0.0)
        };
        let least = |c: usize| between(c, 0.0).min(between(c, periods[c])).min(between(c, -periods[c]));
        length([least(0), least(1), least(2)])
    }
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// Boxes around the centres of one group of bodies, or of several: when the list was made, now, and their
/// displacements. In m.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupBounds {
    /// Inside the domain.
    pub(super) start: Bounds,
    pub(super) displacement: Bounds,
    /// The images nearest to the start.
    pub(super) now: Bounds,
    /// Square of the largest displacement, in m².
    pub(super) largest_square: f64,
    /// Largest radius.
    pub(super) radius: f64,
}

impl GroupBounds {
    pub(super) const NONE: Self = Self {
        start: Bounds::EMPTY,
        displacement: Bounds::EMPTY,
        now: Bounds::EMPTY,
        largest_square: 0.0,
        radius: 0.0,
    };

    fn and(&self, other: &Self) -> Self {
        Self {
            start: self.start.with_all(&other.start),
            displacement: self.displacement.with_all(&other.displacement),
            now: self.now.with_all(&other.now),
            largest_square: self.largest_square.max(other.largest_square),
            radius: self.radius.max(other.radius),
        }
    }
}

/// A binary tree of bounds over all groups: level 0 has one entry for each group, each entry of a higher level joins
/// two of the level below.
#[derive(Debug, Clone, Default)]
pub(super) struct DisplacementBounds {
    levels: Vec<Vec<GroupBounds>>,
}

/// An image of the bodies in a box that deforms: its displacement when the list was made, and how far it has moved
/// since then, in m.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovedImage {
    pub(super) start: [f64; 3],
    pub(super) moved: [f64; 3],
}

/// A search for the least gap among pairs of groups, in m.
struct Query<'a> {
    skin: f64,
    periods: [f64; 3],
    /// All images, in a box that deforms.
    images: &'a [MovedImage],
    /// The least gap found so far.
    least: f64,
    /// The search ends below this gap.
    enough: f64,
}

impl DisplacementBounds {
    /// The tree over these groups.
    pub(super) fn of_groups(groups: Vec<GroupBounds>) -> Self {
        let mut bounds = Self { levels: vec![groups] };
        bounds.join();
        bounds
    }

    /// Makes all levels above level 0.
    fn join(&mut self) {
        let mut level = 0;
        while self.levels[level].len() > 1 {
            if self.levels.len() == level + 1 {
                self.levels.push(Vec::new());
            }
            let (below, above) = self.levels.split_at_mut(level + 1);
            let pairs = below[level].chunks(2);
            above[0].clear();
            above[0].extend(pairs.map(|pair| pair.iter().fold(GroupBounds::NONE, |all, one| all.and(one))));
            level += 1;
        }
        self.levels.truncate(level + 1);
    }

    fn of_all(&self) -> &GroupBounds {
        self.levels.last().and_then(|top| top.first()).unwrap_or(&GroupBounds::NONE)
    }

    /// The largest displacement, in m.
    pub(super) fn largest(&self) -> f64 {
        self.of_all().largest_square.sqrt()
    }

    /// How far in m all centres may move before one is beyond a closed side or, with `periodic`, beyond a periodic one;
    /// negative if one is.
    pub(super) fn room(&self, domain: &Domain, periodic: bool) -> f64 {
        let Bounds { low, high } = self.of_all().now;
        let counts = |&c: &usize| match domain.boundary()[c] {
            Boundary::Closed => true,
            Boundary::Periodic => periodic,
            Boundary::Open => false,
        };
        let sides = (0..3).filter(counts);
        sides.map(|c| (low[c] - domain.low()[c]).min(domain.high()[c] - high[c])).fold(f64::INFINITY, f64::min)
    }

    /// Lower bound in m on the present gap of all pairs that are not listed, whose gap was above `skin` when the list
    /// was made. A result of zero or less says nothing. A result below `enough` need not be the largest bound.
    ///
    /// In a box that deforms `images` has all images, else none.
    pub(super) fn gap(&self, skin: f64, periods: [f64; 3], images: &[MovedImage], enough: f64) -> f64 {
        let mut query = Query { skin, periods, images, least: f64::INFINITY, enough };
        if self.levels.last().is_some_and(|top| !top.is_empty()) {
            self.search(&mut query, self.levels.len() - 1, [0, 0]);
        }
        query.least
    }

    /// Searches the pairs of groups below two entries of a level.
    fn search(&self, query: &mut Query<'_>, level: usize, [a, b]: [usize; 2]) {
        let (first, second) = (&self.levels[level][a], &self.levels[level][b]);
        let radii = first.radius + second.radius;
        let through = |image: &MovedImage| {
            let apart = first.start.least_distance(&second.start.moved(image.start), [0.0; 3]) - radii;
            query.skin.max(apart) - first.displacement.largest_difference(&second.displacement.moved(image.moved))
        };
        let gap = if query.images.is_empty() {
            let apart = first.start.least_distance(&second.start, query.periods) - radii;
            query.skin.max(apart) - first.displacement.largest_difference(&second.displacement)
        } else {
            query.images.iter().map(through).fold(f64::INFINITY, f64::min)
        };
        // A joint box bounds the boxes it was made from, in rounded numbers too.
        if gap >= query.least || query.least < query.enough {
            return;
        }
        if level == 0 {
            query.least = gap;
            return;
        }
        let below = self.levels[level - 1].len();
        let children = |k: usize| 2 * k..(2 * k + 2).min(below);
        for i in children(a) {
            for k in children(b).filter(|&k| a != b || k >= i) {
                self.search(query, level - 1, [i, k]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rrp_geom::glam::DVec3;
    use rrp_integrate::{ScalarColumn, VectorColumn};

    use super::*;
    use crate::neighbor::NeighborList;
    use crate::neighbor::rebuild_criterion::ListLimits;

    /// Spheres of two sizes that flow, the upper ones faster, and tremble, after `time`, in one of eight domains.
    fn flow(case: usize, time: f64) -> (NeighborList, ScalarColumn, VectorColumn) {
        let mut seed = case as u64 + 7;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let side = |bit: usize| if case >> bit & 1 == 0 { Boundary::Periodic } else { Boundary::Open };
        let domain = Domain::new(DVec3::ZERO, DVec3::new(6.0, 6.0, 24.0), [side(0), side(1), side(2)]).unwrap();
        let mut vector = || DVec3::new(random(), random(), random());
        let start: Vec<DVec3> = (0..2300).map(|_| vector() * DVec3::new(6.0, 6.0, 24.0)).collect();
        let radius: ScalarColumn = (0..start.len()).map(|i| if i % 9 == 0 { 0.2 } else { 0.1 }).collect();
        let shear = |x: DVec3| DVec3::new(2.0 + 0.02 * x.z, 0.5, -0.3);
        let way: Vec<DVec3> = start.iter().map(|&x| shear(x) + 0.2 * (vector() - 0.5)).collect();
        let mut list = NeighborList::new(domain, 0.1).unwrap();
        list.update(&radius, &start.iter().copied().collect()).unwrap();
        let now = start.iter().zip(way).map(|(x, way)| x + time * way).collect();
        (list, radius, now)
    }

    #[test]
    fn what_is_not_listed_is_as_far_apart_as_is_said() {
        let mut beyond = 0;
        for case in 0..8 {
            for time in [0.01, 0.05, 0.12, 0.2] {
                let (list, radius, now) = flow(case, time);
                let mut tracked = list.current().unwrap().clone();
                tracked.follow(&ListLimits { domain: list.domain(), range: 0.0, keeps_inside: false }, &radius, &now);
                let (periods, bounds) = (list.domain().periods().to_array(), tracked.bounds());
                let gap = bounds.gap(list.skin(), periods, &[], f64::NEG_INFINITY);
                let listed: BTreeSet<[usize; 2]> = list.pairs().into_iter().collect();
                let mut least = f64::INFINITY;
                for a in 0..now.len() {
                    for b in (a + 1..now.len()).filter(|&b| !listed.contains(&[a, b])) {
                        let distance = list.domain().separation(now.get(a), now.get(b)).length();
                        least = least.min(distance - (radius[a] + radius[b]));
                    }
                }
                assert!(least > gap, "{case}, {time}: {least} is not above {gap}");
                beyond += usize::from(gap > 0.0 && bounds.largest() > 0.5 * list.skin());
                // The same without the levels above the groups.
                let mut query =
                    Query { skin: list.skin(), periods, images: &[], least: f64::INFINITY, enough: f64::NEG_INFINITY };
                let bottom = DisplacementBounds { levels: vec![bounds.levels[0].clone()] };
                let count = bottom.levels[0].len();
                (0..count).for_each(|a| (a..count).for_each(|b| bottom.search(&mut query, 0, [a, b])));
                assert_eq!(query.least.to_bits(), gap.to_bits());
                let furthest = (0..now.len()).map(|i| (now.get(i) - list_start(&list, i, now.get(i))).length());
                assert!((bounds.largest() - furthest.fold(0.0, f64::max)).abs() < 1e-12);
            }
        }
        // Lists that hold although centres have gone further than half the skin.
        assert!(beyond >= 8, "{beyond}");
    }

    /// The image nearest to `now` of where the list was made for a body.
    fn list_start(list: &NeighborList, body: usize, now: DVec3) -> DVec3 {
        let start = list.reference()[list.place()[body] as usize];
        now - list.domain().separation(DVec3::from_slice(&start[..3]), now)
    }

    /// One body.
    fn single(start: [f64; 3], way: [f64; 3]) -> GroupBounds {
        let at = |x| Bounds::EMPTY.with(x, x);
        GroupBounds { start: at(start), displacement: at(way), now: at(start), largest_square: 0.0, radius: 0.5 }
    }

    #[test]
    fn two_bodies_that_meet_head_on_have_what_is_left_of_their_gap() {
        let gap = |x: f64, ways: [f64; 2], period: f64| {
            let pair = vec![single([0.0; 3], [0.0, 0.0, ways[0]]), single([0.0, 0.0, x], [0.0, 0.0, ways[1]])];
            let all = vec![pair[0].and(&pair[1])];
            let (bounds, periods) = (DisplacementBounds { levels: vec![pair, all] }, [3.0, 3.0, period]);
            let mut query = Query { skin: 0.25, periods, images: &[], least: f64::INFINITY, enough: f64::NEG_INFINITY };
            bounds.search(&mut query, 0, [0, 1]);
            // Two bodies of one group may be as near as the skin.
            assert_eq!(bounds.gap(0.25, periods, &[], f64::NEG_INFINITY).to_bits(), query.least.min(0.25).to_bits());
            query.least
        };
        assert_eq!(gap(3.0, [0.5, -0.25], 0.0).to_bits(), (2.0 - 0.75_f64).to_bits());
        assert_eq!(gap(-3.0, [0.5, -0.25], 0.0).to_bits(), (2.0 - 0.75_f64).to_bits());
        // Nearer round the other side; and not listed, so no nearer than the skin.
        assert_eq!(gap(3.0, [0.5, -0.25], 5.0).to_bits(), (1.0 - 0.75_f64).to_bits());
        assert_eq!(gap(-3.0, [0.5, -0.25], 5.0).to_bits(), (1.0 - 0.75_f64).to_bits());
        assert_eq!(gap(1.0, [0.125, -0.0625], 0.0).to_bits(), (0.25 - 0.1875_f64).to_bits());
        // Together.
        assert_eq!(gap(1.0, [7.0, 7.0], 0.0).to_bits(), (0.25_f64).to_bits());
    }

    #[test]
    fn no_bodies_and_one_leave_all_the_skin() {
        let bounds = DisplacementBounds::of_groups(Vec::new());
        assert!(bounds.largest() <= 0.0 && bounds.gap(0.1, [0.0; 3], &[], 0.0) == f64::INFINITY);
        let bounds = DisplacementBounds::of_groups(vec![single([1.0, 0.0, 0.0], [0.0; 3])]);
        assert!(bounds.largest() <= 0.0 && (bounds.gap(0.1, [0.0; 3], &[], 0.0) - 0.1).abs() < 1e-15);
    }
}
