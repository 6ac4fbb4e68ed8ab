//! The pendulum of `[BG21]` section 3: a body of mass m and moment of inertia J on an arm ρ₀ under gravity g. The paper
//! does not print their values; here they are one.
use anyhow::Result;
use rrp_geom::glam::DVec3;
use rrp_geom::{Attitude, RodriguesVector};
use rrp_integrate::{Bodies, Body, Integrator, PivotedWeight, Potential, State, kinetic_energy};
use rrp_verify::Motion;
use serde_json::{Value, json};

/// Pendulum with its present state.
pub(super) struct Pendulum {
    pub(super) bodies: Bodies,
    pub(super) weight: PivotedWeight,
    pub(super) state: State,
}

impl Pendulum {
    /// Makes the pendulum in the initial condition `[BG21] (42)`.
    pub(super) fn start() -> Result<Self> {
        let alpha = RodriguesVector::new(DVec3::Y * 2.0 * (0.375 * std::f64::consts::PI).tan())?;
        let Self { bodies, weight, mut state } = Self::at_rest(Body::spherical(1.0, 1.0), alpha.attitude())?;
        state.set_spin(&bodies, 0, DVec3::new(1.0, 0.0, 1.0) * 0.4 * std::f64::consts::FRAC_PI_4.sin().powi(2));
        Ok(Self { bodies, weight, state })
    }

    /// Makes a pendulum of this body with the arm and the weight of the pendulum of `[BG21]`.
    pub(super) fn at_rest(body: Body, attitude: Attitude) -> Result<Self> {
        let mut state = State::at_rest(1);
        state.attitude_mut().set(0, attitude);
        let weight = PivotedWeight { arm: DVec3::Z, weight: DVec3::Z };
        Ok(Self { bodies: Bodies::new([body])?, weight, state })
    }

    pub(super) fn step(&mut self, map: &mut dyn Integrator) -> Result<()> {
        map.step(&self.bodies, &mut self.weight, &mut self.state)?;
        Ok(())
    }

    /// Returns the total energy E in J, `[BG21] (41a)`.
    pub(super) fn energy(&self) -> f64 {
        kinetic_energy(&self.bodies, &self.state).total() + self.weight.energy(&self.bodies, &self.state)
    }

    pub(super) fn attitude(&self) -> Attitude {
        self.state.attitude().get(0)
    }

    /// Returns the arm Rρ₀ from the pivot to the centre of mass in m, turned by the attitude R.
    pub(super) fn arm(&self) -> DVec3 {
        self.attitude().rotate(self.weight.arm)
    }

    /// Returns the angular velocity Ω in rad/s.
    pub(super) fn spin(&self) -> DVec3 {
        self.state.spin(&self.bodies, 0)
    }

    /// Returns the torque of the weight about the pivot in N m, `[BG21] (40)` with errata corrected.
    pub(super) fn torque(&self) -> DVec3 {
        self.arm().cross(self.weight.weight)
    }

    /// Returns the attitude and angular velocity, from which the norms of `[BG21]` are computed.
    pub(super) fn motion(&self) -> Motion {
        Motion::turning(self.attitude(), self.spin())
    }

    pub(super) fn parameters() -> Value {
        json!({
            "mass_kg": 1.0, "inertia_kg_m2": 1.0, "gravity_m_per_s2": 1.0, "arm_m": [0.0, 0.0, 1.0],
            "weight_direction": [0.0, 0.0, 1.0],
            "alpha_0": [0.0, 4.828_427_124_746_19, 0.0], "spin_0_rad_per_s": [0.2, 0.0, 0.2],
            "note": "m, g, J are not printed in [BG21]; the potential (39) as printed has its minimum at Rρ₀ = +e₃",
        })
    }
}
