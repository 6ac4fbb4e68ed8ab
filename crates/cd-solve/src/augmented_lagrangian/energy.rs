//! The energy that the augmented Lagrangian descends on, in units of the load and the mean stiffness.

use rrp_parallel::{for_each_part, sum_parts};

use crate::leaves::leaves;
use crate::problem::balance::BodySizes;
use crate::problem::compatibility::CompatibilityProblem;
use crate::problem::rows::{Rows, chunks};

/// The energy Σ (p−1)/p k^(1/(1−p)) f^(p/(p−1)) of `[OK18] (36)` and the quantities of its descent.
#[derive(Debug)]
pub(crate) struct AugmentedEnergy<'a> {
    problem: &'a CompatibilityProblem<'a>,
    /// Largest load, the unit of forces; zero where there is no load.
    pub(crate) load_scale: f64,
    /// ‖F‖ in units of `load_scale`.
    pub(crate) load_norm: f64,
    /// Mean stiffness, the unit of stiffnesses.
    pub(crate) stiffness_scale: f64,
}

/// The point y = current + β (current − previous), of forces by contact or of their balances by column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extrapolation<'a> {
    pub(crate) current: &'a [f64],
    pub(crate) previous: &'a [f64],
    pub(crate) beta: f64,
}

/// Sums over a step e from y to f⁺.
pub(crate) struct EnergyStep {
    /// Excess of the energy over its tangent.
    pub(crate) divergence: f64,
    /// Squared length e·e.
    pub(crate) length: f64,
    /// Bound of the rounding error of the divergence.
    pub(crate) rounding: f64,
    /// Slope g(y)·(f⁺ − f): positive where the momentum points uphill.
    pub(crate) uphill: f64,
}

impl<'a> AugmentedEnergy<'a> {
    pub(crate) fn new(problem: &'a CompatibilityProblem<'a>) -> Self {
        let load_scale = problem.load.iter().fold(0.0_f64, |most, load| most.max(load.abs()));
        let count = problem.stiffness.len().max(1) as f64;
        let stiffness_scale = problem.stiffness.iter().map(|k| k / count).sum();
        let relative = |load: f64| if load_scale > 0.0 { load / load_scale } else { 0.0 };
        let load_norm = problem.load.iter().map(|&load| relative(load).powi(2)).sum::<f64>().sqrt();
        Self { problem, load_scale, load_norm, stiffness_scale }
    }

    fn load(&self, column: usize) -> f64 {
        if self.load_scale > 0.0 { self.problem.load[column] / self.load_scale } else { 0.0 }
    }

    fn stiffness(&self, contact: usize) -> f64 {
        self.problem.stiffness[contact] / self.stiffness_scale
    }

    /// Forces of compressions.
    pub(crate) fn forces(&self, compression: &[f64], force: &mut [f64]) {
        for_each_part(leaves(compression.len()), (compression, force), &|part, (compression, force)| {
            for (i, (c, f)) in part.rows.zip(compression.iter().zip(force)) {
                *f = if self.problem.is_open(i) { 0.0 } else { self.stiffness(i) * self.problem.law.force(*c) };
            }
        });
    }

    /// Computes the imbalance Bᵀ f − F.
    pub(crate) fn imbalance<const D: usize, const K: usize>(&self, rows: &Rows<D, K>, force: &[f64], out: &mut [f64]) {
        let [] = rows.transpose_with(force, out, &|body, sum| {
            (0..D).for_each(|d| sum[d] -= self.load(D * body + d));
            []
        });
    }

    /// Writes the [`imbalance`](Self::imbalance) of the trial to `out`; returns its squared distance to the imbalance
    /// of y.
    pub(crate) fn trial_imbalance<const D: usize, const K: usize>(
        &self,
        rows: &Rows<D, K>,
        trial: &[f64],
        balances: Extrapolation<'_>,
        out: &mut [f64],
    ) -> f64 {
        let Extrapolation { current, previous, beta } = balances;
        let balance = chunks::<D>(current);
        let previous = chunks::<D>(previous);
        let [spread] = rows.transpose_with(trial, out, &|body, sum| {
            let mut spread = 0.0;
            for d in 0..D {
                sum[d] -= self.load(D * body + d);
                let at_y = balance[body][d] + beta * (balance[body][d] - previous[body][d]);
                spread += (sum[d] - at_y) * (sum[d] - at_y);
            }
            [spread]
        });
        spread
    }

    /// Computes the trial [y − g/L]₊ from y = f + β (f − previous f), where `compression` is the part of −g from the
    /// balance.
    pub(crate) fn propose(
        &self,
        Extrapolation { current: force, previous, beta }: Extrapolation<'_>,
        compression: &[f64],
        curvature: f64,
        trial: &mut [f64],
    ) -> EnergyStep {
        let law = &self.problem.law;
        let exponent = law.exponent();
        let quadratic = exponent.total_cmp(&2.0).is_eq();
        let share = (exponent - 1.0) / exponent;
        let columns = (compression, force, previous, &mut *trial);
        let [divergence, length, rounding, uphill] =
            sum_parts(leaves(force.len()), columns, &|part, (compression, force, previous, trial)| {
                let mut sums = [0.0; 4];
                for (j, i) in part.rows.enumerate() {
                    if self.problem.is_open(i) {
                        trial[j] = 0.0;
                        continue;
                    }
                    let y = force[j] + beta * (force[j] - previous[j]);
                    let k = self.stiffness(i);
                    // The energy is even in f, since extrapolation may leave the cone.
                    let slope = law.compression(y.abs() / k).copysign(y);
                    let gradient = slope - compression[j];
                    let t = (y - gradient / curvature).max(0.0);
                    let e = t - y;
                    if quadratic {
                        sums[0] += 0.5 * e * e / k;
                    } else {
                        let at_t = share * t * law.compression(t / k);
                        let at_y = share * y * slope;
                        sums[0] += at_t - at_y - slope * e;
                        sums[2] += at_t + at_y + (slope * e).abs();
                    }
                    sums[1] += e * e;
                    sums[3] += gradient * (t - force[j]);
                    trial[j] = t;
                }
                sums
            });
        EnergyStep { divergence, length, rounding: 8.0 * f64::EPSILON * rounding, uphill }
    }

    /// Estimate of the curvature at unit penalty and stiffness: ‖(B Bᵀ) 1‖ / ‖1‖ + 1.
    pub(crate) fn first_curvature<const D: usize, const K: usize>(
        &self,
        rows: &Rows<D, K>,
        ones: &mut [f64],
        image: &mut [f64],
        column: &mut [f64],
    ) -> f64 {
        ones.fill(1.0);
        let [] = rows.transpose_with(ones, column, &|_, _| []);
        rows.apply(column, image);
        1.0 + norm(image) / (ones.len().max(1) as f64).sqrt()
    }

    /// Clears forces that are mere rounding, then returns the residual, each body in its own size.
    pub(crate) fn residual(&self, force: &mut [f64], sizes: &mut BodySizes) -> f64 {
        self.problem.clean(force);
        self.problem.balance_in_units(force, self.load_scale, sizes).residual
    }

    /// Whether the displacement −λ proves without rounding that no forces balance the load.
    pub(crate) fn is_refuted_by(&self, multiplier: &[f64], displacement: &mut [f64]) -> bool {
        displacement.iter_mut().zip(multiplier).for_each(|(u, l)| *u = -l);
        self.problem.is_refuted_by(displacement)
    }

    /// Whether the displacement −λ suggests that only unbounded forces would balance the load; see
    /// [`least_force_sum`](CompatibilityProblem::least_force_sum).
    pub(crate) fn proves_infeasibility(&self, multiplier: &[f64], compression: &[f64], bound: f64) -> bool {
        let loads = multiplier.iter().enumerate().map(|(column, l)| (self.load(column), l));
        let (work, size) = loads.fold((0.0, 0.0), |(work, size), (load, l)| (work + load * l, size + load.abs()));
        let closed = compression.iter().enumerate().filter(|&(i, _)| !self.problem.is_open(i));
        let most = closed.fold(0.0_f64, |most, (_, c)| most.max(*c));
        work > 0.0 && work > bound * size * most
    }
}

/// Norm of `column`, with the same bits for any number of threads.
pub(crate) fn norm(column: &[f64]) -> f64 {
    let [sum] =
        sum_parts(leaves(column.len()), chunks::<1>(column), &|_, column| [column.iter().map(|[x]| x * x).sum()]);
    sum.sqrt()
}
