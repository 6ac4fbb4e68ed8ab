use rrp_geom::glam::DVec3;

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::error::FieldError;
use crate::field::force_field::{ForceField, Potential};

/// A weight on bodies that turn about a fixed pivot: the pendulum of `[BG21]` (39)-(40) and the heavy top.
///
/// A weight f at the arm ρ of a body with the attitude R has the potential energy −f·(R ρ) and the torque (R ρ) × f.
/// The pivot, at the origin of the body, carries the weight, so the net force is zero. Moments of inertia are about the
/// pivot.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PivotedWeight {
    /// Arm ρ from the pivot to the point where the weight acts, in m, body frame.
    pub arm: DVec3,
    /// Force f in N with which the weight pulls at the end of the arm, the same for each body, in the world frame.
    pub weight: DVec3,
}

impl ForceField for PivotedWeight {
    fn accumulate(&mut self, _: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        state.check_attitudes()?;
        for (i, attitude) in state.attitude().iter().enumerate() {
            out.torque.add(i, attitude.rotate(self.arm).cross(self.weight));
        }
        Ok(())
    }
}

impl Potential for PivotedWeight {
    fn energy(&self, _: &Bodies, state: &State) -> f64 {
        -state.attitude().iter().map(|attitude| attitude.rotate(self.arm).dot(self.weight)).sum::<f64>()
    }
}
