//! The search for the pairs of tiles.

use std::ops::Range;

use pulp::Arch;
use rrp_parallel::for_each_item_with;

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::image_shift::opposite;
use crate::neighbor::tiles::ListInput;
use crate::neighbor::tiles::bounds::{Bounds, Reach};
use crate::neighbor::tiles::bounds_tree::BoundsTree;
use crate::neighbor::tiles::candidates::Candidates;
use crate::neighbor::tiles::cut::TileCut;
use crate::neighbor::tiles::layout::{Kinds, LayoutScratch};
use crate::neighbor::tiles::marks::Bits;
use crate::neighbor::tiles::pair::Pair;
use crate::neighbor::tiles::partition::WANTED;
use crate::neighbor::tiles::strip::Strip;
use crate::neighbor::tiles::tile::Tile;
use crate::util::vectorized::vectorized;

/// Largest mean number of neighbours of the spheres of a tile. A list with more neighbours is refused: spheres with
/// small overlaps cannot have that many.
const NEIGHBORS: usize = 4096;

/// Search for the pairs of tiles: its input, and trees of boxes around strips (short runs of spheres).
#[derive(Debug)]
struct PairSearch<'a> {
    input: &'a ListInput<'a>,
    cut: &'a TileCut,
    reach: Reach,
    /// Indices of the strips of each size class, and a tree over the boxes around these strips.
    trees: Vec<(Vec<u32>, BoundsTree<Bounds>)>,
}

#[derive(Debug, Default)]
struct SearchScratch {
    /// Strips near the strip whose pairs are searched for: index of the strip, and bit mask of its periodic images that
    /// may be near (bit k: shift of code k).
    around: Vec<[u32; 2]>,
    candidates: Candidates,
    pairs: Vec<Pair>,
    layout: LayoutScratch,
}

impl TileCut {
    /// Finds the pairs of the tiles that own these ranges of spheres. `input` must be the input of the cut.
    ///
    /// # Errors
    /// [`ListError::TooManyNeighbors`].
    pub(in crate::neighbor) fn with_pairs(
        &self,
        input: &ListInput<'_>,
        tiles: impl Iterator<Item = Range<usize>>,
    ) -> Result<Vec<Tile>, DemError> {
        let search = PairSearch::new(input, self);
        let mut tiles: Vec<Tile> = tiles.map(Tile::without_pairs).collect();
        for_each_item_with(&mut tiles, &|_, tile, scratch: &mut SearchScratch| {
            *tile = search.tile(&tile.places, scratch);
        });
        if tiles.iter().any(|tile| search.are_too_many(tile.pairs.len())) {
            let largest = self.reference.iter().fold(0.0, |largest: f64, sphere| largest.max(sphere[3]));
            let limit = NEIGHBORS;
            let cutoff = 2.0 * largest + input.skin;
            return Err(DemError::List(ListError::TooManyNeighbors { limit, cutoff }));
        }
        Ok(tiles)
    }
}

impl<'a> PairSearch<'a> {
    fn new(input: &'a ListInput<'a>, cut: &'a TileCut) -> Self {
        let strips = &cut.strips;
        let classes = strips.iter().map(|strip| strip.class + 1).max().unwrap_or(0);
        let tree = |class| {
            let of_class = (0..).zip(strips).filter(|(_, strip)| strip.class == class);
            let (indices, boxes) = of_class.map(|(at, strip)| (at, strip.bounds)).unzip();
            (indices, BoundsTree::new(boxes, Bounds::join))
        };
        let trees = (0..classes).map(tree).collect();
        Self { input, cut, reach: Reach::new(input.domain, input.skin), trees }
    }

    /// Whether a tile has more pairs than spheres with small overlaps can have, so that the list is refused.
    ///
    /// A tile of large spheres may list all small spheres around them. But only few large spheres fit around a small
    /// one, so 32 more pairs are allowed for each sphere of the list.
    fn are_too_many(&self, pairs: usize) -> bool {
        pairs > NEIGHBORS * WANTED + 32 * self.cut.order.len()
    }

    /// Makes the tile that owns this range of spheres, with its pairs. The search ends early if there are too many
    /// pairs.
    fn tile(&self, tile: &Range<usize>, scratch: &mut SearchScratch) -> Tile {
        scratch.pairs.clear();
        let first = self.cut.strips.partition_point(|strip| strip.places.start < tile.start);
        for strip in self.cut.strips[first..].iter().take_while(|strip| strip.places.start < tile.end) {
            vectorized(
                Arch::new(),
                #[inline(always)]
                || {
                    self.find_candidates(tile, strip, scratch);
                    self.find_in_strip(tile, strip, scratch);
                },
            );
            if self.are_too_many(scratch.pairs.len()) {
                break;
            }
        }
        let kinds = Kinds { order: &self.cut.order, of_number: self.input.kinds };
        scratch.layout.lay_out(tile.clone(), &scratch.pairs, kinds)
    }

    /// Finds the candidates for pairs with the spheres of a strip, without the earlier strips of the same tile: their
    /// pairs with this strip have been found already.
    #[inline(always)]
    fn find_candidates(&self, tile: &Range<usize>, strip: &Strip, scratch: &mut SearchScratch) {
        let SearchScratch { around, candidates, .. } = scratch;
        around.clear();
        for (indices, tree) in &self.trees {
            tree.each_near(&strip.bounds, &self.reach, &mut |leaf, images| around.push([indices[leaf], images]));
        }
        around.sort_unstable();
        candidates.clear();
        for &[other, images] in &*around {
            let other = &self.cut.strips[other as usize];
            if tile.contains(&other.places.start) && other.places.end <= strip.places.start {
                continue;
            }
            for place in other.places.clone() {
                let [x, y, z, radius] = self.cut.reference[place];
                let reach = self.reach.between(radius, strip.bounds.largest);
                for code in Bits(images) {
                    let [sx, sy, sz, _] = self.reach.shifts[code];
                    let centre = [x + sx, y + sy, z + sz];
                    if strip.bounds.square_distance(centre) < reach * reach && radius > 0.0 {
                        candidates.push([centre[0], centre[1], centre[2], radius], [place as u32, code as u32]);
                    }
                }
            }
        }
        candidates.close();
    }

    /// Finds the pairs of the spheres of a strip among the candidates. A pair of two own spheres is found once, from
    /// the sphere that comes first in the order of the tiles.
    #[inline(always)]
    fn find_in_strip(&self, tile: &Range<usize>, strip: &Strip, scratch: &mut SearchScratch) {
        let SearchScratch { candidates, pairs, .. } = scratch;
        for place in strip.places.clone().filter(|&place| self.cut.reference[place][3] > 0.0) {
            for word in 0..candidates.words() {
                for bit in Bits(candidates.may_be_near(word, self.cut.reference[place], &self.reach)) {
                    let [other, code] = candidates.which(word, bit);
                    let is_known = tile.contains(&other) && other <= place;
                    if !is_known && self.is_near(place, other, code) && !self.is_left_out(place, other) {
                        pairs.push(self.oriented(place, other, code));
                    }
                }
            }
        }
    }

    /// Whether the gap between two spheres is less than the skin; the second one is moved by the shift of this code.
    #[inline(always)]
    fn is_near(&self, place: usize, other: usize, code: usize) -> bool {
        let ([x, y, z, radius], [ox, oy, oz, other]) = (self.cut.reference[place], self.cut.reference[other]);
        let [sx, sy, sz, _] = self.reach.shifts[code];
        // The separation from the second sphere to the first is the exact opposite, in rounded numbers too.
        let [dx, dy, dz] = [(ox - x) + sx, (oy - y) + sy, (oz - z) + sz];
        let cutoff = (radius + other) + self.input.skin;
        dx * dx + dy * dy + dz * dz < cutoff * cutoff
    }

    #[inline(always)]
    fn is_left_out(&self, place: usize, other: usize) -> bool {
        let &ListInput { is_fixed, excluded, .. } = self.input;
        let pair = [place, other].map(|place| self.cut.order[place]);
        !is_fixed.is_empty() && pair.iter().all(|&number| is_fixed[number as usize])
            || !excluded.is_empty() && excluded.binary_search(&pair).is_ok()
    }

    /// Returns the pair seen from the sphere with the lower id, as both tiles list it.
    #[inline(always)]
    fn oriented(&self, place: usize, other: usize, code: usize) -> Pair {
        if self.cut.ids[place] < self.cut.ids[other] {
            Pair::new([place as u32, other as u32], code as u32)
        } else {
            Pair::new([other as u32, place as u32], opposite(code) as u32)
        }
    }
}
