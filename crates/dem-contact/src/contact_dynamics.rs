//! Contact dynamics `[OK18]`: rigid bodies at large steps.
//!
//! `step` takes a step without friction: `motion` has the motion without contacts, `detection` finds contacts by the
//! list of `neighbor`, the walls of `wall` and the cuboids of `cuboid`; `problem` turns them into matrices; `solvers`
//! poses the problems to `cd-solve`; `impacts` has the impacts of a step; `separation` moves bodies apart that overlap;
//! `travel_bounds` say whether contacts are complete. `moreau_jean` is the step with friction, on the same parts, with
//! the coefficients of `rigid_materials`. `compatible_law` is the elastic law whose rigid limit makes forces unique.
//! Results are a `rigid_contact` for each contact, and a `report`.

pub(crate) mod compatible_law;
pub(crate) mod detection;
pub(crate) mod impacts;
pub(crate) mod moreau_jean;
pub(crate) mod motion;
pub(crate) mod pass_limits;
pub(crate) mod problem;
pub(crate) mod report;
pub(crate) mod rigid_contact;
pub(crate) mod rigid_materials;
pub(crate) mod separation;
pub(crate) mod solvers;
pub(crate) mod step;
pub(crate) mod travel_bounds;

pub use self::compatible_law::CompatibleLaw;
pub use self::moreau_jean::{FrictionStepReport, MoreauJean, Unsolved};
pub use self::report::DynamicsReport;
pub use self::rigid_contact::RigidContact;
pub use self::rigid_materials::{ContactCoefficients, RigidMaterials};

use cd_solve::{CompatibilitySolver, CompatibleForces, CompliantStep, ContactJacobian, LcpSolver, Report};
use rrp_geom::glam::DVec3;
use rrp_integrate::step::take_step;
use rrp_integrate::{Bodies, FieldError, ForceField, IntegrateError, Integrator, Scheme, State, StepReport};

use crate::contact_dynamics::detection::ContactDetector;
use crate::contact_dynamics::report::StepContacts;
use crate::contact_dynamics::rigid_contact::{ContactForces, loads_of_walls, point_on_wall};
use crate::cuboid::shape::Cuboid;
use crate::error::DemError;
use crate::error::parameter::positive;
use crate::neighbor::NeighborList;
use crate::wall::{Wall, WallLoad};

/// Contact dynamics `[OK18]`: rigid bodies that do not overlap, at steps that need not resolve any impact.
///
/// A step is the semi-implicit one of `[OK18] (12)-(17)`:
/// 1. The forces of the field at the start of the step give the free velocities.
/// 2. The solver finds contact forces f ≥ 0 that close no linearised gap beyond zero: 0 ≤ f ⟂ Φ/dt + B v⁺ ≥ 0, with the
///    gaps Φ, their gradient B and the new velocities v⁺.
/// 3. Positions and attitudes move by the new velocities, attitudes by Rodrigues increments.
///
/// Gaps of convex bodies grow at least as their linearisation does. Spheres therefore overlap by the tolerance of the
/// solver, and a sphere and a cuboid by the square of the turn. The next step removes such overlaps. If bodies overlap
/// and the last step had no contact, as before the first step, they are moved apart first, and keep their velocities:
/// overlaps at the start do not become motion.
///
/// Contacts are frictionless; [`MoreauJean`] has friction. Contacts are found between the same bodies, walls and
/// cuboids as for penalty forces. Pairs within the skin of the list are always given to the solver. Pairs that come
/// from further away in a step are found as well, by a second solve. Fixed bodies and walls keep their velocities.
///
/// The forces of the solver are not unique where there are more contacts than the motion determines. Compatible forces,
/// the rigid limit of elastic ones, are unique and lead to the same motion. They are found [in every
/// step](Self::with_compatible), [on request](Self::compatible_forces), or [with the
/// velocities](Self::with_compliant_step).
///
/// A step that a solver does not solve to its tolerance fails with
/// [`StepError::ContactsNotSolved`](crate::error::StepError::ContactsNotSolved), boxed in [`IntegrateError::Method`],
/// and changes nothing.
pub struct ContactDynamics<S> {
    pub(super) dt: f64,
    pub(super) detector: ContactDetector,
    pub(super) solver: S,
    pub(super) restitution: f64,
    pub(super) warm_start: bool,
    pub(super) compatible: Option<CompatibleLaw>,
    pub(super) compatibility: Box<dyn CompatibilitySolver + Send>,
    pub(super) compliant_step: Option<(CompatibleLaw, f64)>,
    pub(super) compliant_step_solver: CompliantStep,
    pub(super) step_contacts: StepContacts,
    /// Time in s at which the last step of contact dynamics began.
    pub(super) began: f64,
    pub(super) next: State,
}

impl<S: LcpSolver> ContactDynamics<S> {
    /// Makes steps of length `dt` (s) with the contacts of the pairs in `list`, solved by `solver`: without restitution
    /// and with warm starts.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `dt` is finite and positive,
    /// [`ListError::Deforms`](crate::error::ListError::Deforms) in a box that deforms.
    pub fn new(dt: f64, list: NeighborList, solver: S) -> Result<Self, DemError> {
        list.domain().check_at_rest("contact dynamics")?;
        Ok(Self {
            dt: positive("the time step", dt)?,
            detector: ContactDetector::new(list),
            solver,
            restitution: 0.0,
            warm_start: true,
            compatible: None,
            compatibility: Box::new(CompatibleForces::default()),
            compliant_step: None,
            compliant_step_solver: CompliantStep::default(),
            step_contacts: StepContacts::default(),
            began: 0.0,
            next: State::at_rest(0),
        })
    }

    /// Replaces the walls of contact dynamics by these.
    ///
    /// # Errors
    /// [`WallError::InvalidWall`](crate::error::WallError::InvalidWall) or
    /// [`WallError::WallAcrossPeriodic`](crate::error::WallError::WallAcrossPeriodic).
    pub fn with_walls(mut self, walls: impl IntoIterator<Item = Wall>) -> Result<Self, DemError> {
        self.detector.set_walls(walls)?;
        Ok(self)
    }

    /// Replaces the cuboids of contact dynamics by these.
    ///
    /// # Errors
    /// [`StepError::InvalidCuboid`](crate::error::StepError::InvalidCuboid).
    pub fn with_cuboids(mut self, cuboids: impl IntoIterator<Item = Cuboid>) -> Result<Self, DemError> {
        self.detector.set_cuboids(cuboids)?;
        Ok(self)
    }

    /// Sets the restitution e in [0, 1] of all contacts, by Moreau's law: contacts that strike part at e times the
    /// speed of approach. No impact gains energy, and at e = 1 none loses any.
    ///
    /// Impacts act on the velocities at the start of the step, at contacts that close within it. Bodies with gaps
    /// between them meet one after the other, as many as meet within the step: of a row of equal balls with gaps only
    /// the last one flies off. Contacts that touch are struck at once: if a ball strikes a row of touching equal balls
    /// at e = 1, all balls of the row move on together.
    ///
    /// Bodies have their new velocities from the start of the step, whenever in the step they meet: places after an
    /// impact are of first order in the length of the step. Velocities have no such error without a load.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `restitution` is in [0, 1].
    pub fn with_restitution(self, restitution: f64) -> Result<Self, DemError> {
        if !(0.0..=1.0).contains(&restitution) {
            let parameter = "the restitution";
            let range = "in [0, 1]";
            return Err(DemError::InvalidParameter { parameter, range, value: restitution });
        }
        Ok(Self { restitution, ..self })
    }

    /// Sets whether solvers start from the forces of the last step (a warm start), which is the default, or from zero.
    ///
    /// Forces that are not unique depend on the start; velocities and compatible forces do not.
    #[must_use]
    pub fn with_warm_start(self, warm_start: bool) -> Self {
        Self { warm_start, ..self }
    }

    /// Lets every step also compute compatible forces, the limit of the elastic forces of `law` for rigid bodies.
    #[must_use]
    pub fn with_compatible(self, law: CompatibleLaw) -> Self {
        Self { compatible: Some(law), ..self }
    }

    /// Sets the solver that computes compatible contact forces, the rigid limit of those of a [`CompatibleLaw`].
    #[must_use]
    pub fn with_compatibility_solver(self, solver: impl CompatibilitySolver + Send + 'static) -> Self {
        Self { compatibility: Box::new(solver), ..self }
    }

    /// Finds velocities and compatible forces in one minimisation for contacts of a small compliance ε, without a
    /// complementarity problem; see [`cd_solve::CompliantStepProblem`].
    ///
    /// The stiffness of a contact is that of `law`, F = k δᵖ⁻¹, over εᵖ⁻¹, in units in which a stiffness of one stops
    /// the mean mass within a step. The stiffnesses of `law` should be of order one. Forces in motion differ from
    /// compatible ones by a multiple of ε, and overlaps are of that order too; at rest forces differ by far less.
    /// Choose an ε of 1e-6. An ε of 1e-9 makes forces noisy, because overlaps come from positions, which are rounded.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `compliance` is finite and positive.
    pub fn with_compliant_step(self, law: CompatibleLaw, compliance: f64) -> Result<Self, DemError> {
        Ok(Self { compliant_step: Some((law, positive("the compliance", compliance)?)), ..self })
    }

    /// Sets the solver of the minimisation by which [compliant steps](Self::with_compliant_step) are taken.
    #[must_use]
    pub fn with_compliant_step_solver(self, solver: CompliantStep) -> Self {
        Self { compliant_step_solver: solver, ..self }
    }

    /// Continues a run: the last step began at the time `began` (s) and ended with these contacts, and the next step
    /// starts its solvers from them.
    #[must_use]
    pub fn with_contacts(mut self, contacts: impl IntoIterator<Item = RigidContact>, began: f64) -> Self {
        self.began = began;
        self.step_contacts = StepContacts { contacts: contacts.into_iter().collect(), ..StepContacts::default() };
        self.step_contacts.contacts.sort_unstable_by_key(RigidContact::key);
        self
    }

    /// Time in s at which the last step of contact dynamics began.
    #[must_use]
    pub fn began(&self) -> f64 {
        self.began
    }

    /// Contacts of the last step, sorted by the numbers of their bodies; contacts with walls come last.
    #[must_use]
    pub fn contacts(&self) -> &[RigidContact] {
        &self.step_contacts.contacts
    }

    /// Point in m of a contact with a wall, at the image of the body that touches the wall. It differs from the point
    /// of the contact once the body has left a periodic domain.
    #[must_use]
    pub fn point_on_wall(&self, contact: &RigidContact) -> DVec3 {
        point_on_wall(&self.detector, contact, self.began)
    }

    /// Matrix B of the last step, which maps velocities of bodies to rates of gaps, with a row for each of the
    /// [`contacts`](Self::contacts). Columns are those of the free bodies that take part, in order: three for the
    /// centre of each, or six where cuboids turn.
    #[must_use]
    pub fn contact_map(&self) -> Option<&ContactJacobian> {
        self.step_contacts.map.as_ref()
    }

    /// Report of the solvers in the last step of contact dynamics without friction.
    #[must_use]
    pub fn report(&self) -> &DynamicsReport {
        &self.step_contacts.report
    }

    /// Solver of the complementarity problems that give the contact forces.
    #[must_use]
    pub fn solver(&self) -> &S {
        &self.solver
    }

    /// Walls that bodies may touch in contact dynamics.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.detector.walls
    }

    /// Cuboids among the bodies of contact dynamics.
    #[must_use]
    pub fn cuboids(&self) -> &[Cuboid] {
        &self.detector.cuboids
    }

    /// Force (N) and torque (N m) on each wall in the last step, from compatible forces if the step computed them.
    #[must_use]
    pub fn wall_loads(&self) -> Vec<WallLoad> {
        loads_of_walls(&self.detector, &self.step_contacts.contacts, self.began, |contact| ContactForces {
            force: contact.best_force() * contact.normal,
            couple: DVec3::ZERO,
        })
    }

    /// Computes the forces in N that are compatible with the motion of the last step, the rigid limit of the elastic
    /// `law`, in the order of the [`contacts`](Self::contacts), and the solver's report if there was a contact. There
    /// are no forces before the first step, even after [`with_contacts`](Self::with_contacts).
    ///
    /// # Errors
    /// [`StepError::ContactsNotSolved`](crate::error::StepError::ContactsNotSolved) or [`DemError::Solve`].
    pub fn compatible_forces(&mut self, law: &CompatibleLaw) -> Result<(Vec<f64>, Option<Report>), DemError> {
        solvers::compatible(&mut *self.compatibility, &self.step_contacts, law)
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
        let time = state.time();
        let mut resolved = None;
        let taken = take_step(bodies, field, state, &mut next, self.dt, |state, next| {
            let found = self.advance(bodies, state, next).map_err(|error| match error {
                DemError::Integrate(error) => error,
                error => IntegrateError::Method(FieldError::from(error)),
            })?;
            Ok(resolved.insert(found).report.iterations())
        });
        self.next = next;
        let report = taken?;
        if let Some(step_contacts) = resolved {
            self.step_contacts = step_contacts;
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
            .field("compliant_step", &self.compliant_step)
            .field("walls", &self.detector.walls)
            .field("cuboids", &self.detector.cuboids)
            .finish_non_exhaustive()
    }
}
