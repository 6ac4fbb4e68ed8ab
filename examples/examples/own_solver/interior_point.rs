//! Clarabel, an interior point method for quadratic programs, as a solver of contact problems.

use cd_solve::error::{ContactError, MatrixError};
use cd_solve::{CompatibilityProblem, CompatibilitySolver, Lcp, LcpSolver, Report, SolveError, Status};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

pub(crate) struct InteriorPoint {
    pub(crate) tolerance: f64,
}

impl CompatibilitySolver for InteriorPoint {
    /// Minimises the elastic energy Σ f²/2k over Bᵀ f = F and f ≥ 0: a quadratic program, for Hooke's law only.
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        if problem.exponent() > 2.0 {
            return Err(ContactError::InvalidExponent { value: problem.exponent() }.into());
        }
        let map = problem.jacobian();
        let contacts = force.len();
        if contacts != map.contacts() {
            return Err(SolveError::LengthMismatch { what: "forces", expected: map.contacts(), found: contacts });
        }
        if contacts == 0 {
            // Clarabel panics without unknowns.
            let balanced = problem.load().iter().all(|load| load.abs() <= 0.0);
            let status = if balanced { Status::Converged } else { Status::Infeasible };
            return Ok(Report { status, iterations: 0, inner_iterations: 0, residual: problem.residual(force)? });
        }
        // A and b of A f + s = b: Bᵀ f = F where s is zero, −f + s = 0 where s ≥ 0.
        let balance = map.to_sparse()?.transpose().to_col_major().map_err(|_| MatrixError::NeedsRows)?;
        let mut entries = (vec![0], Vec::new(), Vec::new());
        for i in 0..contacts {
            // The column of an open contact is empty, so that its force of least energy is zero.
            let kept = if problem.is_open(i) { 0 } else { balance.val_of_col(i).len() };
            entries.1.extend(balance.row_idx_of_col(i).take(kept).chain([map.columns() + i]));
            entries.2.extend(balance.val_of_col(i)[..kept].iter().copied().chain([-1.0]));
            entries.0.push(entries.1.len());
        }
        let constraints = CscMatrix::new(map.columns() + contacts, contacts, entries.0, entries.1, entries.2);
        // Forces are in units of the largest load, energies in those of the largest stiffness.
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let unit = if largest(problem.load()) > 0.0 { largest(problem.load()) } else { 1.0 };
        let stiffest = largest(problem.stiffness());
        let compliance = problem.stiffness().iter().map(|k| stiffest / k).collect();
        let energy = CscMatrix::new(contacts, contacts, (0..=contacts).collect(), (0..contacts).collect(), compliance);
        let right: Vec<f64> = problem.load().iter().map(|load| load / unit).chain(vec![0.0; contacts]).collect();
        let cones = [SupportedConeT::ZeroConeT(map.columns()), SupportedConeT::NonnegativeConeT(contacts)];
        let (status, iterations, x) = self.minimize(&energy, &vec![0.0; contacts], &constraints, &right, &cones)?;
        force.iter_mut().zip(&x).for_each(|(force, x)| *force = (unit * x).max(0.0));
        Ok(Report { status, iterations, inner_iterations: 0, residual: problem.residual(force)? })
    }
}

impl LcpSolver for InteriorPoint {
    /// Minimises ½ z·A z + b·z over z ≥ 0; the columns of A are its products with unit vectors.
    fn solve(&mut self, problem: &Lcp<'_>, z: &mut [f64]) -> Result<Report, SolveError> {
        let n = problem.len();
        if z.len() != n {
            return Err(SolveError::LengthMismatch { what: "unknowns", expected: n, found: z.len() });
        }
        let residual = problem.residual(&vec![0.0; n])?;
        if residual <= self.tolerance {
            // Zero is the solution; Clarabel would panic without unknowns.
            z.fill(0.0);
            return Ok(Report { status: Status::Converged, iterations: 0, inner_iterations: 0, residual });
        }
        let mut unit = vec![0.0; n];
        let mut column = vec![0.0; n];
        let mut work = Vec::new();
        let mut entries = (vec![0], Vec::new(), Vec::new());
        let mut largest = 0.0_f64;
        for j in 0..n {
            unit[j] = 1.0;
            problem.matrix().apply(&unit, &mut column, &mut work);
            unit[j] = 0.0;
            largest = largest.max(column[j]);
            for (i, value) in column[..=j].iter().enumerate().filter(|(i, value)| *i == j || value.abs() > 0.0) {
                entries.1.push(i);
                entries.2.push(*value);
            }
            entries.0.push(entries.1.len());
        }
        // A is divided by its largest entry, b by its own.
        let scale = problem.offset().iter().fold(0.0_f64, |most, b| most.max(b.abs()));
        entries.2.iter_mut().for_each(|value| *value /= largest);
        let energy = CscMatrix::new(n, n, entries.0, entries.1, entries.2);
        let offset: Vec<f64> = problem.offset().iter().map(|b| b / scale).collect();
        let constraints = CscMatrix::new(n, n, (0..=n).collect(), (0..n).collect(), vec![-1.0; n]);
        let cones = [SupportedConeT::NonnegativeConeT(n)];
        let (status, iterations, x) = self.minimize(&energy, &offset, &constraints, &vec![0.0; n], &cones)?;
        z.iter_mut().zip(&x).for_each(|(z, x)| *z = if x.is_finite() { (scale / largest * x).max(0.0) } else { 0.0 });
        Ok(Report { status, iterations, inner_iterations: 0, residual: problem.residual(z)? })
    }
}

impl InteriorPoint {
    /// Minimises ½ x·P x + q·x over A x + s = b with s in the cones.
    fn minimize(
        &self,
        energy: &CscMatrix<f64>,
        linear: &[f64],
        constraints: &CscMatrix<f64>,
        right: &[f64],
        cones: &[SupportedConeT<f64>],
    ) -> Result<(Status, usize, Vec<f64>), SolveError> {
        let mut settings = DefaultSettingsBuilder::default();
        settings.verbose(false).tol_gap_abs(self.tolerance).tol_gap_rel(self.tolerance).tol_feas(self.tolerance);
        let settings = settings.build().map_err(|_| MatrixError::NeedsRows)?;
        let mut solver = DefaultSolver::new(energy, linear, constraints, right, cones, settings)
            .map_err(|_| MatrixError::NeedsRows)?;
        solver.solve();
        let status = match solver.solution.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved => Status::Converged,
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => Status::Infeasible,
            SolverStatus::DualInfeasible | SolverStatus::AlmostDualInfeasible => Status::Infeasible,
            SolverStatus::MaxIterations => Status::IterationLimit,
            _ => Status::Stalled,
        };
        Ok((status, solver.solution.iterations as usize, std::mem::take(&mut solver.solution.x)))
    }
}
