//! Clarabel, an interior point method for quadratic programs, as a solver of compatibility problems.

use cd_solve::{CompatibilityProblem, CompatibilitySolver, Report, SolveError, Status};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

/// Clarabel with this tolerance on gaps and feasibility.
pub(crate) struct InteriorPoint {
    pub(crate) tolerance: f64,
}

impl CompatibilitySolver for InteriorPoint {
    /// Minimises the elastic energy Σ f²/2k over Bᵀ f = F and f ≥ 0: a quadratic program, for Hooke's law alone.
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        if problem.exponent() > 2.0 {
            return Err(SolveError::InvalidExponent { value: problem.exponent() });
        }
        let (map, contacts) = (problem.map(), force.len());
        if contacts != map.contacts() {
            return Err(SolveError::LengthMismatch { what: "forces", expected: map.contacts(), found: contacts });
        }
        if contacts == 0 {
            // Clarabel panics.
            let balanced = problem.load().iter().all(|load| load.abs() <= 0.0);
            let status = if balanced { Status::Converged } else { Status::Infeasible };
            return Ok(Report { status, iterations: 0, inner_iterations: 0, residual: problem.residual(force)? });
        }
        // A and b of A f + s = b: Bᵀ f = F where s is zero, −f + s = 0 where it is not negative.
        let balance = map.to_sparse()?.transpose().to_col_major().map_err(|_| SolveError::NeedsRows)?;
        let mut entries = (vec![0], Vec::new(), Vec::new());
        for i in 0..contacts {
            // An open contact balances nothing, so that it carries nothing where the energy is least.
            let kept = if problem.is_open(i) { 0 } else { balance.val_of_col(i).len() };
            entries.1.extend(balance.row_idx_of_col(i).take(kept).chain([map.columns() + i]));
            entries.2.extend(balance.val_of_col(i)[..kept].iter().copied().chain([-1.0]));
            entries.0.push(entries.1.len());
        }
        let constraints = CscMatrix::new(map.columns() + contacts, contacts, entries.0, entries.1, entries.2);
        // Forces in units of the largest load, energies of the largest stiffness.
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let unit = if largest(problem.load()) > 0.0 { largest(problem.load()) } else { 1.0 };
        let stiffest = largest(problem.stiffness());
        let compliance = problem.stiffness().iter().map(|k| stiffest / k).collect();
        let energy = CscMatrix::new(contacts, contacts, (0..=contacts).collect(), (0..contacts).collect(), compliance);
        let right: Vec<f64> = problem.load().iter().map(|load| load / unit).chain(vec![0.0; contacts]).collect();
        let cones = [SupportedConeT::ZeroConeT(map.columns()), SupportedConeT::NonnegativeConeT(contacts)];
        let mut settings = DefaultSettingsBuilder::default();
        settings.verbose(false).tol_gap_abs(self.tolerance).tol_gap_rel(self.tolerance).tol_feas(self.tolerance);
        let settings = settings.build().map_err(|_| SolveError::NeedsRows)?;
        let mut solver = DefaultSolver::new(&energy, &vec![0.0; contacts], &constraints, &right, &cones, settings)
            .map_err(|_| SolveError::NeedsRows)?;
        solver.solve();
        let status = match solver.solution.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved => Status::Converged,
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => Status::Infeasible,
            SolverStatus::MaxIterations => Status::IterationLimit,
            _ => Status::Stalled,
        };
        force.iter_mut().zip(&solver.solution.x).for_each(|(force, x)| *force = (unit * x).max(0.0));
        let (iterations, residual) = (solver.solution.iterations as usize, problem.residual(force)?);
        Ok(Report { status, iterations, inner_iterations: 0, residual })
    }
}
