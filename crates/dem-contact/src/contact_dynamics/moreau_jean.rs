//! Contact dynamics with friction and restitution: the step of Moreau (1988) and Jean (1999).
//!
//! - `solve` finds contact forces. `friction_problem` poses the problem to `cd-solve`, with warm start and restitution.
//! - `impacts` computes impacts that follow from other impacts; `impact_guard` repeats impacts that would gain energy.
//! - `unsolved` is the policy for a step whose problem is not solved.

mod friction_problem;
mod impact_guard;
mod impacts;
mod solve;
#[cfg(test)]
mod tests;
mod unsolved;

pub use self::unsolved::Unsolved;

use cd_solve::friction::FrictionSolver;

use crate::contact_dynamics::rigid_dynamics::RigidDynamics;
use crate::contact_dynamics::rigid_materials::RigidMaterials;
use crate::error::DemError;
use crate::error::parameter::positive;
use crate::neighbor::NeighborList;

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
/// 4. Bodies that overlap are moved apart at constant velocities.
///
/// The scheme is of first order. Velocities after one impact, in sliding and in rolling have no error of the step.
/// Impacts at touching bodies are simultaneous: if a ball hits a row of touching equal balls at e = 1, all balls of the
/// row move on together. Impacts that close other contacts with restitution within the step propagate in passes: in a
/// row of equal balls with gaps the last ball moves on alone, and at e = 1 energy is conserved to rounding.
///
/// If impacts in an island (contacts connected by free bodies) would gain energy or are not solved, they are repeated
/// without restitution, in this island alone. Where a body hits a wedge narrower than the friction angle there is no
/// solution with restitution.
///
/// Many forces can give the same motion, for example those of a block on four feet. A solver starts from the forces of
/// the last step, turned with the normals of their contacts, and finds forces close to them, so that forces depend on
/// the history. [`CompatibleFriction`](cd_solve::friction::CompatibleFriction) computes unique forces of a state at
/// rest. Velocities need not be unique either.
///
/// [`ContactDynamics`](crate::contact_dynamics::ContactDynamics) is the step of `[OK18]` without friction;
/// [`RigidDynamics`] describes the detection of contacts. The first step removes initial overlaps. Between walls that
/// close on a body there is no solution, and the step fails.
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
pub type MoreauJean<S> = RigidDynamics<CoulombFriction<S>>;

/// Law of rigid contacts with Coulomb's friction and Newton's restitution, and its solver; see [`MoreauJean`].
#[derive(Debug)]
pub struct CoulombFriction<S> {
    solver: S,
    materials: RigidMaterials,
    unsolved: Unsolved,
}

impl<S: FrictionSolver> RigidDynamics<CoulombFriction<S>> {
    /// Makes steps with friction of length `dt` (s) for the pairs in `list`, solved by `solver`, with warm starts.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `dt` is finite and positive,
    /// [`ListError::Deforms`](crate::error::ListError::Deforms) in a box that deforms.
    pub fn new(dt: f64, list: NeighborList, materials: RigidMaterials, solver: S) -> Result<Self, DemError> {
        Self::with_law(dt, list, CoulombFriction { solver, materials, unsolved: Unsolved::Error })
    }

    /// Replaces the coefficients of friction, restitution, rolling and twisting of the contacts.
    #[must_use]
    pub fn with_materials(mut self, materials: RigidMaterials) -> Self {
        self.law.materials = materials;
        self
    }

    /// Sets the policy for steps whose contact problem is not solved; by default such a step fails.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless the accepted residual is finite and positive.
    pub fn with_unsolved(mut self, unsolved: Unsolved) -> Result<Self, DemError> {
        if let Unsolved::Accept { residual } = unsolved {
            let _checked = positive("the accepted residual", residual)?;
        }
        self.law.unsolved = unsolved;
        Ok(self)
    }

    /// Restores, to continue a run, whether the residual of the last step exceeded the bound of [`Unsolved::Accept`],
    /// so that a second such step fails; see [`DynamicsReport::above_bound`](super::DynamicsReport::above_bound).
    #[must_use]
    pub fn after_step_above(mut self, was_above: bool) -> Self {
        self.last.report.above_bound = was_above;
        self
    }

    /// Solver of the friction problems that give the contact forces.
    #[must_use]
    pub fn solver(&self) -> &S {
        &self.law.solver
    }

    /// Coefficients of friction and restitution of all pairs of materials.
    #[must_use]
    pub fn materials(&self) -> &RigidMaterials {
        &self.law.materials
    }
}
