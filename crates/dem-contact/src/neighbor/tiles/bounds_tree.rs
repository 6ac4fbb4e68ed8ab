//! A tree of boxes, for a search for near boxes in fewer steps than there are boxes.

use std::ops::Range;

use crate::neighbor::tiles::bounds::{Bounds, Reach};

/// Binary tree over boxes that follow each other in space.
///
/// Level 0 has the boxes themselves; an entry of a higher level is a box around two entries of the level below.
#[derive(Debug, Clone)]
pub(in crate::neighbor) struct BoundsTree<B> {
    pub(in crate::neighbor) levels: Vec<Vec<B>>,
}

impl<B: Copy> BoundsTree<B> {
    /// Makes the tree over these boxes; `join` enlarges its first argument, a box, so that it holds the second.
    pub(in crate::neighbor) fn new(boxes: Vec<B>, join: impl Fn(&mut B, &B)) -> Self {
        let mut levels = vec![boxes];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let pairs = below.chunks(2).map(|pair| {
                let mut both = pair[0];
                pair[1..].iter().for_each(|second| join(&mut both, second));
                both
            });
            let level = pairs.collect();
            levels.push(level);
        }
        Self { levels }
    }

    /// Returns the index of the highest level of the tree, which has one box around all boxes; `None` for an empty
    /// tree.
    pub(in crate::neighbor) fn top(&self) -> Option<usize> {
        (!self.levels[0].is_empty()).then_some(self.levels.len() - 1)
    }

    /// Returns the indices, in the level below, of the one or two boxes inside this box of the tree.
    pub(in crate::neighbor) fn below(&self, level: usize, at: usize) -> Range<usize> {
        2 * at..(2 * at + 2).min(self.levels[level - 1].len())
    }
}

impl BoundsTree<Bounds> {
    /// Calls `found(index, images)`, by ascending index, for each box that has a periodic image near `bounds`, within
    /// `reach`. Bit k of `images` is set if the image by the shift of code k (`image_shift`) may be near.
    pub(super) fn each_near(&self, bounds: &Bounds, reach: &Reach, found: &mut dyn FnMut(usize, u32)) {
        if let Some(top) = self.top() {
            self.search([top, 0], bounds, reach, reach.images, found);
        }
    }

    fn search(
        &self,
        [level, at]: [usize; 2],
        bounds: &Bounds,
        reach: &Reach,
        among: u32,
        found: &mut dyn FnMut(usize, u32),
    ) {
        let images = reach.near_images(bounds, &self.levels[level][at], among);
        if images == 0 {
            return;
        }
        if level == 0 {
            return found(at, images);
        }
        for child in self.below(level, at) {
            self.search([level - 1, child], bounds, reach, images, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::*;
    use crate::neighbor::domain::{Boundary, Domain};

    #[test]
    fn the_tree_finds_what_a_look_at_all_finds() {
        let sides = [Boundary::Periodic, Boundary::Open, Boundary::Periodic];
        let domain = Domain::new(DVec3::ZERO, DVec3::new(9.0, 5.0, 4.0), sides).unwrap();
        let reach = Reach::new(&domain, 0.1);
        for count in [0, 1, 2, 7, 64, 101] {
            let boxes: Vec<Bounds> = (0..count)
                .map(|k| {
                    let [x, y, z] = [k % 9, k / 9 % 5, k * 7 % 4].map(f64::from);
                    Bounds::of([[x, y, z, 0.2], [x + 0.5, y + 0.3, z, 0.1 + 0.01 * f64::from(k % 5)]].into_iter())
                })
                .collect();
            let tree = BoundsTree::new(boxes.clone(), Bounds::join);
            for bounds in &boxes {
                let mut found = Vec::new();
                tree.each_near(bounds, &reach, &mut |at, images| found.push((at, images)));
                let all = boxes.iter().map(|other| reach.near_images(bounds, other, reach.images)).enumerate();
                assert_eq!(found, all.filter(|&(_, images)| images != 0).collect::<Vec<_>>());
            }
        }
    }
}
