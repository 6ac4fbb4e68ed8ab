//! Compatible forces in any units, and of contacts that are all open.

use crate::prelude::*;

fn solvers() -> [CompatibleForces; 2] {
    [CompatibleForces::default(), CompatibleForces::default().with_factors_alone()]
}

/// A body between the floor, by two contacts of stiffness 1 and 3, and a third contact that the load opens.
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

/// Two bodies side by side, one of which falls on the floor. The offset between them is rounding.
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

/// Two bodies on a floor, one with a load, the other with what rounding left of loads that cancel: it pulls.
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
