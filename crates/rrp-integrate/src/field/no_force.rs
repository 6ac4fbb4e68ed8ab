use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::error::FieldError;
use crate::field::force_field::{ForceField, Potential};

/// The field that exerts no force and no torque on any body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NoForce;

impl ForceField for NoForce {
    fn accumulate(&mut self, _: &Bodies, _: &State, _: f64, _: &mut Wrenches) -> Result<(), FieldError> {
        Ok(())
    }
}

impl Potential for NoForce {
    fn energy(&self, _: &Bodies, _: &State) -> f64 {
        0.0
    }
}
