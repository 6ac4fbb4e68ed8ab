//! One proximal step of the convex law: Newton's method with exact line search on a smooth convex energy.
//!
//! With velocities u(λ) = W λ + q and y = rₖ − u/c the energy is E(λ) = ½ λᵀ W λ + Σ ½ c |P(y)|². Its gradient W (λ −
//! P(y)) vanishes where λ = P(y), up to the null space of W. From h = W (P(y) − λ) and (c + W G) dy = −h the Newton
//! step is dλ = P(y) − λ + G dy with W dλ = −c dy. Along the step E′(t) = −(c dy)·(λ + t dλ − P(y + t dy)) rises with
//! t, so the line search can find the minimum to any accuracy, and the method converges from every start.

use crate::error::MatrixError;
use crate::friction::compliant_contacts::{CompliantContacts, project_all};
use crate::friction::problem::{FrictionProblem, with_block};

/// Largest number of Newton steps in one proximal step.
const NEWTON_LIMIT: usize = 60;

/// Largest number of evaluations of the energy's slope in one line search of a Newton step.
const LINE_SEARCH_LIMIT: usize = 60;

/// Slope of the energy at which the line search ends, relative to the slope at its start.
const SLOPE_TO_REACH: f64 = 1e-3;

#[derive(Debug, Clone, Default)]
pub(super) struct ConvexStep {
    lambda: Vec<f64>,
    direction: Vec<f64>,
    trial: Vec<f64>,
    projected: Vec<f64>,
}

impl ConvexStep {
    pub(crate) fn start(&mut self, lambda: &[f64]) {
        self.lambda.clear();
        self.lambda.extend_from_slice(lambda);
        for buffer in [&mut self.direction, &mut self.trial, &mut self.projected] {
            buffer.resize(lambda.len(), 0.0);
        }
    }

    /// Minimises the energy until the residual meets `tolerance`; leaves the forces in `contacts`.
    pub(super) fn minimize(
        &mut self,
        problem: &FrictionProblem<'_>,
        contacts: &mut CompliantContacts,
        tolerance: f64,
        factorizations: &mut usize,
    ) -> Result<(), MatrixError> {
        for _ in 0..NEWTON_LIMIT {
            problem.product(&self.lambda, &mut contacts.residual, &mut contacts.work);
            for (i, y) in contacts.trial.iter_mut().enumerate() {
                let u = contacts.residual[i] + problem.offset()[i];
                *y = contacts.memory[i] - u / contacts.compliance[i];
            }
            if contacts.evaluate(problem) <= tolerance {
                return Ok(());
            }
            *factorizations += 1;
            contacts.newton_step(problem)?;
            with_block!(problem.block(), M => self.find_direction::<M>(contacts));
            let length = self.line_search(problem, contacts);
            self.lambda.iter_mut().zip(&self.direction).for_each(|(l, d)| *l += length * d);
        }
        Err(MatrixError::Factorization { reason: "Newton's method makes no progress" })
    }

    /// Computes the Newton direction dλ = P(y) − λ + G dy of the forces λ, from the step dy of the trial forces y. P
    /// projects onto the cones of the friction law, and G is its derivative.
    fn find_direction<const M: usize>(&mut self, contacts: &CompliantContacts) {
        let derivative = contacts.derivative.as_chunks::<M>().0.as_chunks::<M>().0;
        let step = contacts.step.as_chunks::<M>().0;
        let lambda = self.lambda.as_chunks::<M>().0;
        let force = contacts.force.as_chunks::<M>().0;
        for (i, direction) in self.direction.as_chunks_mut::<M>().0.iter_mut().enumerate() {
            for p in 0..M {
                let along: f64 = (0..M).map(|q| derivative[i][p][q] * step[i][q]).sum();
                direction[p] = force[i][p] - lambda[i][p] + along;
            }
        }
    }

    /// Slope E′(t) of the energy after the part `t` of the Newton step, by which the line search is steered.
    fn slope(&mut self, problem: &FrictionProblem<'_>, contacts: &CompliantContacts, t: f64) -> f64 {
        for (trial, (y, step)) in self.trial.iter_mut().zip(contacts.trial.iter().zip(&contacts.step)) {
            *trial = y + t * step;
        }
        with_block!(problem.block(), M => {
            project_all::<M>(problem, &contacts.metric, &self.trial, &mut self.projected);
        });
        let mut sum = 0.0;
        for i in 0..self.lambda.len() {
            let difference = self.lambda[i] + t * self.direction[i] - self.projected[i];
            sum -= contacts.compliance[i] * contacts.step[i] * difference;
        }
        sum
    }

    /// Finds the fraction of the Newton step with a slope of nearly zero; one if the energy still falls there.
    fn line_search(&mut self, problem: &FrictionProblem<'_>, contacts: &CompliantContacts) -> f64 {
        let first = self.slope(problem, contacts, 0.0);
        let whole = self.slope(problem, contacts, 1.0);
        if whole <= SLOPE_TO_REACH * first.abs() {
            return 1.0;
        }
        // Regula falsi that always halves the slope at the retained end, a variant of the Illinois rule.
        let mut low = [0.0, first];
        let mut high = [1.0, whole];
        for _ in 0..LINE_SEARCH_LIMIT {
            let t = (low[0] * high[1] - high[0] * low[1]) / (high[1] - low[1]);
            let slope = self.slope(problem, contacts, t);
            if slope.abs() <= SLOPE_TO_REACH * first.abs() || slope.is_nan() {
                return t;
            }
            if slope < 0.0 {
                low = [t, slope];
                high[1] *= 0.5;
            } else {
                high = [t, slope];
                low[1] *= 0.5;
            }
        }
        low[0]
    }
}
