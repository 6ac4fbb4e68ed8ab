use crate::conformance::assembly::Assembly;
use crate::conformance::failure::{Defect, Failure, check_forces, check_refused};
use crate::conformance::pyramid::Pyramid;
use crate::conformance::species::Species;
use crate::problem::delassus::Delassus;
use crate::problem::lcp::{Lcp, LcpMatrix, LcpSolver};

/// Tests `solver` on complementarity problems with one solution, many or none, whose matrices are not assembled.
///
/// Forces must be finite and not negative. After convergence the recomputed residual must be at most `tolerance`.
/// Convergence must not be reported for a problem without solution.
///
/// # Errors
/// The first [`Failure`].
pub fn check_lcp(solver: &mut dyn LcpSolver, tolerance: f64) -> Result<(), Failure> {
    let mut duplicated = Pyramid::new(3).assembly(Species::Uniform);
    let twice: Vec<usize> = (0..duplicated.contacts()).flat_map(|i| [i, i]).collect();
    duplicated = duplicated.renumbered(&twice, &(0..duplicated.bodies).collect::<Vec<_>>());
    let mut lifted = Pyramid::new(3).assembly(Species::Uniform);
    lifted.load.iter_mut().for_each(|load| *load = -*load);
    let unloaded = Assembly { load: vec![0.0; 6], ..Assembly::beam(1.0) };
    let solvable = [
        ("no bodies", Assembly::new(3, 0)),
        ("bodies without contacts", Assembly::new(3, 2)),
        ("beam", Assembly::beam(1.0)),
        ("beam without load", unloaded),
        ("pyramid", Pyramid::new(4).assembly(Species::Uniform)),
        ("pyramid with every contact twice", duplicated),
        ("pyramid lifted off", lifted),
        ("random packing", Assembly::random([3, 3, 3], false, 1)),
        ("random packing without floor", Assembly::random([3, 2, 4], true, 2)),
    ];
    for (case, assembly) in &solvable {
        for guess in [0.0, 1.0] {
            solve(solver, assembly, guess, tolerance).map_err(|defect| defect.of(*case))?;
        }
    }
    wedged(solver).map_err(|defect| defect.of("ball between walls that overlap it"))?;
    wrong_length(solver).map_err(|defect| defect.of("wrong length"))
}

/// Poses the complementarity problem of `assembly` for `work`.
fn with_problem(assembly: &Assembly, work: impl FnOnce(&Lcp<'_>) -> Result<(), Defect>) -> Result<(), Defect> {
    let jacobian = assembly.jacobian()?;
    let inverse_mass = assembly.inverse_mass()?;
    let delassus = Delassus::new(&jacobian, &inverse_mass)?;
    let offset = assembly.offset(&delassus)?;
    work(&Lcp::new(LcpMatrix::Delassus(&delassus), &offset)?)
}

fn solve(solver: &mut dyn LcpSolver, assembly: &Assembly, guess: f64, tolerance: f64) -> Result<(), Defect> {
    with_problem(assembly, |problem| {
        let mut force = vec![guess; problem.len()];
        let report = solver.solve(problem, &mut force)?;
        check_forces(&force)?;
        if !report.converged() {
            return Err(Defect::NotConverged(report));
        }
        let found = problem.residual(&force)?;
        if found <= tolerance { Ok(()) } else { Err(Defect::Residual { reported: report.residual, found }) }
    })
}

fn wedged(solver: &mut dyn LcpSolver) -> Result<(), Defect> {
    let mut assembly = Assembly::new(3, 1);
    assembly.push([None, Some(0)], [0.0, 0.0, 1.0]);
    assembly.push([None, Some(0)], [0.0, 0.0, -1.0]);
    assembly.gap = vec![-1.0; 2];
    with_problem(&assembly, |problem| {
        let mut force = [0.0; 2];
        let report = solver.solve(problem, &mut force)?;
        check_forces(&force)?;
        if report.converged() { Err(Defect::FalselyConverged(report)) } else { Ok(()) }
    })
}

fn wrong_length(solver: &mut dyn LcpSolver) -> Result<(), Defect> {
    let mut force = [0.5; 4];
    with_problem(&Assembly::beam(1.0), |problem| check_refused(solver.solve(problem, &mut force), &force))
}
