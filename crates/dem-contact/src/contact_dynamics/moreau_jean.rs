//! Contact dynamics with friction and restitution: the step of Moreau (1988) and Jean (1999).
//!
//! - `step`: the step. `friction_problem` poses it to `cd-solve`, with warm starts and restitution.
//! - `impact_passes` strikes contacts that other impacts close; `impact_guard` finds impacts that would gain energy.
//! - `report` is the report of a step, `unsolved` the policy for a step whose problem is not solved.
//!
//! Detection, free motion, columns and `separation`, which moves bodies apart that overlap, are those of the step
//! without friction, in the folder above.

mod friction_problem;
mod impact_guard;
mod impact_passes;
mod report;
mod step;
#[cfg(test)]
mod tests;
mod unsolved;

pub use self::report::FrictionStepReport;
pub use self::unsolved::Unsolved;

use cd_solve::friction::FrictionSolver;
use rrp_geom::glam::DVec3;
use rrp_integrate::step::take_step;
use rrp_integrate::{Bodies, FieldError, ForceField, IntegrateError, Integrator, Scheme, State, StepReport};

use crate::contact_dynamics::detection::ContactDetector;
use crate::contact_dynamics::rigid_contact::{ContactForces, RigidContact, loads_of_walls, point_on_wall};
use crate::contact_dynamics::rigid_materials::RigidMaterials;
use crate::contact_dynamics::separation::OVERLAP;
use crate::cuboid::shape::Cuboid;
use crate::error::DemError;
use crate::error::parameter::positive;
use crate::neighbor::NeighborList;
use crate::wall::{Wall, WallLoad};

/// Contact dynamics with Coulomb's friction, Newton's restitution, and friction against rolling and twisting, by the
/// step of Moreau (1988) and Jean (1999).
///
/// A step of length dt, from v⁻ to v⁺:
/// 1. Free velocities v = v⁻ + dt M⁻¹ F by the forces at its start. Spheres turn.
/// 2. Contact forces f by a [`FrictionSolver`], with u = H v⁺ + d in the frame of each contact and the velocity d of
///    walls: 0 ≤ uₙ + s ⟂ fₙ ≥ 0, |fₜ| ≤ μ fₙ, fₜ = −μ fₙ uₜ/|uₜ| where uₜ ≠ 0. The shift s is Φ/dt while the gap Φ is
///    open, zero where bodies touch (to 1e-9 of the reduced radius) or overlap, and e uₙ⁻ where the approach uₙ⁻ < 0
///    closes the gap within the step.
/// 3. Positions and attitudes move by v⁺, attitudes by Rodrigues increments.
/// 4. Bodies that overlap are moved apart. Their velocities stay as they are.
///
/// The scheme is of first order. Velocities after one impact, in sliding and in rolling have no error of the step.
/// Bodies that touch are struck at once: if a ball strikes a row of touching equal balls at e = 1, all balls of the row
/// move on together. If impacts close other contacts with restitution within the step, impacts go from contact to
/// contact in passes: in a row of equal balls with gaps the last one moves on alone, and at e = 1 energy is kept to
/// rounding.
///
/// Impacts that would gain energy, or are not solved, are repeated without restitution, in their island alone: an
/// island is all contacts of free bodies that touch each other. Where a body strikes a wedge narrower than the friction
/// angle there is no solution with restitution.
///
/// Many forces can give the same motion, for example those of a block on four feet. A solver starts from the forces of
/// the last step, turned with the normals of their contacts, and finds forces near to them. So forces depend on the
/// history. For unique forces take [`CompatibleFriction`](cd_solve::friction::CompatibleFriction) of a state at rest.
/// Velocities need not be unique either.
///
/// Contacts are found as in [`ContactDynamics`](crate::contact_dynamics::ContactDynamics), which is the step of
/// `[OK18]` without friction. Overlaps at the start are removed in the first step. A step that is not solved fails with
/// [`StepError::ContactsNotSolved`](crate::error::StepError::ContactsNotSolved), boxed in [`IntegrateError::Method`],
/// and changes nothing; between walls that close there is no solution.
///
/// ```
/// use cd_solve::friction::CoulombSolver;
/// use dem_contact::contact_dynamics::{ContactCoefficients, MoreauJean, RigidMaterials};
/// use dem_contact::neighbor::{Domain, NeighborList};
/// use dem_contact::wall::Wall;
/// use rrp_geom::glam::DVec3;
/// use rrp_integrate::{Bodies, Body, Gravity, Integrator, State};
///
/// // A ball that is pushed without spin rolls in the end, at 5/7 of its speed.
/// let bodies = Bodies::new([Body::sphere(1.0, 0.5)])?;
/// let mut state = State::at_rest(1);
/// state.position_mut().set(0, DVec3::new(0.0, 0.0, 0.5));
/// state.velocity_mut().set(0, DVec3::X);
/// let materials = RigidMaterials::uniform(ContactCoefficients::new(0.3, 0.0))?;
/// let list = NeighborList::new(Domain::OPEN, 0.05)?;
/// let mut dynamics = MoreauJean::new(0.01, list, materials, CoulombSolver::default())?
///     .with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)])?;
/// let mut gravity = Gravity { acceleration: DVec3::new(0.0, 0.0, -9.81) };
/// for _ in 0..20 {
///     dynamics.step(&bodies, &mut gravity, &mut state)?;
/// }
/// assert!((state.velocity().get(0).x - 5.0 / 7.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MoreauJean<S> {
    dt: f64,
    detector: ContactDetector,
    solver: S,
    materials: RigidMaterials,
    overlap: f64,
    warm_start: bool,
    unsolved: Unsolved,
    /// Whether the residual of the last step was above the bound that the policy `unsolved` accepts.
    was_above: bool,
    contacts: Vec<RigidContact>,
    report: FrictionStepReport,
    /// Time in s at which the last step with friction began.
    began: f64,
    next: State,
}

impl<S: FrictionSolver> MoreauJean<S> {
    /// Makes steps of length `dt` (s) with the contacts of the pairs in `list`, solved by `solver`; with warm starts.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `dt` is finite and positive,
    /// [`ListError::Deforms`](crate::error::ListError::Deforms) in a box that deforms.
    pub fn new(dt: f64, list: NeighborList, materials: RigidMaterials, solver: S) -> Result<Self, DemError> {
        list.domain().check_at_rest("contact dynamics")?;
        Ok(Self {
            dt: positive("the time step", dt)?,
            detector: ContactDetector::new(list),
            solver,
            materials,
            overlap: OVERLAP,
            warm_start: true,
            unsolved: Unsolved::Error,
            was_above: false,
            contacts: Vec::new(),
            report: FrictionStepReport::default(),
            began: 0.0,
            next: State::at_rest(0),
        })
    }

    /// Replaces the walls of this integrator with friction by these.
    ///
    /// # Errors
    /// [`WallError::InvalidWall`](crate::error::WallError::InvalidWall) or
    /// [`WallError::WallAcrossPeriodic`](crate::error::WallError::WallAcrossPeriodic).
    pub fn with_walls(mut self, walls: impl IntoIterator<Item = Wall>) -> Result<Self, DemError> {
        self.detector.set_walls(walls)?;
        Ok(self)
    }

    /// Replaces the cuboids of this integrator with friction by these.
    ///
    /// # Errors
    /// [`StepError::InvalidCuboid`](crate::error::StepError::InvalidCuboid).
    pub fn with_cuboids(mut self, cuboids: impl IntoIterator<Item = Cuboid>) -> Result<Self, DemError> {
        self.detector.set_cuboids(cuboids)?;
        Ok(self)
    }

    /// Replaces the coefficients of friction, restitution, rolling and twisting of the contacts.
    #[must_use]
    pub fn with_materials(self, materials: RigidMaterials) -> Self {
        Self { materials, ..self }
    }

    /// Sets whether the friction solver starts from the forces of the last step (a warm start), which is the default,
    /// or from zero.
    #[must_use]
    pub fn with_warm_start(self, warm_start: bool) -> Self {
        Self { warm_start, ..self }
    }

    /// Sets the overlap up to which bodies are not moved apart after a step, over the reduced radius of a contact; the
    /// default is 1e-9. This does not change which gaps count as closed: those up to 1e-9 of the reduced radius.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless it is finite and positive.
    pub fn with_allowed_overlap(self, overlap: f64) -> Result<Self, DemError> {
        Ok(Self { overlap: positive("the allowed overlap", overlap)?, ..self })
    }

    /// Sets what becomes of steps whose contact problem is not solved; such steps fail by default.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless the accepted residual is finite and positive.
    pub fn with_unsolved(self, unsolved: Unsolved) -> Result<Self, DemError> {
        if let Unsolved::Accept { residual } = unsolved {
            let _checked = positive("the accepted residual", residual)?;
        }
        Ok(Self { unsolved, ..self })
    }

    /// Whether the residual of the last step was above the bound of [`Unsolved::Accept`]; a second such step fails.
    #[must_use]
    pub fn was_above(&self) -> bool {
        self.was_above
    }

    /// Sets whether the residual of the last step was above the bound of [`Unsolved::Accept`], to continue a run.
    #[must_use]
    pub fn after_step_above(self, was_above: bool) -> Self {
        Self { was_above, ..self }
    }

    /// Continues a run: the last step began at the time `began` (s) and ended with these contacts, and the next step
    /// starts its solver from them. So a stored run goes on with the same bits.
    #[must_use]
    pub fn with_contacts(mut self, contacts: impl IntoIterator<Item = RigidContact>, began: f64) -> Self {
        self.began = began;
        self.contacts = contacts.into_iter().collect();
        self.contacts.sort_unstable_by_key(RigidContact::key);
        self
    }

    /// Time in s at which the last step with friction began.
    #[must_use]
    pub fn began(&self) -> f64 {
        self.began
    }

    /// Contacts that could close within the last step, sorted by the numbers of their bodies; contacts with walls come
    /// last. Forces are those before overlapping bodies were moved apart.
    #[must_use]
    pub fn contacts(&self) -> &[RigidContact] {
        &self.contacts
    }

    /// Report of the last step with friction.
    #[must_use]
    pub fn report(&self) -> &FrictionStepReport {
        &self.report
    }

    /// Solver of the friction problems that give the contact forces.
    #[must_use]
    pub fn solver(&self) -> &S {
        &self.solver
    }

    /// Coefficients of friction and restitution of all pairs of materials.
    #[must_use]
    pub fn materials(&self) -> &RigidMaterials {
        &self.materials
    }

    /// Walls that bodies may touch in steps with friction.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.detector.walls
    }

    /// Cuboids among the bodies of steps with friction.
    #[must_use]
    pub fn cuboids(&self) -> &[Cuboid] {
        &self.detector.cuboids
    }

    /// Point in m of a contact with a wall, at the image of the body that touches the wall. It differs from the point
    /// of the contact once the body has left a periodic domain.
    #[must_use]
    pub fn point_on_wall(&self, contact: &RigidContact) -> DVec3 {
        point_on_wall(&self.detector, contact, self.began)
    }

    /// Force (N) and torque (N m) on each wall in the last step with friction.
    #[must_use]
    pub fn wall_loads(&self) -> Vec<WallLoad> {
        loads_of_walls(&self.detector, &self.contacts, self.began, |contact| ContactForces {
            force: contact.force * contact.normal + contact.tangential_force,
            couple: contact.couple,
        })
    }
}

impl<S: FrictionSolver> Integrator for MoreauJean<S> {
    fn scheme(&self) -> Scheme {
        Scheme { dt: self.dt, order: 1, symplectic: false, reversible: false }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        let mut next = std::mem::replace(&mut self.next, State::at_rest(0));
        let time = state.time();
        let mut solved = None;
        let taken = take_step(bodies, field, state, &mut next, self.dt, |state, next| {
            let found = self.advance(bodies, state, next).map_err(|error| match error {
                DemError::Integrate(error) => error,
                error => IntegrateError::Method(FieldError::from(error)),
            })?;
            Ok(solved.insert(found).1.iterations)
        });
        self.next = next;
        let report = taken?;
        if let Some((contacts, report)) = solved {
            (self.contacts, self.report) = (contacts, report);
            self.was_above = report.friction.is_some_and(|solved| self.unsolved.is_above(&solved));
        }
        self.began = time;
        Ok(report)
    }
}

impl<S: std::fmt::Debug> std::fmt::Debug for MoreauJean<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("MoreauJean")
            .field("dt", &self.dt)
            .field("solver", &self.solver)
            .field("materials", &self.materials)
            .field("overlap", &self.overlap)
            .field("walls", &self.detector.walls)
            .field("cuboids", &self.detector.cuboids)
            .finish_non_exhaustive()
    }
}
