use crate::error::{SolveError, check_positive};
use crate::friction::compliant_contacts::CompliantContacts;
use crate::friction::convex_step::ConvexStep;
use crate::friction::law::de_saxce_shift;
use crate::friction::problem::{FrictionCoefficients, FrictionLaw, FrictionProblem};
use crate::friction::solver::{FrictionReport, check_start};
use crate::friction::springs::Springs;
use crate::report::{Options, Status};

/// Selection of the contact forces of least elastic energy of springs, among all forces of a solved friction problem.
///
/// The forces r for the velocities u of a solution form a convex set: r in the friction cone, r·(u + s) = 0 with De
/// Saxcé's normal velocity s = μ|uₜ|, W r = u − q. The forces of least Σ r²/(2 k) are unique. They are the limit δ → 0
/// of the minimum over the cone of ½ rᵀ W r + (q + s)ᵀ r + ½ δ Σ r²/k with frozen s; the computation uses a small δ. An
/// error of the velocities causes an error of the forces larger by 1/δ: solve for u to 1e-12 first.
///
/// The rule ignores the history of loading. For forces after a given loading path use
/// [`CompatibleFriction`](crate::friction::CompatibleFriction).
#[derive(Debug, Clone)]
pub struct LeastEnergyForces {
    options: Options,
    compliance: f64,
    contacts: CompliantContacts,
    step: ConvexStep,
    velocity: Vec<f64>,
    offset: Vec<f64>,
    work: Vec<f64>,
}

impl LeastEnergyForces {
    /// Makes a selection by springs of the `compliance` (no unit) times the mean velocity per force of the problem.
    #[must_use]
    pub fn new(options: Options, compliance: f64) -> Self {
        Self {
            options,
            compliance,
            contacts: CompliantContacts::default(),
            step: ConvexStep::default(),
            velocity: Vec::new(),
            offset: Vec::new(),
            work: Vec::new(),
        }
    }

    /// Replaces the contact forces of a solution by those of least energy in springs.
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
        springs.check(problem.block(), problem.contacts())?;
        self.velocity.resize(problem.len(), 0.0);
        problem.velocity(force, &mut self.velocity, &mut self.work)?;
        self.offset.clear();
        self.offset.extend_from_slice(problem.offset());
        let slips = self.velocity.as_chunks::<3>().0.iter().zip(problem.coefficients());
        for (offset, (u, mu)) in self.offset.as_chunks_mut::<3>().0.iter_mut().zip(slips) {
            offset[0] += de_saxce_shift(u, mu);
        }
        let sliding: Vec<f64> = problem.coefficients().iter().map(|mu| mu[0]).collect();
        let coefficients = FrictionCoefficients::sliding(&sliding);
        let frozen = FrictionProblem::new(problem.matrix(), &self.offset, coefficients)?.with_law(FrictionLaw::Convex);
        self.contacts.prepare(&frozen)?;
        let unit = frozen.step().iter().map(|rho| 1.0 / rho).sum::<f64>() / frozen.len().max(1) as f64;
        springs.write_compliances(self.compliance * unit, &mut self.contacts.compliance);
        let tangential = springs.tangential_ratio.sqrt();
        self.contacts.metric.as_chunks_mut::<3>().0.iter_mut().for_each(|m| *m = [1.0, tangential, tangential]);
        self.contacts.memory.fill(0.0);
        self.step.start(force);
        let mut factorizations = 0;
        let ended = self.step.minimize(&frozen, &mut self.contacts, self.options.tolerance, &mut factorizations);
        let residual = self.contacts.evaluate(&frozen);
        let status = if ended.is_ok() { Status::Converged } else { Status::Stalled };
        force.copy_from_slice(&self.contacts.force);
        Ok(FrictionReport { status, sweeps: 0, factorizations, residual, growth: 1.0 })
    }
}
