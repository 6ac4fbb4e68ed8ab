//! A solver of friction problems that keeps its last problem for FCLIB files.

use cd_solve::SolveError;
use cd_solve::fclib::{FclibError, StoredProblem};
use cd_solve::friction::{
    ContactMap, CoulombSolver, FrictionCoefficients, FrictionMatrix, FrictionProblem, FrictionReport, FrictionSolver,
};

/// A solver of friction problems that keeps its last problem if the scene writes problems to files.
pub(super) struct RecordedSolver {
    solver: CoulombSolver,
    writes: bool,
    last: Option<RecordedProblem>,
}

/// A friction problem whose matrix is assembled only when the problem is written.
struct RecordedProblem {
    map: ContactMap,
    offset: Vec<f64>,
    sliding: Vec<f64>,
    rolling: Vec<f64>,
}

impl RecordedSolver {
    pub(super) fn new(solver: CoulombSolver, writes: bool) -> Self {
        Self { solver, writes, last: None }
    }

    /// Returns the last problem in the form of FCLIB files; none if the scene writes no problems to files.
    pub(super) fn last_problem(&self) -> Option<Result<StoredProblem, FclibError>> {
        self.last.as_ref().map(RecordedProblem::stored)
    }
}

impl FrictionSolver for RecordedSolver {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        if let (true, FrictionMatrix::Map(map)) = (self.writes, problem.matrix()) {
            let column = |k: usize| problem.coefficients().iter().map(|mu| mu[k]).collect();
            let rolling = if problem.block() > 3 { column(1) } else { Vec::new() };
            let offset = problem.offset().to_vec();
            self.last = Some(RecordedProblem { map: map.clone(), offset, sliding: column(0), rolling });
        }
        self.solver.solve(problem, force)
    }
}

impl RecordedProblem {
    fn stored(&self) -> Result<StoredProblem, FclibError> {
        let coefficients = FrictionCoefficients { sliding: &self.sliding, rolling: &self.rolling, twisting: &[] };
        let problem = FrictionProblem::new(FrictionMatrix::Map(&self.map), &self.offset, coefficients)?;
        StoredProblem::of("a step of grains", &problem)
    }
}
