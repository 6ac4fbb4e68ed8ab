//! Contact dynamics with or without friction, and gravity.

use cd_solve::fclib::{FclibError, StoredProblem};
use cd_solve::friction::{CoulombSolver, Resistance};
use cd_solve::{Apgd, LcpSolver, Options, ProjectedGaussSeidel};
use dem_contact::contact_dynamics::{
    CompatibleLaw, ContactDynamics, CoulombFriction, Frictionless, MoreauJean, RigidContact, RigidDynamics,
    RigidMaterials, Unsolved,
};
use dem_contact::error::DemError;
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Gravity, IntegrateError, Integrator, Potential, State, linear_momentum};
use serde::{Deserialize, Serialize};

use super::recorded_solver::RecordedSolver;
use super::{Built, Engine, RestoreError};
use crate::build::parts::{ContactParts, Parts};
use crate::build::situation::MaterialNumbers;
use crate::error::GrainsError;
use crate::laws::materials;
use crate::reading::{ContactRow, Energies, Reading, Work};
use crate::scene::Scene;
use crate::scene::integrator::{Compatibility, ContactDynamicsMethod, ContactDynamicsSolver, UnsolvedSteps};

/// Default of `integrator.contact-dynamics.tolerance` without friction if only `max-iterations` is given. Without both
/// keys the solver's own default applies.
const TOLERANCE: f64 = 1e-10;
/// Default of `integrator.contact-dynamics.max-iterations` without friction if only `tolerance` is given.
const MAX_ITERATIONS: usize = 100_000;

/// Default of `integrator.contact-dynamics.tolerance` with friction; smaller values take more iterations per step.
const FRICTION_TOLERANCE: f64 = 1e-8;
/// Default of `integrator.contact-dynamics.max-iterations` with friction.
const FRICTION_MAX_ITERATIONS: usize = 3000;
/// Largest relative residual of an accepted step whose problem is not solved to the tolerance, if the scene accepts
/// unsolved steps. The second of two consecutive steps above it fails.
const ACCEPTED: f64 = 1e-3;

/// Upper bound of the solver's tolerance in a scene. Residuals are relative to the largest change of velocity that
/// contacts must cause, or to the forces on a body: without any contact force the residual is about 1.
const LOOSEST: f64 = 0.9;

type Solver = Box<dyn LcpSolver + Send>;

/// The engine of contact dynamics with the contact law `L`, and gravity.
struct RigidEngine<L> {
    dynamics: RigidDynamics<L>,
    gravity: Gravity,
    work: Work,
}

enum Law {
    Frictionless { restitution: f64 },
    Friction(RigidMaterials),
}

/// Builds the engine of `scene` for steps of `dt` (s). Rigid contacts have no history: histories of the former engine
/// are dropped and counted.
///
/// # Errors
/// For an invalid scene; the error names the key.
pub(super) fn build(
    scene: &Scene,
    method: &ContactDynamicsMethod,
    parts: Parts,
    dt: f64,
) -> Result<Built, GrainsError> {
    let lost_histories = parts.contacts.count_histories();
    let engine: Box<dyn Engine> = match law(scene, method)? {
        Law::Frictionless { restitution } => Box::new(frictionless(method, restitution, parts, dt)?),
        Law::Friction(coefficients) => Box::new(with_friction(scene, method, coefficients, parts, dt)?),
    };
    Ok(Built { engine, lost_histories })
}

///
/// # Errors
/// [`RestoreError`].
pub(super) fn restore(
    scene: &Scene,
    method: &ContactDynamicsMethod,
    parts: Parts,
    dt: f64,
    bytes: &[u8],
) -> Result<Box<dyn Engine>, RestoreError> {
    Ok(match law(scene, method)? {
        Law::Frictionless { restitution } => {
            let StoredFrictionless { contacts, walls, work, began } = postcard::from_bytes(bytes)?;
            let parts = Parts { contacts: ContactParts { walls, ..parts.contacts }, ..parts };
            Box::new(frictionless(method, restitution, parts, dt)?.after(contacts, began, work))
        }
        Law::Friction(coefficients) => {
            let stored: StoredFriction = postcard::from_bytes(bytes)?;
            let StoredFriction { contacts, walls, materials, work, began, was_above } = stored;
            let parts = Parts { contacts: ContactParts { walls, materials, ..parts.contacts }, ..parts };
            let mut engine = with_friction(scene, method, coefficients, parts, dt)?.after(contacts, began, work);
            engine.dynamics = engine.dynamics.after_step_above(was_above);
            Box::new(engine)
        }
    })
}

/// Chooses the law of rigid contacts for `scene`. Friction is needed if any pair of materials has friction or
/// resistance to rolling or twisting, or if pairs differ in restitution: the step without friction has a single
/// restitution.
fn law(scene: &Scene, method: &ContactDynamicsMethod) -> Result<Law, GrainsError> {
    let Some(model) = scene.contact.as_ref().filter(|model| !model.materials.is_empty()) else {
        return Ok(Law::Frictionless { restitution: method.restitution.unwrap_or(0.0) });
    };
    let coefficients = materials::rigid(model)?;
    // The integrator's restitution, if given, overrides that of all pairs.
    let coefficients = match method.restitution {
        None => coefficients,
        Some(restitution) => {
            coefficients.with_restitution(restitution).map_err(GrainsError::refused(key("restitution")))?
        }
    };
    Ok(match coefficients.restitution() {
        Some(restitution) if coefficients.are_frictionless() => Law::Frictionless { restitution },
        _ => Law::Friction(coefficients),
    })
}

fn frictionless(
    method: &ContactDynamicsMethod,
    restitution: f64,
    Parts { contacts: ContactParts { list, walls, .. }, gravity, .. }: Parts,
    dt: f64,
) -> Result<RigidEngine<Frictionless<Solver>>, GrainsError> {
    let options = Options::new(tolerance(method, TOLERANCE)?, method.max_iterations.unwrap_or(MAX_ITERATIONS));
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
    let dynamics = dynamics.with_restitution(restitution).map_err(GrainsError::refused(key("restitution")))?;
    let dynamics = match (method.compliant_step, law) {
        (Some(compliance), law) => dynamics
            .with_compliant_step(law.unwrap_or_else(CompatibleLaw::hooke), compliance)
            .map_err(GrainsError::refused(key("compliant-step")))?,
        (None, Some(law)) => dynamics.with_compatible(law),
        (None, None) => dynamics,
    };
    if method.unsolved.is_some() {
        let problem = "is for steps with friction, and no contact has friction: leave it out, since a step without \
                       friction that is not solved ends the run, or give `contact.materials` `friction`";
        return Err(GrainsError::conflict(key("unsolved"), problem));
    }
    Ok(RigidEngine::new(dynamics, gravity))
}

fn with_friction(
    scene: &Scene,
    method: &ContactDynamicsMethod,
    coefficients: RigidMaterials,
    Parts { contacts: ContactParts { list, walls, materials, .. }, gravity, .. }: Parts,
    dt: f64,
) -> Result<RigidEngine<CoulombFriction<RecordedSolver>>, GrainsError> {
    let ignored = [
        ("solver", method.solver.is_some()),
        ("compatibility", method.compatibility != Compatibility::None),
        ("compliant-step", method.compliant_step.is_some()),
    ];
    let problem = "is used only where no contact has friction and all have the same restitution; the step with \
                   friction has a solver of its own: leave it out";
    GrainsError::refuse_given("integrator.contact-dynamics", &ignored, problem)?;
    let tolerance = tolerance(method, FRICTION_TOLERANCE)?;
    let writes = scene.output.fclib.is_some();
    if writes && coefficients.resistance() == Resistance::RollingAndTwisting {
        let problem = "FCLIB has no resistance to twisting: leave out `fclib`, or `twisting` of materials";
        return Err(GrainsError::conflict("output.fclib", problem));
    }
    let options = Options::new(tolerance, method.max_iterations.unwrap_or(FRICTION_MAX_ITERATIONS));
    let solver = RecordedSolver::new(CoulombSolver::new(options), writes);
    let coefficients = coefficients.with_numbers(materials.bodies, materials.walls);
    let coefficients = coefficients.map_err(GrainsError::refused("contact.materials"))?;
    let dynamics = MoreauJean::new(dt, list, coefficients, solver).map_err(GrainsError::refused("time.dt"))?;
    let dynamics = dynamics.with_walls(walls).map_err(GrainsError::refused("walls"))?;
    let unsolved = match method.unsolved.unwrap_or_default() {
        UnsolvedSteps::Accept => Unsolved::Accept { residual: ACCEPTED },
        UnsolvedSteps::Error => Unsolved::Error,
    };
    let dynamics = dynamics.with_unsolved(unsolved).map_err(GrainsError::refused(key("tolerance")))?;
    Ok(RigidEngine::new(dynamics, gravity))
}

fn key(name: &str) -> String {
    format!("integrator.contact-dynamics.{name}")
}

/// Returns the tolerance of the solver, a relative residual.
///
/// # Errors
/// [`GrainsError::OutOfRange`].
fn tolerance(method: &ContactDynamicsMethod, default: f64) -> Result<f64, GrainsError> {
    let value = method.tolerance.unwrap_or(default);
    if value > 0.0 && value < LOOSEST {
        return Ok(value);
    }
    let range = "positive and below 0.9, such as 1e-6: contacts without any force have a residual of about 1";
    Err(GrainsError::out_of_range(key("tolerance"), range, value))
}

/// An engine of contact dynamics without friction as checkpoints store it.
#[derive(Serialize, Deserialize)]
struct StoredFrictionless {
    contacts: Vec<RigidContact>,
    walls: Vec<Wall>,
    work: Work,
    /// Time in s at which the last step began.
    began: f64,
}

/// An engine of contact dynamics with friction as checkpoints store it.
#[derive(Serialize, Deserialize)]
struct StoredFriction {
    contacts: Vec<RigidContact>,
    walls: Vec<Wall>,
    materials: MaterialNumbers,
    work: Work,
    /// Time in s at which the last step began.
    began: f64,
    /// Whether the residual of the last step was above the accepted one, so that a second such step fails.
    was_above: bool,
}

impl<L> RigidEngine<L>
where
    RigidDynamics<L>: Integrator,
{
    fn new(dynamics: RigidDynamics<L>, gravity: DVec3) -> Self {
        Self { dynamics, gravity: Gravity { acceleration: gravity }, work: Work::default() }
    }

    /// Continues a run whose last step began at the time `began` (s), with its contacts and work.
    fn after(self, contacts: Vec<RigidContact>, began: f64, work: Work) -> Self {
        Self { dynamics: self.dynamics.with_contacts(contacts, began), work, ..self }
    }

    fn take_step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        let taken = self.dynamics.step(bodies, &mut self.gravity, state)?;
        let report = self.dynamics.report();
        self.work.dissipated += report.dissipated;
        self.work.by_walls += report.wall_work;
        // Separating overlapping bodies adds energy that has no physical source.
        self.work.supplied -= report.separation_work;
        Ok(taken.iterations)
    }

    /// Returns energies, contacts and loads on walls.
    ///
    /// A step moves bodies by its final velocities, x⁺ = x + dt v⁺, while forces work at the mean velocities, (v +
    /// v⁺)/2. Hence gravity's work belongs to positions half a step back: kinetic energy and potential energy there,
    /// which is Σ dt/2 m g·v more than the present one, balance exactly.
    fn reading(&self, bodies: &Bodies, state: &State) -> Reading {
        let external = self.gravity.energy(bodies, state);
        let half_step = 0.5 * self.dynamics.scheme().dt;
        let staggered = half_step * self.gravity.acceleration.dot(linear_momentum(bodies, state));
        let energies = self.work.added_to(Energies { external, staggered, ..Energies::default() });
        let closed = self.dynamics.contacts().iter().filter(|contact| contact.best_force() > 0.0);
        let rows = closed.map(ContactRow::from).collect();
        let loads = self.dynamics.wall_loads();
        let forces = loads.iter().map(|load| load.force).collect();
        Reading::new(bodies, state, energies, rows, forces).with_torques(&loads)
    }
}

impl Engine for RigidEngine<Frictionless<Solver>> {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        self.take_step(bodies, state)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        Ok(self.reading(bodies, state))
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_stdvec(&StoredFrictionless {
            contacts: self.dynamics.contacts().to_vec(),
            walls: self.dynamics.walls().to_vec(),
            work: self.work,
            began: self.dynamics.began(),
        })
    }
}

impl Engine for RigidEngine<CoulombFriction<RecordedSolver>> {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        self.take_step(bodies, state)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        Ok(self.reading(bodies, state))
    }

    fn unsolved(&self) -> Option<f64> {
        let solved = self.dynamics.report().friction.filter(|solved| !solved.converged())?;
        Some(solved.residual)
    }

    fn friction_problem(&self) -> Option<Result<StoredProblem, FclibError>> {
        // Without possible contacts the solver is not called, and still has the problem of an earlier step.
        self.dynamics.report().friction.and_then(|_| self.dynamics.solver().last_problem())
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        let (of_bodies, of_walls) = self.dynamics.materials().numbers();
        postcard::to_stdvec(&StoredFriction {
            contacts: self.dynamics.contacts().to_vec(),
            walls: self.dynamics.walls().to_vec(),
            materials: MaterialNumbers { bodies: of_bodies.to_vec(), walls: of_walls.to_vec() },
            work: self.work,
            began: self.dynamics.began(),
            was_above: self.dynamics.report().above_bound,
        })
    }
}
