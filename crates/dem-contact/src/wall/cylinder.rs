//! Cylinders without ends.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::error::wall::WallError;
use crate::wall::surface::{Patch, WallShape, square};

/// Circular cylinder without ends as a wall, about an axis through the origin of its frame. For a cylinder with ends
/// take a [`Revolution`](crate::wall::Revolution).
///
/// The cylinder is a surface, not a solid. A centre behind the surface by less than the radius of its body is an error.
/// A centre farther behind is not noticed, unless it got there within one explicit step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Stored"))]
pub struct Cylinder {
    axis: DVec3,
    radius: f64,
    hollow: bool,
}

impl Cylinder {
    /// Makes a pipe of this `radius` (m) with bodies inside; `axis` may have any length.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `radius` is finite and positive; [`WallError::InvalidShape`] for an axis
    /// without direction.
    pub fn inside(axis: DVec3, radius: f64) -> Result<Self, DemError> {
        Ok(Self { axis: direction(axis)?, radius: positive("the radius of a cylinder", radius)?, hollow: true })
    }

    /// Makes a rod of this `radius` (m) with bodies outside; `axis` may have any length.
    ///
    /// # Errors
    /// As [`inside`](Self::inside).
    pub fn outside(axis: DVec3, radius: f64) -> Result<Self, DemError> {
        Ok(Self { hollow: false, ..Self::inside(axis, radius)? })
    }

    /// Unit vector along the axis of the cylinder.
    #[must_use]
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Radius of the cylinder in m.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Distance in m of a centre from the surface of the cylinder, negative on the side without bodies.
    pub(super) fn signed_distance(&self, centre: DVec3) -> f64 {
        let out = AroundAxis::new(self.axis, centre).distance - self.radius;
        if self.hollow { -out } else { out }
    }

    pub(super) fn check(&self) -> Result<(), DemError> {
        positive("the radius of a cylinder", self.radius)?;
        unit(self.axis)
    }
}

pub(super) fn direction(axis: DVec3) -> Result<DVec3, DemError> {
    unit_along(axis).ok_or(DemError::Wall(WallError::InvalidShape { problem: "its axis has no direction" }))
}

/// Returns the unit vector along `vector`, of any length; `None` if the vector is zero or not finite.
pub(super) fn unit_along(vector: DVec3) -> Option<DVec3> {
    let largest = vector.abs().max_element();
    (vector / largest).try_normalize().filter(|_| vector.is_finite())
}

pub(super) fn unit(axis: DVec3) -> Result<(), DemError> {
    if (axis.length() - 1.0).abs() < 1e-12 {
        Ok(())
    } else {
        Err(DemError::Wall(WallError::InvalidShape { problem: "its axis has no direction" }))
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct AroundAxis {
    /// Distance in m of the centre from the axis.
    pub(crate) distance: f64,
    /// Unit vector from the axis to the centre, perpendicular to the axis; `along` is the tangent axis × `out`. Any
    /// perpendicular direction if the centre is on the axis.
    pub(crate) out: DVec3,
    pub(crate) along: DVec3,
}

impl AroundAxis {
    pub(crate) fn new(axis: DVec3, centre: DVec3) -> Self {
        let across = centre - centre.dot(axis) * axis;
        let distance = across.length();
        let out = if distance > 0.0 { across / distance } else { axis.any_orthonormal_vector() };
        Self { distance, out, along: axis.cross(out) }
    }
}

impl WallShape for Cylinder {
    fn near(&self, centre: DVec3, reach: f64, pieces: &mut Vec<u32>) {
        let from_axis = AroundAxis::new(self.axis, centre).distance;
        if (from_axis - self.radius).abs() <= reach {
            pieces.push(0);
        }
    }

    fn patches(&self, centre: DVec3, reach: f64, _: &[u32], found: &mut Vec<Patch>) {
        let AroundAxis { distance: from_axis, out, along } = AroundAxis::new(self.axis, centre);
        let (distance, sign) =
            if self.hollow { (self.radius - from_axis, -1.0) } else { (from_axis - self.radius, 1.0) };
        if distance.abs() < reach {
            let turning = if from_axis > 0.0 { square(along) * (sign / from_axis) } else { DMat3::ZERO };
            found.push(Patch { turning, ..Patch::flat(0, sign * out, distance) });
        }
    }
}

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
