//! Contact dynamics: rigid bodies at large steps.

pub(crate) mod compatible_law;
pub(crate) mod detection;
pub(crate) mod problem;
pub(crate) mod report;
pub(crate) mod rigid_contact;
pub(crate) mod solvers;
pub(crate) mod step;

pub use self::compatible_law::CompatibleLaw;
pub use self::report::DynamicsReport;
pub use self::rigid_contact::RigidContact;

use cd_solve::{CompatibilitySolver, CompatibleForces, CompliantStep, ContactJacobian, LcpSolver, Report};
use rrp_geom::glam::DVec3;
use rrp_integrate::step::take_step;
use rrp_integrate::{Bodies, FieldError, ForceField, IntegrateError, Integrator, Scheme, State, StepReport};

use crate::contact_dynamics::detection::ContactDetector;
use crate::contact_dynamics::report::StepContacts;
use crate::cuboid::shape::Cuboid;
use crate::error::DemError;
use crate::error::parameter::positive;
use crate::neighbor::NeighborList;
use crate::wall::{Wall, WallLoad};

/// Contact dynamics `[OK18]`: rigid bodies that do not overlap, at steps that need not resolve any impact.
///
/// The semi-implicit step of `[OK18] (12)-(17)`: free velocities by the forces of the field at the start of the step; contact
/// forces f ≥ 0 by `solver` such that no linearised gap closes beyond zero, 0 ≤ f ⟂ Φ/dt + B v⁺ ≥ 0; positions and attitudes
/// by the new velocities, attitudes by Rodrigues increments. Distances of convex bodies grow at least as their linearisation
/// does, so spheres overlap by what the solver's tolerance leaves, and a sphere and a plank by the square of its turn. What
/// overlaps at the start is pushed apart within the step.
///
/// Contacts are frictionless; they are found by the neighbour list, the walls and the planks that penalty forces know too.
/// The skin of the list is the gap up to which pairs are always given to the solver; those that move further in a step are
/// found as well, at the price of a second solve. Fixed bodies keep their velocities, as walls do.
///
/// Forces of the solver are not unique where there are more contacts than the motion determines. CompatibleForces forces are: they
/// are found [in every step](Self::with_compatible), [on request](Self::compatible_forces), or
/// [in one step](Self::with_one_step) with the velocities. They lead to the same motion.
///
/// A step that a solver does not solve to its tolerance fails with [`StepError::ContactsNotSolved`](crate::error::StepError::ContactsNotSolved), boxed in
/// [`IntegrateError::Method`], and changes nothing.
pub struct ContactDynamics<S> {
    pub(super) dt: f64,
    pub(super) finder: ContactDetector,
    pub(super) solver: S,
    pub(super) restitution: f64,
    pub(super) warm_start: bool,
    pub(super) compatible: Option<CompatibleLaw>,
    pub(super) compatibility: Box<dyn CompatibilitySolver + Send>,
    pub(super) one_step: Option<(CompatibleLaw, f64)>,
    pub(super) one_step_solver: CompliantStep,
    pub(super) outcome: StepContacts,
    /// When the last step began, in s.
    pub(super) began: f64,
    pub(super) next: State,
}

impl<S: LcpSolver> ContactDynamics<S> {
    /// Steps of length `dt` (s) with the contacts of the pairs in `list`, solved by `solver`; no restitution, warm starts.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `dt` is finite and positive.
    pub fn new(dt: f64, list: NeighborList, solver: S) -> Result<Self, DemError> {
        Ok(Self {
            dt: positive("the time step", dt)?,
            finder: ContactDetector::new(list),
            solver,
            restitution: 0.0,
            warm_start: true,
            compatible: None,
            compatibility: Box::new(CompatibleForces::default()),
            one_step: None,
            one_step_solver: CompliantStep::default(),
            outcome: StepContacts::default(),
            began: 0.0,
            next: State::at_rest(0),
        })
    }

    /// The same with these walls instead of those it has.
    ///
    /// # Errors
    /// [`WallError::InvalidWall`](crate::error::WallError::InvalidWall) or [`WallError::WallAcrossPeriodic`](crate::error::WallError::WallAcrossPeriodic).
    pub fn with_walls(mut self, walls: impl IntoIterator<Item = Wall>) -> Result<Self, DemError> {
        self.finder.walls = walls.into_iter().collect();
        for (w, wall) in self.finder.walls.iter().enumerate() {
            wall.check(w, self.finder.list().domain().periods())?;
        }
        Ok(self)
    }

    /// The same with these planks instead of those it has.
    ///
    /// # Errors
    /// [`StepError::InvalidPlank`](crate::error::StepError::InvalidPlank).
    pub fn with_planks(mut self, planks: impl IntoIterator<Item = Cuboid>) -> Result<Self, DemError> {
        self.finder.planks = planks.into_iter().collect();
        Cuboid::check_shapes(&self.finder.planks)?;
        Ok(self)
    }

    /// The same with Newton's restitution e in [0, 1]: contacts that close in a step, and those only, part at least at e
    /// times the speed at which the two met at the start of the step.
    ///
    /// A contact closes if its slack is zero in the step without restitution, which is solved first. Gaps stay positive.
    /// Impacts within one step are simultaneous, as in Newton's law for many contacts: of a row of touching equal balls,
    /// struck at e = 1, all others move on together.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `restitution` is in [0, 1].
    pub fn with_restitution(self, restitution: f64) -> Result<Self, DemError> {
        if !(0.0..=1.0).contains(&restitution) {
            let (parameter, range) = ("the restitution", "in [0, 1]");
            return Err(DemError::InvalidParameter { parameter, range, value: restitution });
        }
        Ok(Self { restitution, ..self })
    }

    /// Whether solvers start from the forces of the last step, as they do unless told otherwise, or from zero.
    ///
    /// Forces that are not unique depend on that; velocities and compatible forces do not.
    #[must_use]
    pub fn with_warm_start(self, warm_start: bool) -> Self {
        Self { warm_start, ..self }
    }

    /// Finds the compatible forces of `law` in every step.
    #[must_use]
    pub fn with_compatible(self, law: CompatibleLaw) -> Self {
        Self { compatible: Some(law), ..self }
    }

    /// Finds compatible forces by this solver.
    #[must_use]
    pub fn with_compatibility_solver(self, solver: impl CompatibilitySolver + Send + 'static) -> Self {
        Self { compatibility: Box::new(solver), ..self }
    }

    /// Velocities and compatible forces from one minimisation for contacts of a small compliance ε, without a
    /// complementarity problem; see [`cd_solve::CompliantStepProblem`].
    ///
    /// The stiffness of a contact is that of `law`, which should be of order one, over εᵖ⁻¹, in units in which the mean mass
    /// is stopped within a step. Forces in motion differ from compatible ones by a multiple of ε, and overlaps are of that
    /// order too; at rest forces differ by far less. Overlaps are read off the positions: an ε that leaves them to the
    /// rounding of positions, such as 1e-9, makes forces noisy again. 1e-6 is a good choice.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `compliance` is finite and positive.
    pub fn with_one_step(self, law: CompatibleLaw, compliance: f64) -> Result<Self, DemError> {
        Ok(Self { one_step: Some((law, positive("the compliance", compliance)?)), ..self })
    }

    /// The same with another solver of one-step problems.
    #[must_use]
    pub fn with_one_step_solver(self, solver: CompliantStep) -> Self {
        Self { one_step_solver: solver, ..self }
    }

    /// The same as if a step that began at the time `began` in s had ended with these contacts: where the next one starts its
    /// solvers from.
    #[must_use]
    pub fn with_contacts(mut self, contacts: impl IntoIterator<Item = RigidContact>, began: f64) -> Self {
        self.began = began;
        self.outcome = StepContacts { contacts: contacts.into_iter().collect(), ..StepContacts::default() };
        self.outcome.contacts.sort_unstable_by_key(RigidContact::key);
        self
    }

    /// When the last step began, in s.
    #[must_use]
    pub fn began(&self) -> f64 {
        self.began
    }

    /// The contacts of the last step, sorted by their bodies, those with walls last.
    #[must_use]
    pub fn contacts(&self) -> &[RigidContact] {
        &self.outcome.contacts
    }

    /// The point in m of a contact with a wall, at the image of the body that meets the wall where it stands. It is another
    /// one than that of the contact once the body has left a periodic domain.
    #[must_use]
    pub fn point_on_wall(&self, contact: &RigidContact) -> DVec3 {
        let centre = contact.point - (contact.radius + contact.gap) * contact.normal;
        contact.point + (self.finder.list().domain().inside(centre) - centre)
    }

    /// The map B of the last step: a row for each of the [`contacts`](Self::contacts), and columns for the free bodies that
    /// take part in them, in order; three for the centre of each, or six where bodies other than spheres turn.
    #[must_use]
    pub fn contact_map(&self) -> Option<&ContactJacobian> {
        self.outcome.map.as_ref()
    }

    /// What the last step took.
    #[must_use]
    pub fn report(&self) -> &DynamicsReport {
        &self.outcome.report
    }

    /// The solver of complementarity problems.
    #[must_use]
    pub fn solver(&self) -> &S {
        &self.solver
    }

    /// The walls.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.finder.walls
    }

    /// The planks.
    #[must_use]
    pub fn planks(&self) -> &[Cuboid] {
        &self.finder.planks
    }

    /// Force and torque on each wall in the last step, by compatible forces where there are any.
    #[must_use]
    pub fn wall_loads(&self) -> Vec<WallLoad> {
        let mut loads = vec![WallLoad::default(); self.finder.walls.len()];
        let with_wall = self.outcome.contacts.iter().filter(|contact| contact.with_wall && contact.best_force() > 0.0);
        for contact in with_wall {
            let (Some(load), Some(wall)) = (loads.get_mut(contact.b), self.finder.walls.get(contact.b)) else {
                continue;
            };
            let force = contact.best_force() * contact.normal;
            load.force += force;
            load.torque += (self.point_on_wall(contact) - wall.point_at(self.began)).cross(force);
            load.contacts += 1;
        }
        loads
    }

    /// The forces compatible with the motion of the last step, in the order of its [`contacts`](Self::contacts) and in N, by
    /// `law`; with the report, if there was a contact. None before the first step, whatever
    /// [`with_contacts`](Self::with_contacts) was given.
    ///
    /// # Errors
    /// [`StepError::ContactsNotSolved`](crate::error::StepError::ContactsNotSolved) or [`DemError::Solve`].
    pub fn compatible_forces(&mut self, law: &CompatibleLaw) -> Result<(Vec<f64>, Option<Report>), DemError> {
        crate::contact_dynamics::solvers::compatible(&mut *self.compatibility, &self.outcome, law)
    }
}

impl<S: LcpSolver> Integrator for ContactDynamics<S> {
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
        let (time, mut outcome) = (state.time(), None);
        let taken = take_step(bodies, field, state, &mut next, self.dt, |state, next| {
            let found = self.advance(bodies, state, next).map_err(|error| match error {
                DemError::Integrate(error) => error,
                error => IntegrateError::Method(FieldError::from(error)),
            })?;
            Ok(outcome.insert(found).report.iterations())
        });
        self.next = next;
        let report = taken?;
        if let Some(outcome) = outcome {
            self.outcome = outcome;
        }
        self.began = time;
        Ok(report)
    }
}

impl<S: std::fmt::Debug> std::fmt::Debug for ContactDynamics<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ContactDynamics")
            .field("dt", &self.dt)
            .field("solver", &self.solver)
            .field("restitution", &self.restitution)
            .field("compatible", &self.compatible)
            .field("one_step", &self.one_step)
            .field("walls", &self.finder.walls)
            .field("planks", &self.finder.planks)
            .finish_non_exhaustive()
    }
}
