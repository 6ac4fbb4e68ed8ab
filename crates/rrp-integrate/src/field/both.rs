//! Two fields acting together, each with its own type.

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::error::FieldError;
use crate::field::force_field::{ForceField, Potential};

/// Two fields acting together, evaluated in order, such as gravity and contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Both<A, B>(
    /// The first.
    pub A,
    /// The second.
    pub B,
);

impl<A: ForceField, B: ForceField> ForceField for Both<A, B> {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        self.0.accumulate(bodies, state, elapsed, out)?;
        self.1.accumulate(bodies, state, elapsed, out)
    }

    fn commit(&mut self) {
        self.0.commit();
        self.1.commit();
    }
}

impl<A: Potential, B: Potential> Potential for Both<A, B> {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.0.energy(bodies, state) + self.1.energy(bodies, state)
    }
}
