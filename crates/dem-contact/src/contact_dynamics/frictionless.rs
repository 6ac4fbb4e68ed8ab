//! Contact dynamics without friction, `[OK18]`.
//!
//! `solve` finds contact forces; `impacts` computes the impacts of a step.

mod impacts;
mod solve;

use cd_solve::{CompatibilitySolver, CompatibleForces, CompliantStep, ContactJacobian, LcpSolver, Report};

use crate::contact_dynamics::compatible_law::CompatibleLaw;
use crate::contact_dynamics::rigid_dynamics::RigidDynamics;
use crate::contact_dynamics::solvers;
use crate::error::DemError;
use crate::error::parameter::{fraction, positive};
use crate::neighbor::NeighborList;

/// Contact dynamics `[OK18]`: rigid bodies that do not overlap, with steps that need not resolve impacts in time.
///
/// A step is the semi-implicit one of `[OK18] (12)-(17)`:
/// 1. The forces of the field at the start of the step give the free velocities.
/// 2. The solver finds contact forces f ≥ 0 that close no linearised gap beyond zero: 0 ≤ f ⟂ Φ/dt + B v⁺ ≥ 0, with the
///    gaps Φ, their gradient B and the new velocities v⁺.
/// 3. Positions and attitudes move by the new velocities, attitudes by Rodrigues increments.
///
/// Gaps of convex bodies grow at least as fast as their linearisation. Spheres therefore overlap only by the tolerance
/// of the solver, and a sphere and a cuboid by the square of the turn. The next step removes such overlaps. Bodies that
/// overlap before the first step, or after a step without contacts, are first moved apart at constant velocities, so
/// that initial overlaps do not become motion.
///
/// Contacts are frictionless; [`MoreauJean`](crate::contact_dynamics::MoreauJean) has friction. [`RigidDynamics`]
/// describes the detection of contacts.
///
/// Contact forces are not unique if there are more contacts than the motion determines. Compatible forces, the rigid
/// limit of elastic forces, are unique and lead to the same motion. They are computed [in every
/// step](ContactDynamics::with_compatible), [on request](ContactDynamics::compatible_forces), or [together with the
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
    /// Makes steps without friction of length `dt` (s) for the pairs in `list`, solved by `solver`, without restitution
    /// and with warm starts.
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

    /// Sets the restitution e in [0, 1] of all contacts by Moreau's law: the bodies of a contact separate at e times
    /// their speed of approach. No impact gains energy, and at e = 1 no impact loses energy.
    ///
    /// Impacts change the velocities at the start of the step at all contacts that close within the step. Impacts
    /// between bodies with gaps follow each other, as many as happen within the step: in a row of equal balls with gaps
    /// only the last ball flies off. Impacts at touching bodies are simultaneous: if a ball hits a row of touching
    /// equal balls at e = 1, all balls of the row move on together.
    ///
    /// Bodies have their new velocities from the start of the step, whenever within the step they meet, so that
    /// positions after an impact are of first order in the step. Without a load velocities have no such error.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `restitution` is in [0, 1].
    pub fn with_restitution(mut self, restitution: f64) -> Result<Self, DemError> {
        self.law.restitution = fraction("the restitution", restitution)?;
        Ok(self)
    }

    /// Makes every step also compute compatible forces, the limit of the elastic forces of `law` for rigid bodies.
    #[must_use]
    pub fn with_compatible(mut self, law: CompatibleLaw) -> Self {
        self.law.compatible = Some(law);
        self
    }

    /// Sets the solver that computes compatible contact forces.
    #[must_use]
    pub fn with_compatibility_solver(mut self, solver: impl CompatibilitySolver + Send + 'static) -> Self {
        self.law.compatibility = Box::new(solver);
        self
    }

    /// Replaces the complementarity problem by one minimisation for velocities and compatible forces of contacts with a
    /// small compliance ε; see [`cd_solve::CompliantStepProblem`].
    ///
    /// The stiffness of a contact is that of `law`, F = k δᵖ⁻¹, over εᵖ⁻¹, in units in which a stiffness of one stops
    /// the mean mass within a step. The stiffnesses of `law` should be of order one. Overlaps are of order ε, and
    /// forces differ from compatible ones by order ε in motion and far less at rest. A good ε is 1e-6; 1e-9 makes
    /// forces noisy, because the overlaps are differences of rounded positions.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `compliance` is finite and positive.
    pub fn with_compliant_step(mut self, law: CompatibleLaw, compliance: f64) -> Result<Self, DemError> {
        self.law.compliant_step = Some((law, positive("the compliance", compliance)?));
        Ok(self)
    }

    /// Sets the solver of the minimisation of [compliant steps](Self::with_compliant_step).
    #[must_use]
    pub fn with_compliant_step_solver(mut self, solver: CompliantStep) -> Self {
        self.law.compliant_step_solver = solver;
        self
    }

    /// Matrix B of the last step, which maps velocities of bodies to rates of gaps, with a row for each of the
    /// [`contacts`](Self::contacts); `None` without contacts, and before the first step. Columns belong to the free
    /// bodies with contacts, in order: three for each centre, or six where cuboids turn.
    #[must_use]
    pub fn contact_map(&self) -> Option<&ContactJacobian> {
        self.last.loads.as_ref().map(|loads| &loads.map)
    }

    /// Solver of the complementarity problems that give the contact forces.
    #[must_use]
    pub fn solver(&self) -> &S {
        &self.law.solver
    }

    /// Computes the compatible forces in N for the motion of the last step, the rigid limit of the elastic `law`, in
    /// the order of the [`contacts`](Self::contacts), and the solver's report if there was a contact. There are no
    /// forces before the first step, even after [`with_contacts`](Self::with_contacts).
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
