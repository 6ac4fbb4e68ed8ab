use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::text::{left_over, vector};

/// Errors of static equilibrium and packings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StaticsError {
    /// The load on a body is not finite.
    #[error("body {body}: the load {} is not finite", vector(.load))]
    InvalidLoad {
        /// Number of the body with a load that is not finite.
        body: usize,
        /// Load in N on the body, with a component that is not finite.
        load: DVec3,
    },
    /// No static equilibrium was found in the allowed number of steps.
    #[error(
        "no equilibrium after {steps} steps: residual {residual:?}, tolerance {tolerance:?}; body {body} is balanced least, to {own_residual:.1e} of the forces on it; allow more steps, or check that the load can be held"
    )]
    NoEquilibrium {
        /// Number of steps of dynamic relaxation that were taken.
        steps: usize,
        /// Residual at the end: the largest unbalanced force over the mean contact force.
        residual: f64,
        /// Tolerance of static equilibrium: the residual that was asked for.
        tolerance: f64,
        /// Number of the body with the largest unbalanced force relative to the sum of the magnitudes of its forces.
        body: usize,
        /// Unbalanced force on the least balanced body over the sum of the magnitudes of all forces on this body.
        own_residual: f64,
    },
    /// No contact can hold the load on a body, which can move along the load without meeting a wall or a fixed body.
    #[error("body {body}: nothing can hold its load {} at {}; add a wall or fix bodies", vector(.load), vector(.position))]
    Unsupported {
        /// Number of the body whose load nothing can hold.
        body: usize,
        /// Load in N on the body that nothing can hold.
        load: DVec3,
        /// Centre in m of the unsupported body when it became certain that nothing holds it.
        position: DVec3,
    },
    /// A search found no room for all spheres of a packing in the domain.
    #[error("{bodies} spheres, {fraction:.3} of the domain, do not fit{}; take fewer", left_over(*.overlap))]
    DoesNotFit {
        /// Number of spheres that do not fit.
        bodies: usize,
        /// Volume of the spheres that do not fit, relative to the volume of the domain.
        fraction: f64,
        /// Largest overlap that was left, over the radius of the smaller sphere; NaN if no search for room was made.
        overlap: f64,
    },
    /// Spheres of a packing came too near to the back of a one-sided surface of revolution.
    #[error(
        "{at_back} of {bodies} spheres came to the back of a surface of revolution with one side, where they may not touch it; give it both sides or a thickness, or pack on one side of it"
    )]
    AtBack {
        /// Number of spheres of the packing.
        bodies: usize,
        /// Number of spheres at the back of the surface, nearer to it than their radius.
        at_back: usize,
    },
}
