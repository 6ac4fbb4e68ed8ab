//! One sphere on a floor, by contact dynamics. Units are the sphere's mass and diameter, and gravity.
use anyhow::Result;
use cd_solve::Options;
use cd_solve::friction::CoulombSolver;
use dem_contact::contact_dynamics::{ContactCoefficients, MoreauJean, RigidMaterials};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Gravity, Integrator, State};

/// Residual R₁ of the problems of a step.
pub(super) const TOLERANCE: f64 = 1e-13;

pub(super) const RADIUS: f64 = 0.5;

/// A sphere that touches the floor z = 0.
pub(super) struct OneSphere {
    pub(super) bodies: Bodies,
    pub(super) state: State,
    pub(super) gravity: Gravity,
    dynamics: MoreauJean<CoulombSolver>,
}

impl OneSphere {
    pub(super) fn new(body: Body, coefficients: ContactCoefficients, gravity: DVec3, dt: f64) -> Result<Self> {
        let materials = RigidMaterials::uniform(coefficients)?;
        let solver = CoulombSolver::new(Options::new(TOLERANCE, 100));
        let dynamics = MoreauJean::new(dt, NeighborList::new(Domain::OPEN, 0.05)?, materials, solver)?
            .with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)])?;
        let mut state = State::at_rest(1);
        state.position_mut().set(0, DVec3::Z * RADIUS);
        Ok(Self { bodies: Bodies::new([body])?, state, gravity: Gravity { acceleration: gravity }, dynamics })
    }

    pub(super) fn sphere() -> Body {
        Body::sphere(1.0, RADIUS)
    }

    /// Sets velocity and angular velocity.
    pub(super) fn moving(mut self, velocity: DVec3, spin: DVec3) -> Self {
        let inertia = 0.4 * RADIUS * RADIUS;
        self.state.velocity_mut().set(0, velocity);
        self.state.angular_momentum_mut().set(0, inertia * spin);
        self
    }

    pub(super) fn step(&mut self) -> Result<()> {
        self.dynamics.step(&self.bodies, &mut self.gravity, &mut self.state)?;
        Ok(())
    }

    pub(super) fn velocity(&self) -> DVec3 {
        self.state.velocity().get(0)
    }

    pub(super) fn place(&self) -> DVec3 {
        self.state.position().get(0)
    }
}
