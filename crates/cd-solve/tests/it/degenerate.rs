//! Redundant contacts, bodies without contacts, loads that no forces balance, and units of any size.

use cd_solve::open_contacts;

use crate::prelude::*;

fn two_floors() -> Assembly {
    let mut assembly = Assembly::new(3, 1);
    assembly.push([None, Some(0)], [0.0, 0.0, 1.0]);
    assembly.push([None, Some(0)], [0.0, 0.0, 1.0]);
    assembly.gap = vec![0.0, 0.1];
    assembly.load = vec![0.0, 0.0, 1.0];
    assembly
}

/// Compatibility alone would share the weight between both floors, but the ball touches only one.
#[test]
fn compatible_forces_of_two_floors_need_the_slack() {
    let classic = Classic::new(two_floors());
    let slack = classic.with(|problem| {
        let mut force = vec![0.0; 2];
        assert!(Apgd::default().solve(problem, &mut force).unwrap().converged());
        let mut slack = vec![0.0; 2];
        problem.slack(&force, &mut slack, &mut Vec::new()).unwrap();
        slack
    });
    assert!(distance(&slack, &[0.0, 0.1]) < 1e-10, "{slack:?}");
    let open = open_contacts(&slack, 1e-6);
    for (name, mut solver) in compatibility_solvers(1e-13) {
        let problem = classic.assembly.problem(&classic.jacobian, 2.0).unwrap();
        let mut force = vec![0.0; 2];
        assert!(solver.solve(&problem, &mut force).unwrap().converged());
        assert!(distance(&force, &[0.5, 0.5]) < 1e-12, "{name}: {force:?}");
        assert!(solver.solve(&problem.with_open(&open).unwrap(), &mut force).unwrap().converged());
        assert!(distance(&force, &[1.0, 0.0]) < 1e-12, "{name}: {force:?}");
    }
}

#[test]
fn a_load_that_nothing_balances_is_reported() {
    let [lifted, high] = [4, 12].map(|layers| {
        let mut lifted = Pyramid::new(layers).assembly(Species::Uniform);
        lifted.load.iter_mut().for_each(|load| *load = -*load);
        lifted
    });
    let mut pushed = Pyramid::new(4).assembly(Species::Uniform);
    // A load on one ball exceeds what holds it in the heap.
    pushed.load[0] = 10.0;
    let options = Options::new(1e-10, 300);
    for assembly in [lifted, high, pushed, Assembly { load: vec![1.0, 0.0, 0.0], ..two_floors() }] {
        let jacobian = assembly.jacobian().unwrap();
        for exponent in [2.0, 2.5] {
            let problem = assembly.problem(&jacobian, exponent).unwrap();
            let mut force = vec![0.0; assembly.contacts()];
            let mut default = CompatibleForces::new(options);
            let mut factors = CompatibleForces::new(options).with_factors_alone();
            let statuses =
                [&mut default, &mut factors].map(|solver| solver.solve(&problem, &mut force).unwrap().status);
            assert!(!statuses.contains(&Status::Converged), "{statuses:?}");
            assert_eq!(statuses[0], Status::Infeasible, "{exponent}: {statuses:?}");
            // The proof: the load does work on a displacement that hardly compresses a contact.
            let least = problem.least_force_sum(default.displacement()).unwrap();
            assert!(least.is_some_and(|sum| sum > 1e8), "{least:?}");
        }
    }
}

#[test]
fn forces_that_grow_along_a_ray_are_reported() {
    // A chain of balls between walls that are too close.
    for balls in [1, 2, 5] {
        let mut assembly = Assembly::new(3, balls);
        for i in 0..=balls {
            assembly.push([i.checked_sub(1), (i < balls).then_some(i)], [0.0, 0.0, 1.0]);
        }
        assembly.gap = vec![-0.1; balls + 1];
        let classic = Classic::new(assembly);
        let options = Options::new(1e-10, 200_000);
        let solvers: [&mut dyn LcpSolver; 2] = [&mut Apgd::new(options), &mut ProjectedGaussSeidel::new(options)];
        for solver in solvers {
            let (force, report) = classic.solve(solver);
            assert_eq!(report.status, Status::Infeasible, "{balls} balls: {report:?}");
            assert!(force.iter().all(|f| f.is_finite()));
        }
    }
}

/// Doubled contacts, contacts without force, and bodies that float or rattle do not change the unique forces.
#[test]
fn what_carries_nothing_changes_nothing() {
    let assembly = Pyramid::new(4).assembly(Species::EvenSoft);
    let contacts = assembly.contacts();
    for (name, mut solver) in compatibility_solvers(1e-12) {
        for exponent in [2.0, 2.5] {
            let mut solve = |assembly: &Assembly| {
                let jacobian = assembly.jacobian().unwrap();
                let mut force = vec![0.0; assembly.contacts()];
                let report = solver.solve(&assembly.problem(&jacobian, exponent).unwrap(), &mut force).unwrap();
                assert!(report.converged(), "{name}: {report:?}");
                force
            };
            let expected = solve(&assembly);
            // Two contacts of half the stiffness equal one contact.
            let mut halved = assembly.clone();
            halved.stiffness[3] *= 0.5;
            let twice: Vec<usize> = (0..contacts).chain([3]).collect();
            let names: Vec<usize> = (0..assembly.bodies).collect();
            let mut found = solve(&halved.renumbered(&twice, &names));
            let extra = found.pop().unwrap();
            assert!((extra - found[3]).abs() < 1e-10);
            found[3] += extra;
            assert!(distance(&found, &expected) < 1e-10, "{name}: twice");
            // One ball lies alone, one floats, and one rattles between two balls of the heap.
            let mut littered = assembly.clone();
            littered.bodies += 3;
            littered.load.extend([0.0; 9]);
            let first = assembly.bodies;
            littered.push([None, Some(first)], [0.0, 0.0, 1.0]);
            littered.push([Some(0), Some(first + 2)], [0.6, 0.0, 0.8]);
            littered.push([Some(1), Some(first + 2)], [-0.6, 0.0, 0.8]);
            let mut found = solve(&littered);
            assert!(found.drain(contacts..).all(|f| f.abs() < 1e-10), "{name}: litter carries");
            assert!(distance(&found, &expected) < 1e-10, "{name}: litter");
        }
    }
}

#[test]
fn free_clusters_are_solved() {
    for seed in 0..6 {
        let assembly = Assembly::random([4, 4, 3], true, seed);
        let jacobian = assembly.jacobian().unwrap();
        for exponent in [2.0, 2.5] {
            let problem = assembly.problem(&jacobian, exponent).unwrap();
            let mut forces = Vec::new();
            for (name, mut solver) in compatibility_solvers(1e-10) {
                let mut force = vec![0.0; assembly.contacts()];
                let report = solver.solve(&problem, &mut force).unwrap();
                // Cholesky factors alone may fail on loads that contacts cannot balance to the last digit.
                if name == "CompatibleForces" {
                    assert!(report.converged(), "seed {seed}, {name}: {report:?}");
                }
                if report.converged() {
                    assert!(problem.residual(&force).unwrap() < 1.1e-10);
                    forces.push(force);
                }
            }
            assert!(forces.iter().all(|force| distance(force, &forces[0]) < 1e-8), "seed {seed}");
        }
    }
}

#[test]
fn empty_problems_are_solved() {
    for bodies in [0, 3] {
        let classic = Classic::new(Assembly::new(3, bodies));
        let solvers: [&mut dyn LcpSolver; 2] = [&mut Apgd::default(), &mut ProjectedGaussSeidel::default()];
        for solver in solvers {
            let (force, report) = classic.solve(solver);
            assert!(force.is_empty() && report.converged() && report.iterations == 0);
        }
        for (name, mut solver) in compatibility_solvers(1e-10) {
            let problem = classic.assembly.problem(&classic.jacobian, 2.0).unwrap();
            assert!(solver.solve(&problem, &mut []).unwrap().converged(), "{name}");
        }
    }
}

/// With stiffnesses that differ by orders of magnitude conjugate gradients may fail; the default solver does not.
#[test]
fn stiffnesses_far_apart() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut assembly = Pyramid::new(8).assembly(Species::Uniform);
    for decades in [2, 4, 6] {
        let draw = |stiffness: &mut f64| *stiffness = 10.0_f64.powf(f64::from(decades) * random.random::<f64>());
        assembly.stiffness.iter_mut().for_each(draw);
        let jacobian = assembly.jacobian().unwrap();
        for exponent in [2.0, 2.5] {
            let problem = assembly.problem(&jacobian, exponent).unwrap();
            let mut force = vec![0.0; assembly.contacts()];
            let mut other = vec![0.0; assembly.contacts()];
            let report = CompatibleForces::new(Options::new(1e-10, 300)).solve(&problem, &mut force).unwrap();
            assert!(report.converged(), "{decades} decades, {exponent}: {report:?}");
            assert!(problem.residual(&force).unwrap() < 1.1e-10);
            let mut factors = CompatibleForces::new(Options::new(1e-10, 300)).with_factors_alone();
            let report = factors.solve(&problem, &mut other).unwrap();
            assert!(report.converged(), "{decades} decades, {exponent}: {report:?}");
            // The error of the forces grows with the ratios of the stiffnesses, unlike the residual.
            assert!(distance(&force, &other) < 1e-10 * 10.0_f64.powi(decades), "{:e}", distance(&force, &other));
        }
    }
}

fn solvers() -> [CompatibleForces; 2] {
    [CompatibleForces::default(), CompatibleForces::default().with_factors_alone()]
}

/// A body touches the floor by two contacts of stiffness 1 and 3, and has a third contact that the load opens.
#[test]
fn shares_follow_the_stiffness_in_any_unit() {
    let down = [0.0, 0.0, -1.0];
    let up = down.map(|x: f64| -x);
    let jacobian = ContactJacobian::spheres(1, &[[None, Some(0)]; 3], &[up, up, down]).unwrap();
    for (load, stiffness) in [(1.0, 1.0), (1e-310, 1.0), (1e-300, 1e300), (1e300, 1e-310), (1e-20, 1e-300)] {
        for exponent in [2.0, 2.0 + 1e-12, 2.25, 2.5, 3.0] {
            let loads = [0.0, 0.0, load];
            let stiffnesses = [1.0, 3.0, 2.0].map(|k| k * stiffness);
            let problem = CompatibilityProblem::new(&jacobian, &loads, &stiffnesses, exponent).unwrap();
            for mut solver in solvers() {
                let mut force = [7.0; 3];
                let report = solver.solve(&problem, &mut force).unwrap();
                assert!(report.converged(), "{report:?} at {load}, {stiffness}, p = {exponent}");
                for (force, share) in force.iter().zip([0.25, 0.75, 0.0]) {
                    assert!((force / load - share).abs() < 1e-9, "{force} at {load}, {stiffness}, p = {exponent}");
                }
                assert!(problem.residual(&force).unwrap() < 1e-9);
            }
        }
    }
}

#[test]
fn contacts_that_are_all_open_carry_nothing() {
    let jacobian = ContactJacobian::spheres(1, &[[None, Some(0)]; 2], &[[0.0, 0.0, 1.0]; 2]).unwrap();
    let problem = CompatibilityProblem::new(&jacobian, &[0.0, 0.0, 1.0], &[1.0; 2], 2.5).unwrap();
    let problem = problem.with_open(&[true; 2]).unwrap();
    for mut solver in solvers() {
        let mut force = [7.0; 2];
        let report = solver.solve(&problem, &mut force).unwrap();
        assert_eq!(report.status, Status::Infeasible);
        assert!(force.iter().all(|force| force.abs() < 1e-300));
    }
}

/// Two bodies side by side, one of which falls on the floor; the offset between them is rounding.
#[test]
fn a_row_is_judged_in_the_size_that_the_caller_states() {
    for unit in [1.0, 1e-8, 1e8] {
        let normals = [[0.0, 0.0, 1.0], [unit, 0.0, 0.0]];
        let jacobian = ContactJacobian::spheres(2, &[[None, Some(0)], [Some(0), Some(1)]], &normals).unwrap();
        let masses = BodyBlocks::scalar(3, vec![1.0; 2]).unwrap();
        let delassus = Delassus::new(&jacobian, &masses).unwrap();
        let offset = [0.0, -1e-17 * unit];
        let problem = Lcp::new(LcpMatrix::Delassus(&delassus), &offset).unwrap();
        let residual = problem.residual(&[0.0; 2]).unwrap();
        assert!((residual - 1.0).abs() < 1e-9, "{residual}");
        let sizes = [1e-2, 1e-2 * unit];
        let residual = problem.with_sizes(&sizes).unwrap().residual(&[0.0; 2]).unwrap();
        assert!((residual / 1e-15 - 1.0).abs() < 1e-9, "{residual}");
        assert!(problem.with_sizes(&sizes[..1]).is_err());
        assert!(problem.with_sizes(&[1.0, -1.0]).is_err());
        assert!(problem.with_sizes(&[1.0, f64::NAN]).is_err());
    }
}

/// Two bodies on a floor, one with a load, the other with the rounding of loads that cancel, which pulls it off.
#[test]
fn a_body_is_judged_in_the_size_that_the_caller_states() {
    for unit in [1.0, 1e-8, 1e8] {
        let normals = [[0.0, 0.0, 1.0], [0.0, 0.0, unit]];
        let jacobian = ContactJacobian::spheres(2, &[[None, Some(0)], [None, Some(1)]], &normals).unwrap();
        let load = [0.0, 0.0, 1.0, 0.0, 0.0, -1e-17 * unit];
        let posed = CompatibilityProblem::new(&jacobian, &load, &[1.0; 2], 2.0).unwrap();
        let sizes = [1e-2, 1e-2, 1e-2, 0.0, 0.0, 1e-2 * unit];
        for mut solver in solvers() {
            let mut force = [0.0; 2];
            assert!(!solver.solve(&posed, &mut force).unwrap().converged());
            let report = solver.solve(&posed.with_sizes(&sizes).unwrap(), &mut force).unwrap();
            assert!(report.converged(), "{report:?}");
            assert!((force[0] - 1.0).abs() < 1e-9 && unit * force[1] <= 1e-12, "{force:?}");
        }
        assert!((posed.residual(&[1.0, 0.0]).unwrap() - 1.0).abs() < 1e-9);
        let residual = posed.with_sizes(&sizes).unwrap().residual(&[1.0, 0.0]).unwrap();
        assert!((residual / 1e-15 - 1.0).abs() < 1e-9, "{residual}");
        assert!(posed.with_sizes(&sizes[..1]).is_err());
        assert!(posed.with_sizes(&[-1.0; 6]).is_err());
        assert!(posed.with_sizes(&[f64::NAN; 6]).is_err());
    }
}
