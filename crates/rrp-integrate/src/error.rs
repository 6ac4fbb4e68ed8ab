use rrp_geom::GeomError;
use rrp_geom::glam::DVec3;
use thiserror::Error;

/// An error of a [`ForceField`](crate::ForceField); downcast it to the error type of the field.
///
/// A box of an error does not implement `Error`, so the operator `?` cannot convert it to a `Box<dyn Error>`. Wrap the
/// box in [`IntegrateError::Field`]:
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

/// Reason why bodies or a state are refused, or why a step fails. A failed step leaves the state and the history of the
/// force field unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IntegrateError {
    /// The mass of a body is not finite and positive.
    #[error("body {body}: the mass and its reciprocal must be finite and positive, but the mass is {mass:e}")]
    InvalidMass {
        /// Number of the body with the refused mass.
        body: usize,
        /// Mass in kg that is not finite and positive.
        mass: f64,
    },
    /// The radius of a body is not finite, or is negative.
    #[error("body {body}: the radius must be finite and not negative, but is {radius:?}")]
    InvalidRadius {
        /// Number of the body with the refused radius.
        body: usize,
        /// Radius in m that is not finite, or is negative.
        radius: f64,
    },
    /// A principal moment of inertia of a body is not finite and positive.
    #[error(
        "body {body}: principal moments of inertia and their reciprocals must be finite and positive, but they are {:?}",
        .inertia.to_array()
    )]
    InvalidInertia {
        /// Number of the body with the refused moments of inertia.
        body: usize,
        /// Principal moments of inertia in kg m², one of which is not finite and positive.
        inertia: DVec3,
    },
    /// One principal moment of a body is larger than the sum of the other two, which no mass distribution has.
    #[error(
        "body {body}: no body has the principal moments of inertia {:?}, the largest exceeds the sum of the others",
        .inertia.to_array()
    )]
    InertiaTriangle {
        /// Number of the body whose moments of inertia are impossible.
        body: usize,
        /// Principal moments of inertia in kg m², one of which is larger than the sum of the other two.
        inertia: DVec3,
    },
    /// A time step is not finite and positive.
    #[error("the time step must be finite and positive, but is {dt:?}")]
    InvalidTimeStep {
        /// Time step in s that is not finite and positive.
        dt: f64,
    },
    /// The weight φ of the force at the start of the step, in the implicit map `[BG21] (26)`, is outside [0, 1].
    #[error("the weight of the old force must lie in [0, 1], but is {weight:?}")]
    InvalidWeight {
        /// Weight φ of the force at the start of the step, dimensionless, that is outside [0, 1].
        weight: f64,
    },
    /// A parameter of a global damping is outside its range.
    #[error("the {parameter} of the damping must be {range}, but is {value:?}")]
    InvalidDamping {
        /// Name of the damping parameter that is outside its range.
        parameter: &'static str,
        /// Description of the range that the damping parameter must lie in.
        range: &'static str,
        /// Value of the damping parameter that is outside its range.
        value: f64,
    },
    /// Global damping with [`Map::Rodrigues27`](crate::Map::Rodrigues27): damping needs two half kicks, this map has
    /// one kick.
    #[error(
        "Map::Rodrigues27 has no two half kicks, which damping needs: use Map::Rodrigues25 or another one of order 2"
    )]
    UndampedMap,
    /// A column of a state, of wrenches or of a numbering does not have one entry for each body.
    #[error("{column}: expected one entry for each of {expected} bodies, found {found}")]
    LengthMismatch {
        /// Name of the column that does not have one entry for each body.
        column: &'static str,
        /// Expected number of entries, one for each body.
        expected: usize,
        /// Number of entries that the refused column has.
        found: usize,
    },
    /// A renumbering is invalid: a former number occurs twice, or is not below the number of bodies.
    #[error("body {body}: its former number {former} was given before or is not below {bodies}, the number of bodies")]
    InvalidNumbering {
        /// New number of the body whose former number is invalid.
        body: usize,
        /// Former number that occurs twice or is too large.
        former: usize,
        /// Number of bodies before the change plus the number of bodies that are added. Each old number in the renumbering
        /// must be below this sum.
        bodies: usize,
    },
    /// A state of bodies holds a value that is not finite.
    #[error("body {body}: the {column} is not finite: {:?}", .value.to_array())]
    StateNotFinite {
        /// Name of the column of the state with the value that is not finite.
        column: &'static str,
        /// Number of the first body with a value that is not finite.
        body: usize,
        /// Value of the state's column for this body, which is not finite.
        value: DVec3,
    },
    /// The time of a state of bodies is not finite.
    #[error("the time of a state must be finite, but is {time:?}")]
    TimeNotFinite {
        /// Refused time of the state in s.
        time: f64,
    },
    /// A state of bodies holds an attitude that is not a rotation.
    #[error("body {body}: the attitude is not a rotation")]
    InvalidAttitude {
        /// Number of the body whose attitude is not a rotation.
        body: usize,
        /// Reason why the attitude is not a rotation.
        source: GeomError,
    },
    /// The chosen [`Map`](crate::Map) of attitudes is only for bodies with three equal moments of inertia.
    #[error(
        "body {body}: this map needs equal principal moments of inertia, but they are {:?}; use Map::MoserVeselov or Map::CayleySplitting",
        .inertia.to_array()
    )]
    NotSpherical {
        /// Number of the first body with unequal moments of inertia.
        body: usize,
        /// Unequal principal moments of inertia of the body in kg m².
        inertia: DVec3,
    },
    /// A step or a field needs the attitudes of bodies, but the state has none.
    #[error("the state has no attitudes, which only spheres under forces that do not depend on them can do without")]
    NoAttitudes,
    /// A body would turn too far in one step of length h: `[BG21] (21)` and (23) need h|P| < 1 for the angular velocity
    /// P.
    #[error(
        "body {body}: h|P| = {turn:?} at the middle of the step, this map needs it below 1; reduce the time step below {dt_limit:.3e}"
    )]
    TurnTooLarge {
        /// Number of the body that would turn too far.
        body: usize,
        /// Value of h|P|, time step times angular velocity, which is the sine of the angle of the turn.
        turn: f64,
        /// Time step in s at which the body would turn by a quarter turn, at the same angular velocity.
        dt_limit: f64,
    },
    /// A force field gave a force or torque that is not finite.
    #[error("body {body}: the force {:?} or the torque {:?} is not finite", .force.to_array(), .torque.to_array())]
    ForceNotFinite {
        /// Number of the body with the force or torque that is not finite.
        body: usize,
        /// Force on the body in N, world frame.
        force: DVec3,
        /// Torque on the body in N m, world frame.
        torque: DVec3,
    },
    /// An iteration for an implicit step or for the Moser-Veselov map did not converge.
    #[error(
        "body {body}: no convergence after {iterations} iterations, relative residual {residual:.3e}; reduce the time step"
    )]
    NotConverged {
        /// Number of the body with the largest residual when the iteration stopped without convergence.
        body: usize,
        /// Number of iterations after which the iteration of the step or the map stopped without convergence.
        iterations: usize,
        /// Residual relative to the largest velocity or momentum (implicit step) or to h|p| (Moser-Veselov map).
        residual: f64,
    },
    /// A pair of bodies has both a contact and a field that replaces contacts, such as a tie of the two bodies.
    #[error("bodies {} and {} have a contact and a tie in its place: leave the pair out of the list of contacts", pair[0], pair[1])]
    ContactReplacedTwice {
        /// Numbers of the two bodies that have both a contact and a tie.
        pair: [usize; 2],
    },
    /// The force field failed. Message and source are those of the error of the field: match this variant and downcast
    /// the boxed error.
    #[error(transparent)]
    Field(FieldError),
    /// An integrator of another crate failed. Message and source are those of the error of the integrator, as in
    /// [`Field`](Self::Field).
    #[error(transparent)]
    Method(FieldError),
}
