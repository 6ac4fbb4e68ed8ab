//! The semismooth Newton method for energies of elastic contacts, with an exact line search.
//!
//! A step solves H d = −g, where H is the second derivative for the contacts that are closed now. It is solved only as
//! accurately as the residual requires, and shortened by [`line_search`](crate::newton::line_search).

use rrp_parallel::{for_each_part, sum_parts};

use crate::error::SolveError;
use crate::leaves::leaves;
use crate::newton::line_search::search;
use crate::newton::penalty::{ForceBalance, Inertia, PenaltyEnergy, ProximalTerm, Scaled, advance};
use crate::newton::system::{NewtonSystem, StepSolver};
use crate::problem::balance::BodySizes;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::rows::{Rows, add_scaled, chunks, chunks_mut, dot};
use crate::report::{Options, Report, Status};

/// Ratio of contact forces to the load above which a proof of infeasibility is tried.
pub(super) const UNBOUNDED: f64 = 1e9;

/// Factor by which the forces have to grow after a failed proof before the next attempt.
const LATER: f64 = 1e3;

/// Number of successive Newton steps that do not lower the smallest gradient by 2 % after which the method stalls; also
/// the most steps of one proximal stage.
pub(super) const PATIENCE: usize = 20;

/// Number of Newton steps shortened by the line search after which the method stalls.
const MAX_SHORT_STEPS: usize = 8;

/// Step length in a line search, as a part of the Newton step, below which the step counts as cut short.
const SHORT_STEP: f64 = 1e-3;

/// Regularisation relative to the diagonal of the Hessian for the largest stiffness: it holds coordinates without
/// closed contacts.
pub(super) const RIDGE: f64 = 1e-12;

/// Regularisation: this factor times the residual times the diagonal of the Hessian at the start of the solve. Without
/// it, steps far from the minimum move bodies with few contacts so far that the line search stops at the first of these
/// bodies.
const RESIDUAL_RIDGE: f64 = 1e-3;

/// Newton's method for energies of elastic contacts, with the solver of the linear systems of its steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Minimizer<S> {
    pub(super) newton: SemismoothNewton,
    step_solver: S,
    /// Reference force of each body coordinate, by which the imbalance of forces is divided.
    pub(super) sizes: BodySizes,
}

impl<S> Minimizer<S> {
    /// Minimises the energy `penalty` of elastic contacts, see [`SemismoothNewton::minimize`].
    pub(super) fn minimize<const D: usize, const K: usize>(
        &mut self,
        penalty: &PenaltyEnergy<'_, D, K>,
        options: &Options,
    ) -> Result<Report, SolveError>
    where
        S: StepSolver<D, K>,
    {
        self.newton.minimize(&mut self.step_solver, penalty, options)
    }

    /// Continues from the last minimum, to the tolerance of `options`.
    pub(super) fn resume<const D: usize, const K: usize>(
        &mut self,
        penalty: &PenaltyEnergy<'_, D, K>,
        options: &Options,
    ) -> Result<Report, SolveError>
    where
        S: StepSolver<D, K>,
    {
        self.newton.descend(&mut self.step_solver, penalty, options, 0.0)
    }
}

/// Newton's method with its buffers: a number per body coordinate or per contact.
#[derive(Debug, Clone, Default)]
pub(super) struct SemismoothNewton {
    /// Present displacement or change of velocity, by body coordinate; after a solve the minimum, or the best point
    /// found.
    pub(crate) x: Vec<f64>,
    best: Vec<f64>,
    /// The best point x of all attempts, with or without a proximal term.
    pub(super) best_of_all: Vec<f64>,
    pub(super) prox_center: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    ridge: Vec<f64>,
    /// Diagonal of the Hessian with the largest weight (stiffness) for all contacts.
    scale: Vec<f64>,
    /// Diagonal of the Hessian with the weights (stiffnesses) of contacts at the start of a solve.
    diagonal: Vec<f64>,
    pub(super) compression: Vec<f64>,
    best_compression: Vec<f64>,
    pub(super) best_of_all_compression: Vec<f64>,
    pub(crate) force: Vec<f64>,
    rate: Vec<f64>,
    weights: Vec<f64>,
}

impl SemismoothNewton {
    /// Minimises `penalty`; leaves the minimum in `x` and the contact forces in `force`. The first guess is the minimum
    /// for contacts that also pull. If the method stalls from there, because few contacts hold many bodies, it restarts
    /// at rest with a proximal term.
    fn minimize<const D: usize, const K: usize>(
        &mut self,
        step_solver: &mut dyn StepSolver<D, K>,
        penalty: &PenaltyEnergy<'_, D, K>,
        options: &Options,
    ) -> Result<Report, SolveError> {
        options.check()?;
        let columns = D * penalty.rows.bodies();
        let contacts = penalty.rows.contacts.len();
        let Self { x, best, best_of_all, prox_center, gradient, step, ridge, scale, diagonal, .. } = self;
        for column in [x, best, best_of_all, prox_center, gradient, step, ridge, scale, diagonal] {
            column.clear();
            column.resize(columns, 0.0);
        }
        let Self { compression, best_compression, best_of_all_compression, force, rate, weights, .. } = self;
        for row in [compression, best_compression, best_of_all_compression, force, rate, weights] {
            row.clear();
            row.resize(contacts, 0.0);
        }
        step_solver.prepare(penalty.rows)?;
        let inner_iterations = self.start(step_solver, penalty)?;
        let mut report = self.descend(step_solver, penalty, options, 0.0)?;
        report.inner_iterations += inner_iterations;
        if report.status == Status::Stalled && report.iterations < options.max_iterations {
            self.descend_proximal(step_solver, penalty, options, &mut report)?;
        }
        Ok(report)
    }

    /// Takes Newton steps with a proximal term of this `strength`; an error leaves the best point.
    pub(super) fn descend<const D: usize, const K: usize>(
        &mut self,
        step_solver: &mut dyn StepSolver<D, K>,
        penalty: &PenaltyEnergy<'_, D, K>,
        options: &Options,
        strength: f64,
    ) -> Result<Report, SolveError> {
        let mut inner_iterations = 0;
        let mut balance = self.evaluate(penalty, strength);
        let mut best_gradient = balance.gradient;
        let mut best_iteration = 0;
        let mut short_steps = 0;
        let mut unbounded = UNBOUNDED;
        self.save_best();
        let mut iterations = 0;
        let status = loop {
            let residual = balance.residual();
            if residual <= options.tolerance {
                break Status::Converged;
            }
            if strength <= 0.0 && self.proves_infeasibility(penalty, &mut unbounded) {
                break Status::Infeasible;
            }
            if iterations == options.max_iterations {
                break Status::IterationLimit;
            }
            if iterations > best_iteration + PATIENCE || short_steps == MAX_SHORT_STEPS || !residual.is_finite() {
                break Status::Stalled;
            }
            penalty.weights(&self.compression, &mut self.weights);
            self.set_ridge(penalty, strength, residual);
            // Stiff contacts can cause forces far larger than the load: such a step needs more accuracy.
            let excess = (balance.gradient / balance.external).sqrt();
            let accuracy = (0.1 * options.tolerance / residual).max((0.5 * residual).min(0.1).min(0.1 / excess));
            match self.solve_step(step_solver, penalty, accuracy) {
                Ok(iterations) => inner_iterations += iterations,
                Err(error) => {
                    self.return_to_best(penalty, strength);
                    return Err(error);
                }
            }
            let proximal = ProximalTerm { strength, scale: &self.scale, prox_center: &self.prox_center };
            let line = penalty.line(&self.x, &self.step, proximal, &self.compression, &mut self.rate);
            let Some(t) = search(&line) else {
                break Status::Stalled;
            };
            short_steps += usize::from(t < SHORT_STEP);
            self.advance(t);
            balance = self.evaluate(penalty, strength);
            iterations += 1;
            if balance.gradient < 0.98 * best_gradient {
                (best_gradient, best_iteration) = (balance.gradient, iterations);
                self.save_best();
            }
        };
        if !matches!(status, Status::Converged | Status::Infeasible) && best_iteration != iterations {
            balance = self.return_to_best(penalty, strength);
        }
        Ok(Report { status, iterations, inner_iterations, residual: balance.residual() })
    }

    fn save_best(&mut self) {
        self.best.copy_from_slice(&self.x);
        self.best_compression.copy_from_slice(&self.compression);
    }

    /// Goes back to the best point of this attempt; returns the balance of forces there.
    fn return_to_best<const D: usize, const K: usize>(
        &mut self,
        penalty: &PenaltyEnergy<'_, D, K>,
        strength: f64,
    ) -> ForceBalance {
        self.x.copy_from_slice(&self.best);
        self.compression.copy_from_slice(&self.best_compression);
        self.evaluate(penalty, strength)
    }

    pub(super) fn evaluate<const D: usize, const K: usize>(
        &mut self,
        penalty: &PenaltyEnergy<'_, D, K>,
        strength: f64,
    ) -> ForceBalance {
        let proximal = ProximalTerm { strength, scale: &self.scale, prox_center: &self.prox_center };
        penalty.evaluate(&self.x, proximal, &self.compression, &mut self.force, &mut self.gradient)
    }

    pub(super) fn return_to_center<const D: usize, const K: usize>(&mut self, penalty: &PenaltyEnergy<'_, D, K>) {
        match penalty.inertia {
            Some(Inertia { center, .. }) => self.x.copy_from_slice(center),
            None => self.x.fill(0.0),
        }
        penalty.compress(&self.x, &mut self.compression);
    }

    /// Moves the point and the compressions by `t` times the Newton step. Compressions are not recomputed from x: for a
    /// stiff contact between fast bodies too few digits would remain.
    fn advance(&mut self, t: f64) {
        advance(&mut self.x, t, &self.step);
        advance(&mut self.compression, t, &self.rate);
    }

    /// Sets x to the minimum for linear springs that also pull, and both diagonals to those of the Hessian; returns the
    /// iterations of the linear solver.
    fn start<const D: usize, const K: usize>(
        &mut self,
        step_solver: &mut dyn StepSolver<D, K>,
        penalty: &PenaltyEnergy<'_, D, K>,
    ) -> Result<usize, SolveError> {
        self.return_to_center(penalty);
        self.evaluate(penalty, 0.0);
        match penalty.inertia {
            Some(Inertia { mass, .. }) => self.start_from_first_contact(step_solver, penalty, mass),
            None => self.start_under_load(step_solver, penalty),
        }
    }

    /// Sets x to the displacement under the load of contacts that also pull, scaled to the least energy.
    fn start_under_load<const D: usize, const K: usize>(
        &mut self,
        step_solver: &mut dyn StepSolver<D, K>,
        penalty: &PenaltyEnergy<'_, D, K>,
    ) -> Result<usize, SolveError> {
        penalty.unit_weights(&mut self.weights);
        self.set_scale(penalty);
        let iterations = self.solve_step(step_solver, penalty, 0.1)?;
        let proximal = ProximalTerm { strength: 0.0, scale: &self.scale, prox_center: &self.prox_center };
        let line = penalty.line(&self.x, &self.step, proximal, &self.compression, &mut self.rate);
        // E along the ray is a t + b tᵖ/p.
        let a = line.slope(0.0);
        let b = line.slope(1.0);
        let exponent = penalty.law.exponent();
        let stretch = (-a / (b - a)).powf((exponent - 1.0).recip());
        self.advance(if stretch.is_finite() { stretch } else { 1.0 });
        Ok(iterations)
    }

    /// Sets the point by one Newton step from free motion. The weights of contacts in the Hessian are those at a
    /// typical force: the largest of the forces that would each stop one contact alone.
    fn start_from_first_contact<const D: usize, const K: usize>(
        &mut self,
        step_solver: &mut dyn StepSolver<D, K>,
        penalty: &PenaltyEnergy<'_, D, K>,
        mass: &BodyBlocks,
    ) -> Result<usize, SolveError> {
        let typical = penalty.largest_stopping_force(&self.compression, mass);
        if typical <= 0.0 {
            return Ok(0);
        }
        penalty.weights_at_force(typical, &mut self.weights);
        self.set_scale(penalty);
        for (force, (weight, compression)) in self.force.iter_mut().zip(self.weights.iter().zip(&self.compression)) {
            *force = weight * compression;
        }
        let [gradient] = penalty.rows.transpose_with(&self.force, &mut self.gradient, &|_, sum| {
            *sum = sum.map(|sum| -sum);
            [dot(sum, sum)]
        });
        let expected = typical * (penalty.rows.bodies() as f64).sqrt();
        let iterations =
            self.solve_step(step_solver, penalty, (0.01 * expected / gradient.sqrt()).clamp(1e-14, 0.01))?;
        advance(&mut self.x, 1.0, &self.step);
        penalty.compress(&self.x, &mut self.compression);
        Ok(iterations)
    }

    fn solve_step<const D: usize, const K: usize>(
        &mut self,
        step_solver: &mut dyn StepSolver<D, K>,
        penalty: &PenaltyEnergy<'_, D, K>,
        tolerance: f64,
    ) -> Result<usize, SolveError> {
        let system = NewtonSystem {
            rows: penalty.rows,
            weights: &self.weights,
            mass: penalty.inertia.map(|inertia| inertia.mass),
            ridge: &self.ridge,
            gradient: &self.gradient,
            tolerance,
        };
        step_solver.solve(&system, &mut self.step)
    }

    /// Sets `diagonal` to that of the Hessian with the present weights (stiffnesses) of contacts, and `scale` to that
    /// with the largest weight for all contacts.
    fn set_scale<const D: usize, const K: usize>(&mut self, penalty: &PenaltyEnergy<'_, D, K>) {
        let rows: &Rows<D, K> = penalty.rows;
        let weights = &self.weights;
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let columns = (chunks_mut::<D>(&mut self.scale), chunks_mut::<D>(&mut self.diagonal));
        for_each_part(leaves(rows.bodies()), columns, &|part, (scale, diagonal)| {
            for (body, (scale, diagonal)) in part.rows.zip(scale.iter_mut().zip(diagonal)) {
                let mut sum = [0.0; D];
                let mut own = [0.0; D];
                for (contact, side) in rows.of_body(body) {
                    let squares = rows.contacts[contact].side::<D>(side).map(|b| b * b);
                    add_scaled(&mut sum, largest, &squares);
                    add_scaled(&mut own, weights[contact], &squares);
                }
                *scale = sum.map(|sum| if sum > 0.0 { sum } else { largest });
                *diagonal = own;
            }
        });
        self.set_ridge(penalty, 0.0, 0.0);
    }

    /// Sets the ridge to the Hessian of the proximal term. Without inertia the ridge also has a part proportional to
    /// the residual, and a tiny part for bodies that no contact holds.
    fn set_ridge<const D: usize, const K: usize>(
        &mut self,
        penalty: &PenaltyEnergy<'_, D, K>,
        strength: f64,
        residual: f64,
    ) {
        let (strength, residual_ridge) = match penalty.inertia {
            Some(_) => (strength, 0.0),
            None if strength > 0.0 => (strength + RIDGE, 0.0),
            None => (RIDGE, RESIDUAL_RIDGE * residual),
        };
        let parts = self.scale.iter().zip(&self.diagonal);
        self.ridge
            .iter_mut()
            .zip(parts)
            .for_each(|(ridge, (scale, own))| *ridge = strength * scale + residual_ridge * own);
    }

    /// Whether the present point proves that no forces balance the load; tried only if forces would be `unbounded`
    /// times as large as the load. A problem with inertia or gaps always has a solution. See
    /// [`least_force_sum`](crate::CompatibilityProblem::least_force_sum).
    pub(super) fn proves_infeasibility<const D: usize, const K: usize>(
        &self,
        penalty: &PenaltyEnergy<'_, D, K>,
        unbounded: &mut f64,
    ) -> bool {
        let (Some(Scaled { values: load, factor }), None, None) = (penalty.load, penalty.inertia, penalty.offset)
        else {
            return false;
        };
        let columns = (chunks::<D>(load), chunks::<D>(&self.x));
        let [work, size] = sum_parts(leaves(load.len() / D), columns, &|_, (load, x)| {
            let pairs = || load.as_flattened().iter().zip(x.as_flattened());
            [pairs().map(|(load, x)| -factor * load * x).sum(), pairs().map(|(load, _)| (factor * load).abs()).sum()]
        });
        let closed = self.compression.iter().enumerate().filter(|&(i, _)| !penalty.is_open(i));
        let compression = closed.fold(0.0_f64, |most, (_, c)| most.max(*c));
        if !(work > 0.0 && work > *unbounded * size * compression) {
            return false;
        }
        *unbounded *= LATER;
        penalty.rows.refutes(load, &[], &|i| penalty.is_open(i), &self.x)
    }
}
