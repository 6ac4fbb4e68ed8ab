//! Velocities and compatible forces in one step, for a small compliance.

use crate::error::{SolveError, check_finite, check_length};
use crate::friction::problem::{FrictionLaw, FrictionProblem};
use crate::friction::proximal_newton::ProximalCore;
use crate::friction::solver::{FrictionReport, check_start};
use crate::friction::springs::{Springs, check_positive};
use crate::friction::sweeps::SweepBuffers;
use crate::report::{Options, Status};

/// Forces of contacts on springs that carry the forces r₀ before the step: r = P(r₀ − K (W r + q)/ε).
///
/// The solver takes one implicit step of very stiff grains, and is the form to use in a simulation: with the forces of
/// the step before as r₀, turned into the new frames, contacts keep their history. From contacts without force the
/// forces differ from those of [`CompatibleFriction`](crate::friction::CompatibleFriction) by a multiple of ε, down to
/// about 1e-8, where the rounding of q counts. If ε is smaller and all contacts are closed, take
/// [`with_inertia`](crate::friction::CompatibleFrictionProblem::with_inertia). Newton's method starts from bonded
/// contacts. It stops where the springs and the velocities agree to the tolerance times ‖q‖, which the residual of the
/// report states; `max_iterations` counts factorisations.
#[derive(Debug, Clone)]
pub struct CompliantFriction {
    options: Options,
    compliance: f64,
    core: ProximalCore,
    buffers: SweepBuffers,
}

impl CompliantFriction {
    /// A solver with springs of compliance ε, which is `compliance`, over their stiffness.
    #[must_use]
    pub fn new(options: Options, compliance: f64) -> Self {
        Self { options, compliance, core: ProximalCore::default(), buffers: SweepBuffers::default() }
    }

    /// Writes the forces to `force`, which has the forces r₀ on entry.
    ///
    /// # Errors
    /// [`SolveError::InvalidParameter`], [`LengthMismatch`](SolveError::LengthMismatch),
    /// [`WrongLaw`](crate::error::FrictionError::WrongLaw) or
    /// [`InvalidBlock`](crate::error::FrictionError::InvalidBlock); `force` is then untouched.
    pub fn solve(
        &mut self,
        problem: &FrictionProblem<'_>,
        springs: Springs<'_>,
        force: &mut [f64],
    ) -> Result<FrictionReport, SolveError> {
        self.options.check()?;
        check_positive("the compliance", self.compliance)?;
        check_start(problem, FrictionLaw::Coulomb, force)?;
        springs.check(problem)?;
        self.core.contacts.prepare(problem)?;
        springs.write_compliances(self.compliance, &mut self.core.contacts.compliance);
        self.core.contacts.memory.copy_from_slice(force);
        let mut factorizations = 0;
        let Options { tolerance, max_iterations } = self.options;
        let mut ended = self.core.inner(problem, tolerance, max_iterations, true, &mut factorizations);
        if ended.is_err() {
            // The second attempt starts from the memory, which is near the solution if little has changed.
            let left = max_iterations.saturating_sub(factorizations);
            ended = self.core.inner(problem, tolerance, left, false, &mut factorizations);
        }
        let residual = self.core.contacts.evaluate(problem);
        let status = match ended {
            Ok(()) => Status::Converged,
            Err(_) if factorizations >= max_iterations => Status::IterationLimit,
            Err(_) => Status::Stalled,
        };
        force.copy_from_slice(&self.core.contacts.force);
        Ok(FrictionReport { status, sweeps: 0, factorizations, residual, growth: 1.0 })
    }

    /// Returns the residual of the exact law at forces found, a multiple of ε.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn exact_residual(&mut self, problem: &FrictionProblem<'_>, force: &[f64]) -> Result<f64, SolveError> {
        check_length("local forces", force, problem.len())?;
        check_finite("local force", force)?;
        Ok(self.buffers.residual(problem, force))
    }
}
