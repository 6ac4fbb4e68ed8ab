//! The semismooth Newton method for energies of elastic contacts, with an exact line search.
//!
//! A step solves H d = −g, where H is the second derivative for the contacts that are closed now. It is solved only as
//! accurately as the residual requires, and shortened by [`line_search`](crate::newton::line_search).

use rrp_parallel::{for_each_part, sum_parts};

use crate::error::SolveError;
use crate::leaves::leaves;
use crate::newton::line_search::search;
use crate::newton::penalty::{ForceBalance, Inertia, Line, PenaltyEnergy, ProximalTerm, Scaled, advance};
use crate::newton::system::{NewtonSystem, StepSolver};
use crate::problem::balance::BodySizes;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::rows::{Rows, add_scaled, chunks, chunks_mut, dot};
use crate::report::{Options, Report, Status};

/// Ratio of contact forces to the load above which a proof of infeasibility is tried.
pub(super) const PROOF_GROWTH: f64 = 1e9;

/// Factor by which the forces have to grow after a failed proof before the next attempt.
const PROOF_RETRY_GROWTH: f64 = 1e3;

/// Number of successive Newton steps that do not lower the smallest gradient by 2 % after which the method stalls; also
/// the most steps of one proximal stage.
pub(super) const STALL_STEPS: usize = 20;

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
    /// Minimises the energy `penalty` of elastic contacts, see [`Descent::minimize`].
    pub(super) fn minimize<const D: usize, const K: usize>(
        &mut self,
        penalty: &PenaltyEnergy<'_, D, K>,
        options: &Options,
    ) -> Result<Report, SolveError>
    where
        S: StepSolver<D, K>,
    {
        Descent { newton: &mut self.newton, step_solver: &mut self.step_solver, penalty }.minimize(options)
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
        Descent { newton: &mut self.newton, step_solver: &mut self.step_solver, penalty }.descend(options, 0.0)
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

/// A descent to the minimum of an energy: its buffers, the solver of the linear systems of its steps, and the energy.
pub(super) struct Descent<'a, 'p, const D: usize, const K: usize> {
    pub(super) newton: &'a mut SemismoothNewton,
    pub(super) step_solver: &'a mut dyn StepSolver<D, K>,
    pub(super) penalty: &'a PenaltyEnergy<'p, D, K>,
}

impl<const D: usize, const K: usize> Descent<'_, '_, D, K> {
    /// Minimises `penalty`; leaves the minimum in `x` and the contact forces in `force`. The first guess is the minimum
    /// for contacts that also pull. If the method stalls from there, because few contacts hold many bodies, it restarts
    /// at rest with a proximal term.
    fn minimize(&mut self, options: &Options) -> Result<Report, SolveError> {
        options.check()?;
        let columns = D * self.penalty.rows.bodies();
        let contacts = self.penalty.rows.contacts.len();
        let SemismoothNewton { x, best, best_of_all, prox_center, gradient, step, ridge, scale, diagonal, .. } =
            &mut *self.newton;
        for column in [x, best, best_of_all, prox_center, gradient, step, ridge, scale, diagonal] {
            column.clear();
            column.resize(columns, 0.0);
        }
        let SemismoothNewton { compression, best_compression, best_of_all_compression, force, rate, weights, .. } =
            &mut *self.newton;
        for row in [compression, best_compression, best_of_all_compression, force, rate, weights] {
            row.clear();
            row.resize(contacts, 0.0);
        }
        self.step_solver.prepare(self.penalty.rows)?;
        let inner_iterations = self.start()?;
        let mut report = self.descend(options, 0.0)?;
        report.inner_iterations += inner_iterations;
        if report.status == Status::Stalled && report.iterations < options.max_iterations {
            self.descend_proximal(options, &mut report)?;
        }
        Ok(report)
    }

    /// Takes Newton steps with a proximal term of this `strength`; an error leaves the best point.
    pub(super) fn descend(&mut self, options: &Options, strength: f64) -> Result<Report, SolveError> {
        let mut inner_iterations = 0;
        let mut balance = self.evaluate(strength);
        let mut best_gradient = balance.gradient;
        let mut best_iteration = 0;
        let mut short_steps = 0;
        let mut unbounded = PROOF_GROWTH;
        self.save_best();
        let mut iterations = 0;
        let status = loop {
            let residual = balance.residual();
            if residual <= options.tolerance {
                break Status::Converged;
            }
            if strength <= 0.0 && self.proves_infeasibility(&mut unbounded) {
                break Status::Infeasible;
            }
            if iterations == options.max_iterations {
                break Status::IterationLimit;
            }
            if iterations > best_iteration + STALL_STEPS || short_steps == MAX_SHORT_STEPS || !residual.is_finite() {
                break Status::Stalled;
            }
            self.penalty.weights(&self.newton.compression, &mut self.newton.weights);
            self.set_ridge(strength, residual);
            // Stiff contacts can cause forces far larger than the load: such a step needs more accuracy.
            let excess = (balance.gradient / balance.external).sqrt();
            let accuracy = (0.1 * options.tolerance / residual).max((0.5 * residual).min(0.1).min(0.1 / excess));
            match self.solve_step(accuracy) {
                Ok(iterations) => inner_iterations += iterations,
                Err(error) => {
                    self.return_to_best(strength);
                    return Err(error);
                }
            }
            let Some(t) = search(&self.line(strength)) else {
                break Status::Stalled;
            };
            short_steps += usize::from(t < SHORT_STEP);
            self.advance(t);
            balance = self.evaluate(strength);
            iterations += 1;
            if balance.gradient < 0.98 * best_gradient {
                (best_gradient, best_iteration) = (balance.gradient, iterations);
                self.save_best();
            }
        };
        if !matches!(status, Status::Converged | Status::Infeasible) && best_iteration != iterations {
            balance = self.return_to_best(strength);
        }
        Ok(Report { status, iterations, inner_iterations, residual: balance.residual() })
    }

    fn save_best(&mut self) {
        self.newton.best.copy_from_slice(&self.newton.x);
        self.newton.best_compression.copy_from_slice(&self.newton.compression);
    }

    /// Goes back to the best point of this attempt; returns the balance of forces there.
    fn return_to_best(&mut self, strength: f64) -> ForceBalance {
        self.newton.x.copy_from_slice(&self.newton.best);
        self.newton.compression.copy_from_slice(&self.newton.best_compression);
        self.evaluate(strength)
    }

    pub(super) fn evaluate(&mut self, strength: f64) -> ForceBalance {
        let SemismoothNewton { x, scale, prox_center, compression, force, gradient, .. } = &mut *self.newton;
        self.penalty.evaluate(x, ProximalTerm { strength, scale, prox_center }, compression, force, gradient)
    }

    /// Prepares the energy along the Newton step from the present point, with a proximal term of this `strength`.
    fn line(&mut self, strength: f64) -> Line<'_, D, K> {
        let SemismoothNewton { x, step, scale, prox_center, compression, rate, .. } = &mut *self.newton;
        self.penalty.line(x, step, ProximalTerm { strength, scale, prox_center }, compression, rate)
    }

    pub(super) fn return_to_center(&mut self) {
        match self.penalty.inertia {
            Some(Inertia { center, .. }) => self.newton.x.copy_from_slice(center),
            None => self.newton.x.fill(0.0),
        }
        self.penalty.compress(&self.newton.x, &mut self.newton.compression);
    }

    /// Moves the point and the compressions by `t` times the Newton step. Compressions are not recomputed from x: for a
    /// stiff contact between fast bodies too few digits would remain.
    fn advance(&mut self, t: f64) {
        advance(&mut self.newton.x, t, &self.newton.step);
        advance(&mut self.newton.compression, t, &self.newton.rate);
    }

    /// Sets x to the minimum for linear springs that also pull, and both diagonals to those of the Hessian; returns the
    /// iterations of the linear solver.
    fn start(&mut self) -> Result<usize, SolveError> {
        self.return_to_center();
        self.evaluate(0.0);
        match self.penalty.inertia {
            Some(Inertia { mass, .. }) => self.start_from_first_contact(mass),
            None => self.start_under_load(),
        }
    }

    /// Sets x to the displacement under the load of contacts that also pull, scaled to the least energy.
    fn start_under_load(&mut self) -> Result<usize, SolveError> {
        self.penalty.unit_weights(&mut self.newton.weights);
        self.set_scale();
        let iterations = self.solve_step(0.1)?;
        let line = self.line(0.0);
        // E along the ray is a t + b tᵖ/p.
        let a = line.slope(0.0);
        let b = line.slope(1.0);
        let exponent = self.penalty.law.exponent();
        let stretch = (-a / (b - a)).powf((exponent - 1.0).recip());
        self.advance(if stretch.is_finite() { stretch } else { 1.0 });
        Ok(iterations)
    }

    /// Sets the point by one Newton step from free motion. The weights of contacts in the Hessian are those at a
    /// typical force: the largest of the forces that would each stop one contact alone.
    fn start_from_first_contact(&mut self, mass: &BodyBlocks) -> Result<usize, SolveError> {
        let typical = self.penalty.largest_stopping_force(&self.newton.compression, mass);
        if typical <= 0.0 {
            return Ok(0);
        }
        self.penalty.weights_at_force(typical, &mut self.newton.weights);
        self.set_scale();
        for (force, (weight, compression)) in
            self.newton.force.iter_mut().zip(self.newton.weights.iter().zip(&self.newton.compression))
        {
            *force = weight * compression;
        }
        let [gradient] = self.penalty.rows.transpose_with(&self.newton.force, &mut self.newton.gradient, &|_, sum| {
            *sum = sum.map(|sum| -sum);
            [dot(sum, sum)]
        });
        let expected = typical * (self.penalty.rows.bodies() as f64).sqrt();
        let iterations = self.solve_step((0.01 * expected / gradient.sqrt()).clamp(1e-14, 0.01))?;
        advance(&mut self.newton.x, 1.0, &self.newton.step);
        self.penalty.compress(&self.newton.x, &mut self.newton.compression);
        Ok(iterations)
    }

    fn solve_step(&mut self, tolerance: f64) -> Result<usize, SolveError> {
        let system = NewtonSystem {
            rows: self.penalty.rows,
            weights: &self.newton.weights,
            mass: self.penalty.inertia.map(|inertia| inertia.mass),
            ridge: &self.newton.ridge,
            gradient: &self.newton.gradient,
            tolerance,
        };
        self.step_solver.solve(&system, &mut self.newton.step)
    }

    /// Sets `diagonal` to that of the Hessian with the present weights (stiffnesses) of contacts, and `scale` to that
    /// with the largest weight for all contacts.
    fn set_scale(&mut self) {
        let rows: &Rows<D, K> = self.penalty.rows;
        let weights = &self.newton.weights;
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let columns = (chunks_mut::<D>(&mut self.newton.scale), chunks_mut::<D>(&mut self.newton.diagonal));
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
        self.set_ridge(0.0, 0.0);
    }

    /// Sets the ridge to the Hessian of the proximal term. Without inertia the ridge also has a part proportional to
    /// the residual, and a tiny part for bodies that no contact holds.
    fn set_ridge(&mut self, strength: f64, residual: f64) {
        let (strength, residual_ridge) = match self.penalty.inertia {
            Some(_) => (strength, 0.0),
            None if strength > 0.0 => (strength + RIDGE, 0.0),
            None => (RIDGE, RESIDUAL_RIDGE * residual),
        };
        let parts = self.newton.scale.iter().zip(&self.newton.diagonal);
        self.newton
            .ridge
            .iter_mut()
            .zip(parts)
            .for_each(|(ridge, (scale, own))| *ridge = strength * scale + residual_ridge * own);
    }

    /// Whether the present point proves that no forces balance the load; tried only if forces would be `unbounded`
    /// times as large as the load. A problem with inertia or gaps always has a solution. See
    /// [`least_force_sum`](crate::CompatibilityProblem::least_force_sum).
    pub(super) fn proves_infeasibility(&self, unbounded: &mut f64) -> bool {
        let (Some(Scaled { values: load, factor }), None, None) =
            (self.penalty.load, self.penalty.inertia, self.penalty.offset)
        else {
            return false;
        };
        let columns = (chunks::<D>(load), chunks::<D>(&self.newton.x));
        let [work, size] = sum_parts(leaves(load.len() / D), columns, &|_, (load, x)| {
            let pairs = || load.as_flattened().iter().zip(x.as_flattened());
            [pairs().map(|(load, x)| -factor * load * x).sum(), pairs().map(|(load, _)| (factor * load).abs()).sum()]
        });
        let closed = self.newton.compression.iter().enumerate().filter(|&(i, _)| !self.penalty.is_open(i));
        let compression = closed.fold(0.0_f64, |most, (_, c)| most.max(*c));
        if !(work > 0.0 && work > *unbounded * size * compression) {
            return false;
        }
        *unbounded *= PROOF_RETRY_GROWTH;
        self.penalty.rows.refutes(load, &[], &|i| self.penalty.is_open(i), &self.newton.x)
    }
}
