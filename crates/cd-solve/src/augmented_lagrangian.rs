//! The method of `[OK18]` for compatibility problems.

use crate::augmented_energy::AugmentedEnergy;
use crate::contact_map::with_rows;
use crate::error::check_length;
use crate::rows::{Rows, chunks};
use crate::{CompatibilityProblem, CompatibilitySolver, Momentum, Options, Report, SolveError, Status};

/// Forces that would have to sum to this many times the load stand for none at all.
const UNBOUNDED: f64 = 1e9;

/// Outer iterations without a better residual after which the solver gives up.
const PATIENCE: usize = 12;

/// The augmented Lagrangian of `[OK18]` section 6: accelerated projected descent on the elastic energy of the forces, with
/// the balance Bᵀ f = F enforced by multipliers and a penalty.
///
/// The multipliers are the displacement of the bodies, and the forces returned are those of the displacement. Slow by
/// nature, and slower where p is above 2, since the energy of a force is infinitely curved at zero; kept as the method of
/// the paper. Iterations of the report are updates of the multipliers, inner ones those of the descent.
#[derive(Debug, Clone)]
pub struct AugmentedLagrangian {
    options: Options,
    inner_limit: usize,
    descent: Descent,
    displacement: Vec<f64>,
}

/// What the descent works on; forces are by contact, balances and multipliers by column.
#[derive(Debug, Clone, Default)]
struct Descent {
    force: Vec<f64>,
    former: Vec<f64>,
    trial: Vec<f64>,
    compression: Vec<f64>,
    /// Bᵀ f − F of the three forces.
    balance: Vec<f64>,
    former_balance: Vec<f64>,
    trial_balance: Vec<f64>,
    multiplier: Vec<f64>,
    pull: Vec<f64>,
    curvature: f64,
}

impl AugmentedLagrangian {
    /// Stops at the residual of `options`, ‖Bᵀ f − F‖ / ‖F‖.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, inner_limit: 20_000, descent: Descent::default(), displacement: Vec::new() }
    }

    /// Updates the multipliers after this many iterations of the descent at the latest.
    #[must_use]
    pub fn with_inner_limit(self, inner_limit: usize) -> Self {
        Self { inner_limit, ..self }
    }

    /// The displacement of the bodies (`D n_b`) in the last solve, for the stiffnesses as given; the evidence where the load
    /// is infeasible.
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.displacement
    }
}

impl Default for AugmentedLagrangian {
    fn default() -> Self {
        Self::new(Options::new(1e-8, 100))
    }
}

impl CompatibilitySolver for AugmentedLagrangian {
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        self.options.check()?;
        check_length("contact forces", force, problem.map.contacts())?;
        let Self { options, inner_limit, descent, displacement } = self;
        let energy = AugmentedEnergy::new(problem);
        let report = with_rows!(problem.map, rows => descent.minimize(rows, &energy, options, *inner_limit, force));
        // Back to the units of the problem.
        let unit = (energy.load_scale / energy.stiffness_scale).powf((problem.law.exponent() - 1.0).recip());
        displacement.clear();
        displacement.extend(descent.multiplier.iter().map(|multiplier| -unit * multiplier));
        force.iter_mut().for_each(|force| *force *= energy.load_scale);
        Ok(report)
    }
}

impl Descent {
    fn start(&mut self, contacts: usize, columns: usize) {
        for row in [&mut self.force, &mut self.former, &mut self.trial, &mut self.compression] {
            row.clear();
            row.resize(contacts, 0.0);
        }
        for column in
            [&mut self.balance, &mut self.former_balance, &mut self.trial_balance, &mut self.multiplier, &mut self.pull]
        {
            column.clear();
            column.resize(columns, 0.0);
        }
    }

    /// Leaves the forces of the best displacement in `force`, the displacement's negative in the multipliers.
    fn minimize<const D: usize, const K: usize>(
        &mut self,
        rows: &Rows<D, K>,
        energy: &AugmentedEnergy<'_>,
        options: &Options,
        inner_limit: usize,
        force: &mut [f64],
    ) -> Report {
        self.start(rows.contacts.len(), D * rows.bodies());
        force.fill(0.0);
        energy.imbalance(rows, &self.force, &mut self.balance);
        let (mut penalty, mut tolerance) = (1.0, 1e-2);
        self.curvature = energy.first_curvature(rows, &mut self.trial, &mut self.compression, &mut self.pull);
        let mut imbalance = norm(&self.balance);
        // Zero forces balance a zero load, and only that.
        let residual = if energy.load_scale > 0.0 { 1.0 } else { 0.0 };
        let mut report = Report { status: Status::Converged, iterations: 0, inner_iterations: 0, residual };
        let mut best_iteration = 0;
        while !options.met(report.residual) {
            if report.iterations >= options.max_iterations || report.iterations > best_iteration + PATIENCE {
                let limit = report.iterations >= options.max_iterations;
                report.status = if limit { Status::IterationLimit } else { Status::Stalled };
                return report;
            }
            report.inner_iterations += self.descend(rows, energy, penalty, tolerance, inner_limit);
            report.iterations += 1;
            self.multiplier.iter_mut().zip(&self.balance).for_each(|(l, r)| *l -= penalty * r);
            let residual = self.forces_of_multipliers(rows, energy);
            if residual < report.residual {
                (report.residual, best_iteration) = (residual, report.iterations);
                force.copy_from_slice(&self.trial);
            }
            if energy.asks_too_much(&self.multiplier, &self.compression, UNBOUNDED) {
                report.status = Status::Infeasible;
                return report;
            }
            let next = norm(&self.balance);
            if next > 0.25 * imbalance {
                penalty *= 4.0;
                self.curvature *= 4.0;
            }
            (imbalance, tolerance) = (next, (0.1 * tolerance).max(0.05 * options.tolerance));
        }
        report
    }

    /// Forces of the displacement −λ into the trial, its compressions beside; the residual.
    fn forces_of_multipliers<const D: usize, const K: usize>(
        &mut self,
        rows: &Rows<D, K>,
        energy: &AugmentedEnergy<'_>,
    ) -> f64 {
        rows.apply(&self.multiplier, &mut self.compression);
        energy.forces(&self.compression, &mut self.trial);
        energy.imbalance(rows, &self.trial, &mut self.trial_balance);
        norm(&self.trial_balance) / energy.load_norm
    }

    /// Minimises the energy at these multipliers until the gradient is below `tolerance`; the iterations that it took.
    fn descend<const D: usize, const K: usize>(
        &mut self,
        rows: &Rows<D, K>,
        energy: &AugmentedEnergy<'_>,
        penalty: f64,
        tolerance: f64,
        limit: usize,
    ) -> usize {
        let (mut theta, mut beta) = (1.0, 0.0);
        let count = (rows.contacts.len() as f64).sqrt();
        // Of the balances, by the forces that cancel in them.
        let rounding = 8.0 * f64::EPSILON * norm(&self.force).max(energy.load_norm);
        self.former.copy_from_slice(&self.force);
        self.former_balance.copy_from_slice(&self.balance);
        for iteration in 1..=limit {
            let balances = (&self.balance[..], &self.former_balance[..]);
            let columns = self.pull.iter_mut().zip(&self.multiplier).zip(balances.0.iter().zip(balances.1));
            columns.for_each(|((pull, l), (r, former))| *pull = l - penalty * (r + beta * (r - former)));
            rows.apply(&self.pull, &mut self.compression);
            let judgement = loop {
                let point = (&self.force[..], &self.former[..], beta);
                let mut judgement = energy.propose(point, &self.compression, self.curvature, &mut self.trial);
                let spread = energy.trial_imbalance(rows, &self.trial, balances, beta, &mut self.trial_balance);
                judgement.divergence += 0.5 * penalty * spread;
                judgement.rounding += penalty * rounding * (spread.sqrt() + rounding);
                if judgement.divergence <= 0.5 * self.curvature * judgement.length + judgement.rounding {
                    break judgement;
                }
                if judgement.divergence.is_nan() || self.curvature > 1e100 {
                    return iteration;
                }
                self.curvature *= 2.0;
            };
            std::mem::swap(&mut self.former, &mut self.force);
            std::mem::swap(&mut self.force, &mut self.trial);
            std::mem::swap(&mut self.former_balance, &mut self.balance);
            std::mem::swap(&mut self.balance, &mut self.trial_balance);
            // L (y − f) is the gradient where no bound holds it.
            if self.curvature * judgement.length.sqrt() <= tolerance * count {
                return iteration;
            }
            (theta, beta) = Momentum::Restarted.next(theta, judgement.uphill > 0.0);
            self.curvature *= 0.9;
        }
        limit
    }
}

pub(crate) fn norm(column: &[f64]) -> f64 {
    let [sum] = crate::par::sum_leaves(chunks::<1>(column), &|_, column| [column.iter().map(|[x]| x * x).sum()]);
    sum.sqrt()
}
