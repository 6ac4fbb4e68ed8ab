//! Errors of liquid bridges.

use thiserror::Error;

/// Errors of liquid bridges.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BridgeError {
    /// Liquid on a body is negative, or more than the volume of the body.
    #[error("body {body}: its liquid must be between 0 and its own volume, {most:e} m³, but is {liquid:e} m³")]
    LiquidOutOfRange {
        /// The body.
        body: usize,
        /// Liquid in m³.
        liquid: f64,
        /// Volume of the body in m³.
        most: f64,
    },
    /// A wet plane has a normal without direction.
    #[error("wet plane {plane}: its normal has no direction")]
    PlaneWithoutNormal {
        /// The plane.
        plane: usize,
    },
    /// A wet plane is not parallel to a periodic direction.
    #[error("wet plane {plane} crosses the periodic direction {axis}: its normal must have no part along it")]
    PlaneAcrossPeriod {
        /// The plane.
        plane: usize,
        /// The direction: 0, 1 or 2.
        axis: usize,
    },
    /// A restored bridge joins what is not there, or is there twice.
    #[error("bridge {bridge} joins what is not there, or is there twice")]
    NoSuchBridge {
        /// The bridge.
        bridge: usize,
    },
}
