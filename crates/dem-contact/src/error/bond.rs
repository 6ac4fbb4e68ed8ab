use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::text::number;

/// Errors of bonds and ties.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BondError {
    /// A stiffness or strength of a bond, or a value of a restored broken bond, is out of its range.
    #[error("bond {bond}: the {parameter} must be {range}, but is {}", number(*.value))]
    InvalidBond {
        /// Number of the bond with the invalid parameter, in the order in which bonds were given.
        bond: usize,
        /// Name of the bond's parameter that is out of its range.
        parameter: &'static str,
        /// Allowed values of the bond's parameter, in words.
        range: &'static str,
        /// Value of the bond's parameter that was found.
        value: f64,
    },
    /// The centres of two bonded bodies coincide or are not finite, in the reference state of the bond or later.
    #[error("bond {bond} of bodies {bodies:?}: the distance {length:?} gives it no direction")]
    BondWithoutLength {
        /// Number of the bond that has no direction.
        bond: usize,
        /// Numbers of the two bodies that the bond without a direction joins.
        bodies: [usize; 2],
        /// Distance of the centres of the bonded bodies in m.
        length: f64,
    },
    /// Two bodies overlap in the reference state of their bond although the bond has a contact stiffness.
    #[error("bond {bond} of bodies {bodies:?}: they overlap at the start, {length:?} is less than {diameter:?}")]
    BondOverlap {
        /// Number of the bond whose bodies overlap.
        bond: usize,
        /// Numbers of the two bodies that overlap.
        bodies: [usize; 2],
        /// Distance of the centres of the bonded bodies in m.
        length: f64,
        /// Sum of the radii of the bonded bodies in m.
        diameter: f64,
    },
    /// More bonds were given than can be numbered.
    #[error("{bonds} bonds are more than the {limit} that can be numbered")]
    TooManyBonds {
        /// Number of bonds that were given.
        bonds: usize,
        /// Largest number of bonds that can be numbered.
        limit: usize,
    },
    /// A bond across a side of a periodic domain was made in a domain with other periods.
    #[error("bond {bond} joins bodies {:?} m apart across sides, which are no periods of the box, {:?} m", .offset.to_array(), .periods.to_array())]
    OtherPeriods {
        /// Number of the bond that belongs to another domain.
        bond: usize,
        /// Vector in m from a body of the bond to the periodic image of this body that the bond joins.
        offset: DVec3,
        /// Periods of the present domain in m, zero along axes that are not periodic.
        periods: DVec3,
    },
    /// A renumbering removes a body that a bond or tie still joins to another one.
    #[error("{what} {which} joins body {body}, which is to be taken away")]
    BodyGone {
        /// Kind of the link to the removed body: `bond` or `tie`.
        what: &'static str,
        /// Number of the bond or tie to the removed body, in the order in which bonds or ties were given.
        which: usize,
        /// Former number of the body that is removed.
        body: usize,
    },
    /// A bond or tie joins a body with itself or with a body that does not exist, or a pair has two ties.
    #[error("{what} {which}: {bodies:?} is no pair of two of the {len} bodies{}", if *.what == "tie" { " that has no tie yet" } else { "" })]
    InvalidLink {
        /// Kind of the invalid link: `bond` or `tie`.
        what: &'static str,
        /// Number of the invalid bond or tie, in the order in which bonds or ties were given.
        which: usize,
        /// Numbers of the two bodies that the link joins.
        bodies: [usize; 2],
        /// Number of bodies of the run.
        len: usize,
    },
}
