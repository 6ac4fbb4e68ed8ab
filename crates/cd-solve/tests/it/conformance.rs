use cd_solve::Report;
use cd_solve::apgd::{Momentum, StepRule};
use cd_solve::conformance::{Defect, check_compatibility, check_lcp};

use crate::prelude::*;

#[test]
fn lcp_solvers_conform() {
    let options = Options::new(1e-11, 200_000);
    let random = |redraw| SweepOrder::Random { seed: 3, redraw };
    let solvers: [(&str, Box<dyn LcpSolver>); 7] = [
        ("Gauss-Seidel", Box::new(ProjectedGaussSeidel::new(options))),
        ("Gauss-Seidel reversed", Box::new(ProjectedGaussSeidel::new(options).with_order(SweepOrder::Reversed))),
        ("Gauss-Seidel shuffled", Box::new(ProjectedGaussSeidel::new(options).with_order(random(false)))),
        ("Gauss-Seidel redrawn", Box::new(ProjectedGaussSeidel::new(options).with_order(random(true)))),
        ("APGD", Box::new(Apgd::new(options))),
        ("APGD of fixed step", Box::new(Apgd::new(options).with_step(StepRule::Fixed))),
        ("projected gradient", Box::new(Apgd::new(options).with_momentum(Momentum::None))),
    ];
    for (name, mut solver) in solvers {
        if let Err(failure) = check_lcp(&mut *solver, 2e-11) {
            panic!("{name}: {failure}");
        }
    }
}

#[test]
fn compatibility_solvers_conform() {
    for (name, mut solver) in compatibility_solvers(1e-11) {
        if let Err(failure) = check_compatibility(&mut *solver, &[2.0, 2.5, 2.25], 1e-9) {
            panic!("{name}: {failure}");
        }
    }
}

/// A solver that reports convergence for every problem.
struct Liar;

impl LcpSolver for Liar {
    fn solve(&mut self, _: &Lcp<'_>, z: &mut [f64]) -> Result<Report, SolveError> {
        z.fill(0.0);
        Ok(Report { status: Status::Converged, iterations: 0, inner_iterations: 0, residual: 0.0 })
    }
}

impl CompatibilitySolver for Liar {
    fn solve(&mut self, _: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        LcpSolver::solve(self, &one(), force)
    }
}

fn one() -> Lcp<'static> {
    Lcp::new(cd_solve::LcpMatrix::Dense(cd_solve::faer::MatRef::from_row_major_slice(&[], 0, 0)), &[]).unwrap()
}

#[test]
fn a_liar_does_not_conform() {
    let failure = check_lcp(&mut Liar, 1e-9).unwrap_err();
    assert!(failure.case == "beam" && matches!(failure.defect, Defect::Residual { .. }), "{failure}");
    let failure = check_compatibility(&mut Liar, &[2.0], 1e-9).unwrap_err();
    assert!(failure.case.starts_with("beam") && matches!(failure.defect, Defect::Wrong { index: 0, .. }), "{failure}");
}
