//! Contact dynamics without friction, `[OK18]`.
//!
//! `solve` finds contact forces, `impacts` the impacts of a step.

mod impacts;
mod solve;

use cd_solve::{CompatibilitySolver, CompatibleForces, CompliantStep, ContactJacobian, LcpSolver, Report};

use crate::contact_dynamics::compatible_law::CompatibleLaw;
use crate::contact_dynamics::rigid_dynamics::RigidDynamics;
use crate::contact_dynamics::solvers;
use crate::error::DemError;
use crate::error::parameter::positive;
use crate::neighbor::NeighborList;

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
/// Contacts are frictionless; [`MoreauJean`](crate::contact_dynamics::MoreauJean) has friction. [`RigidDynamics`] says
/// how contacts are found.
///
/// The forces of the solver are not unique where there are more contacts than the motion determines. Compatible forces,
/// the rigid limit of elastic ones, are unique and lead to the same motion. They are found [in every
/// step](ContactDynamics::with_compatible), [on request](ContactDynamics::compatible_forces), or [with the
/// velocities](ContactDynamics::with_compliant_step).
pub type ContactDynamics<S> = RigidDynamics<Frictionless<S>>;

/// Law of rigid contacts without friction and with Moreau's restitution, and its solvers; see [`ContactDynamics`].
pub struct Frictionless<S> {
    solver: S,
    restitution: f64,
    compatible: Option<CompatibleLaw>,
    compatibility: Box<dyn CompatibilitySolver + Send>,
    compliant_step: Option<(CompatibleLaw, f64)>,
    compliant_step_solver: CompliantStep,
}

impl<S: LcpSolver> RigidDynamics<Frictionless<S>> {
    /// Makes steps without friction of length `dt` (s) with the contacts of the pairs in `list`, solved by `solver`:
    /// without restitution and with warm starts.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `dt` is finite and positive,
    /// [`ListError::Deforms`](crate::error::ListError::Deforms) in a box that deforms.
    pub fn new(dt: f64, list: NeighborList, solver: S) -> Result<Self, DemError> {
        let law = Frictionless {
            solver,
            restitution: 0.0,
            compatible: None,
            compatibility: Box::new(CompatibleForces::default()),
            compliant_step: None,
            compliant_step_solver: CompliantStep::default(),
        };
        Self::with_law(dt, list, law)
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
    pub fn with_restitution(mut self, restitution: f64) -> Result<Self, DemError> {
        if !(0.0..=1.0).contains(&restitution) {
            let parameter = "the restitution";
            let range = "in [0, 1]";
            return Err(DemError::InvalidParameter { parameter, range, value: restitution });
        }
        self.law.restitution = restitution;
        Ok(self)
    }

    /// Lets every step also compute compatible forces, the limit of the elastic forces of `law` for rigid bodies.
    #[must_use]
    pub fn with_compatible(mut self, law: CompatibleLaw) -> Self {
        self.law.compatible = Some(law);
        self
    }

    /// Sets the solver that computes compatible contact forces, the rigid limit of those of a [`CompatibleLaw`].
    #[must_use]
    pub fn with_compatibility_solver(mut self, solver: impl CompatibilitySolver + Send + 'static) -> Self {
        self.law.compatibility = Box::new(solver);
        self
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
    pub fn with_compliant_step(mut self, law: CompatibleLaw, compliance: f64) -> Result<Self, DemError> {
        self.law.compliant_step = Some((law, positive("the compliance", compliance)?));
        Ok(self)
    }

    /// Sets the solver of the minimisation by which [compliant steps](Self::with_compliant_step) are taken.
    #[must_use]
    pub fn with_compliant_step_solver(mut self, solver: CompliantStep) -> Self {
        self.law.compliant_step_solver = solver;
        self
    }

    /// Matrix B of the last step, which maps velocities of bodies to rates of gaps, with a row for each of the
    /// [`contacts`](Self::contacts). Columns are those of the free bodies that take part, in order: three for the
    /// centre of each, or six where cuboids turn.
    #[must_use]
    pub fn contact_map(&self) -> Option<&ContactJacobian> {
        self.last.loads.as_ref().map(|loads| &loads.map)
    }

    /// Solver of the complementarity problems that give the contact forces.
    #[must_use]
    pub fn solver(&self) -> &S {
        &self.law.solver
    }

    /// Computes the forces in N that are compatible with the motion of the last step, the rigid limit of the elastic
    /// `law`, in the order of the [`contacts`](Self::contacts), and the solver's report if there was a contact. There
    /// are no forces before the first step, even after [`with_contacts`](Self::with_contacts).
    ///
    /// # Errors
    /// [`StepError::ContactsNotSolved`](crate::error::StepError::ContactsNotSolved) or [`DemError::Solve`].
    pub fn compatible_forces(&mut self, law: &CompatibleLaw) -> Result<(Vec<f64>, Option<Report>), DemError> {
        solvers::compatible(&mut *self.law.compatibility, &self.last, law)
    }
}

impl<S: std::fmt::Debug> std::fmt::Debug for Frictionless<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Frictionless")
            .field("solver", &self.solver)
            .field("restitution", &self.restitution)
            .field("compatible", &self.compatible)
            .field("compliant_step", &self.compliant_step)
            .finish_non_exhaustive()
    }
}
