//! Contact dynamics without friction.

use cd_solve::{Apgd, LcpSolver, Options, ProjectedGaussSeidel};
use dem_contact::contact_dynamics::{CompatibleLaw, ContactDynamics, RigidContact};
use dem_contact::error::DemError;
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Gravity, IntegrateError, Integrator, Potential, State, VectorColumn};

use super::{Engine, RestoreError, rigid};
use crate::build::parts::{ContactParts, Parts};
use crate::error::GrainsError;
use crate::reading::{ContactRow, Energies, Reading, Work};
use crate::scene::integrator::{Compatibility, ContactDynamicsMethod, ContactDynamicsSolver};
use crate::value::positive;

/// A solver of complementarity problems.
type Solver = Box<dyn LcpSolver + Send>;

/// Options of a solver where only one of them is given.
const TOLERANCE: f64 = 1e-10;
const MAX_ITERATIONS: usize = 100_000;

/// Contact dynamics, and gravity.
pub(super) struct ContactDynamicsEngine {
    dynamics: ContactDynamics<Solver>,
    gravity: Gravity,
    dt: f64,
    work: Work,
}

impl ContactDynamicsEngine {
    pub(super) fn new(
        method: &ContactDynamicsMethod,
        restitution: f64,
        parts: Parts,
        dt: f64,
    ) -> Result<Self, GrainsError> {
        let key = |name: &str| format!("integrator.contact-dynamics.{name}");
        let Parts { contacts: ContactParts { list, walls, .. }, gravity, .. } = parts;
        let tolerance = match method.tolerance {
            Some(tolerance) => positive(key("tolerance"), tolerance)?,
            None => TOLERANCE,
        };
        let options = Options::new(tolerance, method.max_iterations.unwrap_or(MAX_ITERATIONS));
        let given = method.tolerance.is_some() || method.max_iterations.is_some();
        let solver: Solver = match (method.solver.unwrap_or_default(), given) {
            (ContactDynamicsSolver::Apgd, false) => Box::new(Apgd::default()),
            (ContactDynamicsSolver::Apgd, true) => Box::new(Apgd::new(options)),
            (ContactDynamicsSolver::GaussSeidel, false) => Box::new(ProjectedGaussSeidel::default()),
            (ContactDynamicsSolver::GaussSeidel, true) => Box::new(ProjectedGaussSeidel::new(options)),
        };
        let law = match method.compatibility {
            Compatibility::None => None,
            Compatibility::Hooke => Some(CompatibleLaw::hooke()),
            Compatibility::Hertz => Some(CompatibleLaw::hertz()),
        };
        let dynamics = ContactDynamics::new(dt, list, solver).map_err(GrainsError::refused("time.dt"))?;
        let dynamics = dynamics.with_walls(walls).map_err(GrainsError::refused("walls"))?;
        let dynamics = dynamics.with_restitution(restitution);
        let dynamics = dynamics.map_err(GrainsError::refused(key("restitution")))?;
        let dynamics = match (method.compliant_step, law) {
            (Some(compliance), law) => dynamics
                .with_compliant_step(law.unwrap_or_else(CompatibleLaw::hooke), compliance)
                .map_err(GrainsError::refused(key("compliant-step")))?,
            (None, Some(law)) => dynamics.with_compatible(law),
            (None, None) => dynamics,
        };
        Ok(Self { dynamics, gravity: Gravity { acceleration: gravity }, dt, work: Work::default() })
    }

    /// The engine as it was when it was stored.
    pub(super) fn restored(self, bytes: &[u8]) -> Result<Self, RestoreError> {
        let (contacts, walls, work, began): (Vec<RigidContact>, Vec<Wall>, Work, f64) = postcard::from_bytes(bytes)?;
        let dynamics = self.dynamics.with_walls(walls).map_err(GrainsError::refused("walls"))?;
        Ok(Self { dynamics: dynamics.with_contacts(contacts, began), work, ..self })
    }

    /// Records the work of the contact forces of the last step, which began at `time` (s) with the velocities `before`.
    /// A force does work at the mean relative velocity of its bodies: this is the change of kinetic energy. Contacts
    /// have no friction, and bodies are spheres.
    fn record(&mut self, time: f64, before: &VectorColumn, after: &VectorColumn) {
        for contact in self.dynamics.contacts().iter().filter(|contact| contact.force > 0.0) {
            let mean = |body: usize| 0.5 * (before.get(body) + after.get(body));
            let impulse = self.dt * contact.force * contact.normal;
            let other = if contact.with_wall {
                let wall = &self.dynamics.walls()[contact.b];
                let velocity = wall_velocity(wall, self.dynamics.point_on_wall(contact), time);
                self.work.by_walls -= impulse.dot(velocity);
                velocity
            } else {
                mean(contact.b)
            };
            self.work.dissipated -= impulse.dot(other - mean(contact.a));
        }
    }
}

/// Velocity in m/s of `wall` at `point` and at `time` (s).
fn wall_velocity(wall: &Wall, point: DVec3, time: f64) -> DVec3 {
    let pose = wall.pose(time);
    pose.velocity + pose.spin.cross(point - wall.point_at(time))
}

impl Engine for ContactDynamicsEngine {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        let (time, before) = (state.time(), state.velocity().clone());
        let report = self.dynamics.step(bodies, &mut self.gravity, state)?;
        self.record(time, &before, state.velocity());
        Ok(report.iterations)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        let external = self.gravity.energy(bodies, state);
        let staggered = rigid::staggered(self.gravity, self.dt, bodies, state);
        let energies = self.work.added_to(Energies { external, staggered, ..Energies::default() });
        let closed = self.dynamics.contacts().iter().filter(|contact| contact.best_force() > 0.0);
        let rows = closed.map(ContactRow::from).collect();
        let loads = self.dynamics.wall_loads();
        let forces = loads.iter().map(|load| load.force).collect();
        Ok(Reading::new(bodies, state, energies, rows, forces).with_torques(&loads))
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_stdvec(&(self.dynamics.contacts(), self.dynamics.walls(), self.work, self.dynamics.began()))
    }
}
