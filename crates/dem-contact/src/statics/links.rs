//! Contacts and what is near to becoming one.

use crate::blocks::Blocks;
use crate::implicit::{PairBlocks, PairStiffness};
use crate::wall::Bend;
use crate::{ContactLaw, Patch};

/// A listed pair, or a body and a wall near it, as the body of the row sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// The place of the other body, with marks for what does not move.
    pub(crate) other: u32,
    /// Unit normal from the body of the row to the other.
    pub(crate) normal: [f64; 3],
    /// Overlap in m, negative where there is a gap.
    pub(crate) overlap: f64,
    /// Reduced radius in m.
    pub(crate) radius: f64,
    /// Distance of the centres in m, infinite for a plane; for another wall the radius of what it has of curvature all around.
    pub(crate) distance: f64,
}

impl Link {
    /// Marks a fixed body, at the place that is left.
    pub(crate) const FIXED: u32 = 1 << 31;
    /// Marks a wall, of the number that is left; walls are fixed as well.
    pub(crate) const WALL: u32 = 1 << 30;

    /// Whether the other one does not move.
    #[inline(always)]
    pub(crate) fn is_held(&self) -> bool {
        self.other & Self::FIXED != 0
    }

    /// The number of the wall, if it is one.
    pub(crate) fn wall(&self) -> Option<usize> {
        (self.other & Self::WALL != 0).then_some((self.other & !(Self::FIXED | Self::WALL)) as usize)
    }

    /// The place of the other body, be it fixed or not.
    pub(crate) fn place(&self) -> usize {
        (self.other & !Self::FIXED) as usize
    }

    /// The share of its energy that the body of the row accounts for.
    #[inline(always)]
    pub(crate) fn share(&self) -> f64 {
        if self.is_held() { 1.0 } else { 0.5 }
    }
}

/// The links of all places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Links {
    pub(crate) blocks: Vec<LinkRows>,
}

/// The rows of one block of places.
#[derive(Debug, Clone, Default)]
pub(crate) struct LinkRows {
    pub(crate) start: Vec<u32>,
    pub(crate) links: Vec<Link>,
    /// What walls have of curvature along one direction.
    ridges: Vec<Ridge>,
}

/// The curvature of a wall along a direction.
#[derive(Debug, Clone, Copy)]
struct Ridge {
    /// The place in the block.
    place: u32,
    direction: [f64; 3],
    curvature: f64,
    overlap: f64,
    radius: f64,
}

impl LinkRows {
    pub(crate) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.links.clear();
        self.ridges.clear();
    }

    /// Adds the link of place `k` of the block, the one that is being filled, with a patch of a wall.
    pub(crate) fn add_patch(&mut self, k: usize, wall: u32, patch: &Patch, (overlap, radius): (f64, f64)) {
        let bend = Bend::new(patch.normal, &patch.turning);
        let (other, normal) = (wall | Link::WALL | Link::FIXED, (-patch.normal).to_array());
        self.links.push(Link { other, normal, overlap, radius, distance: bend.even.recip() });
        if bend.more > 0.0 {
            let (place, direction) = (k as u32, bend.ridge.to_array());
            self.ridges.push(Ridge { place, direction, curvature: bend.more, overlap, radius });
        }
    }

    /// The links of place `k` of the block.
    #[inline(always)]
    pub(crate) fn row(&self, k: usize) -> &[Link] {
        &self.links[self.start[k] as usize..self.start[k + 1] as usize]
    }
}

impl Links {
    /// Shows each touching link with the place of its row.
    pub(crate) fn each_touching(&self, show: &mut dyn FnMut(usize, &Link)) {
        let mut first = 0;
        for rows in &self.blocks {
            for k in 0..rows.start.len().saturating_sub(1) {
                for link in rows.row(k).iter().filter(|link| link.overlap > 0.0) {
                    show(first + k, link);
                }
            }
            first += rows.start.len().saturating_sub(1);
        }
    }

    /// The second derivative of the energy, with `tether` added to the diagonal of each place: F' along the normals and −F/d
    /// across.
    pub(crate) fn hessian<L: ContactLaw>(&self, law: &L, tether: &[f64], matrix: &mut PairBlocks) {
        let body = |place: usize| [tether[place], 0.0, 0.0, tether[place], 0.0, tether[place]];
        let cut = Blocks::of(tether.len());
        matrix.rebuild_rows(tether.len(), &body, &|place, filler| {
            let (block, k) = cut.split(place);
            for link in self.blocks[block].row(k) {
                if link.overlap > 0.0 {
                    let along = law.stiffness(link.overlap, link.radius);
                    let across = -law.force(link.overlap, link.radius) / link.distance;
                    let other = (!link.is_held()).then_some(link.other as usize);
                    filler.add(other, link.normal, PairStiffness { along, across });
                }
            }
            let ridges = self.blocks[block].ridges.iter();
            for ridge in ridges.filter(|ridge| ridge.place as usize == k && ridge.overlap > 0.0) {
                let along = -law.force(ridge.overlap, ridge.radius) * ridge.curvature;
                filler.add(None, ridge.direction, PairStiffness { along, across: 0.0 });
            }
        });
    }
}

#[inline(always)]
pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
