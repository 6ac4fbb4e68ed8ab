//! Semismooth Newton for penalty energies, with an exact line search.

use crate::line_search::search;
use crate::par::sum_leaves;
use crate::penalty::{Balance, Penalty, Tether, advance};
use crate::rows::{Rows, add_scaled, chunks, chunks_mut, dot};
use crate::{BodyBlocks, Options, Report, SolveError, Status};

/// The Hessian of one Newton step, and what it is to be solved for.
#[derive(Debug)]
pub(crate) struct NewtonSystem<'a, const D: usize, const K: usize> {
    pub(crate) rows: &'a Rows<D, K>,
    /// Weights of the contacts, zero where one is open: H = Bᵀ diag(w) B + M + ridge.
    pub(crate) weights: &'a [f64],
    pub(crate) mass: Option<&'a BodyBlocks>,
    pub(crate) ridge: &'a [f64],
    /// The gradient g; the step is −H⁻¹ g.
    pub(crate) gradient: &'a [f64],
    /// Relative residual of the step to reach.
    pub(crate) tolerance: f64,
}

/// What solves the linear systems of Newton's method.
pub(crate) trait StepSolver {
    /// Looks at the contacts of the systems to come.
    fn prepare<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>) -> Result<(), SolveError>;

    /// Solves `system` into `step`; returns the iterations that it took, a factorisation being one.
    fn solve<const D: usize, const K: usize>(
        &mut self,
        system: &NewtonSystem<'_, D, K>,
        step: &mut [f64],
    ) -> Result<usize, SolveError>;
}

/// Forces that would have to sum to this many times the load stand for none at all.
const UNBOUNDED: f64 = 1e9;

/// Newton steps without progress after which it is time to give up.
pub(crate) const PATIENCE: usize = 20;

/// Steps cut down to next to nothing after which another way is to be tried.
const MOST_STUCK: usize = 8;

/// Ridge of the Hessian relative to its scale, for coordinates that no closed contact holds.
pub(crate) const RIDGE: f64 = 1e-12;

/// Ridge of the Hessian in terms of the residual and of the diagonal that it has where all contacts are closed by a unit.
///
/// Far from the minimum bodies that few contacts hold would else go so far that a line search ends at the first of them.
const CAUTION: f64 = 1e-3;

/// Newton's method with its buffers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Newton<S> {
    step_solver: S,
    /// The minimum, or the best point so far.
    pub(crate) x: Vec<f64>,
    best: Vec<f64>,
    /// The best point of all attempts, those on tethers included.
    pub(crate) kept: Vec<f64>,
    pub(crate) anchor: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    ridge: Vec<f64>,
    /// The diagonal of the Hessian, roughly.
    scale: Vec<f64>,
    /// The diagonal that it has with the weights of the start.
    diagonal: Vec<f64>,
    pub(crate) compression: Vec<f64>,
    best_compression: Vec<f64>,
    pub(crate) kept_compression: Vec<f64>,
    pub(crate) force: Vec<f64>,
    rate: Vec<f64>,
    weights: Vec<f64>,
}

impl<S: StepSolver> Newton<S> {
    /// Minimises `penalty`; leaves the minimum in `x` and the contact forces there in `force`.
    ///
    /// Starts from where all contacts would be if they also pulled. Where that leads nowhere, because many bodies are held by
    /// few contacts, it begins again at rest with tethered bodies.
    pub(crate) fn minimize<const D: usize, const K: usize>(
        &mut self,
        penalty: &Penalty<'_, D, K>,
        options: &Options,
    ) -> Result<Report, SolveError> {
        options.check()?;
        let (columns, contacts) = (D * penalty.rows.bodies(), penalty.rows.contacts.len());
        let Self { x, best, kept, anchor, gradient, step, ridge, scale, diagonal, .. } = self;
        for column in [x, best, kept, anchor, gradient, step, ridge, scale, diagonal] {
            column.clear();
            column.resize(columns, 0.0);
        }
        let Self { compression, best_compression, kept_compression, force, rate, weights, .. } = self;
        for row in [compression, best_compression, kept_compression, force, rate, weights] {
            row.clear();
            row.resize(contacts, 0.0);
        }
        self.step_solver.prepare(penalty.rows)?;
        let inner_iterations = self.start(penalty)?;
        let mut report = self.descend(penalty, options, 0.0)?;
        report.inner_iterations += inner_iterations;
        if report.status == Status::Stalled && report.iterations < options.max_iterations {
            self.descend_on_tethers(penalty, options, &mut report)?;
        }
        Ok(report)
    }

    /// Newton steps from x, with a tether of this `strength`.
    pub(crate) fn descend<const D: usize, const K: usize>(
        &mut self,
        penalty: &Penalty<'_, D, K>,
        options: &Options,
        strength: f64,
    ) -> Result<Report, SolveError> {
        let mut inner_iterations = 0;
        let mut balance = self.evaluate(penalty, strength);
        let mut best = (balance.gradient, 0);
        let mut stuck = 0;
        self.keep();
        let mut iterations = 0;
        let status = loop {
            let residual = balance.residual();
            if residual <= options.tolerance {
                break Status::Converged;
            }
            if strength <= 0.0 && self.asks_too_much(penalty) {
                break Status::Infeasible;
            }
            if iterations == options.max_iterations {
                break Status::IterationLimit;
            }
            if iterations > best.1 + PATIENCE || stuck == MOST_STUCK || !residual.is_finite() {
                break Status::Stalled;
            }
            penalty.weights(&self.compression, &mut self.weights);
            self.set_ridge(penalty, strength, residual);
            // Stiff contacts can ask for far larger forces than there are to balance: such a step is to go all the way.
            let excess = (balance.gradient / balance.demand).sqrt();
            let accuracy = (0.1 * options.tolerance / residual).max((0.5 * residual).min(0.1).min(0.1 / excess));
            inner_iterations += self.solve_step(penalty, accuracy)?;
            let tether = Tether { strength, scale: &self.scale, anchor: &self.anchor };
            let line = penalty.line((&self.x, &self.step), tether, &self.compression, &mut self.rate);
            let Some(t) = search(&line) else {
                break Status::Stalled;
            };
            stuck += usize::from(t < 1e-3);
            self.advance(t);
            balance = self.evaluate(penalty, strength);
            iterations += 1;
            if balance.gradient < 0.98 * best.0 {
                best = (balance.gradient, iterations);
                self.keep();
            }
        };
        if !matches!(status, Status::Converged | Status::Infeasible) && best.1 != iterations {
            self.x.copy_from_slice(&self.best);
            self.compression.copy_from_slice(&self.best_compression);
            balance = self.evaluate(penalty, strength);
        }
        Ok(Report { status, iterations, inner_iterations, residual: balance.residual() })
    }

    /// Keeps this point as the best so far.
    fn keep(&mut self) {
        self.best.copy_from_slice(&self.x);
        self.best_compression.copy_from_slice(&self.compression);
    }

    pub(crate) fn evaluate<const D: usize, const K: usize>(
        &mut self,
        penalty: &Penalty<'_, D, K>,
        strength: f64,
    ) -> Balance {
        let tether = Tether { strength, scale: &self.scale, anchor: &self.anchor };
        penalty.evaluate(&self.x, tether, &self.compression, &mut self.force, &mut self.gradient)
    }

    pub(crate) fn return_to_center<const D: usize, const K: usize>(&mut self, penalty: &Penalty<'_, D, K>) {
        match penalty.inertia {
            Some((_, center)) => self.x.copy_from_slice(center),
            None => self.x.fill(0.0),
        }
        penalty.compress(&self.x, &mut self.compression);
    }

    /// Moves x and, with it, the compressions.
    ///
    /// Those are not computed from x again: of a stiff contact between fast bodies too little would be left.
    fn advance(&mut self, t: f64) {
        advance(&mut self.x, t, &self.step);
        advance(&mut self.compression, t, &self.rate);
    }

    /// Sets x to where all contacts would be if they also pulled, and the scale to their Hessian; returns the iterations.
    fn start<const D: usize, const K: usize>(&mut self, penalty: &Penalty<'_, D, K>) -> Result<usize, SolveError> {
        self.return_to_center(penalty);
        self.evaluate(penalty, 0.0);
        match penalty.inertia {
            Some((mass, _)) => self.start_from_first_contact(penalty, mass),
            None => self.start_under_load(penalty),
        }
    }

    /// From rest, where the load is all there is; the displacement is scaled to the least energy.
    fn start_under_load<const D: usize, const K: usize>(
        &mut self,
        penalty: &Penalty<'_, D, K>,
    ) -> Result<usize, SolveError> {
        penalty.weights_of_all(&mut self.weights);
        self.set_scale(penalty);
        let iterations = self.solve_step(penalty, 0.1)?;
        let tether = Tether { strength: 0.0, scale: &self.scale, anchor: &self.anchor };
        let line = penalty.line((&self.x, &self.step), tether, &self.compression, &mut self.rate);
        // E along the ray is a t + b tᵖ/p.
        let (a, b) = (line.slope(0.0), line.slope(1.0));
        let exponent = penalty.law.exponent();
        let stretch = (-a / (b - a)).powf((exponent - 1.0).recip());
        self.advance(if stretch.is_finite() { stretch } else { 1.0 });
        Ok(iterations)
    }

    /// From free motion; contacts are as stiff as at the largest of the forces that would each stop one of them alone.
    fn start_from_first_contact<const D: usize, const K: usize>(
        &mut self,
        penalty: &Penalty<'_, D, K>,
        mass: &BodyBlocks,
    ) -> Result<usize, SolveError> {
        let typical = penalty.largest_stopping_force(&self.compression, mass);
        if typical <= 0.0 {
            return Ok(0);
        }
        penalty.weights_at_force(typical, &mut self.weights);
        self.set_scale(penalty);
        // The gradient of springs that also pull.
        for (force, (weight, compression)) in self.force.iter_mut().zip(self.weights.iter().zip(&self.compression)) {
            *force = weight * compression;
        }
        let [gradient] = penalty.rows.transpose_with(&self.force, &mut self.gradient, &|_, sum| {
            *sum = sum.map(|sum| -sum);
            [dot(sum, sum)]
        });
        let expected = typical * (penalty.rows.bodies() as f64).sqrt();
        let iterations = self.solve_step(penalty, (0.01 * expected / gradient.sqrt()).clamp(1e-14, 0.01))?;
        advance(&mut self.x, 1.0, &self.step);
        penalty.compress(&self.x, &mut self.compression);
        Ok(iterations)
    }

    fn solve_step<const D: usize, const K: usize>(
        &mut self,
        penalty: &Penalty<'_, D, K>,
        tolerance: f64,
    ) -> Result<usize, SolveError> {
        let system = NewtonSystem {
            rows: penalty.rows,
            weights: &self.weights,
            mass: penalty.inertia.map(|(mass, _)| mass),
            ridge: &self.ridge,
            gradient: &self.gradient,
            tolerance,
        };
        self.step_solver.solve(&system, &mut self.step)
    }

    /// Sets the diagonal to that of the Hessian with these weights, and the scale to what it is if they are all as the largest.
    fn set_scale<const D: usize, const K: usize>(&mut self, penalty: &Penalty<'_, D, K>) {
        let rows: &Rows<D, K> = penalty.rows;
        let weights = &self.weights;
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let columns = (chunks_mut::<D>(&mut self.scale), chunks_mut::<D>(&mut self.diagonal));
        crate::par::each_leaf(columns, &|first, (scale, diagonal)| {
            for (body, (scale, diagonal)) in (first..).zip(scale.iter_mut().zip(diagonal)) {
                let (mut sum, mut own) = ([0.0; D], [0.0; D]);
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

    /// Sets the ridge to the Hessian of a tether and, without inertia, to what holds bodies back while the residual is large
    /// and a trace more for what nothing holds.
    fn set_ridge<const D: usize, const K: usize>(&mut self, penalty: &Penalty<'_, D, K>, strength: f64, residual: f64) {
        let (strength, caution) = match penalty.inertia {
            Some(_) => (strength, 0.0),
            None if strength > 0.0 => (strength + RIDGE, 0.0),
            None => (RIDGE, CAUTION * residual),
        };
        let parts = self.scale.iter().zip(&self.diagonal);
        self.ridge.iter_mut().zip(parts).for_each(|(ridge, (scale, own))| *ridge = strength * scale + caution * own);
    }

    /// Whether the point proves that only forces beyond all bounds would balance the load; see
    /// [`least_force_sum`](crate::CompatibilityProblem::least_force_sum).
    pub(crate) fn asks_too_much<const D: usize, const K: usize>(&self, penalty: &Penalty<'_, D, K>) -> bool {
        let (Some((load, factor)), None, None) = (penalty.load, penalty.inertia, penalty.offset) else {
            return false;
        };
        let [work, size] = sum_leaves((chunks::<D>(load), chunks::<D>(&self.x)), &|_, (load, x)| {
            let pairs = || load.as_flattened().iter().zip(x.as_flattened());
            [pairs().map(|(load, x)| -factor * load * x).sum(), pairs().map(|(load, _)| (factor * load).abs()).sum()]
        });
        let closed = self.compression.iter().enumerate().filter(|&(i, _)| !penalty.is_open(i));
        let compression = closed.fold(0.0_f64, |most, (_, c)| most.max(*c));
        work > 0.0 && work > UNBOUNDED * size * compression
    }
}
