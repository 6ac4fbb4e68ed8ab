use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::DemError;
use crate::error::text::{number, vector};

/// Errors of walls and their shapes.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WallError {
    /// The normal of a wall has no direction, or a number of its position, motion or rotation is not valid.
    #[error("wall {wall}: the {parameter} must be {range}, but is {}", number(*.value))]
    InvalidWall {
        /// Number of the invalid wall.
        wall: usize,
        /// Name of the wall's quantity that is wrong. For a vector, `value` is one of its components.
        parameter: &'static str,
        /// Allowed values of the wall's quantity, in words.
        range: &'static str,
        /// Value of the wall's quantity that was found.
        value: f64,
    },
    /// A plane or endless cylinder does not lie along a periodic direction, or rotates: its periodic images differ.
    #[error("wall {wall}: a plane or cylinder along {} cannot go on in the periodic direction {direction}", vector(.axis))]
    WallAcrossPeriodic {
        /// Number of the wall that crosses a periodic direction.
        wall: usize,
        /// Unit normal of the plane or axis of the cylinder; the axis of rotation if the wall rotates.
        axis: DVec3,
        /// Periodic direction to which the wall is not parallel: 0, 1 or 2.
        direction: usize,
    },
    /// A wall is so many periods long that a body would be near too many of its periodic images.
    #[error(
        "wall {wall} is {periods:.1} periods long in the periodic direction {direction}: too many of its images are at one place; make it shorter, one period is enough"
    )]
    TooManyImages {
        /// Number of the wall that is too large.
        wall: usize,
        /// Direction in which the wall that is too large is longest: 0, 1 or 2.
        direction: usize,
        /// Length of the wall that is too large, over the period in the direction in which it is longest.
        periods: f64,
    },
    /// A method that supports some kinds of walls only was given a wall of another kind.
    #[error("wall {wall}: {what} can only be {only}")]
    WallNotSupported {
        /// Number of the wall that is not supported.
        wall: usize,
        /// Name of the method that does not support the wall.
        what: &'static str,
        /// Kinds of walls that the method supports.
        only: &'static str,
    },
    /// The shape of a wall is not valid.
    #[error("invalid shape of a wall: {problem}")]
    InvalidShape {
        /// Reason why the shape of the wall is not valid.
        problem: &'static str,
    },
}

/// Checks that vectors of a wall are finite; the error states the name of a vector that is not.
pub(crate) fn check_finite<const N: usize>(wall: usize, all: [(&'static str, DVec3); N]) -> Result<(), DemError> {
    let components = all.into_iter().flat_map(|(parameter, vector)| vector.to_array().map(|value| (parameter, value)));
    match components.into_iter().find(|(_, value)| !value.is_finite()) {
        Some((parameter, value)) => {
            Err(DemError::Wall(WallError::InvalidWall { wall, parameter, range: "finite", value }))
        }
        None => Ok(()),
    }
}
