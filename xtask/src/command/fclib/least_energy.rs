//! `cargo xtask fclib DIR --least-energy`: selects the forces of least elastic energy among all solutions of a friction
//! problem, which should not depend on the solver.
use anyhow::Result;
use cd_solve::Options;
use cd_solve::fclib::StoredProblem;
use cd_solve::friction::{LeastEnergyForces, Springs};

use crate::command::fclib::Contestant;

/// Residual R₁ to which the solvers solve a problem before forces are selected.
pub(super) const TOLERANCE: f64 = 1e-13;

/// Dimensionless compliance δ of the contact springs whose energy is minimised.
const COMPLIANCE: f64 = 1e-4;

/// Ratio κ of the tangential to the normal stiffness of the contact springs.
const RATIO: f64 = 2.0 / 7.0;

/// Solves one problem by all solvers, and prints how much their forces differ before and after the selection.
///
/// # Errors
/// If a solver cannot treat the problem.
pub(super) fn select(name: &str, stored: &StoredProblem, contestants: &mut [Contestant]) -> Result<()> {
    let problem = stored.problem()?;
    if problem.block() != 3 {
        println!("{name}: contacts that roll have no such selection");
        return Ok(());
    }
    let stiffness = vec![1.0; problem.contacts()];
    let springs = Springs { stiffness: &stiffness, tangential_ratio: RATIO };
    println!("{name}, {} contacts", problem.contacts());
    let mut found = Vec::new();
    let mut selected = Vec::new();
    for contestant in contestants {
        let mut force = vec![0.0; problem.len()];
        let solved = contestant.solver.solve(&problem, &mut force)?;
        let mut least = force.clone();
        let mut selection = LeastEnergyForces::new(Options::new(1e-11, 100), COMPLIANCE);
        let report = selection.solve(&problem, springs, &mut least)?;
        println!(
            "    {:24} R1 {:.1e}, selection {:?} at {:.1e}",
            contestant.name, solved.residual, report.status, report.residual
        );
        if solved.residual <= 1e-12 {
            found.push(force);
            selected.push(least);
        }
    }
    println!(
        "    of {} with R1 ≤ 1e-12: forces differ by {:.1e}, selected ones by {:.1e} of the largest",
        found.len(),
        spread(&found),
        spread(&selected)
    );
    Ok(())
}

/// Returns the largest difference of a component of any set of forces from the first set, over the largest component of
/// the first set.
fn spread(forces: &[Vec<f64>]) -> f64 {
    let Some((first, others)) = forces.split_first() else { return f64::NAN };
    let largest = first.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
    let differences = others.iter().flat_map(|other| other.iter().zip(first).map(|(a, b)| (a - b).abs()));
    differences.fold(0.0, f64::max) / largest
}
