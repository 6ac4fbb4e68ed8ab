use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::column::load::LoadColumn;
use crate::error::FieldError;
use crate::field::force_field::{ForceField, Potential};

/// Sets forces and torques on all bodies to zero along some axes, so that velocities and angular momenta along these
/// axes stay constant. Only fields evaluated before are affected: put this field last in a sum.
///
/// Use it for plane problems, for example: bodies without velocity along a blocked axis stay in their plane, and the
/// suppressed forces do no work.
///
/// ```
/// # use rrp_integrate::{Bodies, Body, Both, Explicit, Gravity, Integrator, Map, State, field::Blocked};
/// # use rrp_geom::glam::DVec3;
/// let bodies = Bodies::new([Body::sphere(1.0, 0.5)])?;
/// let mut state = State::at_rest(1);
/// let gravity = Gravity { acceleration: DVec3::new(3.0, 0.0, -9.0) };
/// let mut field = Both(gravity, Blocked { translation: [false, true, true], rotation: [false; 3] });
/// Explicit::new(Map::Verlet, 0.1)?.step(&bodies, &mut field, &mut state)?;
/// assert!(state.velocity().get(0).x > 0.29 && state.velocity().get(0).z.abs() < 1e-15);
/// # Ok::<(), rrp_integrate::IntegrateError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Blocked {
    /// Whether bodies keep their velocity along x, y and z.
    pub translation: [bool; 3],
    /// Whether bodies keep their angular momentum about x, y and z, world frame.
    pub rotation: [bool; 3],
}

impl ForceField for Blocked {
    fn accumulate(&mut self, bodies: &Bodies, _: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        out.check_length(bodies.len())?;
        take_off(self.translation, &mut out.force);
        take_off(self.rotation, &mut out.torque);
        Ok(())
    }
}

impl Potential for Blocked {
    fn energy(&self, _: &Bodies, _: &State) -> f64 {
        0.0
    }
}

fn take_off(blocked: [bool; 3], column: &mut LoadColumn) {
    if blocked == [false; 3] || column.is_untouched() {
        return;
    }
    for (component, is_blocked) in column.slices_mut().into_iter().zip(blocked) {
        if is_blocked {
            component.fill(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::*;
    use crate::body::rigid_body::Body;

    #[test]
    fn what_is_blocked_is_taken_off_and_the_rest_stays() {
        let bodies = Bodies::new([Body::sphere(1.0, 0.5), Body::sphere(2.0, 0.5)]).unwrap();
        let state = State::at_rest(2);
        let mut out = Wrenches::zeros(2);
        let mut blocked = Blocked { translation: [false, false, true], rotation: [true, true, false] };
        blocked.accumulate(&bodies, &state, 0.0, &mut out).unwrap();
        assert!(out.force.is_untouched() && out.torque.is_untouched());
        out.force.set(1, DVec3::new(1.0, 2.0, 3.0));
        out.torque.set(0, DVec3::new(4.0, 5.0, 6.0));
        blocked.accumulate(&bodies, &state, 0.0, &mut out).unwrap();
        assert_eq!(out.force.get(1), DVec3::new(1.0, 2.0, 0.0));
        assert_eq!(out.torque.get(0), DVec3::new(0.0, 0.0, 6.0));
        assert!(blocked.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(3)).is_err());
    }
}
