//! Random problems with a solution, of any scale, and stacks of heavy and light bodies.

use cd_solve::pivoting::Pivoting;

use crate::prelude::*;

/// Up to four bodies with up to eight contacts, many of them equal or opposed; masses, rows and columns over 24
/// decades.
struct Drawn {
    jacobian: ContactJacobian,
    inverse_mass: Vec<f64>,
    dof: usize,
    contacts: usize,
    bodies: usize,
}

fn draw(random: &mut ChaCha8Rng) -> Drawn {
    let dof = random.random_range(1..=3);
    let bodies = random.random_range(1..=4_usize);
    let contacts = random.random_range(1..=8);
    let mut pairs: Vec<BodyPair> = Vec::new();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for _ in 0..contacts {
        let body = random.random_range(0..bodies);
        let other = random.random_range(0..=bodies);
        pairs.push([Some(other).filter(|other| *other < body), Some(body)]);
        // Few directions, so that many contacts are redundant.
        let mut row: Vec<f64> = (0..dof).map(|_| f64::from(random.random_range(-1_i8..=1))).collect();
        row[0] = if random.random_bool(0.5) { 1.0 } else { -1.0 };
        if random.random_bool(0.3) {
            row.iter_mut().for_each(|x| *x += random.random_range(-0.5..0.5));
        }
        rows.push(row.iter().map(|x| -x).chain(row.iter().copied()).collect());
    }
    let scale = |random: &mut ChaCha8Rng, decades: f64| {
        2.0_f64.powi((random.random_range(-1.0..1.0) * decades / std::f64::consts::LOG10_2) as i32)
    };
    for row in &mut rows {
        let unit = scale(random, 8.0);
        row.iter_mut().for_each(|x| *x *= unit);
    }
    let jacobian = ContactJacobian::new(3, bodies, &pairs, &padded(dof, &rows.concat())).unwrap();
    let inverse_mass = (0..bodies).map(|_| 10.0_f64.powf(random.random_range(-12.0..12.0))).collect();
    Drawn { jacobian, inverse_mass, dof, contacts, bodies }
}

fn any(random: &mut ChaCha8Rng) -> f64 {
    if random.random_bool(0.3) { 0.0 } else { 10.0_f64.powf(random.random_range(-3.0..3.0)) }
}

fn feasible_problems(count: u64) {
    let mut solved = 0;
    let mut balanced = 0;
    for seed in 0..count {
        let random = &mut ChaCha8Rng::seed_from_u64(seed);
        let Drawn { jacobian, inverse_mass, dof, contacts, bodies } = draw(random);
        // Bodies without motion keep their gaps open.
        let gap: Vec<f64> = (0..contacts).map(|_| any(random)).collect();
        let free: Vec<f64> = (0..dof * bodies).map(|_| any(random) * random.random_range(-1.0..1.0)).collect();
        let mut offset = vec![0.0; contacts];
        jacobian.apply(&padded(dof, &free), &mut offset).unwrap();
        offset.iter_mut().zip(&gap).for_each(|(b, gap)| *b += gap);
        let mass = BodyBlocks::scalar(3, inverse_mass).unwrap();
        let delassus = Delassus::new(&jacobian, &mass).unwrap();
        let problem = Lcp::new(LcpMatrix::Delassus(&delassus), &offset).unwrap();
        let options = Options::new(1e-10, 2000);
        let solvers: [&mut dyn LcpSolver; 3] =
            [&mut Apgd::new(options), &mut ProjectedGaussSeidel::new(options), &mut Pivoting::default()];
        for (which, solver) in solvers.into_iter().enumerate() {
            let mut z = vec![0.0; contacts];
            let report = solver.solve(&problem, &mut z).unwrap();
            assert_ne!(report.status, Status::Infeasible, "solver {which}, seed {seed}");
            let good = problem.residual(&z).unwrap() <= 1e-10;
            assert!(good || !report.converged(), "solver {which}, seed {seed}: {report:?}");
            solved += u64::from(report.converged());
        }
        let force: Vec<f64> = (0..contacts).map(|_| any(random)).collect();
        let mut load = vec![0.0; 3 * bodies];
        jacobian.apply_transpose(&force, &mut load).unwrap();
        let stiffness: Vec<f64> = (0..contacts).map(|_| any(random).max(1e-3)).collect();
        let posed = CompatibilityProblem::new(&jacobian, &load, &stiffness, 2.0).unwrap();
        let mut found = vec![0.0; contacts];
        let report = CompatibleForces::default().solve(&posed, &mut found).unwrap();
        assert_ne!(report.status, Status::Infeasible, "seed {seed}: {report:?}");
        let good = posed.residual(&found).unwrap() <= 1e-10;
        assert!(good || !report.converged(), "seed {seed}: {report:?}");
        balanced += u64::from(report.converged());
    }
    assert!(1000 * solved >= 2990 * count, "{solved} of {}", 3 * count);
    assert!(100 * balanced >= 99 * count, "{balanced} of {count}");
}

#[test]
fn nothing_that_has_a_solution_is_called_infeasible() {
    feasible_problems(200);
}

#[test]
#[ignore = "soak: 10 000 random problems; `nothing_that_has_a_solution_is_called_infeasible` has 200"]
fn nothing_of_ten_thousand_is_called_infeasible() {
    feasible_problems(10_000);
}

/// Stacked bodies, each with two contacts to the one below, one of them twice as stiff.
#[test]
fn stacks_of_heavy_and_light_bodies() {
    let patterns: [&[f64]; 5] = [
        &[1.0, 1e12],
        &[1e12, 1.0],
        &[1.0, 1e12, 1.0, 1e12, 1e-3, 1e6],
        &[1e12, 1e8, 1e4, 1.0],
        &[1.0, 1e4, 1e8, 1e12, 1.0],
    ];
    for mass in patterns {
        let n = mass.len();
        let weight: Vec<f64> = mass.iter().map(|m| 9.81 * m).collect();
        // The sum starts at the top, so that small parts come first.
        let carried: Vec<f64> = (0..n).map(|i| weight[i..].iter().rev().sum()).collect();
        let pair = |i: usize| -> BodyPair { [i.checked_sub(1), Some(i)] };
        let up = [1.0, 0.0, 0.0];
        let single = ContactJacobian::spheres(n, &(0..n).map(pair).collect::<Vec<_>>(), &vec![up; n]).unwrap();
        let inverse = BodyBlocks::scalar(3, mass.iter().map(|m| 0.01 / m).collect()).unwrap();
        let delassus = Delassus::new(&single, &inverse).unwrap();
        let mut offset = vec![0.0; n];
        single.apply(&padded(1, &vec![-0.0981; n]), &mut offset).unwrap();
        let problem = Lcp::new(LcpMatrix::Delassus(&delassus), &offset).unwrap();
        let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-8 * expected;
        let solvers: [&mut dyn LcpSolver; 3] =
            [&mut Apgd::default(), &mut ProjectedGaussSeidel::default(), &mut Pivoting::default()];
        for (which, solver) in solvers.into_iter().enumerate() {
            let mut z = vec![0.0; n];
            let report = solver.solve(&problem, &mut z).unwrap();
            assert!(report.converged(), "solver {which}, {mass:?}: {report:?}");
            assert!((0..n).all(|i| close(z[i], carried[i])), "solver {which}, {mass:?}: {z:?}");
        }
        let twice: Vec<BodyPair> = (0..2 * n).map(|k| pair(k / 2)).collect();
        let double = ContactJacobian::spheres(n, &twice, &vec![up; 2 * n]).unwrap();
        let load = padded(1, &weight);
        for exponent in [2.0, 2.5] {
            let stiffness = [1.0, 2.0].repeat(n);
            let posed = CompatibilityProblem::new(&double, &load, &stiffness, exponent).unwrap();
            for (name, mut solver) in compatibility_solvers(1e-10) {
                let mut force = vec![0.0; 2 * n];
                let report = solver.solve(&posed, &mut force).unwrap();
                assert!(report.converged(), "{name}, {mass:?}, {exponent}: {report:?}");
                let right = (0..n)
                    .all(|i| close(force[2 * i], carried[i] / 3.0) && close(force[2 * i + 1], 2.0 * carried[i] / 3.0));
                assert!(right, "{name}, {mass:?}, {exponent}: {report:?} {force:?}");
            }
        }
    }
}
