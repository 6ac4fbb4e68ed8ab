//! The method of `[OK18]` for compatibility problems.

pub(crate) mod energy;

use crate::augmented_lagrangian::energy::{AugmentedEnergy, Extrapolation, norm};
use crate::error::SolveError;
use crate::error::check_length;
use crate::lcp_solver::momentum::Momentum;
use crate::problem::balance::BodySizes;
use crate::problem::compatibility::{CompatibilityProblem, CompatibilitySolver};
use crate::problem::contact_jacobian::with_rows;
use crate::problem::rows::Rows;
use crate::report::{Options, Report, Status};

/// A load that asks for forces of this many times its own size may be one that no forces balance: a proof is tried.
const UNBOUNDED: f64 = 1e9;

/// Outer iterations without a better residual after which the solver gives up.
const PATIENCE: usize = 12;

/// The augmented Lagrangian of `[OK18]` section 6: accelerated projected descent on the elastic energy of the forces,
/// with the balance Bᵀ f = F enforced by multipliers and a penalty.
///
/// The multipliers are the displacement of the bodies, and the forces returned are those of the displacement. The
/// method is slow by nature, and slower where p is above 2, since the energy of a force is infinitely curved at zero;
/// it is kept as the method of the paper. Iterations of the report are updates of the multipliers, inner ones those of
/// the descent.
#[derive(Debug, Clone)]
pub struct AugmentedLagrangian {
    options: Options,
    inner_limit: usize,
    descent: Descent,
    displacement: Vec<f64>,
}

/// The vectors of the descent: forces by contact, balances and multipliers by column.
#[derive(Debug, Clone, Default)]
struct Descent {
    force: Vec<f64>,
    previous: Vec<f64>,
    trial: Vec<f64>,
    compression: Vec<f64>,
    /// Imbalances Bᵀ f − F of `force`, `previous` and `trial`.
    balance: Vec<f64>,
    previous_balance: Vec<f64>,
    trial_balance: Vec<f64>,
    multiplier: Vec<f64>,
    pull: Vec<f64>,
    curvature: f64,
    sizes: BodySizes,
}

impl AugmentedLagrangian {
    /// A solver that stops where [`CompatibilityProblem::residual`] is within the tolerance of `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, inner_limit: 20_000, descent: Descent::default(), displacement: Vec::new() }
    }

    /// Updates the multipliers after this many iterations of the descent at the latest.
    #[must_use]
    pub fn with_inner_limit(self, inner_limit: usize) -> Self {
        Self { inner_limit, ..self }
    }

    /// The displacement of the bodies (`D n_b`) in the last solve, for the stiffnesses as given. An infeasible load is
    /// refuted by this displacement, see [`CompatibilityProblem::least_force_sum`].
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
        check_length("contact forces", force, problem.jacobian.contacts())?;
        let Self { options, inner_limit, descent, displacement } = self;
        let energy = AugmentedEnergy::new(problem);
        let report =
            with_rows!(problem.jacobian, rows => descent.minimize(rows, &energy, options, *inner_limit, force));
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
        for row in [&mut self.force, &mut self.previous, &mut self.trial, &mut self.compression] {
            row.clear();
            row.resize(contacts, 0.0);
        }
        for column in [
            &mut self.balance,
            &mut self.previous_balance,
            &mut self.trial_balance,
            &mut self.multiplier,
            &mut self.pull,
        ] {
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
        let mut penalty = 1.0;
        let mut tolerance = 1e-2;
        self.curvature = energy.first_curvature(rows, &mut self.trial, &mut self.compression, &mut self.pull);
        let mut imbalance = norm(&self.balance);
        // Zero forces balance a zero load, and only that.
        let residual = if energy.load_scale > 0.0 { 1.0 } else { 0.0 };
        let mut report = Report { status: Status::Converged, iterations: 0, inner_iterations: 0, residual };
        let mut best_iteration = 0;
        while !options.is_met_by(report.residual) {
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
            if energy.proves_infeasibility(&self.multiplier, &self.compression, UNBOUNDED)
                && energy.is_refuted_by(&self.multiplier, &mut self.pull)
            {
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

    /// Writes the forces of the displacement −λ to the trial, and its compressions; returns the residual.
    fn forces_of_multipliers<const D: usize, const K: usize>(
        &mut self,
        rows: &Rows<D, K>,
        energy: &AugmentedEnergy<'_>,
    ) -> f64 {
        rows.apply(&self.multiplier, &mut self.compression);
        energy.forces(&self.compression, &mut self.trial);
        energy.residual(&mut self.trial, &mut self.sizes)
    }

    /// Minimises the energy at these multipliers until the gradient is below `tolerance`; returns the iterations.
    fn descend<const D: usize, const K: usize>(
        &mut self,
        rows: &Rows<D, K>,
        energy: &AugmentedEnergy<'_>,
        penalty: f64,
        tolerance: f64,
        limit: usize,
    ) -> usize {
        let mut theta = 1.0;
        let mut beta = 0.0;
        let count = (rows.contacts.len() as f64).sqrt();
        // Rounding error of the balances, from the size of the forces that cancel in them.
        let rounding = 8.0 * f64::EPSILON * norm(&self.force).max(energy.load_norm);
        self.previous.copy_from_slice(&self.force);
        self.previous_balance.copy_from_slice(&self.balance);
        for iteration in 1..=limit {
            let balances = Extrapolation { current: &self.balance, previous: &self.previous_balance, beta };
            let columns =
                self.pull.iter_mut().zip(&self.multiplier).zip(balances.current.iter().zip(balances.previous));
            columns.for_each(|((pull, l), (r, previous))| *pull = l - penalty * (r + beta * (r - previous)));
            rows.apply(&self.pull, &mut self.compression);
            let step = loop {
                let point = Extrapolation { current: &self.force, previous: &self.previous, beta };
                let mut step = energy.propose(point, &self.compression, self.curvature, &mut self.trial);
                let spread = energy.trial_imbalance(rows, &self.trial, balances, &mut self.trial_balance);
                step.divergence += 0.5 * penalty * spread;
                step.rounding += penalty * rounding * (spread.sqrt() + rounding);
                if step.divergence <= 0.5 * self.curvature * step.length + step.rounding {
                    break step;
                }
                if step.divergence.is_nan() || self.curvature > 1e100 {
                    return iteration;
                }
                self.curvature *= 2.0;
            };
            std::mem::swap(&mut self.previous, &mut self.force);
            std::mem::swap(&mut self.force, &mut self.trial);
            std::mem::swap(&mut self.previous_balance, &mut self.balance);
            std::mem::swap(&mut self.balance, &mut self.trial_balance);
            // L (y − f) is the gradient where no bound holds it.
            if self.curvature * step.length.sqrt() <= tolerance * count {
                return iteration;
            }
            (theta, beta) = Momentum::Restarted.next(theta, step.uphill > 0.0);
            self.curvature *= 0.9;
        }
        limit
    }
}
