//! Cylinders without ends.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::error::wall::WallError;
use crate::wall::surface::{Patch, WallShape, square};

/// A circular cylinder without ends, about an axis through the origin of its frame. One with ends is a
/// [`Revolution`](crate::wall::revolution::Revolution).
///
/// It is a surface, with nothing behind it: a centre behind it that is nearer to it than its radius is an error, one that is
/// farther is not noticed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Stored"))]
pub struct Cylinder {
    axis: DVec3,
    radius: f64,
    /// Whether bodies are inside.
    hollow: bool,
}

impl Cylinder {
    /// A pipe of this `radius` (m) that bodies are inside of; `axis` need not have length one.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `radius` is finite and positive; [`WallError::InvalidShape`](crate::error::WallError::InvalidShape) for an axis without
    /// direction.
    pub fn inside(axis: DVec3, radius: f64) -> Result<Self, DemError> {
        Ok(Self { axis: direction(axis)?, radius: positive("the radius of a cylinder", radius)?, hollow: true })
    }

    /// A rod of this `radius` (m) that bodies are outside of.
    ///
    /// # Errors
    /// As [`inside`](Self::inside).
    pub fn outside(axis: DVec3, radius: f64) -> Result<Self, DemError> {
        Ok(Self { hollow: false, ..Self::inside(axis, radius)? })
    }

    /// The axis, of length one.
    #[must_use]
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// The radius in m.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    pub(crate) fn check(&self) -> Result<(), DemError> {
        positive("the radius of a cylinder", self.radius)?;
        unit(self.axis)
    }
}

/// A unit vector along `axis`.
pub(crate) fn direction(axis: DVec3) -> Result<DVec3, DemError> {
    unit_along(axis).ok_or(DemError::Wall(WallError::InvalidShape { problem: "its axis has no direction" }))
}

/// A unit vector along another, whatever the length of that; none along zero or what is not finite.
pub(crate) fn unit_along(vector: DVec3) -> Option<DVec3> {
    let largest = vector.abs().max_element();
    (vector / largest).try_normalize().filter(|_| vector.is_finite())
}

pub(crate) fn unit(axis: DVec3) -> Result<(), DemError> {
    if (axis.length() - 1.0).abs() < 1e-12 {
        Ok(())
    } else {
        Err(DemError::Wall(WallError::InvalidShape { problem: "its axis has no direction" }))
    }
}

/// The part of `centre` across `axis`: its length, its direction (any where there is none), and the direction around.
pub(crate) fn around(axis: DVec3, centre: DVec3) -> (f64, DVec3, DVec3) {
    let across = centre - centre.dot(axis) * axis;
    let distance = across.length();
    let out = if distance > 0.0 { across / distance } else { axis.any_orthonormal_vector() };
    (distance, out, axis.cross(out))
}

impl WallShape for Cylinder {
    fn near(&self, centre: DVec3, reach: f64, pieces: &mut Vec<u32>) {
        let (from_axis, ..) = around(self.axis, centre);
        if (from_axis - self.radius).abs() <= reach {
            pieces.push(0);
        }
    }

    fn patches(&self, centre: DVec3, reach: f64, _: &[u32], found: &mut Vec<Patch>) {
        let (from_axis, out, along) = around(self.axis, centre);
        let (distance, sign) =
            if self.hollow { (self.radius - from_axis, -1.0) } else { (from_axis - self.radius, 1.0) };
        if distance.abs() < reach {
            let turning = if from_axis > 0.0 { square(along) * (sign / from_axis) } else { DMat3::ZERO };
            found.push(Patch { turning, ..Patch::flat(0, sign * out, distance) });
        }
    }
}

/// What a cylinder is stored as.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Stored {
    axis: DVec3,
    radius: f64,
    hollow: bool,
}

#[cfg(feature = "serde")]
impl TryFrom<Stored> for Cylinder {
    type Error = DemError;

    fn try_from(Stored { axis, radius, hollow }: Stored) -> Result<Self, DemError> {
        let stored = Self { axis, radius, hollow };
        stored.check()?;
        Ok(stored)
    }
}
