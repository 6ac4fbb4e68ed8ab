//! What can go wrong with contacts of a state, and what is restored of them.

use thiserror::Error;

/// What can go wrong with contacts of a state, and what is restored of them.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContactError {
    /// Two bodies overlap by a radius or more, or are at one point: no normal can be trusted.
    #[error("bodies {bodies:?}: the overlap {overlap:?} is not smaller than the smaller radius {radius:?}")]
    OverlapTooLarge {
        /// The bodies.
        bodies: [usize; 2],
        /// Overlap δ in m.
        overlap: f64,
        /// The smaller radius in m.
        radius: f64,
    },
    /// The centre of a body is behind a wall.
    #[error("body {body}: the overlap {overlap:?} with wall {wall} is not smaller than its radius {radius:?}")]
    BehindWall {
        /// The body.
        body: usize,
        /// The wall.
        wall: usize,
        /// Overlap δ in m.
        overlap: f64,
        /// Radius in m.
        radius: f64,
    },
    /// Energy came from nowhere: the time step is too long for the contacts.
    #[error(
        "time {time:?}: the mechanical energy {energy:?} exceeds that of the start, {start:?}, by more than {margin:?} of the kinetic energy {kinetic:?}; reduce the time step"
    )]
    EnergyExploded {
        /// Time in s.
        time: f64,
        /// Kinetic and potential energy in J.
        energy: f64,
        /// The same at the start in J.
        start: f64,
        /// Kinetic energy in J.
        kinetic: f64,
        /// Share of the kinetic energy that may be in excess.
        margin: f64,
    },
    /// What is restored of a contact belongs to none: there is no such body or wall, it is given twice, or has no direction.
    #[error("memory of {what} {contact:?}: {problem}")]
    StrayMemory {
        /// Whose contact it is.
        what: &'static str,
        /// Bodies, or wall and body.
        contact: [usize; 2],
        /// What is wrong.
        problem: &'static str,
    },
}
