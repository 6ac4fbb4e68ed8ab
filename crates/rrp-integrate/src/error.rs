//! Errors of bodies, states and steps.

use rrp_geom::GeomError;
use rrp_geom::glam::DVec3;
use thiserror::Error;

/// An error of a [`ForceField`](crate::ForceField); downcast it to the type of the field.
///
/// `?` does not turn it into a `Box<dyn Error>`, since no box is an error itself. [`IntegrateError::Field`] makes an
/// error of it:
///
/// ```
/// use rrp_integrate::{Bodies, ForceField, IntegrateError, NoForce, State, Wrenches};
///
/// fn forces(bodies: &Bodies, state: &State) -> Result<Wrenches, Box<dyn std::error::Error>> {
///     let mut wrenches = Wrenches::zeros(bodies.len());
///     NoForce.accumulate(bodies, state, 0.0, &mut wrenches).map_err(IntegrateError::Field)?;
///     Ok(wrenches)
/// }
/// # assert!(forces(&Bodies::new([])?, &State::at_rest(0)).is_ok());
/// # Ok::<(), IntegrateError>(())
/// ```
pub type FieldError = Box<dyn std::error::Error + Send + Sync>;

/// Why bodies or a state are refused, or a step fails. A failed step leaves the state and the memory of the field as
/// they were.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IntegrateError {
    /// A mass is not finite and positive.
    #[error("body {body}: the mass and its reciprocal must be finite and positive, but the mass is {mass:e}")]
    InvalidMass {
        /// The body.
        body: usize,
        /// Mass of the body in kg.
        mass: f64,
    },
    /// A radius is not finite or negative.
    #[error("body {body}: the radius must be finite and not negative, but is {radius:?}")]
    InvalidRadius {
        /// The body.
        body: usize,
        /// Radius of the body in m.
        radius: f64,
    },
    /// A principal moment of inertia is not finite and positive.
    #[error(
        "body {body}: principal moments of inertia and their reciprocals must be finite and positive, but they are {:?}",
        .inertia.to_array()
    )]
    InvalidInertia {
        /// The body.
        body: usize,
        /// Principal moments of the body in kg m².
        inertia: DVec3,
    },
    /// One principal moment is larger than the sum of the other two, which no mass distribution has.
    #[error(
        "body {body}: no body has the principal moments of inertia {:?}, the largest exceeds the sum of the others",
        .inertia.to_array()
    )]
    InertiaTriangle {
        /// The body.
        body: usize,
        /// Principal moments of the body in kg m².
        inertia: DVec3,
    },
    /// A time step is not finite and positive.
    #[error("the time step must be finite and positive, but is {dt:?}")]
    InvalidTimeStep {
        /// The time step in s.
        dt: f64,
    },
    /// The weight φ of `[BG21] (26)` is outside [0, 1].
    #[error("the weight of the old force must lie in [0, 1], but is {weight:?}")]
    InvalidWeight {
        /// The weight φ.
        weight: f64,
    },
    /// A number of a global damping is out of its range.
    #[error("the {parameter} of the damping must be {range}, but is {value:?}")]
    InvalidDamping {
        /// The number.
        parameter: &'static str,
        /// Range of values that the number may have.
        range: &'static str,
        /// Value of the number.
        value: f64,
    },
    /// [`Map::Rodrigues27`](crate::Map::Rodrigues27) cannot be damped.
    #[error(
        "Map::Rodrigues27 has no two half kicks, which damping needs: use Map::Rodrigues25 or another one of order 2"
    )]
    UndampedMap,
    /// A column does not have one entry for each body.
    #[error("{column}: expected one entry for each of {expected} bodies, found {found}")]
    LengthMismatch {
        /// The quantity in the column.
        column: &'static str,
        /// Number of bodies.
        expected: usize,
        /// Number of entries.
        found: usize,
    },
    /// Numbers of bodies of which one occurs twice, or is not below their count.
    #[error("body {body}: its former number {former} was given before or is not below {bodies}, the number of bodies")]
    InvalidNumbering {
        /// The body by its new number.
        body: usize,
        /// Former number of the body.
        former: usize,
        /// Number of bodies.
        bodies: usize,
    },
    /// A state holds a value that is not finite.
    #[error("body {body}: the {column} is not finite: {:?}", .value.to_array())]
    StateNotFinite {
        /// The quantity in the column.
        column: &'static str,
        /// The body.
        body: usize,
        /// The value.
        value: DVec3,
    },
    /// The time of a state is not finite.
    #[error("the time of a state must be finite, but is {time:?}")]
    TimeNotFinite {
        /// The time in s.
        time: f64,
    },
    /// A state holds an attitude that is not a rotation.
    #[error("body {body}: the attitude is not a rotation")]
    InvalidAttitude {
        /// The body.
        body: usize,
        /// Reason why the attitude is no rotation.
        source: GeomError,
    },
    /// The map is defined for spherical inertia only.
    #[error(
        "body {body}: this map needs equal principal moments of inertia, but they are {:?}; use Map::MoserVeselov or Map::CayleySplitting",
        .inertia.to_array()
    )]
    NotSpherical {
        /// The body.
        body: usize,
        /// Principal moments of the body in kg m².
        inertia: DVec3,
    },
    /// A step or a field needs attitudes, and the state has none.
    #[error("the state has no attitudes, which only spheres under forces that do not depend on them can do without")]
    NoAttitudes,
    /// A body would turn by a quarter turn or more in one step of `[BG21] (21)` or (23), where h|P| < 1 is needed.
    #[error(
        "body {body}: h|P| = {turn:?} at the middle of the step, this map needs it below 1; reduce the time step below {dt_limit:.3e}"
    )]
    TurnTooLarge {
        /// The body.
        body: usize,
        /// h|P|, the sine of the step's angle.
        turn: f64,
        /// The time step at which h|P| would be one with the same P, in s.
        dt_limit: f64,
    },
    /// A force or torque is not finite.
    #[error("body {body}: the force {:?} or the torque {:?} is not finite", .force.to_array(), .torque.to_array())]
    ForceNotFinite {
        /// The body.
        body: usize,
        /// The force in N, world frame.
        force: DVec3,
        /// The torque in N m, world frame.
        torque: DVec3,
    },
    /// An implicit equation was not solved.
    #[error(
        "body {body}: no convergence after {iterations} iterations, relative residual {residual:.3e}; reduce the time step"
    )]
    NotConverged {
        /// The body with the largest residual.
        body: usize,
        /// Iterations taken.
        iterations: usize,
        /// Residual relative to the largest velocity or momentum (implicit step) or to h|p| (Moser-Veselov map).
        residual: f64,
    },
    /// A contact and a field that replaces it both act on a pair.
    #[error("bodies {} and {} have a contact and a tie in its place: leave the pair out of the list of contacts", pair[0], pair[1])]
    ContactReplacedTwice {
        /// The bodies.
        pair: [usize; 2],
    },
    /// The force field failed. Message and source are those of the field's error; match this variant and downcast
    /// what is in it to the type of that error.
    #[error(transparent)]
    Field(FieldError),
    /// An integrator of another crate failed. Message and source are those of its error, as in
    /// [`Field`](Self::Field).
    #[error(transparent)]
    Method(FieldError),
}
