//! Newton's method near an equilibrium, to the last digit.

use crate::error::DemError;
use crate::law::contact_law::ContactLaw;
use crate::statics::configuration::{Configuration, SavedCentres};
use crate::statics::totals::Totals;
use crate::statics::truncated_cg::TruncatedCg;
use crate::stiffness::pair_matrix::PairMatrix;

/// Largest number of successive Newton steps that do not halve the unbalanced forces; the attempt is given up after one
/// more such step.
const PATIENCE: usize = 4;

/// Largest relative residual to which a linear system is solved.
const ROUGH: f64 = 0.03;

/// Smallest fraction of a Newton step that the line search tries.
const LEAST_PART: f64 = 0.05;

/// Largest factor by which unbalanced forces may grow in one Newton step, as when a contact closes, if the next step
/// makes up for it. A step beyond this factor, which closes many contacts, is undone.
const WORSE: f64 = 30.0;

/// Newton's method on the exact elastic energy, with its buffers.
#[derive(Debug, Default)]
pub(super) struct Newton {
    matrix: PairMatrix,
    linear_solver: TruncatedCg,
    tether: Vec<f64>,
    saved: SavedCentres,
}

#[derive(Debug, Clone)]
pub(super) struct Attempt {
    pub(super) converged: bool,
    pub(super) totals: Totals,
    pub(super) iterations: usize,
    /// Iterations of conjugate gradients, summed over the Newton steps.
    pub(super) inner_iterations: usize,
    /// Residual (largest unbalanced force over mean contact force) before each Newton step, and after the last one.
    pub(super) residuals: Vec<f64>,
}

/// Norm (N) of the unbalanced forces when it last fell below half of the norm kept here before, and the number of
/// Newton steps until then.
struct Best {
    size: f64,
    iteration: usize,
}

pub(super) fn length(vector: &[f64; 3]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Newton {
    /// Takes Newton steps until the residual is `tolerance` or no longer falls; `load` is the largest load in N.
    ///
    /// Regularisation: a tether holds each body with the stiffness of its unbalanced force over the length of the
    /// tether, so that a body without contacts moves no further; tethers vanish with the forces. Growing forces and
    /// directions of negative curvature end the attempt. One step in a row may end at larger forces, because a step
    /// that closes a contact finds a force that only the next step, which knows the contact, can balance.
    ///
    /// # Errors
    /// Errors of building a list.
    pub(super) fn polish(
        &mut self,
        configuration: &mut Configuration<'_>,
        law: &dyn ContactLaw,
        tolerance: f64,
        load: f64,
    ) -> Result<Attempt, DemError> {
        let mut totals = configuration.evaluate(law);
        let skin = configuration.list.skin();
        let mut attempt =
            Attempt { converged: false, totals, iterations: 0, inner_iterations: 0, residuals: Vec::new() };
        let mut best = Best { size: totals.size, iteration: 0 };
        // Whether a step to larger forces has failed, and the totals before such a step until the next step decides.
        let mut avoids_larger = false;
        let mut before_worse = None::<Totals>;
        loop {
            let residual = totals.residual(load);
            attempt.totals = totals;
            attempt.residuals.push(residual);
            if residual <= tolerance {
                return Ok(Attempt { converged: true, ..attempt });
            }
            if attempt.iterations > best.iteration + PATIENCE || residual.is_nan() {
                return Ok(attempt);
            }
            if before_worse.is_none() && configuration.drift() > 0.25 * skin {
                configuration.rebuild_list()?;
                configuration.evaluate(law);
            }
            // An accurate linear solution pays after a step that reduced forces, and to make up for a worse step.
            let has_reduced = attempt.iterations > 0 && best.iteration == attempt.iterations;
            let accuracy = match before_worse {
                Some(before) => ROUGH * before.size / totals.size,
                None if has_reduced => residual.clamp(1e-5, ROUGH),
                None => ROUGH,
            };
            self.assemble(configuration, law);
            let limit = 2000 + 20 * configuration.len().isqrt();
            let solved = self.linear_solver.solve(&self.matrix, &configuration.force, accuracy, limit);
            let step = &self.linear_solver.x;
            attempt.inner_iterations += solved.iterations;
            if solved.curved_down && solved.iterations == 0 {
                return Ok(attempt);
            }
            let longest = step.iter().map(length).fold(0.0, f64::max);
            let cap = 0.5 * skin - configuration.drift();
            let mut share = (cap / longest).min(1.0);
            let on_trial = before_worse.take();
            if on_trial.is_none() {
                configuration.save(&mut self.saved);
            }
            let size = on_trial.map_or(totals.size, |totals| totals.size);
            loop {
                configuration.advance(share, step);
                let next = configuration.evaluate(law);
                if !next.too_deep && next.size < size {
                    totals = next;
                    break;
                }
                if on_trial.is_some() {
                    configuration.restore(&self.saved);
                    (totals, avoids_larger) = (configuration.evaluate(law), true);
                    break;
                }
                if !next.too_deep && share >= 1.0 && !avoids_larger && !solved.curved_down && next.size <= WORSE * size
                {
                    (totals, before_worse) = (next, Some(totals));
                    break;
                }
                configuration.restore(&self.saved);
                share *= 0.25;
                if share < LEAST_PART {
                    configuration.evaluate(law);
                    return Ok(attempt);
                }
            }
            attempt.iterations += 1;
            if totals.size < 0.5 * best.size {
                (best, avoids_larger) = (Best { size: totals.size, iteration: attempt.iterations }, false);
            }
        }
    }

    /// Assembles the Hessian of the energy with the stiffnesses of the tethers, regularising springs, on its diagonal.
    fn assemble(&mut self, configuration: &Configuration<'_>, law: &dyn ContactLaw) {
        let tether_length = 0.2 * configuration.list.skin();
        self.tether.clear();
        self.tether.extend(configuration.force.iter().map(|force| length(force) / tether_length));
        configuration.rows.hessian(law, &self.tether, &mut self.matrix);
    }
}
