//! Placement of grains without overlap.

use rrp_geom::glam::{DQuat, DVec3};

use crate::error::DemError;
use crate::error::mesh::MeshError;
use crate::neighbor::domain::{Boundary, Domain};
use crate::packing::obstacles::Obstacles;
use crate::packing::{Sphere, Surroundings};
use crate::source::placed::PlacedSpheres;
use crate::source::region::{Place, Region};
use crate::source::sizes::Sizes;
use crate::source::stream::{GrainStream, rotation};
use crate::wall::images::TouchedPoints;

/// Number of random positions that are tried for a grain in one attempt.
const TRIES: u64 = 64;
/// Number of random positions that are tried before faces of a mesh count as having no room for the largest grain.
const TRIES_FOR_ROOM: u64 = 4096;

/// A source of grains: the region in which they are inserted, their sizes and their random numbers.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GrainSource {
    /// Region of space, or faces of a mesh, at which the source inserts its grains.
    pub region: Region,
    /// Distribution of the radii of the grains.
    pub sizes: Sizes,
    /// Random numbers from which sizes, rotations and positions of the grains are drawn.
    pub stream: GrainStream,
}

/// Grain that a source inserts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grain {
    /// Number of the grain in its source, from zero.
    pub number: u64,
    /// Radius in m.
    pub radius: f64,
    /// Centre in m.
    pub center: DVec3,
    /// Initial rotation, uniform on SO(3).
    pub rotation: DQuat,
    /// Unit normal of the face at which the grain is inserted; zero in other regions.
    pub normal: DVec3,
}

impl GrainSource {
    /// Checks the numbers of the region, and that the region has room for the largest grain. Next to faces of a mesh,
    /// room is searched for at 4096 random positions.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`]; [`MeshError::NoRoomAtFaces`] if the grain overlaps the mesh at all positions.
    pub fn check(&self) -> Result<(), DemError> {
        let radius = self.sizes.largest();
        self.region.check(radius)?;
        // The random numbers are those of a grain that is never inserted.
        let mut random = self.stream.of_places(u64::MAX, 0);
        let mut places = (0..TRIES_FOR_ROOM).map(|_| self.region.place(radius, &mut random));
        if !places.any(|Place { center, .. }| self.region.is_clear(center, radius)) {
            return Err(DemError::Mesh(MeshError::NoRoomAtFaces { radius, places: TRIES_FOR_ROOM }));
        }
        Ok(())
    }

    /// Draws the radius (m) and the initial rotation of the grain with this number.
    #[must_use]
    pub fn size(&self, grain: u64) -> (f64, DQuat) {
        let mut random = self.stream.of_grain(grain);
        // The rotation is drawn first, because the number of words that a radius takes depends on the law.
        let rotation = rotation(&mut random);
        (self.sizes.draw(&mut random), rotation)
    }

    /// Places grains from number `first` on, as long as `wants` accepts their radii (m), without overlap with
    /// `surroundings`, with the other new grains and with images of both. Placing ends before the first grain that
    /// finds no room; with the number `attempt` of earlier attempts a retry draws other positions for it.
    ///
    /// Give the spheres and walls of `surroundings` in their present poses:
    /// [`Wall::held_at`](crate::wall::Wall::held_at).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for an invalid region.
    pub fn insert(
        &self,
        surroundings: &Surroundings<'_>,
        first: u64,
        attempt: u64,
        mut wants: impl FnMut(f64) -> bool,
    ) -> Result<Vec<Grain>, DemError> {
        let largest = self.sizes.largest();
        self.region.check(largest)?;
        let [low, high] = self.region.bounds(largest);
        let near = Domain::new(low - largest, high + largest, [Boundary::Open; 3])?;
        let spheres = surroundings.spheres_in(&near, 0.0);
        let obstacles = Obstacles::new(&near, &spheres, largest);
        let mut points = TouchedPoints::default();
        let mut grains = Vec::new();
        let mut new = PlacedSpheres::new(low, largest, surroundings.periods);
        for number in first.. {
            let (radius, rotation) = self.size(number);
            if !wants(radius) {
                break;
            }
            let mut random = self.stream.of_places(number, attempt);
            let mut places = (0..TRIES).map(|_| self.region.place(radius, &mut random));
            let mut is_free = |&Place { center, .. }: &Place| {
                !obstacles.overlap(center, radius)
                    && !new.overlap(center, radius)
                    && self.region.is_clear(center, radius)
                    && !surroundings.walls_block(Sphere { center, radius }, &mut points)
            };
            let Some(Place { center, normal }) = places.find(|place| is_free(place)) else { break };
            grains.push(Grain { number, radius, center, rotation, normal });
            new.add(Sphere { center, radius });
        }
        Ok(grains)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::faces::{FaceChoice, MeshFaces};
    use crate::source::placed::gap;
    use crate::source::sizes::{Share, SizeLaw};
    use crate::wall::{Revolution, Wall};

    fn source(region: Region) -> GrainSource {
        let sizes = Sizes::new(SizeLaw::Uniform, Share::Number, [0.3, 0.5]).unwrap();
        GrainSource { region, sizes, stream: GrainStream { seed: 5, source: 2 } }
    }

    #[test]
    fn grains_overlap_neither_each_other_nor_spheres_walls_and_images() {
        let source = source(Region::Box { low: DVec3::ZERO, high: DVec3::splat(5.0) });
        let there = [
            Sphere { center: DVec3::new(2.0, 2.0, 2.0), radius: 1.5 },
            Sphere { center: DVec3::new(9.7, 4.0, 1.0), radius: 0.6 },
        ];
        let walls = [Wall::plane(DVec3::Z, DVec3::Z), Wall::plane(4.5 * DVec3::Y, -DVec3::Y)];
        // The second sphere reaches into the box of the source across the periodic side.
        let periods = DVec3::new(10.0, 0.0, 0.0);
        let surroundings = Surroundings { spheres: &there, walls: &walls, periods };
        let grains = source.insert(&surroundings, 10, 0, |_| true).unwrap();
        assert!(grains.len() > 20, "{}", grains.len());
        for (k, grain) in grains.iter().enumerate() {
            let (radius, rotation) = source.size(grain.number);
            assert_eq!((grain.number, grain.radius, grain.rotation), (10 + k as u64, radius, rotation));
            let others =
                there.iter().copied().chain(grains[..k].iter().map(|g| Sphere { center: g.center, radius: g.radius }));
            for other in others {
                assert!(gap(periods, grain.center, &other) >= grain.radius, "{k}");
            }
            assert!(grain.center.z >= 1.0 + grain.radius && grain.center.y <= 4.5 - grain.radius);
        }
        // Another attempt tries other positions; the same attempt gives the same grains.
        assert_eq!(grains, source.insert(&surroundings, 10, 0, |_| true).unwrap());
        assert!(grains[0].center != source.insert(&surroundings, 10, 1, |_| true).unwrap()[0].center);
        // No more grains are inserted than are wanted.
        let mut left = 3;
        let wants = |_| {
            left -= 1;
            left >= 0
        };
        assert_eq!(source.insert(&surroundings, 10, 0, wants).unwrap()[..], grains[..3]);
    }

    #[test]
    fn grains_come_behind_a_tube_with_open_ends_except_near_its_back() {
        let walls = [Wall::new(Revolution::new(DVec3::Z, [[1.0, 0.0], [1.0, 2.0]]).unwrap(), DVec3::ZERO)];
        let surroundings = Surroundings { walls: &walls, ..Surroundings::default() };
        let come = |x: f64, width: f64| {
            let low = DVec3::new(x, -0.51, 0.5);
            let source = source(Region::Box { low, high: low + DVec3::new(width, 1.02, 1.02) });
            let mut left = 1;
            let wants = |_| std::mem::replace(&mut left, 0) > 0;
            source.insert(&surroundings, 0, 0, wants).unwrap().len()
        };
        assert_eq!([come(11.0, 1.02), come(0.7, 1.02)], [1, 0]);
    }

    #[test]
    fn faces_without_room_for_the_largest_grain_are_refused() {
        let inside = |height: f64| {
            let mesh = Revolution::rod(DVec3::Z, 3.0, [0.0, height]).unwrap().mesh(4).unwrap().flipped();
            source(Region::Faces(Box::new(MeshFaces::new(mesh, FaceChoice::default()).unwrap()))).check()
        };
        assert!(inside(1.01).is_ok());
        // Smaller grains of this source would have room.
        let refused = inside(0.99).unwrap_err();
        assert!(matches!(refused, DemError::Mesh(MeshError::NoRoomAtFaces { radius: 0.5, .. })), "{refused}");
    }

    #[test]
    fn a_region_across_a_periodic_side_keeps_clear_of_its_own_image() {
        let source = source(Region::Box { low: DVec3::ZERO, high: DVec3::new(3.0, 1.2, 1.2) });
        let periods = DVec3::new(3.0, 0.0, 0.0);
        let surroundings = Surroundings { spheres: &[], walls: &[], periods };
        let grains = source.insert(&surroundings, 0, 0, |_| true).unwrap();
        assert!(grains.len() >= 2);
        for (k, grain) in grains.iter().enumerate() {
            for other in &grains[..k] {
                let other = Sphere { center: other.center, radius: other.radius };
                assert!(gap(periods, grain.center, &other) >= grain.radius);
            }
        }
    }
}
