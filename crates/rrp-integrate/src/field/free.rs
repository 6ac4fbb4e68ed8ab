//! No force.

use crate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

/// No force at all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Free;

impl ForceField for Free {
    fn accumulate(&mut self, _: &Bodies, _: &State, _: f64, _: &mut Wrenches) -> Result<(), FieldError> {
        Ok(())
    }
}

impl Potential for Free {
    fn energy(&self, _: &Bodies, _: &State) -> f64 {
        0.0
    }
}
