use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::{finite, positive};
use crate::source::faces::MeshFaces;

/// A part of space in which grains are inserted: grains lie wholly in a box or a cylinder, have their centres on a
/// disc, or touch faces of a mesh.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Region {
    /// A box along the world axes, in which grains lie wholly.
    Box {
        /// Lower corner of the box in m.
        low: DVec3,
        /// Upper corner of the box in m.
        high: DVec3,
    },
    /// A cylinder with two ends, in which grains lie wholly.
    Cylinder {
        /// Middle of the first end of the cylinder in m.
        point: DVec3,
        /// Vector in m from the middle of the first end of the cylinder to that of the second end.
        axis: DVec3,
        /// Radius of the cylinder in m.
        radius: f64,
    },
    /// A flat disc, on which the centres of grains lie.
    Disc {
        /// Middle of the disc in m.
        point: DVec3,
        /// Normal of the disc, of any length.
        normal: DVec3,
        /// Radius of the disc in m.
        radius: f64,
    },
    /// Faces of a mesh, which grains touch when they are inserted.
    Faces(Box<MeshFaces>),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) center: DVec3,
    /// Unit normal of the face at which the grain is inserted; zero in other regions.
    pub(super) normal: DVec3,
}

impl Region {
    /// Checks the numbers of the region, and that spheres of this radius (m) have room. For faces of a mesh,
    /// [`GrainSource::check`](crate::source::GrainSource::check) checks the room.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`].
    pub fn check(&self, largest: f64) -> Result<(), DemError> {
        let vector = |parameter, vector: DVec3| {
            vector.to_array().into_iter().try_for_each(|value| finite(parameter, value).map(|_| ()))
        };
        let (room, value) = match *self {
            Self::Box { low, high } => {
                vector("the lower corner", low)?;
                vector("the upper corner", high)?;
                (0.5 * (high - low).min_element(), (high - low).min_element())
            }
            Self::Cylinder { point, axis, radius } => {
                vector("the point of a cylinder", point)?;
                vector("the axis of a cylinder", axis)?;
                positive("the length of a cylinder", axis.length())?;
                let room = positive("the radius", radius)?.min(0.5 * axis.length());
                (room, 2.0 * room)
            }
            Self::Disc { point, normal, radius } => {
                vector("the point of a disc", point)?;
                vector("the normal of a disc", normal)?;
                positive("the length of a normal", normal.length())?;
                (positive("the radius", radius)?, 2.0 * radius)
            }
            Self::Faces(_) => return Ok(()),
        };
        if room < largest {
            let parameter = "the smallest diameter or length of a region";
            let range = "enough for the largest grain";
            return Err(DemError::InvalidParameter { parameter, range, value });
        }
        Ok(())
    }

    /// Returns the volume of the region in m³; zero for a disc and for faces.
    #[must_use]
    pub fn volume(&self) -> f64 {
        match *self {
            Self::Box { low, high } => (high - low).element_product(),
            Self::Cylinder { axis, radius, .. } => std::f64::consts::PI * radius * radius * axis.length(),
            Self::Disc { .. } | Self::Faces(_) => 0.0,
        }
    }

    /// Returns the middle of the region in m.
    #[must_use]
    pub fn middle(&self) -> DVec3 {
        match *self {
            Self::Box { low, high } => 0.5 * (low + high),
            Self::Cylinder { point, axis, .. } => point + 0.5 * axis,
            Self::Disc { point, .. } => point,
            Self::Faces(ref faces) => faces.middle(),
        }
    }

    /// Returns the corners (m) of a box around all spheres of at most this radius (m) in the region.
    #[must_use]
    pub fn bounds(&self, largest: f64) -> [DVec3; 2] {
        let across = |axis: DVec3, radius: f64| {
            let axis = axis.normalize();
            radius * (DVec3::ONE - axis * axis).max(DVec3::ZERO).map(f64::sqrt)
        };
        match *self {
            Self::Box { low, high } => [low, high],
            Self::Cylinder { point, axis, radius } => {
                let end = point + axis;
                let wide = across(axis, radius);
                [point.min(end) - wide, point.max(end) + wide]
            }
            Self::Disc { point, normal, radius } => {
                let wide = across(normal, radius) + largest;
                [point - wide, point + wide]
            }
            Self::Faces(ref faces) => faces.bounds(largest),
        }
    }

    pub(super) fn place(&self, radius: f64, random: &mut ChaCha8Rng) -> Place {
        let [u, v, w]: [f64; 3] = random.random();
        let on_disc = |normal: DVec3, most: f64| {
            let (first, second) = normal.normalize().any_orthonormal_pair();
            let (sine, cosine) = (std::f64::consts::TAU * v).sin_cos();
            most * u.sqrt() * (cosine * first + sine * second)
        };
        let center = match *self {
            Self::Box { low, high } => low + radius + (high - low - 2.0 * radius) * DVec3::new(u, v, w),
            Self::Cylinder { point, axis, radius: wide } => {
                let along = (axis.length() - 2.0 * radius) * w + radius;
                point + along * axis.normalize() + on_disc(axis, wide - radius)
            }
            Self::Disc { point, normal, radius: wide } => point + on_disc(normal, wide - radius),
            Self::Faces(ref faces) => {
                let [center, normal] = faces.place(radius, [u, v, w]);
                return Place { center, normal };
            }
        };
        Place { center, normal: DVec3::ZERO }
    }

    /// Whether a sphere of this centre and radius (m) does not overlap the mesh of its faces; true for other regions.
    pub(super) fn is_clear(&self, center: DVec3, radius: f64) -> bool {
        match self {
            Self::Faces(faces) => faces.is_clear(center, radius),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::stream::GrainStream;

    #[test]
    fn spheres_lie_in_their_region_all_over_it() {
        let axis = DVec3::new(1.0, 2.0, 2.0);
        let regions = [
            Region::Box { low: DVec3::ZERO, high: DVec3::new(1.0, 2.0, 3.0) },
            Region::Cylinder { point: DVec3::X, axis, radius: 0.8 },
            Region::Disc { point: DVec3::Y, normal: axis, radius: 0.8 },
        ];
        for region in regions {
            assert!(region.check(0.3).is_ok() && region.check(1.6).is_err());
            let radius = 0.3;
            let mut mean = DVec3::ZERO;
            let mut spread = 0.0;
            let [low, high] = region.bounds(radius);
            for grain in 0..4000 {
                let mut random = GrainStream { seed: 1, source: 1 }.of_grain(grain);
                let centre = region.place(radius, &mut random).center;
                mean += centre / 4000.0;
                assert!((centre - radius).cmpge(low - 1e-12).all() && (centre + radius).cmple(high + 1e-12).all());
                let from = |point: DVec3| {
                    let along = (centre - point).dot(axis.normalize());
                    (along, (centre - point - along * axis.normalize()).length())
                };
                match region {
                    Region::Cylinder { point, .. } => {
                        let (along, off) = from(point);
                        assert!((0.3 - 1e-12..=2.7 + 1e-12).contains(&along) && off <= 0.5 + 1e-12);
                        spread += off * off / 4000.0;
                    }
                    Region::Disc { point, .. } => {
                        let (along, off) = from(point);
                        assert!(along.abs() < 1e-12 && off <= 0.5 + 1e-12);
                        spread += off * off / 4000.0;
                    }
                    Region::Box { .. } | Region::Faces(_) => {}
                }
            }
            assert!((mean - 0.5 * (low + high)).length() < 0.05, "{region:?}: {mean}");
            // For a uniform distribution on a disc of radius 1/2 the mean square is 1/8.
            let is_box = matches!(region, Region::Box { .. });
            assert!(is_box || (spread - 0.125).abs() < 0.006, "{region:?}: {spread}");
        }
    }
}
