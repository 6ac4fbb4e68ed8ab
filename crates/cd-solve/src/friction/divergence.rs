//! The test by which a problem without solution is found.

use crate::friction::problem::{FrictionProblem, norm};

/// Steps in a row that must grow.
const STEPS: usize = 3;

/// Growth of the forces in each of them.
const GROWTH: f64 = 1.5;

/// A ray that a sequence of growing forces confirms may move this part of its size, any other one that.
const MOVED: [f64; 2] = [1e-3, 1e-6];

/// Forces that grow without bound: in each of several steps the forces grow while the residual does not fall, along a
/// direction d = r/|r| that moves nothing, W d ≈ 0, and that the offset pushes against, q·d < 0.
///
/// If W d = 0 with d in the cone, q·d is what (W r + q)·d stays for any forces r. The velocities û of a solution are in
/// the dual cone, so that û·d ≥ 0: with the convex law, and with Coulomb's law where d does not slide, q·d < 0 says
/// that there is none.
#[derive(Debug, Clone, Default)]
pub(crate) struct DivergenceTest {
    last_norm: f64,
    last_residual: f64,
    first_norm: f64,
    steps: usize,
    product: Vec<f64>,
    work: Vec<f64>,
}

impl DivergenceTest {
    pub(crate) fn reset(&mut self, unknowns: usize) {
        (self.last_norm, self.first_norm, self.last_residual, self.steps) = (0.0, 0.0, f64::INFINITY, 0);
        self.product.resize(unknowns, 0.0);
    }

    /// The last norm over the first one.
    pub(crate) fn growth(&self) -> f64 {
        if self.first_norm > 0.0 { self.last_norm / self.first_norm } else { 1.0 }
    }

    /// Takes in the forces of a step and their residual.
    pub(crate) fn proves(&mut self, problem: &FrictionProblem<'_>, force: &[f64], residual: f64) -> bool {
        let size = norm(force.iter().copied());
        if self.first_norm <= 0.0 {
            self.first_norm = size;
        }
        let grows = self.last_norm > 0.0 && size > GROWTH * self.last_norm && residual > 0.5 * self.last_residual;
        self.steps = if grows { self.steps + 1 } else { 0 };
        (self.last_norm, self.last_residual) = (size, residual);
        if self.steps < STEPS {
            return false;
        }
        self.is_ray(problem, force, MOVED[0])
    }

    /// Whether these forces, after so much growth, are a ray without need of a sequence.
    pub(crate) fn is_found_at(&mut self, problem: &FrictionProblem<'_>, force: &[f64], growth: f64) -> bool {
        self.product.resize(problem.len(), 0.0);
        growth > MOVED[1].recip() && self.is_ray(problem, force, MOVED[1])
    }

    fn is_ray(&mut self, problem: &FrictionProblem<'_>, force: &[f64], most: f64) -> bool {
        let size = norm(force.iter().copied());
        problem.product(force, &mut self.product, &mut self.work);
        let moved = norm(self.product.iter().zip(problem.step()).map(|(u, rho)| u * rho));
        let pushed: f64 = force.iter().zip(problem.offset()).map(|(r, q)| r * q).sum();
        let offset = norm(problem.offset().iter().copied());
        moved <= most * size && pushed < -1e-6 * offset * size
    }
}
