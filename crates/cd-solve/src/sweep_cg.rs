//! Conjugate gradients on the Hessian of a penalty energy, preconditioned by symmetric Gauss-Seidel sweeps.

use crate::SolveError;
use crate::newton::{NewtonSystem, StepSolver};
use crate::par::sum_leaves;
use crate::rows::{Rows, add_scaled, chunks, chunks_mut, dot};
use crate::sweeps::Sweeps;

/// Conjugate gradients with their buffers.
#[derive(Debug, Clone, Default)]
pub(crate) struct SweepCg {
    sweeps: Sweeps,
    r: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
    x: Vec<f64>,
}

impl StepSolver for SweepCg {
    fn prepare<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>) -> Result<(), SolveError> {
        self.sweeps.lay_out(rows);
        Ok(())
    }

    fn solve<const D: usize, const K: usize>(
        &mut self,
        system: &NewtonSystem<'_, D, K>,
        step: &mut [f64],
    ) -> Result<usize, SolveError> {
        let Self { sweeps, r, p, q, x } = self;
        let columns = step.len();
        for column in [&mut *r, p, q, x] {
            column.clear();
            column.resize(columns, 0.0);
        }
        sweeps.build(system.rows, system.weights, system.ridge, system.mass);
        // The signs are turned at the end: H x = g, and the step is −x.
        sweeps.precondition::<D, K>(system.gradient, r);
        let square = |r: &[f64]| {
            let [sum] = sum_leaves(chunks::<D>(r), &|_, r| [r.iter().map(|r| dot(r, r)).sum()]);
            sum
        };
        let mut rr = square(r);
        let goal = system.tolerance * system.tolerance * rr;
        let mut momentum = 0.0;
        let mut iterations = 0;
        let limit = 200 + 20 * columns.isqrt();
        while rr > goal && iterations < limit {
            let curvature = sweeps.product::<D, K>(momentum, r, p, q);
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let alpha = rr / curvature;
            let columns = (chunks::<D>(p), chunks::<D>(q), chunks_mut::<D>(x), chunks_mut::<D>(r));
            let [next] = sum_leaves(columns, &|_, (p, q, x, r)| {
                let mut sum = 0.0;
                for (((p, q), x), r) in p.iter().zip(q).zip(x).zip(r) {
                    add_scaled(x, alpha, p);
                    add_scaled(r, -alpha, q);
                    sum += dot(r, r);
                }
                [sum]
            });
            momentum = next / rr;
            rr = next;
            iterations += 1;
        }
        sweeps.recover::<D, K>(x, step);
        step.iter_mut().for_each(|step| *step = -*step);
        Ok(iterations)
    }
}
