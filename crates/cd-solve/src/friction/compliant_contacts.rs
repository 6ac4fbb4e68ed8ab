//! Contacts with compliance: the inner problem of both proximal methods, and its linearisation.
//!
//! With compliances c and remembered forces rₖ the inner problem is c (y − rₖ) + q + W P(y) = 0, r = P(y). It is an
//! implicit step of contacts on springs 1/c with initial forces rₖ, since u = −c (y − rₖ). If r = rₖ, no spring is
//! stretched, and r satisfies the exact law for any c. The repetition of such steps is Rockafellar's proximal point
//! method (1976).

use crate::error::MatrixError;
use crate::friction::body_system::Linearization;
use crate::friction::law::{derivative_in_metric, disk_derivative, project_in_metric, project_onto_disks};
use crate::friction::problem::{FrictionLaw, FrictionProblem, with_block};
use crate::friction::proximal_system::ProximalSystem;

/// Vectors and linear system of a proximal step: an implicit step of contacts on springs of compliance c.
#[derive(Debug, Clone, Default)]
pub(super) struct CompliantContacts {
    /// Forces rₖ that the springs carry at the start of the implicit step.
    pub(super) memory: Vec<f64>,
    /// Compliance c (velocity per force) of each row, a component of the force of a contact.
    pub(super) compliance: Vec<f64>,
    /// Trial forces y of all contacts, the unknowns; and the forces P(y), projected by the law.
    pub(crate) trial: Vec<f64>,
    pub(crate) force: Vec<f64>,
    /// Residual h = c (y − rₖ) + q + W P(y) of the implicit step, a velocity: rₖ are the forces at its start.
    pub(crate) residual: Vec<f64>,
    pub(super) step: Vec<f64>,
    /// Divisor of each row in projections onto the convex cone: the square root of the inverse compliance up to a
    /// factor, so that the projection is the nearest point in the energy norm of the springs.
    pub(super) metric: Vec<f64>,
    /// Derivative of the projection of trial forces onto the law, a small matrix for each contact, row by row.
    pub(super) derivative: Vec<f64>,
    pub(super) work: Vec<f64>,
    system: ProximalSystem,
}

impl CompliantContacts {
    pub(super) fn prepare(&mut self, problem: &FrictionProblem<'_>) -> Result<(), crate::error::SolveError> {
        let n = problem.len();
        let rows = [
            &mut self.memory,
            &mut self.compliance,
            &mut self.trial,
            &mut self.force,
            &mut self.residual,
            &mut self.step,
        ];
        rows.into_iter().for_each(|buffer| buffer.resize(n, 0.0));
        self.derivative.resize(n * problem.block(), 0.0);
        self.metric.clear();
        self.metric.extend_from_slice(problem.length());
        self.system.prepare(problem)
    }

    /// Sets the compliance of each row to `factor` / ρ, where ρ is the ratio of force to velocity of the row.
    pub(super) fn set_compliance(&mut self, problem: &FrictionProblem<'_>, factor: f64) {
        self.compliance.iter_mut().zip(problem.step()).for_each(|(c, rho)| *c = factor / rho);
    }

    /// Computes the forces P(y) and the residual h at the trial forces y; returns ‖h‖ / ‖q‖.
    pub(super) fn evaluate(&mut self, problem: &FrictionProblem<'_>) -> f64 {
        with_block!(problem.block(), M => project_all::<M>(problem, &self.metric, &self.trial, &mut self.force));
        problem.product(&self.force, &mut self.residual, &mut self.work);
        for (i, h) in self.residual.iter_mut().enumerate() {
            *h += problem.offset()[i] + self.compliance[i] * (self.trial[i] - self.memory[i]);
        }
        problem.relative_norm(&self.residual)
    }

    /// Computes the Newton step of the trial forces from the derivatives of the law's projection and the residual.
    pub(super) fn newton_step(&mut self, problem: &FrictionProblem<'_>) -> Result<(), MatrixError> {
        with_block!(problem.block(), M => self.derive_all::<M>(problem));
        self.step.iter_mut().zip(&self.residual).for_each(|(step, h)| *step = -h);
        self.solve(problem)
    }

    /// Sets the trial forces to y = rₖ − (W rₖ + q)/c, which is exact if rₖ solves the problem.
    pub(super) fn start_at_memory(&mut self, problem: &FrictionProblem<'_>) {
        problem.product(&self.memory, &mut self.residual, &mut self.work);
        for (i, y) in self.trial.iter_mut().enumerate() {
            *y = self.memory[i] - (self.residual[i] + problem.offset()[i]) / self.compliance[i];
        }
    }

    /// Computes trial forces y for springs (compliance c) that only stick: (c + W) y = c rₖ − q from forces rₖ.
    pub(super) fn start_bonded(&mut self, problem: &FrictionProblem<'_>) -> Result<(), MatrixError> {
        let block = problem.block();
        self.derivative.fill(0.0);
        for (k, g) in self.derivative.iter_mut().enumerate() {
            if (k % (block * block)).is_multiple_of(block + 1) {
                *g = 1.0;
            }
        }
        for (i, step) in self.step.iter_mut().enumerate() {
            *step = self.compliance[i] * self.memory[i] - problem.offset()[i];
        }
        self.solve(problem)?;
        self.trial.copy_from_slice(&self.step);
        Ok(())
    }

    fn solve(&mut self, problem: &FrictionProblem<'_>) -> Result<(), MatrixError> {
        let at = Linearization { compliance: &self.compliance, derivative: &self.derivative };
        self.system.solve(problem, at, &mut self.step)
    }

    fn derive_all<const M: usize>(&mut self, problem: &FrictionProblem<'_>) {
        let out = self.derivative.as_chunks_mut::<M>().0.as_chunks_mut::<M>().0;
        let metrics = self.metric.as_chunks::<M>().0;
        for (i, (y, out)) in self.trial.as_chunks::<M>().0.iter().zip(out).enumerate() {
            let mu = &problem.coefficients()[i];
            let metric = &metrics[i];
            *out = match problem.law() {
                FrictionLaw::Coulomb => disk_derivative(y, mu),
                FrictionLaw::Convex => derivative_in_metric(y, mu, metric),
            };
        }
    }
}

/// Computes the forces P(y) of all contacts from trial forces y, with the projection P of the friction law.
pub(super) fn project_all<const M: usize>(problem: &FrictionProblem<'_>, metric: &[f64], y: &[f64], out: &mut [f64]) {
    let y = y.as_chunks::<M>().0;
    let out = out.as_chunks_mut::<M>().0;
    for (i, ((y, out), metric)) in y.iter().zip(out).zip(metric.as_chunks::<M>().0).enumerate() {
        let mu = &problem.coefficients()[i];
        *out = match problem.law() {
            FrictionLaw::Coulomb => project_onto_disks(y, mu),
            FrictionLaw::Convex => project_in_metric(y, mu, metric),
        };
    }
}
