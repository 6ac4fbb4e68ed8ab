use rrp_geom::glam::{DMat3, DVec3};
use thiserror::Error;

use crate::error::text::vector;

/// Errors of domains, positions and neighbour lists.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ListError {
    /// The upper corner of a domain is not above its lower corner, or a corner is not finite.
    #[error("the domain must have low < high in each direction, but low = {}, high = {}", vector(.low), vector(.high))]
    InvalidDomain {
        /// Lower corner of the invalid domain in m.
        low: DVec3,
        /// Upper corner of the invalid domain in m.
        high: DVec3,
    },
    /// The box cannot follow a velocity gradient: rates must be finite, and shear that of two periodic directions.
    #[error(
        "a box deforms by finite rates of periodic edges and one shear of two periodic directions, but the velocity gradient is {rates:?}"
    )]
    InvalidDeformation {
        /// Velocity gradient in 1/s that the box cannot follow; for a stored box, the speeds of the edges in m/s.
        rates: DMat3,
    },
    /// A method was called that needs a box at rest.
    #[error("{what} cannot be in a box that deforms or is sheared")]
    Deforms {
        /// Name of the method, or of the object in the box, that needs the box at rest.
        what: &'static str,
    },
    /// There are more bodies than a neighbour list, bonds or ties can number.
    #[error("{bodies} bodies are more than the {limit} that a list can hold")]
    TooManyBodies {
        /// Number of bodies that were given.
        bodies: usize,
        /// Largest number of bodies that can be numbered.
        limit: usize,
    },
    /// No ids (permanent names of bodies) are left for new bodies, since an id is never used again.
    #[error("{given} ids of bodies were given, there are none left for {new} more")]
    NoIdsLeft {
        /// Number of ids that were assigned to bodies so far.
        given: u32,
        /// Number of new bodies for which no ids are left.
        new: usize,
    },
    /// Bodies have more neighbours in total than a neighbour list can hold.
    #[error(
        "bodies have more than {limit} neighbours each: they lie on one point, or the cutoff {cutoff:?} (largest diameter and skin) is too large for the others"
    )]
    TooManyNeighbors {
        /// Largest possible number of neighbours of a body, on average over all bodies.
        limit: usize,
        /// Cutoff in m: the largest distance at which two bodies are neighbours in the list.
        cutoff: f64,
    },
    /// The centre of a body is not finite.
    #[error("body {body}: the position {} is not finite", vector(.position))]
    PositionNotFinite {
        /// Number of the body whose centre is not finite.
        body: usize,
        /// Centre in m of the body whose position is not finite.
        position: DVec3,
    },
    /// The centre of a body left the domain through a closed side.
    #[error("body {body}: the position {} is outside the domain, {low:?} to {high:?} in direction {direction}", vector(.position))]
    OutsideDomain {
        /// Number of the body that left the domain.
        body: usize,
        /// Centre in m of the body that left the domain.
        position: DVec3,
        /// Direction in which the body left the domain: 0, 1 or 2.
        direction: usize,
        /// Lower end of the domain in m, in the direction in which the body left it.
        low: f64,
        /// Upper end of the domain in m, in the direction in which the body left it.
        high: f64,
    },
    /// Bodies of one rank have moved so far that the neighbour list of this rank may lack pairs that touch.
    #[error("the list of a subdomain does not hold any longer: cut the bodies of all subdomains into tiles again")]
    SubdomainOutdated,
    /// The centres of the bodies of one rank were not read before the contacts of this rank were evaluated.
    #[error("the centres of a subdomain are old: call `read_centres` before each evaluation")]
    CentresNotRead,
    /// The cutoff of a neighbour list exceeds half a period: two bodies could touch through two periodic images.
    #[error("the cutoff {cutoff:?} (diameter and skin) is beyond half the period {length:?} in direction {direction}")]
    CutoffTooLarge {
        /// Cutoff in m: the largest distance at which two bodies are neighbours in the list.
        cutoff: f64,
        /// Period of the domain in m, in the direction in which it is too short for the cutoff.
        length: f64,
        /// Direction with the short period: 0, 1 or 2.
        direction: usize,
    },
}
