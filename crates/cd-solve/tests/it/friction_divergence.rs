//! Problems without a solution, and problems whose forces have to grow far.

use cd_solve::conformance::{FrictionSpheres, Pyramid};
use cd_solve::friction::{
    ConvexNewton, CoulombSolver, FrictionLaw, FrictionProblem, FrictionSolver, ProximalNewton, Resistance,
};
use cd_solve::{Options, Status};

use crate::friction::with_spheres;

/// Forces that have to grow by a ratio of masses are no proof that there is no solution.
#[test]
fn a_heavy_sphere_on_light_ones_is_not_infeasible() {
    for (layers, ratio) in [(4, 1e6), (6, 1e5)] {
        let scene = FrictionSpheres::pyramid_with_top(&Pyramid::new(layers), Resistance::Sliding, ratio).unwrap();
        for mu in [0.5, 1.0] {
            with_spheres(&scene, mu, |problem| {
                let mut force = vec![0.0; problem.len()];
                let report = CoulombSolver::new(Options::new(1e-8, 100)).solve(problem, &mut force).unwrap();
                assert_ne!(report.status, Status::Infeasible, "{layers} layers, {ratio:e}, {mu}: {report:?}");
            });
        }
    }
}

/// A sphere between two walls that close, at any tolerance and friction.
#[test]
fn a_sphere_between_walls_that_close_is_infeasible() {
    let up = [0.0, 0.0, 1.0];
    let down = [0.0, 0.0, -1.0];
    let walls = [([None, Some(0)], up), ([None, Some(0)], down)];
    let mut sphere = FrictionSpheres::new(Resistance::Sliding, &[1.0], &walls, [0.0; 6]).unwrap();
    for offset in [[-0.2, 0.0, 0.0, 0.1, 0.0, 0.0], [-0.1, 0.3, 0.0, -0.1, 0.0, 0.1]] {
        sphere.offset = offset.to_vec();
        for (tolerance, mu) in [(1e-6, 0.0), (1e-6, 2.0), (1e-8, 0.3), (1e-11, 0.0), (1e-11, 0.3), (1e-11, 2.0)] {
            with_spheres(&sphere, mu, |problem| {
                let report = CoulombSolver::new(Options::new(tolerance, 1000)).solve(problem, &mut [0.0; 6]).unwrap();
                assert_eq!(report.status, Status::Infeasible, "{tolerance}, {mu}, {offset:?}: {report:?}");
            });
        }
    }
}

/// The proof is found in the iteration, or after its last factorisation. It comes with the growth of the forces.
#[test]
fn the_proximal_method_reports_growth_with_its_proof() {
    let walls = [([None, Some(0)], [0.0, 0.0, 1.0]), ([None, Some(0)], [0.0, 0.0, -1.0])];
    let mut sphere = FrictionSpheres::new(Resistance::Sliding, &[1.0], &walls, [0.0; 6]).unwrap();
    sphere.offset = vec![-1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
    with_spheres(&sphere, 0.0, |problem| {
        for limit in 8..40 {
            let mut solver = ProximalNewton::new(Options::new(1e-8, limit));
            let report = solver.solve(problem, &mut [0.0; 6]).unwrap();
            assert!(report.status == Status::Infeasible && report.growth > 1.5, "{limit}: {report:?}");
        }
    });
}

/// A row of spheres between walls that close, with spheres on it that carry no force.
fn row_between_walls(spheres: usize) -> FrictionSpheres {
    let right = [1.0, 0.0, 0.0];
    let left = [-1.0, 0.0, 0.0];
    let up = [0.0, 0.0, 1.0];
    let mut contacts = vec![([None, Some(0)], right), ([None, Some(spheres - 1)], left)];
    contacts.extend((1..spheres).map(|sphere| ([Some(sphere - 1), Some(sphere)], right)));
    contacts.extend((0..spheres).map(|sphere| ([None, Some(sphere)], up)));
    contacts.extend((0..spheres).map(|sphere| ([Some(sphere), Some(spheres + sphere)], up)));
    let mut row = FrictionSpheres::new(Resistance::Sliding, &vec![1.0; 2 * spheres], &contacts, [0.0; 6]).unwrap();
    row.offset[0] = -0.01;
    row.offset[3] = -0.02;
    row
}

#[test]
fn a_row_between_walls_that_close_is_infeasible() {
    let row = row_between_walls(12);
    for mu in [0.0, 0.3, 1.0] {
        with_spheres(&row, mu, |problem| {
            let options = Options::new(1e-8, 300);
            let convex = problem.clone().with_law(FrictionLaw::Convex);
            let runs: [(&str, Box<dyn FrictionSolver>, &FrictionProblem<'_>); 3] = [
                ("CoulombSolver", Box::new(CoulombSolver::new(options)), problem),
                ("ProximalNewton", Box::new(ProximalNewton::new(options)), problem),
                ("ConvexNewton", Box::new(ConvexNewton::new(options)), &convex),
            ];
            for (name, mut solver, problem) in runs {
                let report = solver.solve(problem, &mut vec![0.0; problem.len()]).unwrap();
                assert_eq!(report.status, Status::Infeasible, "{name}, {mu}: {report:?}");
            }
        });
    }
}

/// A column with a heavy top has forces, those of its weight. A solver must not call it infeasible.
#[test]
fn no_ratio_of_masses_is_infeasible() {
    for ratio in [1e3, 1e6, 1e9, 1e12] {
        for masses in [vec![1.0, ratio], vec![1.0, 1.0, 1.0, ratio]] {
            let contacts: Vec<_> = (0..masses.len()).map(|i| ([i.checked_sub(1), Some(i)], [0.0, 0.0, 1.0])).collect();
            let scene = FrictionSpheres::new(Resistance::Sliding, &masses, &contacts, [0.0; 6]).unwrap();
            for mu in [0.0, 0.3, 1.0] {
                with_spheres(&scene, mu, |problem| {
                    let mut force = vec![0.0; problem.len()];
                    let report = CoulombSolver::new(Options::new(1e-8, 100)).solve(problem, &mut force).unwrap();
                    assert_ne!(report.status, Status::Infeasible, "{masses:?}, {mu}: {report:?}");
                    for (i, force) in force.iter().step_by(3).enumerate().filter(|_| report.converged()) {
                        let weight: f64 = masses[i..].iter().sum();
                        assert!((force / weight - 1.0).abs() < 1e-8, "{masses:?}, {mu}: {force} for {weight}");
                    }
                });
            }
        }
    }
}
