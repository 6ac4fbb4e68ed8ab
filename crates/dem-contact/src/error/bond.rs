//! Errors of bonds and ties.

use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::text::number;

/// Errors of bonds and ties.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BondError {
    /// A stiffness or strength of a bond, or a number of a restored rupture, is out of its range.
    #[error("bond {bond}: the {parameter} must be {range}, but is {}", number(*.value))]
    InvalidBond {
        /// Number of the bond, in the order in which bonds were given.
        bond: usize,
        /// Name of the parameter.
        parameter: &'static str,
        /// Allowed values.
        range: &'static str,
        /// Value found.
        value: f64,
    },
    /// The centres of bonded bodies are at one point or not finite, in the reference or later: the bond has no
    /// direction.
    #[error("bond {bond} of bodies {bodies:?}: the distance {length:?} gives it no direction")]
    BondWithoutLength {
        /// The bond.
        bond: usize,
        /// The two bodies.
        bodies: [usize; 2],
        /// Distance of the centres in m.
        length: f64,
    },
    /// Bodies overlap in the reference of a bond that has a contact stiffness.
    #[error("bond {bond} of bodies {bodies:?}: they overlap at the start, {length:?} is less than {diameter:?}")]
    BondOverlap {
        /// The bond.
        bond: usize,
        /// The two bodies.
        bodies: [usize; 2],
        /// Distance of the centres in m.
        length: f64,
        /// Sum of the radii in m.
        diameter: f64,
    },
    /// More bonds than can be numbered.
    #[error("{bonds} bonds are more than the {limit} that can be numbered")]
    TooManyBonds {
        /// Number of bonds.
        bonds: usize,
        /// Largest number possible.
        limit: usize,
    },
    /// A bond across a side of a periodic domain is not of this domain.
    #[error("bond {bond} joins bodies {:?} m apart across sides, which are no periods of the box, {:?} m", .offset.to_array(), .periods.to_array())]
    OtherPeriods {
        /// The bond.
        bond: usize,
        /// Vector from the body to the image that is bonded, in m.
        offset: DVec3,
        /// Periods of the domain in m, zero along axes without.
        periods: DVec3,
    },
    /// A numbering says that a bonded or tied body is gone.
    #[error("{what} {which} joins body {body}, which is to be taken away")]
    BodyGone {
        /// `bond` or `tie`.
        what: &'static str,
        /// Number of the bond or tie, in the order in which they were given.
        which: usize,
        /// The body, by its former number.
        body: usize,
    },
    /// A bond or tie joins a body with itself or with a body that does not exist, or a pair has two ties.
    #[error("{what} {which}: {bodies:?} is no pair of two of the {len} bodies{}", if *.what == "tie" { " that has no tie yet" } else { "" })]
    InvalidLink {
        /// `bond` or `tie`.
        what: &'static str,
        /// Number of the bond or tie, in the order in which they were given.
        which: usize,
        /// The pair.
        bodies: [usize; 2],
        /// Number of bodies.
        len: usize,
    },
}
