//! Problems without a solution, and problems whose forces have to grow far.

use crate::prelude::*;

/// The pyramid whose last sphere is heavier than the others, and the weight of that sphere over a step.
fn heavy_top(layers: usize, ratio: f64) -> FrictionSpheres {
    let pyramid = Pyramid::new(layers);
    let centre = pyramid.centre();
    let fixed = pyramid.fixed();
    let contact = |&[a, b]: &[usize; 2]| {
        let normal: [f64; 3] = std::array::from_fn(|d| centre[b][d] - centre[a][d]);
        FrictionContact {
            pair: [a, b].map(|sphere| sphere.checked_sub(fixed)),
            frame: Frame::from_normal(normal),
            arms: [normal.map(|x| 0.5 * x), normal.map(|x| -0.5 * x)],
        }
    };
    let contacts: Vec<_> = pyramid.pairs().iter().map(contact).collect();
    let bodies = centre.len() - fixed;
    let block = |body: usize| {
        let mass = if body + 1 == bodies { ratio } else { 1.0 };
        (0..36).map(move |k| if k % 7 == 0 { if k < 21 { 1.0 / mass } else { 10.0 / mass } } else { 0.0 })
    };
    let blocks = BodyBlocks::full(6, (0..bodies).flat_map(block).collect()).unwrap();
    let map = ContactMap::new(Resistance::Sliding, &contacts, blocks).unwrap();
    let mut offset = vec![0.0; 3 * contacts.len()];
    map.apply(&[0.0, 0.0, -1.0, 0.0, 0.0, 0.0].repeat(bodies), &mut offset).unwrap();
    FrictionSpheres { map, offset }
}

/// Forces that have to grow by a ratio of masses are no proof that there is no solution.
#[test]
fn a_heavy_sphere_on_light_ones_is_not_infeasible() {
    for (layers, ratio) in [(4, 1e6), (6, 1e5)] {
        for mu in [0.5, 1.0] {
            with_spheres(&heavy_top(layers, ratio), mu, |problem| {
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
    let mut sphere = FrictionSpheres::new(Resistance::Sliding, 1, &walls, [0.0; 6]).unwrap();
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

/// A row of spheres between walls that close, with spheres on it that carry no force.
fn row_between_walls(spheres: usize) -> FrictionSpheres {
    let right = [1.0, 0.0, 0.0];
    let left = [-1.0, 0.0, 0.0];
    let up = [0.0, 0.0, 1.0];
    let mut contacts = vec![([None, Some(0)], right), ([None, Some(spheres - 1)], left)];
    contacts.extend((1..spheres).map(|sphere| ([Some(sphere - 1), Some(sphere)], right)));
    contacts.extend((0..spheres).map(|sphere| ([None, Some(sphere)], up)));
    contacts.extend((0..spheres).map(|sphere| ([Some(sphere), Some(spheres + sphere)], up)));
    let mut row = FrictionSpheres::new(Resistance::Sliding, 2 * spheres, &contacts, [0.0; 6]).unwrap();
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
