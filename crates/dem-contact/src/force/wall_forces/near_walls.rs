//! The walls near the bodies of a tile.

use std::ops::Range;

use rrp_geom::glam::DVec3;

use crate::force::wall_forces::felt_walls::FeltWalls;
use crate::force::wall_forces::wall_moments::WallMoments;
use crate::neighbor::NeighborList;
use crate::wall::placed::Motionless;

/// Walls near the bodies of a tile, valid until bodies or walls have moved too far.
#[derive(Debug, Clone, Default)]
pub(in crate::force) struct NearWalls {
    /// Bodies, or periodic images of bodies, that may be near a wall, sorted by the place of the body, then by wall.
    entries: Vec<NearWall>,
    pieces: Vec<u32>,
    walls: Vec<KnownWall>,
    /// Bound in m on the path of any centre of the tile from the making of the list to the search for near walls.
    path: f64,
}

/// Body, or periodic image of a body, that may be near a wall.
#[derive(Debug, Clone)]
pub(in crate::force) struct NearWall {
    pub(in crate::force) place: u32,
    pub(super) wall: u32,
    /// Displacement in m from the body to its periodic image near the wall.
    pub(super) shift: DVec3,
    /// Range, in the `pieces` of [`NearWalls`], of the numbers of those pieces of the wall, such as triangles, that may
    /// be near the body; empty for a plane.
    pieces: Range<u32>,
}

/// Pose of a wall when the bodies near it were searched for.
#[derive(Debug, Clone, Copy)]
struct KnownWall {
    place: Motionless,
    /// Bound in m on the distance from the point of the wall of any part of the wall that is near a body.
    extent: f64,
}

impl NearWalls {
    pub(in crate::force) fn images(&self) -> impl Iterator<Item = &[NearWall]> {
        self.entries.chunk_by(|one, next| (one.place, one.wall) == (next.place, next.wall))
    }

    pub(in crate::force) fn pieces(&self, image: &NearWall) -> &[u32] {
        &self.pieces[image.pieces.start as usize..image.pieces.end as usize]
    }

    /// Finds the walls near the bodies of a tile, unless the last search still covers all touchable walls.
    ///
    /// `places` are the places of the tile's bodies. The centres of the tile have moved by at most `path` (m) since the
    /// list was made. `position` has centres and radii (m) of all bodies, and walls act up to gaps of `range` (m) on
    /// the bodies that feel them.
    pub(super) fn follow(
        &mut self,
        walls: &[WallMoments<'_>],
        list: &NeighborList,
        (places, path): (&Range<usize>, f64),
        position: &[[f64; 4]],
        range: f64,
        felt: &FeltWalls,
    ) {
        let skin = list.tiling().skin;
        // A comparison with NaN is false, so the walls are then searched again.
        let stays =
            |(wall, known): (&WallMoments<'_>, &KnownWall)| wall.end.moved(&known.place, known.extent) <= 0.5 * skin;
        let are_known = path - self.path <= skin * (1.0 - 1e-9)
            && self.walls.len() == walls.len()
            && walls.iter().zip(&self.walls).all(stays);
        if are_known {
            return;
        }
        let periods = list.domain().periods();
        let known = |wall: &WallMoments<'_>| {
            let extent = if periods == DVec3::ZERO { 0.0 } else { wall.end.extent() };
            KnownWall { place: wall.end.motionless(), extent }
        };
        *self = Self { path, walls: walls.iter().map(known).collect(), ..Self::default() };
        // Until the next search a body moves by at most the skin, and the wall by at most half of it.
        let margin = 1.5 * skin + range;
        for place in places.clone() {
            let [x, y, z, radius] = position[place];
            // A fixed body does not touch a wall: the reduced mass of two infinite masses would be infinite.
            let body = list.order()[place] as usize;
            if radius <= 0.0 || list.fixed().binary_search(&body).is_ok() {
                continue;
            }
            let centre = DVec3::new(x, y, z);
            let reach = radius + margin;
            for (number, (wall, known)) in (0..).zip(walls.iter().zip(&mut self.walls)) {
                if !felt.has(body, number as usize) {
                    continue;
                }
                let beside = if wall.end.shape.has_images() { periods.length() } else { 0.0 };
                known.extent = known.extent.max((centre - wall.end.point).length() + reach + beside);
                let is_plane_near = wall.end.plane().is_some_and(|(origin, out)| (centre - origin).dot(out) <= reach);
                for shift in wall.end.shifts(centre, reach, periods) {
                    let first = self.pieces.len() as u32;
                    if let Some(surface) = wall.end.shape.surface() {
                        surface.near(wall.end.local(centre + shift), reach, &mut self.pieces);
                    }
                    let pieces = first..self.pieces.len() as u32;
                    if is_plane_near || !pieces.is_empty() {
                        self.entries.push(NearWall { place: place as u32, wall: number, shift, pieces });
                    }
                }
            }
        }
    }
}
