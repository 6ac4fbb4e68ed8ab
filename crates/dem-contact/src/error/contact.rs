use thiserror::Error;

/// Errors of contacts: bodies that overlap too far, go through walls or cannot touch, energy that grows, and restored
/// histories that belong to no contact.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContactError {
    /// Two bodies overlap by a radius or more, or are at one point: the contact has no reliable normal.
    #[error("bodies {bodies:?}: the overlap {overlap:?} is not smaller than the smaller radius {radius:?}")]
    OverlapTooLarge {
        /// Numbers of the two bodies that overlap.
        bodies: [usize; 2],
        /// Overlap δ of the two bodies in m.
        overlap: f64,
        /// Radius in m of the smaller one of the two bodies.
        radius: f64,
    },
    /// The overlap of a body with a wall is not smaller than the radius of the body: its centre is behind the wall.
    #[error("body {body}: the overlap {overlap:?} with wall {wall} is not smaller than its radius {radius:?}")]
    BehindWall {
        /// Number of the body whose centre is behind the wall.
        body: usize,
        /// Number of the wall that the body is behind.
        wall: usize,
        /// Overlap δ of the body with the wall in m.
        overlap: f64,
        /// Radius in m of the body behind the wall.
        radius: f64,
    },
    /// The centre of a body went through a wall within one step, so that the contact force could not stop the body.
    #[error(
        "body {body}: its centre went through wall {wall} within one step, a way of {way:?} beside a radius of {radius:?}"
    )]
    CrossedWall {
        /// Number of the body whose centre went through the wall.
        body: usize,
        /// Number of the wall that the centre went through.
        wall: usize,
        /// Displacement in m of the body in the step, relative to the wall that its centre went through.
        way: f64,
        /// Radius in m of the body that went through the wall.
        radius: f64,
    },
    /// None of the free bodies has a radius, so that they fall through each other and through walls.
    #[error(
        "none of the {free} bodies that move has a radius, so they touch nothing: `Body::sphere(mass, radius)` makes spheres"
    )]
    NothingCanTouch {
        /// Number of bodies that are not fixed, none of which has a radius.
        free: usize,
    },
    /// The mechanical energy grew without a source, usually because the time step is too long for the contacts.
    #[error(
        "time {time:?}: the mechanical energy {energy:?} exceeds that of the start, {start:?}, by more than {margin:?} of the largest kinetic energy so far, {kinetic:?}; reduce the time step"
    )]
    EnergyExploded {
        /// Time in s at which the energy was found to have grown.
        time: f64,
        /// Kinetic and potential energy in J at the time when it was found to have grown.
        energy: f64,
        /// Kinetic plus potential energy in J at the start of the run.
        start: f64,
        /// Largest kinetic energy in J that the bodies had at any time since the start.
        kinetic: f64,
        /// Share of the largest kinetic energy by which the energy may exceed that at the start.
        margin: f64,
    },
    /// A restored contact history (tangential displacement) belongs to no contact: its body or wall does not exist, it
    /// is given twice or out of order, it is not seen from the body with the lower id, or its normal is not of length
    /// one.
    #[error("history of {what} {contact:?}: {problem}")]
    StrayHistory {
        /// Kind of the contact that the history names: `bodies`, or `wall and body`.
        what: &'static str,
        /// Numbers of the two bodies, or of wall and body, that the history names.
        contact: [usize; 2],
        /// Reason why the history belongs to no contact.
        problem: &'static str,
    },
    /// An angular velocity was prescribed for a body that does not exist or is not fixed.
    #[error("body {body} of {bodies}: only fixed bodies are given a spin by contacts; set that of the state instead")]
    SpinOfFreeBody {
        /// Number of the body for which the angular velocity was prescribed.
        body: usize,
        /// Number of bodies of the run.
        bodies: usize,
    },
}
