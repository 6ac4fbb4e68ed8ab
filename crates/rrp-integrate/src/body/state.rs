use rrp_geom::Attitude;
use rrp_geom::glam::DVec3;
use rrp_parallel::two_sum;

use crate::body::bodies::Bodies;
use crate::body::wrenches::Wrenches;
use crate::column::attitude::AttitudeColumn;
use crate::column::vector::VectorColumn;
use crate::error::IntegrateError;

/// Positions, attitudes, velocities and angular momenta of all bodies at one time, in columns; world frame, SI.
///
/// The state stores the angular momentum L of each body about its own centre of mass, in the world frame: a free body
/// of any shape then keeps L bit for bit. [`State::spin`] gives the angular velocity Ω; for a sphere L = J Ω.
///
/// A state carries the wrenches (forces and torques) with which its last step ended, so that the next step need not
/// evaluate them again and a restored state continues with the same bits. Writing to a column discards the wrenches. A
/// state of spheres can do [without attitudes](Self::without_attitudes) if no force depends on them.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "StoredState", into = "StoredState"))]
pub struct State {
    pub(crate) clock: Clock,
    pub(crate) position: VectorColumn,
    pub(crate) attitude: AttitudeColumn,
    pub(crate) velocity: VectorColumn,
    pub(crate) angular_momentum: VectorColumn,
    pub(crate) wrenches: Wrenches,
    /// Whether `wrenches` belong to this state: writing to a column discards them.
    pub(crate) wrenches_current: bool,
}

/// Time of a state with the rounding error of its sum, so that the time does not drift over many steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clock {
    pub(crate) time: f64,
    pub(crate) residue: f64,
}

impl Clock {
    fn after(self, dt: f64) -> Self {
        let [sum, lost] = two_sum(self.time, dt);
        let residue = self.residue + lost;
        let time = sum + residue;
        Self { time, residue: residue - (time - sum) }
    }
}

impl State {
    /// The state of `len` bodies at rest at the origin at time zero, with body axes along world axes.
    #[must_use]
    pub fn at_rest(len: usize) -> Self {
        Self {
            clock: Clock { time: 0.0, residue: 0.0 },
            position: VectorColumn::zeros(len),
            attitude: AttitudeColumn::identity(len),
            velocity: VectorColumn::zeros(len),
            angular_momentum: VectorColumn::zeros(len),
            wrenches: Wrenches::zeros(len),
            wrenches_current: false,
        }
    }

    /// Drops the attitudes of the state, to save memory and time for spheres whose forces do not depend on attitudes.
    ///
    /// Angular momenta and spins stay. Steps and fields that need attitudes then fail with
    /// [`IntegrateError::NoAttitudes`] or another typed error.
    #[must_use]
    pub fn without_attitudes(self) -> Self {
        Self { attitude: AttitudeColumn::default(), ..self }
    }

    /// Whether the state has an attitude for each body; see [`without_attitudes`](Self::without_attitudes).
    #[must_use]
    pub fn has_attitudes(&self) -> bool {
        !self.attitude.is_empty() || self.is_empty()
    }

    /// Number of bodies that the state has rows for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether the state has no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Time of the state in s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.clock.time
    }

    /// Positions of the centres of mass in m, world frame.
    #[must_use]
    pub fn position(&self) -> &VectorColumn {
        &self.position
    }

    /// Attitudes of the bodies, body to world; empty for a state [without attitudes](Self::without_attitudes).
    #[must_use]
    pub fn attitude(&self) -> &AttitudeColumn {
        &self.attitude
    }

    /// Velocities of the centres of mass in m/s, world frame.
    #[must_use]
    pub fn velocity(&self) -> &VectorColumn {
        &self.velocity
    }

    /// Angular momenta about the centres of mass in kg m²/s, world frame.
    #[must_use]
    pub fn angular_momentum(&self) -> &VectorColumn {
        &self.angular_momentum
    }

    /// Angular velocity Ω of body `i` in rad/s, world frame, from its angular momentum, inertia and attitude.
    ///
    /// # Panics
    /// If there is no body `i`, or if it is no sphere and the state has no attitudes.
    #[must_use]
    #[inline(always)]
    pub fn spin(&self, bodies: &Bodies, i: usize) -> DVec3 {
        let momentum = self.angular_momentum.get(i);
        let inverse = bodies.inverse_inertia().get(i);
        if inverse == DVec3::splat(inverse.x) {
            return momentum * inverse.x;
        }
        let attitude = self.attitude.get(i);
        attitude.rotate(inverse * attitude.rotate_inverse(momentum))
    }

    /// Sets the angular velocity (rad/s, world frame) of body `i` at its present attitude. A fixed body gets none.
    ///
    /// # Panics
    /// If there is no body `i`, or if it is no sphere and the state has no attitudes.
    pub fn set_spin(&mut self, bodies: &Bodies, i: usize, spin: DVec3) {
        let inertia = bodies.inertia().get(i);
        let momentum = if inertia == DVec3::INFINITY {
            DVec3::ZERO
        } else if inertia == DVec3::splat(inertia.x) {
            spin * inertia.x
        } else {
            let attitude = self.attitude.get(i);
            attitude.rotate(inertia * attitude.rotate_inverse(spin))
        };
        self.angular_momentum_mut().set(i, momentum);
    }

    /// Positions of the centres of mass in m, to write to; this discards the wrenches.
    pub fn position_mut(&mut self) -> &mut VectorColumn {
        self.wrenches_current = false;
        &mut self.position
    }

    /// Attitudes to write to; this discards the wrenches. The angular momenta stay, so the spin of a non-sphere
    /// changes.
    pub fn attitude_mut(&mut self) -> &mut AttitudeColumn {
        self.wrenches_current = false;
        &mut self.attitude
    }

    /// Velocities of the centres of mass in m/s, to write to; this discards the wrenches.
    pub fn velocity_mut(&mut self) -> &mut VectorColumn {
        self.wrenches_current = false;
        &mut self.velocity
    }

    /// Angular momenta in kg m²/s, world frame, to write to; this discards the wrenches.
    pub fn angular_momentum_mut(&mut self) -> &mut VectorColumn {
        self.wrenches_current = false;
        &mut self.angular_momentum
    }

    /// Sets the velocities (m/s) of fixed bodies, such as driven walls, for the next step. `velocity` gets the number
    /// and the centre (m) of a body; `None` leaves the velocity unchanged. The state keeps its wrenches: contacts feel
    /// the new velocities from the next evaluation on.
    ///
    /// Give the mean velocity over the step, so that each body is on its path at the end of the step.
    pub fn drive_fixed(&mut self, bodies: &Bodies, velocity: impl Fn(usize, DVec3) -> Option<DVec3>) {
        for &body in bodies.fixed() {
            if let Some(velocity) = velocity(body, self.position.get(body)) {
                self.velocity.set(body, velocity);
            }
        }
    }

    /// Sets the time of the state in s; this discards the wrenches.
    pub fn set_time(&mut self, time: f64) {
        self.wrenches_current = false;
        self.clock = Clock { time, residue: 0.0 };
    }

    /// Makes the next step evaluate all forces anew. Call this method after replacing or changing a force field.
    pub fn discard_wrenches(&mut self) {
        self.wrenches_current = false;
    }

    /// The wrenches that the last step evaluated at this state; `None` before any step, or after writing to the state.
    #[must_use]
    pub fn wrenches(&self) -> Option<&Wrenches> {
        self.wrenches_current.then_some(&self.wrenches)
    }

    /// Reverses the velocities and angular momenta of all bodies, so that a reversible map retraces its path.
    pub fn reverse(&mut self) {
        self.wrenches_current = false;
        for column in [&mut self.velocity, &mut self.angular_momentum] {
            column.slices_mut().into_iter().flatten().for_each(|component| *component = -*component);
        }
    }

    /// Checks that each column of the state has one row for each body, but for attitudes that spheres may do
    /// without, that every value is finite, and that attitudes are rotations.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`], [`TimeNotFinite`](IntegrateError::TimeNotFinite),
    /// [`StateNotFinite`](IntegrateError::StateNotFinite) or [`InvalidAttitude`](IntegrateError::InvalidAttitude).
    pub fn check(&self, bodies: &Bodies) -> Result<(), IntegrateError> {
        self.check_length(bodies.len())?;
        if !self.time().is_finite() {
            return Err(IntegrateError::TimeNotFinite { time: self.time() });
        }
        for (column, vectors) in
            [("position", &self.position), ("velocity", &self.velocity), ("angular momentum", &self.angular_momentum)]
        {
            if let Some(body) = vectors.iter().position(|value| !value.is_finite()) {
                return Err(IntegrateError::StateNotFinite { column, body, value: vectors.get(body) });
            }
        }
        for (body, attitude) in self.attitude.iter().enumerate() {
            Attitude::from_quaternion(attitude.to_quaternion())
                .map_err(|source| IntegrateError::InvalidAttitude { body, source })?;
        }
        Ok(())
    }

    /// Checks that each column has one row for each body, and that the state has attitudes if any body is not a sphere.
    ///
    /// The check reads no values, so it costs no time. Call it before reading a state of unknown origin, since
    /// [`position_mut`](Self::position_mut) and its like let callers replace a column by one of another length.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`] or [`NoAttitudes`](IntegrateError::NoAttitudes).
    pub fn check_columns(&self, bodies: &Bodies) -> Result<(), IntegrateError> {
        self.check_length(bodies.len())?;
        if self.has_attitudes() || bodies.check_spherical().is_ok() { Ok(()) } else { Err(IntegrateError::NoAttitudes) }
    }

    pub(crate) fn check_length(&self, expected: usize) -> Result<(), IntegrateError> {
        for (column, found) in [
            ("position", self.position.len()),
            ("attitude", if self.attitude.is_empty() { expected } else { self.attitude.len() }),
            ("velocity", self.velocity.len()),
            ("angular momentum", self.angular_momentum.len()),
        ] {
            if found != expected {
                return Err(IntegrateError::LengthMismatch { column, expected, found });
            }
        }
        if self.wrenches_current { self.wrenches.check_length(expected) } else { Ok(()) }
    }

    pub(crate) fn check_attitudes(&self) -> Result<(), IntegrateError> {
        if self.has_attitudes() { Ok(()) } else { Err(IntegrateError::NoAttitudes) }
    }

    /// Resizes the columns of this state, in which the successor of `state` will be stored. Their contents are
    /// arbitrary, and the caller resizes the angular momenta.
    pub(crate) fn make_room_after(&mut self, state: &Self) {
        for column in [&mut self.position, &mut self.velocity] {
            column.resize(state.len());
        }
        if self.attitude.len() != state.attitude.len() {
            self.attitude = AttitudeColumn::identity(state.attitude.len());
        }
        if self.wrenches.check_length(state.len()).is_err() {
            self.wrenches = Wrenches::zeros(state.len());
        }
    }

    pub(crate) fn set_time_after(&mut self, from: &Self, dt: f64) {
        self.clock = from.clock.after(dt);
    }
}

/// Compares times and columns of two states, but not the wrenches, which follow from the state and the force field.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.clock == other.clock
            && self.position == other.position
            && self.attitude == other.attitude
            && self.velocity == other.velocity
            && self.angular_momentum == other.angular_momentum
    }
}

/// Serialised form of a state. Reading checks the lengths and values of the columns.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct StoredState {
    time: f64,
    time_residue: f64,
    position: VectorColumn,
    attitude: Option<AttitudeColumn>,
    velocity: VectorColumn,
    angular_momentum: VectorColumn,
    wrenches: Option<Wrenches>,
}

#[cfg(feature = "serde")]
impl TryFrom<StoredState> for State {
    type Error = IntegrateError;

    fn try_from(stored: StoredState) -> Result<Self, IntegrateError> {
        let len = stored.position.len();
        if let Some(found) = stored.attitude.as_ref().map(AttitudeColumn::len).filter(|&found| found != len) {
            return Err(IntegrateError::LengthMismatch { column: "attitude", expected: len, found });
        }
        let wrenches_current = stored.wrenches.is_some();
        let mut wrenches = stored.wrenches.unwrap_or_else(|| Wrenches::zeros(len));
        // The stored length is checked before memory of this size is allocated.
        wrenches.check_length(len)?;
        if wrenches_current {
            wrenches.force.touch();
        }
        let state = Self {
            clock: Clock { time: stored.time, residue: stored.time_residue },
            position: stored.position,
            attitude: stored.attitude.unwrap_or_default(),
            velocity: stored.velocity,
            angular_momentum: stored.angular_momentum,
            wrenches,
            wrenches_current,
        };
        state.check(&Bodies::new((0..len).map(|_| crate::body::rigid_body::Body::spherical(1.0, 1.0)))?)?;
        Ok(state)
    }
}

#[cfg(feature = "serde")]
impl From<State> for StoredState {
    fn from(state: State) -> Self {
        let has_attitudes = state.has_attitudes();
        Self {
            time: state.clock.time,
            time_residue: state.clock.residue,
            position: state.position,
            attitude: has_attitudes.then_some(state.attitude),
            velocity: state.velocity,
            angular_momentum: state.angular_momentum,
            wrenches: state.wrenches_current.then_some(state.wrenches),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::rigid_body::Body;

    #[test]
    fn time_of_1e6_steps_is_rounded_once() {
        let mut state = State::at_rest(0);
        for _ in 0..1_000_000 {
            let before = state.clone();
            state.set_time_after(&before, 0.1);
        }
        assert!((state.time() - 1e5).abs() < 1e-10, "{}", state.time() - 1e5);
    }

    #[test]
    fn writing_to_a_column_discards_the_wrenches() {
        let mut state = State::at_rest(1);
        state.wrenches_current = true;
        assert!(state.wrenches().is_some());
        state.velocity_mut().set(0, DVec3::X);
        assert!(state.wrenches().is_none());
    }

    #[test]
    fn spin_and_angular_momentum_are_inverse_for_any_shape() {
        let bodies = Bodies::new([Body::sphere(2.0, 0.5), Body::rigid(1.0, DVec3::new(1.0, 2.0, 2.5))]).unwrap();
        let mut state = State::at_rest(2);
        state.attitude_mut().set(1, Attitude::from_rotation_vector(DVec3::new(1.0, -0.4, 2.0)).unwrap());
        let spin = DVec3::new(0.3, -0.2, 0.9);
        for i in 0..2 {
            state.set_spin(&bodies, i, spin);
            assert!((state.spin(&bodies, i) - spin).length() < 1e-15);
        }
    }
}
