//! Errors of contacts of a state and of restored histories.

use thiserror::Error;

/// Errors of contacts of a state and of restored histories.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContactError {
    /// Two bodies overlap by a radius or more, or are at one point: the contact has no reliable normal.
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
    /// The centre of a body went through a wall within one step, so that the wall did not hold it.
    #[error(
        "body {body}: its centre went through wall {wall} within one step, a way of {way:?} beside a radius of {radius:?}"
    )]
    CrossedWall {
        /// The body.
        body: usize,
        /// The wall.
        wall: usize,
        /// Displacement of the body relative to the wall in the step, in m.
        way: f64,
        /// Radius in m.
        radius: f64,
    },
    /// No body that moves has a radius, so that all fall through each other and through walls.
    #[error(
        "none of the {free} bodies that move has a radius, so they touch nothing: `Body::sphere(mass, radius)` makes spheres"
    )]
    NothingCanTouch {
        /// Number of bodies that are not fixed.
        free: usize,
    },
    /// The mechanical energy grew without a source: the time step is too long for the contacts.
    #[error(
        "time {time:?}: the mechanical energy {energy:?} exceeds that of the start, {start:?}, by more than {margin:?} of the largest kinetic energy so far, {kinetic:?}; reduce the time step"
    )]
    EnergyExploded {
        /// Time in s.
        time: f64,
        /// Kinetic and potential energy in J.
        energy: f64,
        /// Kinetic and potential energy at the start in J.
        start: f64,
        /// Largest kinetic energy so far in J.
        kinetic: f64,
        /// Share of the largest kinetic energy by which the energy may grow.
        margin: f64,
    },
    /// A restored history belongs to no contact: its body or wall does not exist, it is given twice, or it has no
    /// direction.
    #[error("history of {what} {contact:?}: {problem}")]
    StrayHistory {
        /// The kind of contact: `bodies`, or `wall and body`.
        what: &'static str,
        /// Bodies, or wall and body.
        contact: [usize; 2],
        /// The reason.
        problem: &'static str,
    },
    /// A spin was given to a body that is not fixed, or not there.
    #[error("body {body} of {bodies}: only fixed bodies are given a spin by contacts; set that of the state instead")]
    SpinOfFreeBody {
        /// The body.
        body: usize,
        /// Number of bodies.
        bodies: usize,
    },
}
