use cd_solve::faer::linalg::solvers::Solve;
use proptest::prelude::*;

use crate::prelude::*;

struct TestContact {
    pair: cd_solve::BodyPair,
    direction: [f64; 3],
    gap: f64,
    /// Force that enters the load, so that contact forces can balance the load.
    force: f64,
    stiffness: f64,
}

fn assemble(bodies: usize, contacts: &[TestContact]) -> Assembly {
    let mut assembly = Assembly::new(3, bodies);
    for (contact, &TestContact { pair, direction, gap, force, stiffness }) in contacts.iter().enumerate() {
        let norm = direction.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
        assembly.push(pair, direction.map(|x| x / norm));
        (assembly.gap[contact], assembly.stiffness[contact]) = (gap, stiffness);
        for (side, body) in pair.into_iter().enumerate() {
            for d in (0..3).filter(|_| body.is_some()) {
                assembly.load[3 * body.unwrap_or(0) + d] += force * assembly.coefficients[6 * contact + 3 * side + d];
            }
        }
    }
    assembly
}

/// Random assemblies of one to three bodies with up to eight contacts, some of them duplicates.
fn random_assembly(bodies: usize, contacts: usize, seed: u64) -> Assembly {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn: Vec<TestContact> = Vec::new();
    for _ in 0..contacts {
        let (pair, direction) = match drawn.last() {
            // Repeats the contact before.
            Some(last) if random.random_bool(0.15) => (last.pair, last.direction),
            _ => {
                let second = random.random_range(0..bodies);
                let first = (second as f64 * 1.5 * random.random::<f64>()) as usize;
                // With few directions, contacts are redundant or well separated. In between, descent and Gauss-Seidel
                // are slow.
                let mut coordinate = || f64::from(random.random_range(-1_i8..=1));
                ([(first < second).then_some(first), Some(second)], [coordinate(), coordinate(), 1.0])
            }
        };
        drawn.push(TestContact {
            pair,
            direction,
            gap: random.random_range(-1.0_f64..1.0).max(0.0),
            force: random.random_range(-0.5_f64..1.5).max(0.0),
            stiffness: random.random_range(0.2..1.2),
        });
    }
    assemble(bodies, &drawn)
}

fn dense_rows(assembly: &Assembly) -> Vec<Vec<f64>> {
    let columns = 3 * assembly.bodies;
    let row = |(contact, pair): (usize, &cd_solve::BodyPair)| {
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

/// Solves a consistent symmetric positive semidefinite system by its nonzero eigenvalues.
fn pseudo_solve(matrix: &Mat<f64>, right: &Mat<f64>) -> Mat<f64> {
    matrix.self_adjoint_eigen(cd_solve::faer::Side::Lower).map_or_else(
        |_| matrix.partial_piv_lu().solve(right),
        |eigen| {
            let vectors = eigen.U();
            let values = eigen.S().column_vector();
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

/// The unique slack A z + b of the complementarity problem, from the first set of contacts with admissible forces and
/// gaps.
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

/// The unique compatible forces of Hookean contacts: those of the set of contacts whose displacement compresses exactly
/// this set.
fn forces_by_enumeration(assembly: &Assembly, rows: &[Vec<f64>]) -> Option<Vec<f64>> {
    let n = rows.len();
    let columns = 3 * assembly.bodies;
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

fn velocities_agree(assembly: Assembly) -> Result<(), TestCaseError> {
    let contacts = assembly.contacts();
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

/// A body between nearly opposed contacts: forces creep, and residuals rise before they fall.
#[test]
fn complementarity_of_nearly_opposed_contacts() {
    // Columns: direction, gap, force.
    let seven = [
        ([1.0, 1.0, 1.0], 0.2841376829017557, 1.30874720770207),
        ([1.0, 0.0, 1.0], 0.0, 1.2371305936625474),
        ([0.0, 1.0, 1.0], 0.5195852397765974, 0.4867626181607898),
        ([-1.0, -1.0, 1.0], 0.0, 1.0846578985265976),
        ([-1.0, -1.0, 1.0], 0.9174402203465166, 0.0),
        ([-1.0, 1.0, 1.0], 0.8908593315396787, 0.3852566362198029),
        ([1.0, 0.0, 1.0], 0.0, 0.0),
    ];
    let five = [
        ([0.0, -1.0, 1.0], 0.5345793886960417, 0.0),
        ([0.0, 0.0, 1.0], 0.0892390992402643, 1.2246487659451049),
        ([-1.0, 0.0, 1.0], 0.0013279776293833034, 0.5701815799832768),
        ([-1.0, 0.0, 1.0], 0.0, 1.37134223370302),
        ([-1.0, 1.0, 1.0], 0.21823212582258145, 0.0),
    ];
    let three = [
        ([1.0, 1.0, 1.0], 0.6854594829042382, 0.5960504402345281),
        ([1.0, 0.0, 1.0], 0.45817833574745026, 0.5030460529064034),
        ([1.0, 0.0, 1.0], 0.4575768400619895, 1.192587896209546),
    ];
    for case in [&seven[..], &five, &three] {
        let contact = |&(direction, gap, force): &([f64; 3], f64, f64)| TestContact {
            pair: [None, Some(0)],
            direction,
            gap,
            force,
            stiffness: 1.0,
        };
        velocities_agree(assemble(1, &case.iter().map(contact).collect::<Vec<_>>())).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn complementarity(bodies in 1_usize..4, contacts in 1_usize..9, seed in any::<u64>()) {
        velocities_agree(random_assembly(bodies, contacts, seed))?;
    }

    #[test]
    fn compatibility(bodies in 1_usize..3, contacts in 1_usize..9, seed in any::<u64>()) {
        let assembly = random_assembly(bodies, contacts, seed);
        let rows = dense_rows(&assembly);
        let scale = assembly.load.iter().fold(0.0_f64, |most, load| most.max(load.abs()));
        prop_assume!(scale > 0.0);
        let expected = forces_by_enumeration(&assembly, &rows).expect("the load is admissible");
        let jacobian = assembly.jacobian().unwrap();
        let problem = assembly.problem(&jacobian, 2.0).unwrap();
        for (name, mut solver) in compatibility_solvers(1e-11) {
            let mut force = vec![0.0; contacts];
            let report = solver.solve(&problem, &mut force).unwrap();
            prop_assert!(report.residual < 1e-10, "{name}: {report:?}");
            prop_assert!(distance(&force, &expected) < 1e-6 * scale, "{name}: {force:?} {expected:?}");
        }
    }

    /// Velocities are unique even if forces are not.
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
    let jacobian = assembly.jacobian().unwrap();
    let inverse_mass = BodyBlocks::scalar(3, vec![1.0; 27]).unwrap();
    let delassus = Delassus::new(&jacobian, &inverse_mass).unwrap();
    let offset = assembly.offset(&delassus).unwrap();
    let b = jacobian.to_sparse().unwrap();
    let sparse = &b * b.transpose().to_col_major().unwrap();
    let problems = [
        Lcp::new(LcpMatrix::Delassus(&delassus), &offset).unwrap(),
        Lcp::new(LcpMatrix::Sparse(sparse.as_ref()), &offset).unwrap(),
        Lcp::new(LcpMatrix::Operator(&delassus, delassus.diagonal()), &offset).unwrap(),
    ];
    let options = Options::new(1e-12, 100_000);
    let mut forces = vec![];
    for problem in &problems {
        let mut force = vec![0.0; jacobian.contacts()];
        assert!(Apgd::new(options).solve(problem, &mut force).unwrap().converged());
        forces.push(force);
    }
    for problem in &problems[..2] {
        let mut force = vec![0.0; jacobian.contacts()];
        assert!(ProjectedGaussSeidel::new(options).solve(problem, &mut force).unwrap().converged());
        forces.push(force);
    }
    let velocity = |force: &[f64]| {
        let mut velocity = vec![0.0; jacobian.columns()];
        delassus.velocity(force, &mut velocity).unwrap();
        velocity
    };
    assert!(forces.iter().all(|force| distance(&velocity(force), &velocity(&forces[0])) < 1e-9));
}
