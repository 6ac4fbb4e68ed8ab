//! Small problems against the enumeration of all active sets.

use cd_solve::conformance::{Assembly, Random};
use cd_solve::faer::Mat;
use cd_solve::faer::linalg::solvers::Solve;
use cd_solve::{Apgd, BodyBlocks, Delassus, Lcp, LcpMatrix, LcpSolver, Options, ProjectedGaussSeidel};
use proptest::prelude::*;

use crate::support::{Classic, compatibility_solvers, distance};

/// One to three bodies with up to eight contacts, random in all that matters; duplicates included.
fn random_assembly(bodies: usize, contacts: usize, seed: u64) -> Assembly {
    let mut random = Random::new(seed);
    let mut assembly = Assembly::new(3, bodies);
    for contact in 0..contacts {
        if contact > 0 && random.uniform() < 0.15 {
            // The contact before once more.
            let (pair, last) = (assembly.pairs[contact - 1], assembly.coefficients.len() - 3);
            let normal = [0, 1, 2].map(|d| assembly.coefficients[last + d]);
            assembly.push(pair, normal);
            continue;
        }
        // Few directions, so that contacts are redundant or well apart: descent and Gauss-Seidel are slow in between.
        let normal = [(3.0 * random.uniform()).floor() - 1.0, (3.0 * random.uniform()).floor() - 1.0, 1.0];
        let norm = normal.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
        let second = (bodies as f64 * random.uniform()) as usize;
        let first = (second as f64 * 1.5 * random.uniform()) as usize;
        assembly.push([(first < second).then_some(first), Some(second)], normal.map(|x| x / norm));
    }
    for contact in 0..contacts {
        assembly.stiffness[contact] = 0.2 + random.uniform();
        assembly.gap[contact] = random.signed().max(0.0);
        let force = (0.5 + random.signed()).max(0.0);
        for (side, body) in assembly.pairs[contact].into_iter().enumerate() {
            for d in (0..3).filter(|_| body.is_some()) {
                assembly.load[3 * body.unwrap_or(0) + d] += force * assembly.coefficients[6 * contact + 3 * side + d];
            }
        }
    }
    assembly
}

/// The rows of B, dense.
fn dense_rows(assembly: &Assembly) -> Vec<Vec<f64>> {
    let columns = 3 * assembly.bodies;
    let row = |(contact, pair): (usize, &cd_solve::Pair)| {
        let mut row = vec![0.0; columns];
        for (side, body) in pair.iter().enumerate() {
            for d in (0..3).filter(|_| body.is_some()) {
                row[3 * body.unwrap_or(0) + d] = assembly.coefficients[6 * contact + 3 * side + d];
            }
        }
        row
    };
    assembly.pairs.iter().enumerate().map(row).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The answer of the symmetric positive definite or semidefinite system that has one, by the eigenvalues that are not zero.
fn pseudo_solve(matrix: &Mat<f64>, right: &Mat<f64>) -> Mat<f64> {
    matrix.self_adjoint_eigen(cd_solve::faer::Side::Lower).map_or_else(
        |_| matrix.partial_piv_lu().solve(right),
        |eigen| {
            let (vectors, values) = (eigen.U(), eigen.S().column_vector());
            let largest = (0..values.nrows()).fold(0.0_f64, |most, i| most.max(values[i].abs()));
            let mut components = vectors.transpose() * right;
            for i in 0..values.nrows() {
                let factor = if values[i] > 1e-11 * largest { values[i].recip() } else { 0.0 };
                components[(i, 0)] *= factor;
            }
            vectors * components
        },
    )
}

/// A z of the complementarity problem, which is unique: the first set of contacts that gives admissible forces and gaps.
fn slack_by_enumeration(rows: &[Vec<f64>], offset: &[f64]) -> Option<Vec<f64>> {
    let n = rows.len();
    for set in 0_u32..1 << n {
        let active: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let matrix = Mat::from_fn(active.len(), active.len(), |i, j| dot(&rows[active[i]], &rows[active[j]]));
        let right = Mat::from_fn(active.len(), 1, |i, _| -offset[active[i]]);
        let z = if active.is_empty() { right.clone() } else { pseudo_solve(&matrix, &right) };
        if (0..active.len()).any(|i| z[(i, 0)] < -1e-9) {
            continue;
        }
        let slack: Vec<f64> = (0..n)
            .map(|i| {
                offset[i] + active.iter().enumerate().map(|(k, &j)| dot(&rows[i], &rows[j]) * z[(k, 0)]).sum::<f64>()
            })
            .collect();
        if slack.iter().all(|s| *s > -1e-9) && active.iter().all(|&i| slack[i].abs() < 1e-9) {
            return Some(slack);
        }
    }
    None
}

/// The compatible forces of Hookean contacts, which are unique: the set of contacts whose displacement compresses them and
/// no others.
fn forces_by_enumeration(assembly: &Assembly, rows: &[Vec<f64>]) -> Option<Vec<f64>> {
    let (n, columns) = (rows.len(), 3 * assembly.bodies);
    let scale = assembly.load.iter().fold(0.0_f64, |most, load| most.max(load.abs()));
    for set in 0_u32..1 << n {
        let active: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let matrix = Mat::from_fn(columns, columns, |r, c| {
            active.iter().map(|&i| assembly.stiffness[i] * rows[i][r] * rows[i][c]).sum()
        });
        let right = Mat::from_fn(columns, 1, |r, _| -assembly.load[r]);
        let u = pseudo_solve(&matrix, &right);
        let u: Vec<f64> = (0..columns).map(|r| u[(r, 0)]).collect();
        let force: Vec<f64> = (0..n).map(|i| assembly.stiffness[i] * (-dot(&rows[i], &u)).max(0.0)).collect();
        let balanced = (0..columns).all(|r| {
            let supply: f64 = (0..n).map(|i| force[i] * rows[i][r]).sum();
            (supply - assembly.load[r]).abs() <= 1e-10 * scale
        });
        if balanced {
            return Some(force);
        }
    }
    None
}

/// Both classic solvers find the slack of the enumeration.
fn velocities_agree(bodies: usize, contacts: usize, seed: u64) -> Result<(), TestCaseError> {
    let assembly = random_assembly(bodies, contacts, seed);
    let rows = dense_rows(&assembly);
    let classic = Classic::new(assembly);
    let options = Options::new(1e-12, 1_000_000);
    let dense = Mat::from_fn(contacts, contacts, |i, j| dot(&rows[i], &rows[j]));
    let solvers: [&mut dyn LcpSolver; 2] = [&mut Apgd::new(options), &mut ProjectedGaussSeidel::new(options)];
    for (which, solver) in solvers.into_iter().enumerate() {
        classic.with(|problem| {
            let expected = slack_by_enumeration(&rows, problem.offset()).expect("at rest no gap closes");
            let assembled = Lcp::new(LcpMatrix::Dense(dense.as_ref()), problem.offset()).unwrap();
            for problem in [problem, &assembled] {
                let mut force = vec![0.0; contacts];
                let report = solver.solve(problem, &mut force).unwrap();
                prop_assert!(report.residual < 1e-10, "solver {which}: {report:?}");
                let mut slack = vec![0.0; contacts];
                problem.slack(&force, &mut slack, &mut Vec::new()).unwrap();
                prop_assert!(distance(&slack, &expected) < 1e-7, "{slack:?} {expected:?}");
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Bodies between contacts that nearly oppose each other: forces creep, and residuals rise before they fall.
#[test]
fn complementarity_of_nearly_opposed_contacts() {
    for (contacts, seed) in
        [(7, 355_444_183_728_478_120), (5, 12_903_593_421_806_867_368), (3, 16_902_387_716_681_242_600)]
    {
        velocities_agree(1, contacts, seed).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn complementarity(bodies in 1_usize..4, contacts in 1_usize..9, seed in any::<u64>()) {
        velocities_agree(bodies, contacts, seed)?;
    }

    #[test]
    fn compatibility(bodies in 1_usize..3, contacts in 1_usize..9, seed in any::<u64>()) {
        let assembly = random_assembly(bodies, contacts, seed);
        let rows = dense_rows(&assembly);
        let scale = assembly.load.iter().fold(0.0_f64, |most, load| most.max(load.abs()));
        prop_assume!(scale > 0.0);
        let expected = forces_by_enumeration(&assembly, &rows).expect("the load is admissible");
        let map = assembly.map().unwrap();
        let problem = assembly.problem(&map, 2.0).unwrap();
        for (name, mut solver) in compatibility_solvers(1e-11) {
            let mut force = vec![0.0; contacts];
            let report = solver.solve(&problem, &mut force).unwrap();
            if name == "Compatible" {
                prop_assert!(report.residual < 1e-10, "{name}: {report:?}");
            }
            if report.residual < 1e-10 {
                prop_assert!(distance(&force, &expected) < 1e-6 * scale, "{name}: {force:?} {expected:?}");
            }
        }
    }

    /// Velocities are unique, whatever the forces.
    #[test]
    fn solvers_agree_on_velocities(seed in any::<u64>(), nx in 2_usize..5, nz in 1_usize..4) {
        let classic = Classic::new(Assembly::random([nx, 3, nz], false, seed));
        let options = Options::new(1e-12, 400_000);
        let (first, report) = classic.solve(&mut Apgd::new(options));
        prop_assert!(report.residual < 1e-11, "{report:?}");
        let (second, report) = classic.solve(&mut ProjectedGaussSeidel::new(options));
        prop_assert!(report.residual < 1e-11, "{report:?}");
        prop_assert!(distance(&classic.velocity(&first), &classic.velocity(&second)) < 1e-9);
    }
}

#[test]
fn sparse_matrices_give_what_operators_give() {
    let assembly = Assembly::random([3, 3, 3], false, 5);
    let (map, inverse_mass) = (assembly.map().unwrap(), BodyBlocks::scalar(3, vec![1.0; 27]).unwrap());
    let delassus = Delassus::new(&map, &inverse_mass).unwrap();
    let offset = assembly.offset(&delassus).unwrap();
    let b = map.to_sparse().unwrap();
    let sparse = &b * b.transpose().to_col_major().unwrap();
    let problems = [
        Lcp::new(LcpMatrix::Delassus(&delassus), &offset).unwrap(),
        Lcp::new(LcpMatrix::Sparse(sparse.as_ref()), &offset).unwrap(),
        Lcp::new(LcpMatrix::Operator(&delassus, delassus.diagonal()), &offset).unwrap(),
    ];
    let options = Options::new(1e-12, 100_000);
    let mut forces = vec![];
    for problem in &problems {
        let mut force = vec![0.0; map.contacts()];
        assert!(Apgd::new(options).solve(problem, &mut force).unwrap().converged());
        forces.push(force);
    }
    for problem in &problems[..2] {
        let mut force = vec![0.0; map.contacts()];
        assert!(ProjectedGaussSeidel::new(options).solve(problem, &mut force).unwrap().converged());
        forces.push(force);
    }
    let velocity = |force: &[f64]| {
        let mut velocity = vec![0.0; map.columns()];
        delassus.velocity(force, &mut velocity).unwrap();
        velocity
    };
    assert!(forces.iter().all(|force| distance(&velocity(force), &velocity(&forces[0])) < 1e-9));
}
