//! Errors of walls and their shapes.

use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::text::{number, vector};

/// Errors of walls and their shapes.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WallError {
    /// The normal of a wall has no direction, a number of its place or motion is not finite, or its rotation is not
    /// valid.
    #[error("wall {wall}: the {parameter} must be {range}, but is {}", number(*.value))]
    InvalidWall {
        /// The wall.
        wall: usize,
        /// The quantity that is wrong. For a vector, `value` is one of its components.
        parameter: &'static str,
        /// Allowed values.
        range: &'static str,
        /// Value found.
        value: f64,
    },
    /// A plane or endless cylinder is not along a periodic direction, or turns out of it: its images would disagree.
    #[error("wall {wall}: a plane or cylinder along {} cannot go on in the periodic direction {direction}", vector(.axis))]
    WallAcrossPeriodic {
        /// The wall.
        wall: usize,
        /// The unit normal of a plane or the axis of a cylinder; the axis of rotation, if that is the reason.
        axis: DVec3,
        /// The direction: 0, 1 or 2.
        direction: usize,
    },
    /// A wall is so much larger than the periodic domain that a body would be near very many of its images.
    #[error(
        "wall {wall} is {periods:.1} periods long in the periodic direction {direction}: too many of its images are at one place; make it shorter, one period is enough"
    )]
    TooManyImages {
        /// The wall.
        wall: usize,
        /// Direction in which the wall is longest: 0, 1 or 2.
        direction: usize,
        /// Length of the wall in that direction over the period.
        periods: f64,
    },
    /// A wall of a kind that this use of walls does not support.
    #[error("wall {wall}: {what} can only be {only}")]
    WallNotSupported {
        /// The wall.
        wall: usize,
        /// The use of the wall.
        what: &'static str,
        /// The supported walls.
        only: &'static str,
    },
    /// A shape of a wall is not valid.
    #[error("invalid shape of a wall: {problem}")]
    InvalidShape {
        /// The reason.
        problem: &'static str,
    },
}
