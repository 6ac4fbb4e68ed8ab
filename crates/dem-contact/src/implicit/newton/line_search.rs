use rrp_parallel::{Parts, for_each_part};

use crate::error::DemError;
use crate::implicit::newton::{Newton, StepProblem};
use crate::implicit::residual_norms::ResidualNorms;
use crate::implicit::step_matrix::StepMatrix;

const HALVINGS: usize = 12;

impl Newton {
    /// Moves the present velocities along the Newton step as far as the residual falls; `None` if no tried part of the
    /// step reduces it. `norms` belong to the residual at the present velocities. If this step may be the `last` one,
    /// its end is first evaluated without the Jacobian.
    ///
    /// # Errors
    /// The error of the list, if no list can be built even for the smallest part of the step.
    pub(super) fn line_search<M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut StepProblem<'_, '_>,
        matrix: &mut M,
        norms: &ResidualNorms,
        last: bool,
    ) -> Result<Option<ResidualNorms>, DemError> {
        if last {
            self.try_share::<D>(1.0);
            let found = self.evaluate_residual::<D>(problem);
            if let Some(found) = found.ok().filter(|found| found.is_solved(problem.options.tolerance)) {
                std::mem::swap(&mut self.point, &mut self.trial);
                return Ok(Some(found));
            }
        }
        let mut share = 1.0;
        let mut failure = None;
        for halving in 0..=HALVINGS {
            self.try_share::<D>(share);
            match self.evaluate_trial::<M, D>(problem, matrix) {
                // Armijo condition: |R| must fall by a small part of the decrease that its derivative predicts.
                Ok(found) if found.square.sqrt() <= (1.0 - 1e-4 * share) * norms.square.sqrt() => {
                    std::mem::swap(&mut self.point, &mut self.trial);
                    self.report.halvings += halving;
                    return Ok(Some(found));
                }
                Ok(_) => failure = None,
                Err(error) => failure = Some(error),
            }
            share *= 0.5;
        }
        failure.map_or(Ok(None), Err)
    }

    /// Sets the trial velocities to the present ones plus this fraction of the Newton step.
    fn try_share<const D: usize>(&mut self, share: f64) {
        let point = self.point.as_chunks::<D>().0;
        let step = self.step.as_chunks::<D>().0;
        for_each_part(Parts::blocks(point.len()), self.trial.as_chunks_mut::<D>().0, &|part, trial| {
            for ((trial, point), step) in trial.iter_mut().zip(&point[part.rows.clone()]).zip(&step[part.rows]) {
                *trial = std::array::from_fn(|c| point[c] + share * step[c]);
            }
        });
    }
}
