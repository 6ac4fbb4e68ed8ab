use thiserror::Error;

/// Errors of liquid bridges.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BridgeError {
    /// The liquid on a body is negative, or more than the volume of the body.
    #[error("body {body}: its liquid must be between 0 and its own volume, {most:e} m³, but is {liquid:e} m³")]
    LiquidOutOfRange {
        /// Number of the body with too much or negative liquid.
        body: usize,
        /// Liquid on the body in m³, which is out of its range.
        liquid: f64,
        /// Volume of the body in m³, which is the upper limit of the liquid on this body.
        most: f64,
    },
    /// A wall that was given liquid bridges is not a plane.
    #[error("wall {wall} is no plane: bridges reach only planes")]
    NoPlane {
        /// Number of the wall that liquid bridges cannot reach, because it is not a plane.
        wall: usize,
    },
    /// Two walls that were given liquid bridges have the same number.
    #[error("two wet walls have the number {wall}: give each its own")]
    SameNumber {
        /// Number that two walls with liquid bridges share.
        wall: usize,
    },
    /// A restored bridge joins a body or wall that does not exist, or is stored twice or out of order.
    #[error("bridge {bridge} joins what is not there, or is there twice")]
    NoSuchBridge {
        /// Number of the restored bridge in the stored list of bridges.
        bridge: usize,
    },
}
