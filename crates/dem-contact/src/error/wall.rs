//! What can go wrong with walls and their shapes.

use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::parameter::{number, vector};

/// What can go wrong with walls and their shapes.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WallError {
    /// The normal of a wall has no direction, its place or its motion is not finite, or its rotation is none.
    #[error("wall {wall}: the {parameter} must be {range}, but is {}", number(*.value))]
    InvalidWall {
        /// The wall.
        wall: usize,
        /// Which quantity is wrong; of a vector, `value` is one of its components.
        parameter: &'static str,
        /// Which values it may have.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// A wall cuts across a periodic direction, where its place is not defined.
    #[error("wall {wall}: a plane or cylinder along {} cannot go on in the periodic direction {direction}", vector(.axis))]
    WallAcrossPeriodic {
        /// The wall.
        wall: usize,
        /// The unit normal of a plane, the axis of a cylinder; the one about which it turns, where that is why.
        axis: DVec3,
        /// The direction: 0, 1 or 2.
        direction: usize,
    },
    /// A wall of a kind that this use of walls does not know.
    #[error("wall {wall}: {what} can only be {only}")]
    WallNotSupported {
        /// The wall.
        wall: usize,
        /// What the wall is for.
        what: &'static str,
        /// Which walls are.
        only: &'static str,
    },
    /// A shape of walls that is none.
    #[error("a shape is not one: {problem}")]
    InvalidShape {
        /// What is wrong.
        problem: &'static str,
    },
}
