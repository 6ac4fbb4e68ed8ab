use rrp_parallel::{for_each_part, in_pool};

use crate::error::SolveError;
use crate::friction::anderson::Anderson;
use crate::friction::contact_rows::DOF;
use crate::friction::one_contact;
use crate::friction::problem::{FrictionLaw, FrictionMatrix, FrictionProblem, norm, with_block};
use crate::friction::solver::{FrictionReport, FrictionSolver, check_start};
use crate::friction::subdomain_sweep::{SubdomainSweep, SweepData, local_offset, sweep_contacts};
use crate::friction::subdomains::Stretch;
use crate::leaves::leaves;
use crate::report::{Options, Status};

/// Number of sweeps between two evaluations of the residual, each of which costs half a sweep.
const CHECK_INTERVAL: usize = 20;

/// Ratio of the changes of the forces in two successive sweeps above which the extrapolation between them is rejected.
const REJECT: f64 = 1.5;

/// Sweeps over the contacts (nonlinear Gauss-Seidel), each contact solved exactly with the forces of the other
/// contacts, Jean (1999), with Anderson's acceleration.
///
/// W = H M⁻¹ Hᵀ is never formed: a sweep updates the velocities of bodies. If forces are not unique, the result depends
/// on the start and the order. Sweeps stop at [`FrictionProblem::residual`]; the returned forces are those after a
/// sweep and obey |rₜ| ≤ μ rₙ. `max_iterations` counts sweeps. A second solve of the same size allocates no memory.
///
/// With at least 4096 bodies and 4096 contacts of a [`ContactMap`](crate::friction::ContactMap), the contacts are
/// reordered, and sweeps run on several threads. Bodies are cut into subdomains; contacts within subdomains come first,
/// then those between neighbouring subdomains. Bits do not depend on the number of threads. Smaller problems, bodies
/// that all touch one large free body, and an assembled matrix are swept in the given order on one thread.
#[derive(Debug, Clone)]
pub struct AcceleratedSweeps {
    options: Options,
    accelerate: bool,
    buffers: SweepBuffers,
}

#[derive(Debug, Clone, Default)]
pub(super) struct SweepBuffers {
    x: Vec<f64>,
    image: Vec<f64>,
    change: Vec<f64>,
    velocity: Vec<f64>,
    work: Vec<f64>,
    subdomain_sweep: SubdomainSweep,
    anderson: Anderson,
    last_residual: f64,
}

/// Tolerance and number of iterations at which sweeps end, and whether sweeps are accelerated.
#[derive(Debug, Clone, Copy)]
pub(super) struct SweepLimits {
    pub(super) options: Options,
    pub(super) accelerate: bool,
}

impl AcceleratedSweeps {
    /// Makes a solver that stops at the tolerance of `options`, or after `max_iterations` sweeps.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, accelerate: true, buffers: SweepBuffers::default() }
    }

    /// Switches Anderson's acceleration off, which leaves the classic nonlinear Gauss-Seidel method.
    #[must_use]
    pub fn plain(self) -> Self {
        Self { accelerate: false, ..self }
    }
}

impl Default for AcceleratedSweeps {
    fn default() -> Self {
        Self::new(Options::new(1e-8, 10_000))
    }
}

impl FrictionSolver for AcceleratedSweeps {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        self.options.check()?;
        check_start(problem, FrictionLaw::Coulomb, force)?;
        let limits = SweepLimits { options: self.options, accelerate: self.accelerate };
        let report = self.buffers.run(problem, limits, force);
        let SweepBuffers { change, work, .. } = &mut self.buffers;
        let rounding = problem.rounding_with(force, change, work);
        Ok(report.unless_by_rounding(rounding, self.options.tolerance))
    }
}

impl SweepBuffers {
    pub(super) fn run(
        &mut self,
        problem: &FrictionProblem<'_>,
        limits: SweepLimits,
        force: &mut [f64],
    ) -> FrictionReport {
        in_pool(
            leaves(problem.len()),
            || with_block!(problem.block(), M => self.sweep_all::<M>(problem, limits, force)),
        )
    }

    /// Returns the forces after the last sweep, and their residual, which need not be the smallest.
    pub(super) fn last(&self) -> (&[f64], f64) {
        (&self.image, self.last_residual)
    }

    /// Computes the residual of `force`; leaves the local velocities in `self.change`.
    pub(crate) fn residual(&mut self, problem: &FrictionProblem<'_>, force: &[f64]) -> f64 {
        self.change.resize(problem.len(), 0.0);
        problem.product(force, &mut self.change, &mut self.work);
        self.change.iter_mut().zip(problem.offset()).for_each(|(u, q)| *u += q);
        problem.residual_of_velocity(force, &self.change).unwrap_or(f64::NAN)
    }

    fn sweep_all<const M: usize>(
        &mut self,
        problem: &FrictionProblem<'_>,
        limits: SweepLimits,
        force: &mut [f64],
    ) -> FrictionReport {
        let SweepLimits { options, accelerate } = limits;
        let n = problem.len();
        for buffer in [&mut self.x, &mut self.image, &mut self.change] {
            buffer.resize(n, 0.0);
        }
        self.anderson.reset(n);
        self.x.copy_from_slice(force);
        self.image.copy_from_slice(force);
        let residual = self.residual(problem, force);
        self.last_residual = residual;
        let mut report = FrictionReport::start(residual);
        let mut accepted = f64::INFINITY;
        let mut may_reject = false;
        let mut first_norm = 0.0;
        if let FrictionMatrix::Map(map) = problem.matrix()
            && !options.is_met_by(report.residual)
        {
            self.subdomain_sweep.lay_out::<M>(problem, map);
        }
        while !options.is_met_by(report.residual) {
            if report.sweeps >= options.max_iterations {
                report.status = Status::IterationLimit;
                break;
            }
            self.image.copy_from_slice(&self.x);
            self.sweep::<M>(problem);
            report.sweeps += 1;
            if report.sweeps == 1 {
                first_norm = norm(self.image.iter().copied());
            }
            let columns = (&mut self.change[..], &self.image[..], &self.x[..], problem.step());
            for_each_part(leaves(n), columns, &|_, (change, image, x, step)| {
                for (change, ((g, x), rho)) in change.iter_mut().zip(image.iter().zip(x).zip(step)) {
                    *change = (g - x) / rho;
                }
            });
            let size = problem.relative_norm(&self.change);
            if accelerate && may_reject && (size > REJECT * accepted || size.is_nan()) {
                // The extrapolation went too far: continue from the image of the last good iterate.
                self.x.copy_from_slice(self.anderson.last_image());
                self.anderson.forget();
                may_reject = false;
                if report.sweeps < options.max_iterations {
                    continue;
                }
            } else if accelerate {
                accepted = size;
                self.anderson.extrapolate(&self.change, &self.image, &mut self.x);
                may_reject = true;
            } else {
                self.x.copy_from_slice(&self.image);
            }
            let last = report.sweeps == options.max_iterations;
            if last || options.is_met_by(size) || report.sweeps.is_multiple_of(CHECK_INTERVAL) {
                self.keep_if_better(problem, force, &mut report);
            }
        }
        if report.sweeps > 0 && first_norm > 0.0 {
            report.growth = norm(self.image.iter().copied()) / first_norm;
        }
        report
    }

    /// Copies the forces after the last sweep to `force` if their residual is smaller than that of `report`.
    fn keep_if_better(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64], report: &mut FrictionReport) {
        let image = std::mem::take(&mut self.image);
        let residual = self.residual(problem, &image);
        self.last_residual = residual;
        if residual < report.residual || report.residual.is_nan() {
            report.residual = residual;
            force.copy_from_slice(&image);
        }
        self.image = image;
    }

    fn sweep<const M: usize>(&mut self, problem: &FrictionProblem<'_>) {
        match problem.matrix() {
            FrictionMatrix::Blocks(blocks) => {
                let r = self.image.as_chunks_mut::<M>().0;
                let offset = problem.offset().as_chunks::<M>().0;
                let coefficients = problem.coefficients();
                for i in 0..r.len() {
                    let w = blocks.diagonal_block::<M>(i);
                    let u = blocks.row_times(i, r);
                    let b = local_offset(w, &u, &offset[i], &r[i]);
                    r[i] = one_contact::solve(w, &b, &coefficients[i], &r[i]);
                }
            }
            FrictionMatrix::Map(_) if self.subdomain_sweep.is_worthwhile() => {
                self.subdomain_sweep.sweep::<M>(&mut self.image);
            }
            FrictionMatrix::Map(map) => {
                self.velocity.resize(DOF * map.bodies(), 0.0);
                let found = map.velocity(&self.image, &mut self.velocity);
                debug_assert!(found.is_ok(), "lengths are those of the problem");
                let local = self.image.as_chunks_mut::<M>().0;
                let contacts = map.contact_rows();
                let data = SweepData { contacts, offset: problem.offset(), coefficients: problem.coefficients() };
                sweep_contacts(data, Stretch { first: 0, local, velocity: &mut self.velocity });
            }
        }
    }
}
