//! Errors of liquid bridges.

use thiserror::Error;

/// Errors of liquid bridges.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BridgeError {
    /// Liquid on a body is negative, or more than the volume of the body.
    #[error("body {body}: its liquid must be between 0 and its own volume, {most:e} m³, but is {liquid:e} m³")]
    LiquidOutOfRange {
        /// Number of the body with too much or negative liquid.
        body: usize,
        /// Liquid on the body in m³, which is out of its range.
        liquid: f64,
        /// Volume of the body in m³, the most liquid that it may carry.
        most: f64,
    },
    /// A wall that was given liquid for bridges is no plane.
    #[error("wall {wall} is no plane: bridges reach only planes")]
    NoPlane {
        /// Number of the wall with liquid that is no plane.
        wall: usize,
    },
    /// Two walls that were given liquid for bridges have the same wall number.
    #[error("two wet walls have the number {wall}: give each its own")]
    SameNumber {
        /// Wall number that two walls with liquid share.
        wall: usize,
    },
    /// A restored bridge joins a body or wall that does not exist, or is stored twice or out of order.
    #[error("bridge {bridge} joins what is not there, or is there twice")]
    NoSuchBridge {
        /// Number of the restored bridge in the stored list of bridges.
        bridge: usize,
    },
}
