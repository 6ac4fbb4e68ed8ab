//! Contact dynamics without friction.

use cd_solve::{Apgd, LcpSolver, Options, ProjectedGaussSeidel};
use dem_contact::contact_dynamics::{CompatibleLaw, ContactDynamics, RigidContact};
use dem_contact::error::DemError;
use dem_contact::wall::Wall;
use rrp_integrate::{Bodies, Gravity, IntegrateError, Integrator, Potential, State};
use serde::{Deserialize, Serialize};

use super::{Engine, RestoreError, rigid};
use crate::build::parts::{ContactParts, Parts};
use crate::error::GrainsError;
use crate::reading::{ContactRow, Energies, Reading, Work};
use crate::scene::integrator::{Compatibility, ContactDynamicsMethod, ContactDynamicsSolver};

/// A solver of the linear complementarity problems of contact dynamics.
type Solver = Box<dyn LcpSolver + Send>;

/// Default of `integrator.contact-dynamics.tolerance` if only `max-iterations` is given. Without both keys the solver's
/// own default holds.
const TOLERANCE: f64 = 1e-10;
/// Default of `integrator.contact-dynamics.max-iterations` if only `tolerance` is given.
const MAX_ITERATIONS: usize = 100_000;

/// The engine of contact dynamics without friction, and gravity.
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
        let tolerance = rigid::tolerance(method.tolerance.unwrap_or(TOLERANCE))?;
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

    /// Restores the engine from the bytes that it stored.
    pub(super) fn restored(self, bytes: &[u8]) -> Result<Self, RestoreError> {
        let StoredContactDynamics { contacts, walls, work, began } = postcard::from_bytes(bytes)?;
        let dynamics = self.dynamics.with_walls(walls).map_err(GrainsError::refused("walls"))?;
        Ok(Self { dynamics: dynamics.with_contacts(contacts, began), work, ..self })
    }
}

/// An engine of contact dynamics without friction as checkpoints store it.
#[derive(Serialize, Deserialize)]
struct StoredContactDynamics {
    contacts: Vec<RigidContact>,
    walls: Vec<Wall>,
    work: Work,
    /// Time in s at which the last step began.
    began: f64,
}

impl Engine for ContactDynamicsEngine {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        let taken = self.dynamics.step(bodies, &mut self.gravity, state)?;
        let report = self.dynamics.report();
        self.work.dissipated += report.dissipated;
        self.work.by_walls += report.wall_work;
        // Separating overlapping bodies adds energy that has no physical source.
        self.work.supplied -= report.separation_work;
        Ok(taken.iterations)
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
        postcard::to_stdvec(&StoredContactDynamics {
            contacts: self.dynamics.contacts().to_vec(),
            walls: self.dynamics.walls().to_vec(),
            work: self.work,
            began: self.dynamics.began(),
        })
    }
}
