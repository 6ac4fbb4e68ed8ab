//! The last part of the way, to the last digit.

use crate::error::DemError;
use crate::law::contact_law::ContactLaw;
use crate::statics::configuration::{Configuration, Totals};
use crate::statics::truncated_cg::Direction;
use crate::stiffness::pair_matrix::PairMatrix;

/// After so many steps without forces that are half as large there is one more.
const PATIENCE: usize = 4;

/// Largest relative residual of a step.
const ROUGH: f64 = 0.03;

/// The least part of a step that is worth another one.
const LEAST_PART: f64 = 0.05;

/// By what forces may grow in the one step that is followed by another one all the same: one that closes many contacts is lost.
const WORSE: f64 = 30.0;

/// Newton's method on the true energy, with its buffers.
#[derive(Debug, Default)]
pub(crate) struct Newton {
    matrix: PairMatrix,
    direction: Direction,
    tether: Vec<f64>,
    kept: [Vec<[f64; 3]>; 2],
}

/// How an attempt ended.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub(crate) converged: bool,
    pub(crate) totals: Totals,
    pub(crate) iterations: usize,
    pub(crate) inner_iterations: usize,
    /// Before each step, and at the end.
    pub(crate) residuals: Vec<f64>,
}

impl Newton {
    /// Takes Newton steps until the residual is `tolerance`, or until they lead nowhere.
    ///
    /// Each body is tethered by its unbalanced force over a short way, so that one which nothing holds goes no further, and
    /// the tethers vanish with the forces. Forces that grow or a direction in which the energy curves down end the attempt.
    pub(crate) fn polish<L: ContactLaw>(
        &mut self,
        configuration: &mut Configuration<'_>,
        law: &L,
        (tolerance, load): (f64, f64),
    ) -> Result<Attempt, DemError> {
        let mut totals = configuration.evaluate(law);
        let skin = configuration.list.skin();
        let reach = 0.2 * skin;
        let mut attempt =
            Attempt { converged: false, totals, iterations: 0, inner_iterations: 0, residuals: Vec::new() };
        let mut best = (totals.size, 0);
        // A step that closes a contact finds forces that only the next one, which knows of it, can balance.
        let (mut wary, mut kept) = (false, None::<Totals>);
        loop {
            let residual = totals.residual(load);
            attempt.totals = totals;
            attempt.residuals.push(residual);
            if residual <= tolerance {
                return Ok(Attempt { converged: true, ..attempt });
            }
            if attempt.iterations > best.1 + PATIENCE || residual.is_nan() {
                return Ok(attempt);
            }
            if kept.is_none() && configuration.drift() > 0.25 * skin {
                configuration.refresh()?;
                configuration.evaluate(law);
            }
            let size = |force: &[f64; 3]| force.iter().map(|x| x * x).sum::<f64>().sqrt();
            self.tether.clear();
            self.tether.extend(configuration.force.iter().map(|force| size(force) / reach));
            configuration.links.hessian(law, &self.tether, &mut self.matrix);
            let limit = 2000 + 20 * configuration.len().isqrt();
            // Digits are worth their cost where the last step has led on, and for one that has to make up for a worse one.
            let trusty = attempt.iterations > 0 && best.1 == attempt.iterations;
            let accuracy = match kept {
                Some(former) => ROUGH * former.size / totals.size,
                None if trusty => residual.clamp(1e-5, ROUGH),
                None => ROUGH,
            };
            let solved = self.direction.solve(&self.matrix, &configuration.force, accuracy, limit);
            attempt.inner_iterations += solved.iterations;
            if solved.curved_down && solved.iterations == 0 {
                return Ok(attempt);
            }
            let longest = self.direction.x.iter().map(size).fold(0.0, f64::max);
            let cap = 0.5 * skin - configuration.drift();
            let mut t = (cap / longest).min(1.0);
            let trusted = kept.take();
            if trusted.is_none() {
                configuration.save(&mut self.kept);
            }
            let size = trusted.map_or(totals.size, |totals| totals.size);
            loop {
                configuration.advance(t, &self.direction.x);
                let next = configuration.evaluate(law);
                if !next.deep && next.size < size {
                    totals = next;
                    break;
                }
                if trusted.is_some() {
                    configuration.restore(&self.kept);
                    (totals, wary) = (configuration.evaluate(law), true);
                    break;
                }
                if !next.deep && t >= 1.0 && !wary && !solved.curved_down && next.size <= WORSE * size {
                    (totals, kept) = (next, Some(totals));
                    break;
                }
                configuration.restore(&self.kept);
                t *= 0.25;
                if t < LEAST_PART {
                    configuration.evaluate(law);
                    return Ok(attempt);
                }
            }
            attempt.iterations += 1;
            if totals.size < 0.5 * best.0 {
                (best, wary) = ((totals.size, attempt.iterations), false);
            }
        }
    }
}
