//! Contact dynamics with friction.

use cd_solve::fclib::{FclibError, StoredProblem};
use cd_solve::friction::{
    ContactMap, CoulombSolver, FrictionCoefficients, FrictionMatrix, FrictionProblem, FrictionReport, FrictionSolver,
    Resistance,
};
use cd_solve::{Options, SolveError};
use dem_contact::contact_dynamics::{MoreauJean, RigidContact, RigidMaterials, Unsolved};
use dem_contact::error::DemError;
use dem_contact::wall::Wall;
use rrp_integrate::{Bodies, Gravity, IntegrateError, Integrator, Potential, State};
use serde::{Deserialize, Serialize};

use super::{Engine, RestoreError, rigid};
use crate::build::parts::{ContactParts, MaterialNumbers, Parts};
use crate::error::GrainsError;
use crate::reading::{ContactRow, Energies, Reading, Work};
use crate::scene::Scene;
use crate::scene::integrator::{Compatibility, ContactDynamicsMethod, UnsolvedSteps};

/// Default of `integrator.contact-dynamics.tolerance` with friction. A smaller value costs iterations in each step.
const TOLERANCE: f64 = 1e-8;
/// Largest relative residual with which steps are taken although their problem is not solved to the tolerance, if the
/// scene accepts unsolved steps. Of two steps in a row above it the second one fails.
const ACCEPTED: f64 = 1e-3;
/// Default of `integrator.contact-dynamics.max-iterations` with friction.
const MAX_ITERATIONS: usize = 3000;

/// The engine of contact dynamics with friction: the step of Moreau and Jean, and gravity.
pub(super) struct RigidFrictionEngine {
    dynamics: MoreauJean<RecordedSolver>,
    materials: MaterialNumbers,
    gravity: Gravity,
    work: Work,
}

impl RigidFrictionEngine {
    pub(super) fn new(
        scene: &Scene,
        method: &ContactDynamicsMethod,
        coefficients: RigidMaterials,
        parts: Parts,
        dt: f64,
    ) -> Result<Self, GrainsError> {
        let key = |name: &str| format!("integrator.contact-dynamics.{name}");
        let ignored = [
            ("solver", method.solver.is_some()),
            ("compatibility", method.compatibility != Compatibility::None),
            ("compliant-step", method.compliant_step.is_some()),
        ];
        if let Some((name, _)) = ignored.into_iter().find(|(_, given)| *given) {
            let problem = "is used only where no contact has friction and all have the same restitution; the step with \
                           friction has a solver of its own: leave it out";
            return Err(GrainsError::conflict(key(name), problem));
        }
        let tolerance = rigid::tolerance(method.tolerance.unwrap_or(TOLERANCE))?;
        let writes = scene.output.fclib.is_some();
        if writes && coefficients.resistance() == Resistance::RollingAndTwisting {
            let problem = "FCLIB has no resistance to twisting: leave out `fclib`, or `twisting` of materials";
            return Err(GrainsError::conflict("output.fclib", problem));
        }
        let solver = CoulombSolver::new(Options::new(tolerance, method.max_iterations.unwrap_or(MAX_ITERATIONS)));
        let solver = RecordedSolver { solver, writes, last: None };
        let Parts { contacts: ContactParts { list, walls, materials, .. }, gravity, .. } = parts;
        let coefficients = numbered(coefficients, &materials)?;
        let dynamics = MoreauJean::new(dt, list, coefficients, solver).map_err(GrainsError::refused("time.dt"))?;
        let dynamics = dynamics.with_walls(walls).map_err(GrainsError::refused("walls"))?;
        let unsolved = match method.unsolved.unwrap_or_default() {
            UnsolvedSteps::Accept => Unsolved::Accept { residual: ACCEPTED },
            UnsolvedSteps::Error => Unsolved::Error,
        };
        let dynamics = dynamics.with_unsolved(unsolved).map_err(GrainsError::refused(key("tolerance")))?;
        Ok(Self { dynamics, materials, gravity: Gravity { acceleration: gravity }, work: Work::default() })
    }

    /// Restores the engine from the bytes that it stored.
    pub(super) fn restored(self, bytes: &[u8]) -> Result<Self, RestoreError> {
        let StoredRigidFriction { contacts, walls, materials, work, began, was_above } = postcard::from_bytes(bytes)?;
        let coefficients = numbered(self.dynamics.materials().clone(), &materials)?;
        let dynamics = self.dynamics.with_walls(walls).map_err(GrainsError::refused("walls"))?;
        let dynamics = dynamics.with_materials(coefficients).with_contacts(contacts, began).after_step_above(was_above);
        Ok(Self { dynamics, materials, work, ..self })
    }
}

/// An engine of contact dynamics with friction as checkpoints store it.
#[derive(Serialize, Deserialize)]
struct StoredRigidFriction {
    contacts: Vec<RigidContact>,
    walls: Vec<Wall>,
    materials: MaterialNumbers,
    work: Work,
    /// Time in s at which the last step began.
    began: f64,
    /// Whether the residual of the last step was above the accepted one, so that a second such step fails.
    was_above: bool,
}

/// Returns the coefficients of rigid contacts with the material numbers of bodies and walls.
fn numbered(coefficients: RigidMaterials, materials: &MaterialNumbers) -> Result<RigidMaterials, GrainsError> {
    let MaterialNumbers { bodies, walls } = materials.clone();
    coefficients.with_numbers(bodies, walls).map_err(GrainsError::refused("contact.materials"))
}

/// A solver of problems with friction that remembers its last problem if the scene writes problems to files.
struct RecordedSolver {
    solver: CoulombSolver,
    writes: bool,
    last: Option<RecordedProblem>,
}

/// A problem with friction whose matrix is assembled only when the problem is written.
struct RecordedProblem {
    map: ContactMap,
    offset: Vec<f64>,
    sliding: Vec<f64>,
    rolling: Vec<f64>,
}

impl FrictionSolver for RecordedSolver {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        if let (true, FrictionMatrix::Map(map)) = (self.writes, problem.matrix()) {
            let column = |k: usize| problem.coefficients().iter().map(|mu| mu[k]).collect();
            let rolling = if problem.block() > 3 { column(1) } else { Vec::new() };
            let offset = problem.offset().to_vec();
            self.last = Some(RecordedProblem { map: map.clone(), offset, sliding: column(0), rolling });
        }
        self.solver.solve(problem, force)
    }
}

impl RecordedProblem {
    fn stored(&self) -> Result<StoredProblem, FclibError> {
        let coefficients = FrictionCoefficients { sliding: &self.sliding, rolling: &self.rolling, twisting: &[] };
        let problem = FrictionProblem::new(FrictionMatrix::Map(&self.map), &self.offset, coefficients)?;
        StoredProblem::of("a step of grains", &problem)
    }
}

impl Engine for RigidFrictionEngine {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        let taken = self.dynamics.step(bodies, &mut self.gravity, state)?;
        let report = self.dynamics.report();
        self.work.dissipated += report.dissipated;
        // Separating overlapping bodies adds energy that has no physical source.
        self.work.supplied -= report.separation_work;
        self.work.by_walls += report.wall_work;
        Ok(taken.iterations)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        let external = self.gravity.energy(bodies, state);
        let staggered = rigid::staggered(self.gravity, self.dynamics.scheme().dt, bodies, state);
        let energies = self.work.added_to(Energies { external, staggered, ..Energies::default() });
        let closed = self.dynamics.contacts().iter().filter(|contact| contact.force > 0.0);
        let rows = closed.map(ContactRow::from).collect();
        let loads = self.dynamics.wall_loads();
        let forces = loads.iter().map(|load| load.force).collect();
        Ok(Reading::new(bodies, state, energies, rows, forces).with_torques(&loads))
    }

    fn unsolved(&self) -> Option<f64> {
        let solved = self.dynamics.report().friction.filter(|solved| !solved.converged())?;
        Some(solved.residual)
    }

    fn friction_problem(&self) -> Option<Result<StoredProblem, FclibError>> {
        // Without contacts that may close the solver is not asked, and remembers the problem of an earlier step.
        let last = self.dynamics.solver().last.as_ref();
        self.dynamics.report().friction.and(last).map(RecordedProblem::stored)
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_stdvec(&StoredRigidFriction {
            contacts: self.dynamics.contacts().to_vec(),
            walls: self.dynamics.walls().to_vec(),
            materials: self.materials.clone(),
            work: self.work,
            began: self.dynamics.began(),
            was_above: self.dynamics.was_above(),
        })
    }
}
