//! Reading present centres in the order of places, and whether a list holds for them.

use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::neighbor::displacement_bounds::{BlockBounds, DisplacementBounds};
use crate::neighbor::domain::Domain;
use crate::neighbor::minimum_image::MinimumImage;
use crate::neighbor::rebuild_criterion::RebuildCriterion;
use crate::neighbor::tiles::Tiling;
use crate::parallel::tiles::for_each_tile;

/// Largest number of spheres whose displacements are bounded together. They follow each other in layers of cells.
const GROUP: usize = 256;

/// What the list must be checked against.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListLimits<'a> {
    pub(crate) domain: &'a Domain,
    /// In m.
    pub(crate) skin: f64,
    /// Whether no centre may be further than half the skin beyond a periodic side.
    pub(crate) keeps_inside: bool,
}

/// The part of one tile in a gather.
struct TileGather<'a> {
    first: usize,
    position: &'a mut [[f64; 4]],
    /// Square of the largest displacement in m².
    largest_square: f64,
    /// Whether all radii are those of the list, and all centres numbers whose images can be counted.
    are_known: bool,
}

impl Tiling {
    /// Writes present centres and radii (m) to `position`, by place: the image of each centre that is nearest to where
    /// the list was made for it. True if the list holds for them.
    ///
    /// Whether it holds depends on the present centres and those that it was made for, and on nothing in between.
    pub(crate) fn gather(
        &self,
        limits: &ListLimits<'_>,
        radius: &ScalarColumn,
        centre: &VectorColumn,
        position: &mut Vec<[f64; 4]>,
    ) -> bool {
        position.resize(self.len(), [0.0; 4]);
        let mut rest = &mut position[..];
        let mut tiles = Vec::with_capacity(self.tiles.len());
        for tile in &self.tiles {
            let (position, later) = rest.split_at_mut(tile.places.len());
            tiles.push(TileGather { first: tile.places.start, position, largest_square: 0.0, are_known: true });
            rest = later;
        }
        let nearest = MinimumImage::new(limits.domain.periods().to_array());
        for_each_tile(&mut tiles, &|_, tile| self.gather_tile(nearest, radius, centre, tile));
        if !tiles.iter().all(|tile| tile.are_known) {
            return false;
        }
        let largest = tiles.iter().map(|tile| tile.largest_square).fold(0.0, f64::max).sqrt();
        RebuildCriterion::at_build(limits.skin).covers(largest) || self.holds_beyond_half_skin(limits, position)
    }

    /// Whether the list holds although some centre is further than half the skin from where it was.
    #[cold]
    fn holds_beyond_half_skin(&self, limits: &ListLimits<'_>, position: &[[f64; 4]]) -> bool {
        let mut groups = Vec::new();
        for tile in &self.tiles {
            let (now, start) = (&position[tile.places.clone()], &self.reference[tile.places.clone()]);
            groups.extend(now.chunks(GROUP).zip(start.chunks(GROUP)).map(|(now, start)| bounds(now, start)));
        }
        let bounds = DisplacementBounds::of_blocks(groups);
        RebuildCriterion::inspect(&bounds, limits.skin, limits.domain, limits.keeps_inside).is_some()
    }

    fn gather_tile(
        &self,
        nearest: MinimumImage,
        radius: &ScalarColumn,
        centre: &VectorColumn,
        tile: &mut TileGather<'_>,
    ) {
        let [x, y, z] = centre.slices();
        let places = tile.first..tile.first + tile.position.len();
        let spheres = self.order[places.clone()].iter().zip(&self.reference[places]);
        for (row, (&number, start)) in tile.position.iter_mut().zip(spheres) {
            let (i, from) = (number as usize, [start[0], start[1], start[2]]);
            let (now, square) = nearest.wrap([x[i], y[i], z[i]], from);
            tile.largest_square = if square > tile.largest_square { square } else { tile.largest_square };
            tile.are_known &= (square < f64::INFINITY) & (radius[i].to_bits() == start[3].to_bits());
            *row = [now[0], now[1], now[2], start[3]];
        }
    }
}

/// The bounds of a group of spheres: where they are now, and where the list was made for them.
fn bounds(now: &[[f64; 4]], start: &[[f64; 4]]) -> BlockBounds {
    let mut all = BlockBounds::NONE;
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
