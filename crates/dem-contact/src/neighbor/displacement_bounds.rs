//! How the centres of a list went since it was made, and by how much pairs that are not listed may have come nearer.

use crate::neighbor::NeighborList;
use crate::neighbor::domain::{Boundary, Domain};
use crate::parallel::fork_join::{PerBlock, all_blocks};

/// What some numbers are between, by component.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Bounds {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    #[inline(always)]
    fn with(self, low: [f64; 3], high: [f64; 3]) -> Self {
        Self {
            low: std::array::from_fn(|c| if low[c] < self.low[c] { low[c] } else { self.low[c] }),
            high: std::array::from_fn(|c| if high[c] > self.high[c] { high[c] } else { self.high[c] }),
        }
    }

    fn with_all(self, other: &Self) -> Self {
        self.with(other.low, other.high)
    }

    /// The largest difference of a vector in one and a vector in the other.
    fn largest_difference(&self, other: &Self) -> f64 {
        let most = |c: usize| (self.high[c] - other.low[c]).max(other.high[c] - self.low[c]);
        length([most(0), most(1), most(2)])
    }

    /// The least distance of a point in one and a point in the other, or in one of its images.
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

/// Where the centres of one block or several were when the list was made, in the domain, and which ways they went since.
#[derive(Debug, Clone, Copy)]
struct BlockBounds {
    start: Bounds,
    way: Bounds,
    /// Where they are now, next to where they were.
    now: Bounds,
    /// Square of the longest way, in m²; the largest radius, in m.
    far: f64,
    radius: f64,
}

impl BlockBounds {
    const NONE: Self = Self { start: Bounds::EMPTY, way: Bounds::EMPTY, now: Bounds::EMPTY, far: 0.0, radius: 0.0 };

    fn and(&self, other: &Self) -> Self {
        Self {
            start: self.start.with_all(&other.start),
            way: self.way.with_all(&other.way),
            now: self.now.with_all(&other.now),
            far: self.far.max(other.far),
            radius: self.radius.max(other.radius),
        }
    }
}

/// The travels of all blocks, and of ever more of them together: each entry of a level is of two of the level below.
#[derive(Debug, Clone, Default)]
pub(super) struct DisplacementBounds {
    levels: Vec<Vec<BlockBounds>>,
}

/// What is looked for among pairs of blocks.
struct Query {
    skin: f64,
    periods: [f64; 3],
    /// The least gap found so far, and below which it does not matter.
    least: f64,
    enough: f64,
}

impl DisplacementBounds {
    /// Looks at where centres were when `list` was made and are now, given by place and body.
    pub(super) fn read(&mut self, list: &NeighborList, centres: &(impl Fn(usize, usize) -> [[f64; 3]; 2] + Sync)) {
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        let blocks = &mut self.levels[0];
        blocks.clear();
        blocks.resize(list.blocks().count(), BlockBounds::NONE);
        all_blocks(list.len(), PerBlock(blocks), &|first, count, blocks: PerBlock<'_, BlockBounds>| {
            let mut all = BlockBounds::NONE;
            for place in first..first + count {
                let ([start, now], radius) = (centres(place, list.order[place] as usize), list.packed[place][3]);
                let way: [f64; 3] = std::array::from_fn(|c| now[c] - start[c]);
                all.start = all.start.with(start, start);
                all.way = all.way.with(way, way);
                all.now = all.now.with(now, now);
                let square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
                all.far = if square > all.far { square } else { all.far };
                all.radius = if radius > all.radius { radius } else { all.radius };
            }
            blocks.0.iter_mut().for_each(|block| *block = all);
            true
        });
        let mut level = 0;
        while self.levels[level].len() > 1 {
            if self.levels.len() == level + 1 {
                self.levels.push(Vec::new());
            }
            let (below, above) = self.levels.split_at_mut(level + 1);
            let pairs = below[level].chunks(2);
            above[0].clear();
            above[0].extend(pairs.map(|pair| pair.iter().fold(BlockBounds::NONE, |all, one| all.and(one))));
            level += 1;
        }
        self.levels.truncate(level + 1);
    }

    fn of_all(&self) -> &BlockBounds {
        self.levels.last().and_then(|top| top.first()).unwrap_or(&BlockBounds::NONE)
    }

    /// No centre has gone further than this, in m.
    pub(super) fn furthest(&self) -> f64 {
        self.of_all().far.sqrt()
    }

    /// How far the centres may yet go before one is beyond a closed boundary, or also a periodic one, in m; less than nothing if
    /// one is.
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

    /// Bodies that are not listed with each other, because their surfaces were further apart than `skin`, are now further
    /// apart than this, in m, if it is more than nothing. Of a gap that is not `enough` no more is said than that.
    pub(super) fn gap(&self, skin: f64, periods: [f64; 3], enough: f64) -> f64 {
        let mut query = Query { skin, periods, least: f64::INFINITY, enough };
        if self.levels.last().is_some_and(|top| !top.is_empty()) {
            self.search(&mut query, self.levels.len() - 1, [0, 0]);
        }
        query.least
    }

    /// Searches the pairs of blocks that two entries of a level stand for.
    fn search(&self, query: &mut Query, level: usize, [a, b]: [usize; 2]) {
        let (first, second) = (&self.levels[level][a], &self.levels[level][b]);
        let apart = first.start.least_distance(&second.start, query.periods) - (first.radius + second.radius);
        let gap = query.skin.max(apart) - first.way.largest_difference(&second.way);
        // What two have together is at least as near and as far apart as what they have alone, in rounded numbers too.
        if gap >= query.least || query.least < query.enough {
            return;
        }
        if level == 0 {
            query.least = gap;
            return;
        }
        let below = self.levels[level - 1].len();
        let parts = |k: usize| 2 * k..(2 * k + 2).min(below);
        for i in parts(a) {
            for k in parts(b).filter(|&k| a != b || k >= i) {
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

    /// A list of spheres of two sizes that flow, the upper ones faster, and tremble; in which of eight domains, and how far.
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
                let (mut list, radius, now) = flow(case, time);
                let holds = list.gather(&radius, &now);
                let (periods, mut travels) = (list.domain.periods().to_array(), DisplacementBounds::default());
                travels.read(&list, &|place, i| [list.reference[i], row_centre(&list, place)]);
                let gap = travels.gap(list.skin, periods, f64::NEG_INFINITY);
                assert_eq!(list.holds(&radius, &now, false), holds, "{case}, {time}");
                let listed: BTreeSet<[usize; 2]> = list.pairs().into_iter().collect();
                let mut least = f64::INFINITY;
                for a in 0..now.len() {
                    for b in (a + 1..now.len()).filter(|&b| !listed.contains(&[a, b])) {
                        let distance = list.domain.separation(now.get(a), now.get(b)).length();
                        least = least.min(distance - (radius[a] + radius[b]));
                    }
                }
                assert!(least > gap, "{case}, {time}: {least} is not above {gap}");
                beyond += usize::from(gap > 0.0 && travels.furthest() > 0.5 * list.skin);
                // The same without the levels above the blocks.
                let mut query = Query { skin: list.skin, periods, least: f64::INFINITY, enough: f64::NEG_INFINITY };
                let bottom = DisplacementBounds { levels: vec![travels.levels[0].clone()] };
                let count = bottom.levels[0].len();
                (0..count).for_each(|a| (a..count).for_each(|b| bottom.search(&mut query, 0, [a, b])));
                assert_eq!(query.least.to_bits(), gap.to_bits());
                let furthest = (0..now.len()).map(|i| (now.get(i) - list_start(&list, i, now.get(i))).length());
                assert!((travels.furthest() - furthest.fold(0.0, f64::max)).abs() < 1e-12);
            }
        }
        // Lists that hold although centres have gone further than half the skin.
        assert!(beyond >= 8, "{beyond}");
    }

    fn row_centre(list: &NeighborList, place: usize) -> [f64; 3] {
        let [x, y, z, _] = list.packed[place];
        [x, y, z]
    }

    /// The image nearest to `now` of where the list was made for a body.
    fn list_start(list: &NeighborList, body: usize, now: DVec3) -> DVec3 {
        now - list.domain.separation(DVec3::from_array(list.reference[body]), now)
    }

    /// One body.
    fn single(start: [f64; 3], way: [f64; 3]) -> BlockBounds {
        let at = |x| Bounds::EMPTY.with(x, x);
        BlockBounds { start: at(start), way: at(way), now: at(start), far: 0.0, radius: 0.5 }
    }

    #[test]
    fn two_bodies_that_meet_head_on_have_what_is_left_of_their_gap() {
        let gap = |x: f64, ways: [f64; 2], period: f64| {
            let pair = vec![single([0.0; 3], [0.0, 0.0, ways[0]]), single([0.0, 0.0, x], [0.0, 0.0, ways[1]])];
            let all = vec![pair[0].and(&pair[1])];
            let (travels, periods) = (DisplacementBounds { levels: vec![pair, all] }, [3.0, 3.0, period]);
            let mut query = Query { skin: 0.25, periods, least: f64::INFINITY, enough: f64::NEG_INFINITY };
            travels.search(&mut query, 0, [0, 1]);
            // Two bodies of one block may be as near as the skin.
            assert_eq!(travels.gap(0.25, periods, f64::NEG_INFINITY).to_bits(), query.least.min(0.25).to_bits());
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
        let mut list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
        let mut travels = DisplacementBounds::default();
        travels.read(&list, &|_, _| [[0.0; 3]; 2]);
        assert!(travels.furthest() <= 0.0 && travels.gap(0.1, [0.0; 3], 0.0) == f64::INFINITY);
        list.update(&[0.5].into_iter().collect(), &[DVec3::X].into_iter().collect()).unwrap();
        travels.read(&list, &|_, _| [[0.0; 3]; 2]);
        assert!(travels.furthest() <= 0.0 && (travels.gap(0.1, [0.0; 3], 0.0) - 0.1).abs() < 1e-15);
    }
}
