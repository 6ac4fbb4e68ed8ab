use crate::error::SolveError;
use crate::newton::sweep::coefficient::Coefficient;
use crate::newton::sweep::ssor::{CgCoefficients, Iterate, Ssor};
use crate::newton::system::{NewtonSystem, StepSolver};
use crate::problem::rows::Rows;

/// Conjugate gradients with the preconditioner [`Ssor`] on the Hessian of a Newton step.
#[derive(Debug, Clone, Default)]
pub(crate) struct SsorCg<C> {
    sweeps: Ssor<C>,
    r: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
    x: Vec<f64>,
}

impl<C: Coefficient, const D: usize, const K: usize> StepSolver<D, K> for SsorCg<C> {
    fn prepare(&mut self, rows: &Rows<D, K>) -> Result<(), SolveError> {
        self.sweeps.lay_out(rows);
        Ok(())
    }

    fn solve(&mut self, system: &NewtonSystem<'_, D, K>, step: &mut [f64]) -> Result<usize, SolveError> {
        let Self { sweeps, r, p, q, x } = self;
        let columns = step.len();
        for column in [&mut *r, p, q, x] {
            column.clear();
            column.resize(columns, 0.0);
        }
        sweeps.build::<D, K>(system.weights, system.ridge, system.mass);
        // H x = g is solved; the step is −x, changed at the end.
        sweeps.precondition::<D, K>(system.gradient, r);
        let limit = 200 + 20 * columns.isqrt();
        let mut alpha = 0.0;
        let mut beta = 0.0;
        let mut goal = 0.0;
        let mut iterations = 0;
        loop {
            let rr = sweeps.sweep_backward::<D, K>(CgCoefficients { alpha, beta }, Iterate { x, r, p, q });
            if iterations == 0 {
                goal = system.tolerance * system.tolerance * rr;
            }
            if rr <= goal || iterations == limit {
                break;
            }
            let [pq, qq] = sweeps.sweep_forward::<D, K>(p, q);
            if pq.is_nan() || pq <= 0.0 {
                break;
            }
            alpha = rr / pq;
            // β = r'·r'/r·r of the next residual r' = r − α q, which the next sweep computes; r·q = p·q.
            beta = (alpha * alpha * qq / rr - 1.0).max(0.0);
            iterations += 1;
        }
        sweeps.recover::<D, K>(x, step);
        step.iter_mut().for_each(|step| *step = -*step);
        Ok(iterations)
    }
}
