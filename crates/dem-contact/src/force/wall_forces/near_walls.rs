//! The walls near the bodies of a tile.

use std::ops::Range;

use rrp_geom::glam::DVec3;

use crate::force::wall_forces::wall_moments::WallMoments;
use crate::neighbor::tiles::Tiling;
use crate::wall::placed::Motionless;
use crate::wall::placed_surface::PlacedSurface;

/// The walls near the bodies of a tile, until bodies or walls have moved too far.
#[derive(Debug, Clone, Default)]
pub(crate) struct NearWalls {
    /// In the order of places, then walls.
    pub(crate) entries: Vec<NearWall>,
    pieces: Vec<u32>,
    /// By wall, when they were found.
    walls: Vec<KnownWall>,
    /// The path (m) of the tile when they were found.
    path: f64,
    is_known: bool,
}

/// A body near a wall.
#[derive(Debug, Clone)]
pub(crate) struct NearWall {
    pub(crate) place: u32,
    pub(crate) wall: u32,
    /// The pieces of the wall that may be near; none for a plane.
    pieces: Range<u32>,
}

/// A wall when bodies near it were found.
#[derive(Debug, Clone, Copy)]
struct KnownWall {
    place: Motionless,
    /// The largest distance (m) of a nearby part of it from its point.
    extent: f64,
}

/// The bodies of a tile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TileBodies<'a> {
    pub(crate) tiling: &'a Tiling,
    pub(crate) places: &'a Range<usize>,
    /// By place: centres and radii (m) of all bodies.
    pub(crate) position: &'a [[f64; 4]],
    /// Bound in m on the path of each of its centres since the list was made.
    pub(crate) path: f64,
    /// The largest gap (m) at which bodies and walls act on each other.
    pub(crate) range: f64,
    /// The bodies that do not touch walls, sorted.
    pub(crate) fixed: &'a [usize],
}

impl NearWalls {
    /// The pieces of the wall of an entry that may be near.
    pub(crate) fn pieces(&self, entry: &NearWall) -> &[u32] {
        &self.pieces[entry.pieces.start as usize..entry.pieces.end as usize]
    }

    /// Finds the walls near the bodies, unless those that are known are still all that can be touched.
    pub(crate) fn follow(&mut self, walls: &[WallMoments<'_>], bodies: &TileBodies<'_>) {
        if walls.is_empty() {
            return;
        }
        let skin = bodies.tiling.skin();
        // A comparison with NaN is false: then they are found anew.
        let stays =
            |(wall, known): (&WallMoments<'_>, &KnownWall)| wall.end.moved(&known.place, known.extent) <= 0.5 * skin;
        let is_known = self.is_known
            && bodies.path - self.path <= skin * (1.0 - 1e-9)
            && self.walls.len() == walls.len()
            && walls.iter().zip(&self.walls).all(stays);
        if !is_known {
            self.find(walls, bodies);
        }
    }

    fn find(&mut self, walls: &[WallMoments<'_>], bodies: &TileBodies<'_>) {
        let &TileBodies { tiling, places, position, path, range, fixed } = bodies;
        // Until the next search a body moves by the skin at most, and the wall by half of it.
        let margin = 1.5 * tiling.skin();
        self.entries.clear();
        self.pieces.clear();
        self.walls.clear();
        self.walls.extend(walls.iter().map(|wall| KnownWall { place: wall.end.motionless(), extent: 0.0 }));
        (self.path, self.is_known) = (path, true);
        for place in places.clone() {
            let [x, y, z, radius] = position[place];
            // Two infinite masses do not touch: their reduced mass is infinite too.
            if radius <= 0.0 || fixed.binary_search(&(tiling.order()[place] as usize)).is_ok() {
                continue;
            }
            let (centre, reach) = (DVec3::new(x, y, z), radius + (margin + range));
            for (number, (wall, known)) in (0..).zip(walls.iter().zip(&mut self.walls)) {
                known.extent = known.extent.max((centre - wall.end.point).length() + reach);
                let first = self.pieces.len() as u32;
                let is_near = match wall.end.surface() {
                    PlacedSurface::Plane { origin, out } => (centre - origin).dot(out) <= reach,
                    PlacedSurface::Surface(surface) => {
                        surface.near(wall.end.local(centre), reach, &mut self.pieces);
                        self.pieces.len() as u32 > first
                    }
                };
                if is_near {
                    let pieces = first..self.pieces.len() as u32;
                    self.entries.push(NearWall { place: place as u32, wall: number, pieces });
                }
            }
        }
    }
}
