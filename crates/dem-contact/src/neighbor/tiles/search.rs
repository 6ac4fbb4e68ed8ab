//! The pairs of one tile.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use crate::neighbor::image_shift::opposite;
use crate::neighbor::tiles::ListInput;
use crate::neighbor::tiles::bounds::Bounds;
use crate::neighbor::tiles::bounds_tree::BoundsTree;
use crate::neighbor::tiles::candidates::{Candidate, CandidateSource, Candidates};
use crate::neighbor::tiles::marks::{Bits, WORD};
use crate::neighbor::tiles::near_strip::{NearStrip, Probe};
use crate::neighbor::tiles::pair::Pair;
use crate::neighbor::tiles::partition::WANTED;
use crate::neighbor::tiles::tile_class::TileClass;

/// Neighbours that the spheres of a tile may have on average.
pub(crate) const NEIGHBORS: usize = 4096;

/// The input of the search.
#[derive(Debug)]
pub(crate) struct PairSearch<'a> {
    input: &'a ListInput<'a>,
    order: &'a [u32],
    source: CandidateSource<'a>,
    /// The classes of all tiles, in the order of their places.
    classes: &'a [TileClass],
    /// For each size class: where it is in `classes`, and a tree over their boxes.
    trees: Vec<(Vec<u32>, BoundsTree)>,
}

/// Room for the search of one tile.
#[derive(Debug, Default)]
pub(crate) struct SearchScratch {
    /// Indices of the classes around a class of a tile.
    around: Vec<u32>,
    candidates: Candidates,
    /// Those of them that may be near a strip.
    near_strip: NearStrip,
    marked: Vec<u32>,
    pairs: Vec<Pair>,
}

struct FindPairs<'a> {
    search: &'a PairSearch<'a>,
    own: Range<usize>,
    scratch: &'a mut SearchScratch,
}

impl WithSimd for FindPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.search.find(self.own, self.scratch);
    }
}

impl<'a> PairSearch<'a> {
    pub(crate) fn new(
        input: &'a ListInput<'a>,
        order: &'a [u32],
        source: CandidateSource<'a>,
        classes: &'a [TileClass],
    ) -> Self {
        let most = classes.iter().map(|class| class.class + 1).max().unwrap_or(0);
        let mut members = vec![(Vec::new(), Vec::new()); most];
        for (at, class) in (0..).zip(classes) {
            let (indices, boxes): &mut (Vec<u32>, Vec<Bounds>) = &mut members[class.class];
            indices.push(at);
            boxes.push(class.bounds);
        }
        let trees = members.into_iter().map(|(indices, boxes)| (indices, BoundsTree::new(boxes))).collect();
        Self { input, order, source, classes, trees }
    }

    /// Whether a tile with so many pairs has more than spheres that overlap little can have.
    ///
    /// Few large spheres find room around a small one, so more are allowed where there are many.
    pub(crate) fn are_too_many(&self, pairs: usize) -> bool {
        pairs > NEIGHBORS * WANTED + 32 * self.order.len()
    }

    /// The pairs of the tile with these `classes`. The search ends where they are too many.
    pub(crate) fn pairs(&self, own: Range<usize>, scratch: &mut SearchScratch) -> Vec<Pair> {
        Arch::new().dispatch(FindPairs { search: self, own, scratch });
        scratch.pairs.clone()
    }

    #[inline(always)]
    fn find(&self, own: Range<usize>, scratch: &mut SearchScratch) {
        scratch.pairs.clear();
        for class in own.clone() {
            let first_own = self.find_candidates(class, own.start, scratch);
            for (k, strip) in self.classes[class].strips.iter().enumerate() {
                self.select(first_own..first_own + k, &strip.bounds, scratch);
                self.find_in_strip(strip.places.clone(), scratch);
                if self.are_too_many(scratch.pairs.len()) {
                    return;
                }
            }
        }
    }

    /// Finds the candidates for one class of the tile whose first class is `tile`, without those whose pairs are left
    /// to larger spheres of the tile. Returns the first strip of the class itself.
    #[inline(always)]
    fn find_candidates(&self, class: usize, tile: usize, scratch: &mut SearchScratch) -> usize {
        let SearchScratch { around, candidates, .. } = scratch;
        let own = &self.classes[class];
        around.clear();
        for (indices, tree) in &self.trees {
            tree.each_near(&own.bounds, self.source.reach, &mut |leaf| around.push(indices[leaf]));
        }
        around.retain(|&other| !(tile..class + 1).contains(&(other as usize)));
        around.push(class as u32);
        around.sort_unstable();
        let largest = around.iter().map(|&other| self.classes[other as usize].bounds.largest).fold(0.0, f64::max);
        candidates.clear(own, largest, self.input.skin);
        let mut first_own = 0;
        for &other in &*around {
            if other as usize == class {
                first_own = candidates.strips();
                candidates.add_own(&self.source, own);
            } else {
                candidates.add(&self.source, own, &self.classes[other as usize]);
            }
        }
        first_own
    }

    /// Selects the candidates that may be near a strip within `bounds`, but none of the strips `done`.
    #[inline(always)]
    fn select(&self, done: Range<usize>, bounds: &Bounds, scratch: &mut SearchScratch) {
        let SearchScratch { candidates, near_strip, marked, .. } = scratch;
        candidates.boxes.unmark(marked);
        candidates.boxes.mark(bounds, self.source.reach, marked);
        near_strip.clear();
        for (first, &word) in (0..).step_by(WORD).zip(&*marked) {
            for strip in Bits(word).map(|bit| first + bit) {
                if !done.contains(&strip) {
                    near_strip.append(&candidates.columns, candidates.strip(strip));
                }
            }
        }
        near_strip.close();
    }

    /// Finds the pairs of the spheres of a strip among the selected candidates.
    ///
    /// A pair of two own spheres is left to the one with the lower place.
    #[inline(always)]
    fn find_in_strip(&self, own: Range<usize>, scratch: &mut SearchScratch) {
        let SearchScratch { candidates, near_strip, marked, pairs, .. } = scratch;
        // The first candidate that is a sphere of the strip.
        let is_own = |&at: &usize| own.contains(&candidates.all[near_strip.index(at)].place());
        let mut next = (0..near_strip.len()).find(is_own).unwrap_or(near_strip.len());
        for place in own {
            let sphere = self.source.reference[place];
            let probe = Probe { sphere, skin: self.input.skin, source: &self.source };
            if sphere[3] <= 0.0 {
                continue;
            }
            while next < near_strip.len() && candidates.all[near_strip.index(next)].place() <= place {
                near_strip.leave_out(next);
                next += 1;
            }
            near_strip.mark(candidates.frame, &candidates.all, &probe, marked);
            let (id, is_fixed) = (self.source.ids[place], self.is_fixed(place));
            for (first, &word) in (0..).step_by(WORD).zip(&*marked) {
                for bit in Bits(word) {
                    let other = candidates.all[near_strip.index(first + bit)];
                    let is_left_out =
                        is_fixed && self.is_fixed(other.place()) || self.is_excluded(place, other.place());
                    if !is_left_out {
                        pairs.push(oriented([place as u32, id], other));
                    }
                }
            }
            if self.are_too_many(pairs.len()) {
                return;
            }
        }
    }

    #[inline(always)]
    fn is_excluded(&self, place: usize, other: usize) -> bool {
        let excluded = self.input.excluded;
        !excluded.is_empty() && excluded.binary_search(&[place, other].map(|place| self.order[place])).is_ok()
    }

    #[inline(always)]
    fn is_fixed(&self, place: usize) -> bool {
        !self.input.is_fixed.is_empty() && self.input.is_fixed[self.order[place] as usize]
    }
}

/// The pair of a sphere, its place and id, and another one, as both tiles list it: from the lower id.
#[inline(always)]
fn oriented([place, id]: [u32; 2], other: Candidate) -> Pair {
    let other_place = other.place() as u32;
    if id < other.id {
        Pair::new([place, other_place], other.code())
    } else {
        Pair::new([other_place, place], opposite(other.code() as usize) as u32)
    }
}
