//! Bounds on the gaps of pairs that are not listed, from the displacements of centres since the list was made.

use crate::neighbor::tiles::bounds::Bounds;
use crate::neighbor::tiles::bounds_tree::BoundsTree;

/// Bounds in m on one or several groups of bodies: a box around their wrapped centres when the list was made, and a box
/// around their displacements since then.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct GroupBounds {
    pub(super) start: Bounds,
    pub(super) displacement: Bounds,
}

impl GroupBounds {
    pub(super) fn join(&mut self, other: &Self) {
        self.start.join(&other.start);
        self.displacement.join(&other.displacement);
    }
}

/// Bounds on the displacements of bodies since their neighbour list was made, which tell how long the list holds.
///
/// Bounds of several ranks can be [joined](Self::join). The joined bounds do not depend on which rank has which bodies.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DisplacementBounds {
    /// Bounds on the groups of bodies of each tile (a box of space), with the index of the tile, sorted by tile.
    pub(super) tiles: Vec<(u32, Vec<GroupBounds>)>,
    /// Distance in m that all centres may move before one of them is beyond a closed side of the domain (or beyond a
    /// periodic one, if that counts); negative if one is beyond already.
    pub(super) room: f64,
}

impl DisplacementBounds {
    /// Adds the bounds on the bodies of other tiles (boxes of space), which another rank owns.
    pub fn join(&mut self, other: Self) {
        self.tiles.extend(other.tiles);
        self.tiles.sort_unstable_by_key(|tile| tile.0);
        self.room = self.room.min(other.room);
    }

    pub(super) fn tree(&self) -> BoundsTree<GroupBounds> {
        BoundsTree::new(self.tiles.iter().flat_map(|tile| tile.1.iter().copied()).collect(), GroupBounds::join)
    }
}

/// One periodic image of all bodies in a deforming box: its displacement (m) from the bodies when the list was made,
/// and the change of this displacement since then. The fourth numbers are zero.
pub(super) struct MovedImage {
    pub(super) start: [f64; 4],
    pub(super) moved: [f64; 4],
}

struct Query<'a> {
    skin: f64,
    periods: [f64; 3],
    /// All periodic images of the bodies in a deforming box; empty in a box at rest, where the nearest image is taken.
    images: &'a [MovedImage],
    /// Gap in m at which the search ends: the first gap below this value is returned.
    enough: f64,
}

impl Query<'_> {
    /// Lower bound in m on the present gaps between surfaces of the unlisted pairs with one body in each of two groups.
    fn gap(&self, first: &GroupBounds, second: &GroupBounds) -> f64 {
        let between = |square_distance: f64, moved: &[f64; 4]| {
            let apart = square_distance.sqrt() - (first.start.largest + second.start.largest);
            self.skin.max(apart) - largest_difference(&first.displacement, &second.displacement, moved)
        };
        if self.images.is_empty() {
            let least = |c: usize| {
                let through = |shift| first.start.distance_along(c, &second.start, shift);
                through(0.0).min(through(self.periods[c])).min(through(-self.periods[c]))
            };
            let [x, y, z] = [0, 1, 2].map(least);
            return between(x * x + y * y + z * z, &[0.0; 4]);
        }
        let through = |MovedImage { start, moved }: &MovedImage| {
            between(first.start.square_distance_of(&second.start, start), moved)
        };
        self.images.iter().map(through).fold(f64::INFINITY, f64::min)
    }
}

fn largest_difference(one: &Bounds, other: &Bounds, shift: &[f64; 4]) -> f64 {
    let most = |c: usize| (one.high[c] - (other.low[c] + shift[c])).max((other.high[c] + shift[c]) - one.low[c]);
    let [x, y, z] = [0, 1, 2].map(most);
    (x * x + y * y + z * z).sqrt()
}

impl BoundsTree<GroupBounds> {
    /// Lower bound in m on the present gap of all unlisted pairs, whose gap was above `skin` when the list was made. If
    /// the bound is positive, no unlisted pair touches. The search ends at the first gap below `enough`, which need not
    /// be the least one.
    ///
    /// `images` has all periodic images of the bodies in a deforming box, and is empty in a box at rest.
    pub(super) fn gap(&self, skin: f64, periods: [f64; 3], images: &[MovedImage], enough: f64) -> f64 {
        let query = Query { skin, periods, images, enough };
        self.top().map_or(f64::INFINITY, |top| self.least(&query, top, [0, 0], f64::INFINITY))
    }

    /// Returns the smaller of `least` and the least gap (m) between groups of bodies below two boxes, which are given
    /// by their indices in one level of the tree.
    fn least(&self, query: &Query<'_>, level: usize, [a, b]: [usize; 2], least: f64) -> f64 {
        let gap = query.gap(&self.levels[level][a], &self.levels[level][b]);
        // A joined box contains its parts, so its gap bounds their gaps, even in rounded numbers.
        if gap >= least || least < query.enough {
            return least;
        }
        if level == 0 {
            return gap;
        }
        let pairs = self.below(level, a).flat_map(|i| self.below(level, b).map(move |k| [i, k]));
        let pairs = pairs.filter(|[i, k]| a != b || k >= i);
        pairs.fold(least, |least, pair| self.least(query, level - 1, pair, least))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rrp_geom::glam::DVec3;
    use rrp_integrate::{ScalarColumn, VectorColumn};

    use super::*;
    use crate::neighbor::NeighborList;
    use crate::neighbor::domain::{Boundary, Domain};

    /// Makes spheres of two sizes, in one of eight domains, at the time `time` of a shear flow with random motions.
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
                let mut tracked = list.current.clone();
                tracked.follow(list.domain(), 0.0, false, &radius, &now);
                let periods = list.domain().periods().to_array();
                let bounds = tracked.displacement_bounds(false).tree();
                let gap = bounds.gap(list.skin(), periods, &[], f64::NEG_INFINITY);
                let listed: BTreeSet<[usize; 2]> = list.pairs().into_iter().collect();
                let mut least = f64::INFINITY;
                for a in 0..now.len() {
                    for b in a + 1..now.len() {
                        let distance = list.domain().separation(now.get(a), now.get(b)).length();
                        let gap = distance - (radius[a] + radius[b]);
                        if gap < least && !listed.contains(&[a, b]) {
                            least = gap;
                        }
                    }
                }
                assert!(least > gap, "{case}, {time}: {least} is not above {gap}");
                beyond += usize::from(gap > 0.0 && tracked.displacement > 0.5 * list.skin());
                let query = Query { skin: list.skin(), periods, images: &[], enough: f64::NEG_INFINITY };
                let groups = &bounds.levels[0];
                let pairs = (0..groups.len()).flat_map(|a| (a..groups.len()).map(move |b| [a, b]));
                let gaps = pairs.map(|[a, b]| query.gap(&groups[a], &groups[b]));
                assert_eq!(gaps.fold(f64::INFINITY, f64::min).to_bits(), gap.to_bits());
                let furthest = (0..now.len()).map(|i| (now.get(i) - list_start(&list, i, now.get(i))).length());
                assert!((tracked.displacement - furthest.fold(0.0, f64::max)).abs() < 1e-12);
            }
        }
        // Some lists must hold although centres have moved by more than half the skin.
        assert!(beyond >= 8, "{beyond}");
    }

    fn list_start(list: &NeighborList, body: usize, now: DVec3) -> DVec3 {
        let start = list.tiling().reference[list.place()[body] as usize];
        now - list.domain().separation(DVec3::from_slice(&start[..3]), now)
    }

    fn single([x, y, z]: [f64; 3], way: f64) -> GroupBounds {
        let at = |sphere| Bounds::of([sphere].into_iter());
        GroupBounds { start: at([x, y, z, 0.5]), displacement: at([0.0, 0.0, way, 0.0]) }
    }

    #[test]
    fn two_bodies_that_meet_head_on_have_what_is_left_of_their_gap() {
        let gap = |x: f64, ways: [f64; 2], period: f64| {
            let pair = vec![single([0.0; 3], ways[0]), single([0.0, 0.0, x], ways[1])];
            let bounds = BoundsTree::new(pair, GroupBounds::join);
            let periods = [3.0, 3.0, period];
            let query = Query { skin: 0.25, periods, images: &[], enough: f64::NEG_INFINITY };
            let least = query.gap(&bounds.levels[0][0], &bounds.levels[0][1]);
            // Two bodies of one group may be as near as the skin.
            assert_eq!(bounds.gap(0.25, periods, &[], f64::NEG_INFINITY).to_bits(), least.min(0.25).to_bits());
            least
        };
        assert_eq!(gap(3.0, [0.5, -0.25], 0.0).to_bits(), (2.0 - 0.75_f64).to_bits());
        assert_eq!(gap(-3.0, [0.5, -0.25], 0.0).to_bits(), (2.0 - 0.75_f64).to_bits());
        // The bodies are nearer through the periodic side, but unlisted pairs were no nearer than the skin.
        assert_eq!(gap(3.0, [0.5, -0.25], 5.0).to_bits(), (1.0 - 0.75_f64).to_bits());
        assert_eq!(gap(-3.0, [0.5, -0.25], 5.0).to_bits(), (1.0 - 0.75_f64).to_bits());
        assert_eq!(gap(1.0, [0.125, -0.0625], 0.0).to_bits(), (0.25 - 0.1875_f64).to_bits());
        assert_eq!(gap(1.0, [7.0, 7.0], 0.0).to_bits(), (0.25_f64).to_bits());
    }

    #[test]
    fn no_bodies_and_one_leave_all_the_skin() {
        let gap = |bodies| BoundsTree::new(bodies, GroupBounds::join).gap(0.1, [0.0; 3], &[], 0.0);
        assert!(gap(Vec::new()) == f64::INFINITY && (gap(vec![single([1.0, 0.0, 0.0], 0.0)]) - 0.1).abs() < 1e-15);
    }
}
