//! The form in which states are stored.

use crate::body::bodies::Bodies;
use crate::body::rigid_body::Body;
use crate::body::state::{Clock, State};
use crate::body::wrenches::Wrenches;
use crate::column::attitude::AttitudeColumn;
use crate::column::vector::VectorColumn;
use crate::error::IntegrateError;

/// A state of all bodies as it is stored. Reading one checks the lengths and values of its columns.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct StoredState {
    time: f64,
    time_residue: f64,
    position: VectorColumn,
    /// Attitudes of the bodies (body to world); `None` for a state without attitudes.
    attitude: Option<AttitudeColumn>,
    velocity: VectorColumn,
    angular_momentum: VectorColumn,
    wrenches: Option<Wrenches>,
}

impl TryFrom<StoredState> for State {
    type Error = IntegrateError;

    fn try_from(stored: StoredState) -> Result<Self, IntegrateError> {
        let len = stored.position.len();
        if let Some(found) = stored.attitude.as_ref().map(AttitudeColumn::len).filter(|&found| found != len) {
            return Err(IntegrateError::LengthMismatch { column: "attitude", expected: len, found });
        }
        let wrenches_current = stored.wrenches.is_some();
        let mut wrenches = stored.wrenches.unwrap_or_else(|| Wrenches::zeros(len));
        // The claimed length is checked before memory of that size is taken.
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
        state.check(&Bodies::new((0..len).map(|_| Body::spherical(1.0, 1.0)))?)?;
        Ok(state)
    }
}

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
