use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::conformance::assembly::Assembly;
use crate::conformance::failure::{Defect, Failure, check_forces, check_refused};
use crate::conformance::pyramid::Pyramid;
use crate::conformance::species::Species;
use crate::newton::compatible_forces::CompatibleForces;
use crate::problem::compatibility::{CompatibilityProblem, CompatibilitySolver};
use crate::report::Options;

/// Tests `solver` on [`CompatibilityProblem`]s with these `exponents` of the contact energy, and on one without
/// solution. Reference forces are exact, or from [`CompatibleForces`] with Cholesky factors; errors must be within
/// `tolerance` times the largest force of the problem.
///
/// # Errors
/// The first [`Failure`].
pub fn check_compatibility(
    solver: &mut dyn CompatibilitySolver,
    exponents: &[f64],
    tolerance: f64,
) -> Result<(), Failure> {
    for &exponent in exponents {
        for (case, assembly, expected) in cases(exponent) {
            let case = format!("{case}, exponent {exponent}");
            solve(solver, &assembly, exponent, &expected, tolerance).map_err(|defect| defect.of(case))?;
        }
        for seed in 0..4 {
            let assembly = Assembly::random([3, 3, 2], seed % 2 == 1, seed);
            let case = format!("random packing {seed}, exponent {exponent}");
            reference(&assembly, exponent)
                .and_then(|expected| solve(solver, &assembly, exponent, &expected, tolerance))
                .map_err(|defect| defect.of(case))?;
        }
        lifted(solver, exponent).map_err(|defect| defect.of(format!("load away from the floor, {exponent}")))?;
        open(solver, exponent, tolerance).map_err(|defect| defect.of(format!("open contact, {exponent}")))?;
        wrong_length(solver, exponent).map_err(|defect| defect.of("wrong length"))?;
    }
    Ok(())
}

fn cases(exponent: f64) -> Vec<(&'static str, Assembly, Vec<f64>)> {
    let root = std::f64::consts::SQRT_2;
    let small = Pyramid::new(2).assembly(Species::Uniform);
    let double = small.renumbered(&[0, 1, 2, 3, 3, 2, 1, 0], &[0]);
    let mut rattling = Assembly { bodies: 2, load: [&small.load[..], &[0.0; 3]].concat(), ..small.clone() };
    rattling.push([None, Some(1)], [0.0, 0.0, 1.0]);
    let soft = Assembly { stiffness: vec![1e-6; 4], ..small.clone() };
    let heavy = Assembly { load: vec![0.0, 0.0, 1e6], ..small.clone() };
    let quarter = vec![root / 4.0; 4];
    let mut cases = vec![
        ("no bodies", Assembly::new(3, 0), vec![]),
        ("bodies without contacts", Assembly::new(3, 2), vec![]),
        ("beam", Assembly::beam(1.0), vec![10.0 / 3.0; 3]),
        ("beam on a stiff middle", Assembly::beam(3.0), vec![2.0, 6.0, 2.0]),
        ("beam without load", Assembly { load: vec![0.0; 6], ..Assembly::beam(1.0) }, vec![0.0; 3]),
        ("pyramid of two layers", small, quarter.clone()),
        ("soft pyramid", soft, quarter.clone()),
        ("heavy pyramid", heavy, vec![1e6 * root / 4.0; 4]),
        ("pyramid with every contact twice", double, vec![root / 8.0; 8]),
        ("pyramid and a ball without load", rattling, [&quarter[..], &[0.0]].concat()),
    ];
    if exponent.total_cmp(&2.0).is_eq() {
        let pyramid = Pyramid::new(3);
        let assembly = pyramid.assembly(Species::Uniform);
        let expected: Vec<f64> = pyramid.pairs().iter().map(|&pair| three_layers(pair) * root).collect();
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut permutation = |n: usize| {
            let mut order: Vec<usize> = (0..n).collect();
            order.shuffle(&mut random);
            order
        };
        let contacts = permutation(assembly.contacts());
        let names = permutation(assembly.bodies);
        let renumbered = contacts.iter().map(|&i| expected[i]).collect();
        cases.push(("renumbered pyramid of three layers", assembly.renumbered(&contacts, &names), renumbered));
        cases.push(("pyramid of three layers", assembly, expected));
    }
    cases
}

/// Returns the force between spheres `a` < `b` of the [`Pyramid`] of three layers, for Hooke's law and equal
/// stiffnesses, in units of √2 times the weight of a sphere, in which the forces are rational.
fn three_layers([a, b]: [usize; 2]) -> f64 {
    match (a, b) {
        // The apex rests on four spheres, which rest on base spheres: one at a corner, two at edges, one at the centre.
        // Contacts within a layer carry no force.
        (9.., 13) => 0.25,
        (9.., _) => 0.0,
        (4, _) => 3.0 / 16.0,
        (0 | 2 | 6 | 8, _) => 7.0 / 16.0,
        _ => 5.0 / 16.0,
    }
}

fn reference(assembly: &Assembly, exponent: f64) -> Result<Vec<f64>, Defect> {
    let jacobian = assembly.jacobian()?;
    let mut force = vec![0.0; assembly.contacts()];
    let mut solver = CompatibleForces::new(Options::new(1e-12, 500)).with_factors_alone();
    let report = solver.solve(&assembly.problem(&jacobian, exponent)?, &mut force)?;
    // Rounding limits the residual by an unknown amount, so the tolerance of 1e-12 may be out of reach.
    if report.residual <= 1e-10 { Ok(force) } else { Err(Defect::NotConverged(report)) }
}

fn solve(
    solver: &mut dyn CompatibilitySolver,
    assembly: &Assembly,
    exponent: f64,
    expected: &[f64],
    tolerance: f64,
) -> Result<(), Defect> {
    let jacobian = assembly.jacobian()?;
    compare(solver, &assembly.problem(&jacobian, exponent)?, expected, tolerance)
}

fn compare(
    solver: &mut dyn CompatibilitySolver,
    problem: &CompatibilityProblem<'_>,
    expected: &[f64],
    tolerance: f64,
) -> Result<(), Defect> {
    // The initial content of the result must not matter.
    let mut force = vec![0.25; expected.len()];
    let report = solver.solve(problem, &mut force)?;
    check_forces(&force)?;
    if !report.converged() {
        return Err(Defect::NotConverged(report));
    }
    let scale = expected.iter().fold(0.0_f64, |most, f| most.max(*f));
    let scale = if scale > 0.0 { scale } else { 1.0 };
    for (index, (&found, &expected)) in force.iter().zip(expected).enumerate() {
        if (found - expected).abs() > tolerance * scale {
            return Err(Defect::Wrong { index, found, expected });
        }
    }
    Ok(())
}

fn lifted(solver: &mut dyn CompatibilitySolver, exponent: f64) -> Result<(), Defect> {
    let mut assembly = Pyramid::new(3).assembly(Species::Uniform);
    assembly.load.iter_mut().for_each(|load| *load = -*load);
    let jacobian = assembly.jacobian()?;
    let mut force = vec![0.0; assembly.contacts()];
    let report = solver.solve(&assembly.problem(&jacobian, exponent)?, &mut force)?;
    check_forces(&force)?;
    if report.converged() { Err(Defect::FalselyConverged(report)) } else { Ok(()) }
}

/// Checks that a sphere on two floors gets no force from the floor whose contact is marked as open.
fn open(solver: &mut dyn CompatibilitySolver, exponent: f64, tolerance: f64) -> Result<(), Defect> {
    let mut assembly = Assembly::new(3, 1);
    assembly.push([None, Some(0)], [0.0, 0.0, 1.0]);
    assembly.push([None, Some(0)], [0.0, 0.0, 1.0]);
    assembly.load = vec![0.0, 0.0, 1.0];
    let jacobian = assembly.jacobian()?;
    let problem = assembly.problem(&jacobian, exponent)?.with_open(&[false, true])?;
    compare(solver, &problem, &[1.0, 0.0], tolerance)
}

fn wrong_length(solver: &mut dyn CompatibilitySolver, exponent: f64) -> Result<(), Defect> {
    let assembly = Assembly::beam(1.0);
    let jacobian = assembly.jacobian()?;
    let mut force = [0.5; 4];
    check_refused(solver.solve(&assembly.problem(&jacobian, exponent)?, &mut force), &force)
}
