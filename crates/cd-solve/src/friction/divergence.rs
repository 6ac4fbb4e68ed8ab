use crate::friction::contact_rows::DOF;
use crate::friction::problem::{FrictionMatrix, FrictionProblem, norm, with_block};
use crate::friction::sweeps::{SweepBuffers, SweepLimits};
use crate::report::Options;

/// Number of successive proximal steps with growing forces before a proof of infeasibility is tried.
const GROWING_STEPS: usize = 3;

/// Factor by which forces must grow in each of several proximal steps before a proof of infeasibility is looked for.
const GROWTH: f64 = 1.5;

/// Factor by which forces must grow over all sweeps before a proof of infeasibility is tried.
const SWEPT_GROWTH: f64 = 1e6;

/// Largest ‖ρ W r‖/‖r‖ (ρ: force over velocity) of growing forces r at which a proof of infeasibility is tried.
const LARGEST_MOTION: f64 = 1e-3;

/// Multiple of the force that the offset requires at a single contact. Infeasibility counts as proved if all solutions
/// have larger forces, since their velocities would be lost in rounding.
const LOST_IN_ROUNDING: f64 = 1e10;

/// Largest net force on a body, relative to the largest contact force, of a ray in a proof of infeasibility.
const BALANCED: f64 = 1e-9;

/// Number of sweeps without friction and offset that turn growing forces into a ray: forces that move no body.
const RAY_SWEEPS: usize = 200;

/// Test whether forces grow without bound, and a proof of infeasibility. Let d ≥ 0 be normal forces with W d = 0. Any
/// solution r has velocities u = W r + q with uₙ ≥ 0, so 0 ≤ u·d = r·W d + q·d = q·d. Hence q·d < 0 proves that there
/// is no solution, with any friction. Such a d is called a ray. With rounding W d is only nearly zero: then ‖r‖ ≥
/// |q·d|/‖W d‖ for every solution, with norms in the metric of ρ, which is a proof if such an r cannot be represented
/// in `f64`. Heavy bodies make W d small without balance, so the forces d of a ray must also balance at each body, for
/// any masses; rounding may have made a ray of forces that balance only roughly. An assembled matrix has no bodies:
/// there the balance is not tested. Growth alone is no proof, since forces may have to grow by a ratio of masses.
#[derive(Debug, Clone, Default)]
pub(super) struct DivergenceTest {
    last_norm: f64,
    last_residual: f64,
    first_norm: f64,
    steps: usize,
    ray: Vec<f64>,
    nothing: Vec<f64>,
    product: Vec<f64>,
    work: Vec<f64>,
    sweeps: SweepBuffers,
}

impl DivergenceTest {
    pub(super) fn reset(&mut self) {
        (self.last_norm, self.first_norm, self.last_residual, self.steps) = (0.0, 0.0, f64::INFINITY, 0);
    }

    /// Growth of the contact forces: norm of the last ones over that of the first ones.
    pub(super) fn growth(&self) -> f64 {
        if self.first_norm > 0.0 { self.last_norm / self.first_norm } else { 1.0 }
    }

    /// Takes the forces of a proximal step and their residual; returns whether they prove that there is no solution.
    pub(super) fn proves(&mut self, problem: &FrictionProblem<'_>, force: &[f64], residual: f64) -> bool {
        let size = norm(force.iter().copied());
        if self.first_norm <= 0.0 {
            self.first_norm = size;
        }
        let grows = self.last_norm > 0.0 && size > GROWTH * self.last_norm && residual > 0.5 * self.last_residual;
        self.steps = if grows { self.steps + 1 } else { 0 };
        (self.last_norm, self.last_residual) = (size, residual);
        if self.steps < GROWING_STEPS {
            return false;
        }
        self.steps = 0;
        self.moves_little(problem, force) && self.proves_from(problem, force)
    }

    /// Whether the forces after sweeps, which grew by the factor `growth`, prove that there is no solution.
    pub(super) fn proves_after_sweeps(&mut self, problem: &FrictionProblem<'_>, force: &[f64], growth: f64) -> bool {
        growth > SWEPT_GROWTH && self.proves_from(problem, force)
    }

    fn moves_little(&mut self, problem: &FrictionProblem<'_>, force: &[f64]) -> bool {
        self.product.resize(problem.len(), 0.0);
        problem.product(force, &mut self.product, &mut self.work);
        let moved = norm(self.product.iter().zip(problem.step()).map(|(u, rho)| u * rho));
        moved <= LARGEST_MOTION * norm(force.iter().copied())
    }

    /// Whether a ray near these forces proves that there is no solution. Sweeps without friction and offset start from
    /// the normal forces and remove the part that moves bodies; the rest is tested.
    pub(super) fn proves_from(&mut self, problem: &FrictionProblem<'_>, force: &[f64]) -> bool {
        let rows = problem.step();
        let block = problem.block();
        // In the metric of ρ, the product of a force and a velocity is bounded by the product of their norms.
        let as_velocity = |u: &[f64]| norm(u.iter().zip(rows).map(|(u, rho)| u * rho.sqrt()));
        let asked = as_velocity(problem.offset());
        let normal = |k: usize, r: f64| if k.is_multiple_of(block) { r.max(0.0) } else { 0.0 };
        self.ray.clear();
        self.ray.extend(force.iter().enumerate().map(|(k, &r)| normal(k, r)));
        let size = norm(self.ray.iter().zip(rows).map(|(r, rho)| r / rho.sqrt()));
        if !(size.is_finite() && size > 0.0) {
            return false;
        }
        self.ray.iter_mut().for_each(|r| *r *= asked / size);
        self.nothing.clear();
        self.nothing.resize(problem.len(), 0.0);
        let unloaded = problem.without_friction_and_offset(&self.nothing);
        let limits = SweepLimits { options: Options::new(1e-15, RAY_SWEEPS), accelerate: true };
        let _swept = self.sweeps.run(&unloaded, limits, &mut self.ray);
        self.product.resize(problem.len(), 0.0);
        let ray = self.sweeps.last().0;
        problem.product(ray, &mut self.product, &mut self.work);
        let pushed: f64 = ray.iter().zip(problem.offset()).map(|(r, q)| r * q).sum();
        -pushed >= LOST_IN_ROUNDING * asked * as_velocity(&self.product) && pushed < 0.0 && is_balanced(problem, ray)
    }
}

/// Whether the normal forces `ray` cancel on each body; true for assembled matrices.
fn is_balanced(problem: &FrictionProblem<'_>, ray: &[f64]) -> bool {
    let FrictionMatrix::Map(map) = problem.matrix() else { return true };
    let mut wrench = vec![0.0; DOF * map.bodies()];
    if map.apply_transpose(ray, &mut wrench).is_err() {
        return false;
    }
    let mut largest = 0.0_f64;
    for (i, force) in ray.iter().step_by(map.block()).enumerate() {
        let row = with_block!(map.block(), M => map.rows::<M>(i)[0]);
        let sides = [&row[..3], &row[DOF..DOF + 3]].map(|side| norm(side.iter().copied()));
        largest = largest.max(force * sides[0].max(sides[1]));
    }
    wrench.chunks_exact(DOF).all(|wrench| norm(wrench[..3].iter().copied()) <= BALANCED * largest)
}
