//! Contacts and what is near to becoming one.

use rrp_geom::glam::{DMat3, DVec3};

use crate::law::contact_law::ContactLaw;
use crate::parallel::blocks::Blocks;
use crate::stiffness::pair_matrix::{PairMatrix, PairStiffness};
use crate::wall::surface::{Bend, Patch};

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
    /// What links with walls have to lose, in their order.
    taken: Vec<Taken>,
    /// What walls have of curvature along one direction.
    ridges: Vec<Ridge>,
}

/// What a link with a wall has to lose because another one of the same body has it too, as a link of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    /// The place in the block, and where in its links the link is.
    place: u32,
    from: u32,
    pub(crate) link: Link,
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
    /// One, or minus one of what is taken.
    sign: f64,
}

impl LinkRows {
    pub(crate) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.links.clear();
        self.taken.clear();
        self.ridges.clear();
    }

    /// Adds the link of place `k` of the block, the one that is being filled, with a patch of a wall. Of that body `radius` is
    /// the radius and `rest` what the centre lacks that the patch was found for.
    pub(crate) fn add_patch(&mut self, k: usize, wall: u32, patch: &Patch, (radius, rest): (f64, DVec3)) -> f64 {
        let mut make = |normal: DVec3, distance: f64, turning: &DMat3, sign: f64| {
            // What is lost by rounding moves the body along the normal.
            let overlap = (radius - distance) - normal.dot(rest);
            let bend = Bend::new(normal, turning);
            if bend.more > 0.0 {
                let (place, direction, curvature) = (k as u32, bend.ridge.to_array(), bend.more);
                self.ridges.push(Ridge { place, direction, curvature, overlap, radius, sign });
            }
            let (other, normal) = (wall | Link::WALL | Link::FIXED, (-normal).to_array());
            Link { other, normal, overlap, radius, distance: bend.even.recip() }
        };
        let whole = make(patch.normal, patch.distance, &patch.turning, 1.0);
        if let Some(saddle) = &patch.saddle {
            let link = make(saddle.normal, saddle.distance, &saddle.turning, -1.0);
            self.taken.push(Taken { place: k as u32, from: self.links.len() as u32, link });
        }
        self.links.push(whole);
        whole.overlap
    }

    /// The links of place `k` of the block, the last one that was filled, that have to lose something, and what.
    pub(crate) fn taken_from_last(&self, k: usize) -> impl Iterator<Item = (&Link, &Link)> {
        let last = self.taken.iter().rev().take_while(move |taken| taken.place as usize == k);
        last.map(|taken| (&self.links[taken.from as usize], &taken.link))
    }

    /// The links of place `k` of the block.
    #[inline(always)]
    pub(crate) fn row(&self, k: usize) -> &[Link] {
        &self.links[self.start[k] as usize..self.start[k + 1] as usize]
    }
}

impl Links {
    /// Shows each touching link with the place of its row, and what it has to lose.
    pub(crate) fn each_touching(&self, show: &mut dyn FnMut(usize, &Link, Option<&Link>)) {
        let mut first = 0;
        for rows in &self.blocks {
            let mut taken = rows.taken.iter().peekable();
            for k in 0..rows.start.len().saturating_sub(1) {
                for (number, link) in (rows.start[k]..).zip(rows.row(k)) {
                    let taken = taken.next_if(|taken| taken.from == number).map(|taken| &taken.link);
                    if link.overlap > 0.0 {
                        show(first + k, link, taken.filter(|taken| taken.overlap > 0.0));
                    }
                }
            }
            first += rows.start.len().saturating_sub(1);
        }
    }

    /// The second derivative of the energy, with `tether` added to the diagonal of each place: F' along the normals and −F/d
    /// across.
    pub(crate) fn hessian<L: ContactLaw>(&self, law: &L, tether: &[f64], matrix: &mut PairMatrix) {
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
            let rows = &self.blocks[block];
            let taken = &rows.taken[rows.taken.partition_point(|taken| (taken.place as usize) < k)..];
            let taken = taken.iter().take_while(|taken| taken.place as usize == k);
            for Taken { link, .. } in taken.filter(|taken| taken.link.overlap > 0.0) {
                let along = -law.stiffness(link.overlap, link.radius);
                let across = law.force(link.overlap, link.radius) / link.distance;
                filler.add(None, link.normal, PairStiffness { along, across });
            }
            let ridges = &rows.ridges[rows.ridges.partition_point(|ridge| (ridge.place as usize) < k)..];
            let ridges = ridges.iter().take_while(|ridge| ridge.place as usize == k);
            for ridge in ridges.filter(|ridge| ridge.overlap > 0.0) {
                let along = -ridge.sign * law.force(ridge.overlap, ridge.radius) * ridge.curvature;
                filler.add(None, ridge.direction, PairStiffness { along, across: 0.0 });
            }
        });
    }
}

#[inline(always)]
pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
