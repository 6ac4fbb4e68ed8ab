//! Friction problems with known solutions or without solution, and properties of all solvers.

use cd_solve::conformance::{Defect, check_friction};
use cd_solve::faer;
use cd_solve::friction::{BlockMatrix, FrictionCoefficients, FrictionMatrix, FrictionReport};

use crate::prelude::*;

pub(crate) fn with_spheres<R>(spheres: &FrictionSpheres, mu: f64, work: impl FnOnce(&FrictionProblem<'_>) -> R) -> R {
    let mu = vec![mu; spheres.map.contacts()];
    let coefficients = FrictionCoefficients::sliding(&mu);
    work(&FrictionProblem::new(FrictionMatrix::Map(&spheres.map), &spheres.offset, coefficients).unwrap())
}

pub(crate) fn pyramid(layers: usize) -> FrictionSpheres {
    FrictionSpheres::pyramid(&Pyramid::new(layers), Resistance::Sliding).unwrap()
}

pub(crate) fn stack(masses: &[f64]) -> ContactMap {
    let frame = Frame::from_normal([0.0, 0.0, 1.0]);
    let arms = [[0.0, 0.0, 0.5], [0.0, 0.0, -0.5]];
    let contacts: Vec<FrictionContact> =
        (0..masses.len()).map(|i| FrictionContact { pair: [i.checked_sub(1), Some(i)], frame, arms }).collect();
    let inverse = BodyBlocks::scalar(6, masses.iter().map(|mass| 1.0 / mass).collect()).unwrap();
    ContactMap::new(Resistance::Sliding, &contacts, inverse).unwrap()
}

/// A stack falls on a floor for a unit of time: solvers that report convergence have the exact forces, and no solver
/// reports infeasibility.
#[test]
fn forces_of_light_balls_in_stacks_are_right_where_solvers_converge() {
    for (ratio, mu) in [1e3, 1e6, 1e9, 1e12].into_iter().flat_map(|ratio| [0.0, 0.3, 1.0].map(|mu| (ratio, mu))) {
        let stacks: [&[f64]; 5] =
            [&[1.0, ratio], &[ratio, 1.0], &[1.0, ratio, 1.0], &[ratio, 1.0, ratio], &[1.0, 1.0, 1.0, ratio]];
        for masses in stacks {
            let map = stack(masses);
            let mut offset = vec![0.0; map.contacts() * 3];
            offset[0] = -1.0;
            with_spheres(&FrictionSpheres { map, offset }, mu, |problem| {
                for (name, mut solver) in solvers(1e-10) {
                    let mut force = vec![0.0; problem.len()];
                    let report = solver.solve(problem, &mut force).unwrap();
                    let error = |i: usize| (force[3 * i] / masses[i..].iter().sum::<f64>() - 1.0).abs();
                    let worst = (0..masses.len()).map(error).fold(0.0, f64::max);
                    assert!(!report.converged() || worst < 1e-8, "{name}, {masses:?}, {mu}: {report:?}, {worst:e}");
                    assert!(report.converged() || name != "CoulombSolver", "{name}, {masses:?}, {mu}: {report:?}");
                    assert_ne!(report.status, Status::Infeasible, "{name}, {masses:?}, {mu}");
                }
            });
        }
    }
}

/// Exact forces of many stacks with light balls below heavy ones, where the residual reads as zero in any case. Up to
/// 32 contacts are refined; more contacts stall, but not for equal masses, at any tolerance.
#[test]
fn more_than_32_contacts_stall_at_ratios_of_masses_that_rounding_hides() {
    for (stacks, ratio, tolerance, converges) in
        [(16, 1e12, 1e-8, true), (17, 1e12, 1e-8, false), (17, 1.0, 1e-8, true), (17, 1.0, 1e-14, true)]
    {
        let frame = Frame::from_normal([0.0, 0.0, 1.0]);
        let contact = |pair| FrictionContact { pair, frame, arms: [[0.0, 0.0, 0.5], [0.0, 0.0, -0.5]] };
        let contacts: Vec<FrictionContact> =
            (0..stacks).flat_map(|i| [[None, Some(2 * i)], [Some(2 * i), Some(2 * i + 1)]].map(contact)).collect();
        let inverse = BodyBlocks::scalar(6, [1.0, 1.0 / ratio].repeat(stacks)).unwrap();
        let map = ContactMap::new(Resistance::Sliding, &contacts, inverse).unwrap();
        let offset = [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0].repeat(stacks);
        let mu = vec![0.3; 2 * stacks];
        let coefficients = FrictionCoefficients::sliding(&mu);
        let problem = FrictionProblem::new(FrictionMatrix::Map(&map), &offset, coefficients).unwrap();
        let expected = [1.0 + ratio, 0.0, 0.0, ratio, 0.0, 0.0].repeat(stacks);
        let mut force = expected.clone();
        let report = CoulombSolver::new(Options::new(tolerance, 20)).solve(&problem, &mut force).unwrap();
        assert_eq!(report.converged(), converges, "{stacks} stacks, {ratio}, {tolerance}: {report:?}");
        assert!(!converges || distance(&force, &expected) < 1e-8 * ratio, "{force:?}");
    }
}

fn solvers(tolerance: f64) -> Vec<(&'static str, Box<dyn FrictionSolver>)> {
    vec![
        ("CoulombSolver", Box::new(CoulombSolver::new(Options::new(tolerance, 300)))),
        ("few sweeps", Box::new(CoulombSolver::new(Options::new(tolerance, 300)).with_first_sweeps(5))),
        ("AcceleratedSweeps", Box::new(AcceleratedSweeps::new(Options::new(tolerance, 2000)))),
        ("plain sweeps", Box::new(AcceleratedSweeps::new(Options::new(tolerance, 5000)).plain())),
        ("ProximalNewton", Box::new(ProximalNewton::new(Options::new(tolerance, 300)))),
    ]
}

#[test]
fn solvers_conform() {
    for (name, mut solver) in solvers(1e-10) {
        if let Err(failure) = check_friction(&mut *solver, 1e-9) {
            panic!("{name}: {failure}");
        }
    }
}

struct Liar;

impl FrictionSolver for Liar {
    fn solve(&mut self, _: &FrictionProblem<'_>, _: &mut [f64]) -> Result<FrictionReport, SolveError> {
        Ok(FrictionReport { status: Status::Converged, sweeps: 0, factorizations: 0, residual: 0.0, growth: 1.0 })
    }
}

#[test]
fn a_liar_does_not_conform() {
    let failure = check_friction(&mut Liar, 1e-9).unwrap_err();
    assert!(failure.case == "sphere at rest" && matches!(failure.defect, Defect::Residual { .. }), "{failure}");
}

/// A block of unit mass slides with the velocity v₀ under gravity for a unit of time.
fn sliding_block<R>(mu: f64, slip: f64, law: FrictionLaw, work: impl FnOnce(&FrictionProblem<'_>) -> R) -> R {
    let identity = faer::Mat::<f64>::identity(3, 3);
    let matrix = BlockMatrix::from_dense(3, identity.as_ref()).unwrap();
    let offset = [-1.0, slip, 0.0];
    let mu = [mu];
    let coefficients = FrictionCoefficients::sliding(&mu);
    work(&FrictionProblem::new(FrictionMatrix::Blocks(&matrix), &offset, coefficients).unwrap().with_law(law))
}

/// The convex law lifts a sliding body: rₙ = (g dt + μ v₀)/(1 + μ²), uₙ = μ (v₀ − μ rₙ). Coulomb's law does not.
#[test]
fn only_the_convex_law_lifts_a_sliding_block() {
    let mu = 0.4;
    let slip = 3.0;
    let mut force = [0.0; 3];
    sliding_block(mu, slip, FrictionLaw::Coulomb, |problem| {
        assert!(CoulombSolver::default().solve(problem, &mut force).unwrap().converged());
    });
    assert!(distance(&force, &[1.0, -0.4, 0.0]) < 1e-12, "{force:?}");
    sliding_block(mu, slip, FrictionLaw::Convex, |problem| {
        force = [0.0; 3];
        assert!(ConvexNewton::new(Options::new(1e-12, 100)).solve(problem, &mut force).unwrap().converged());
    });
    let normal = (1.0 + mu * slip) / (1.0 + mu * mu);
    assert!(distance(&force, &[normal, -mu * normal, 0.0]) < 1e-11, "{force:?}");
}

/// A point mass on an incline rests iff tan θ ≤ μ, exact to the last digits.
#[test]
fn the_threshold_of_an_incline_is_exact() {
    for (factor, rests) in [(1.0 + 1e-12, true), (1.0 - 1e-12, false)] {
        let tan = 0.37_f64;
        let mut force = [0.0; 3];
        sliding_block(tan * factor, -tan, FrictionLaw::Coulomb, |problem| {
            assert!(CoulombSolver::default().solve(problem, &mut force).unwrap().converged());
            let mut velocity = [0.0; 3];
            problem.velocity(&force, &mut velocity, &mut Vec::new()).unwrap();
            assert_eq!(velocity[1].abs() < 1e-15, rests, "{velocity:?}");
        });
    }
}

/// Velocities of the convex law are unique: two starts agree.
#[test]
fn the_convex_law_from_two_starts() {
    let spheres = pyramid(4);
    let velocities: Vec<Vec<f64>> = [0.0, 1.0]
        .into_iter()
        .map(|start| {
            with_spheres(&spheres, 0.3, |problem| {
                let problem = problem.clone().with_law(FrictionLaw::Convex);
                let mut force = vec![start; problem.len()];
                let report = ConvexNewton::new(Options::new(1e-9, 500)).solve(&problem, &mut force).unwrap();
                assert!(report.converged(), "{report:?}");
                let mut velocity = vec![0.0; problem.len()];
                problem.velocity(&force, &mut velocity, &mut Vec::new()).unwrap();
                velocity
            })
        })
        .collect();
    assert!(distance(&velocities[0], &velocities[1]) < 1e-7);
}

/// A force F pushes a sphere at its centre along a floor with rolling friction: it rests iff F ≤ μ N and F R ≤ μᵣ N.
/// Twisting friction stops a spin about the normal iff the moment is within `μ_w` N.
#[test]
fn thresholds_of_rolling_and_twisting() {
    let solve = |push: f64, spin: f64, coefficients: [f64; 3]| {
        let floor = [([None, Some(0)], [0.0, 0.0, 1.0])];
        let velocity = [push, 0.0, 0.0, 0.0, 0.0, spin];
        let spheres = FrictionSpheres::new(Resistance::RollingAndTwisting, &[1.0], &floor, velocity).unwrap();
        let [sliding, rolling, twisting] = coefficients.map(|mu| [mu]);
        let coefficients = FrictionCoefficients { sliding: &sliding, rolling: &rolling, twisting: &twisting };
        let problem = FrictionProblem::new(FrictionMatrix::Map(&spheres.map), &spheres.offset, coefficients).unwrap();
        let mut answers = Vec::new();
        let options = Options::new(1e-11, 300);
        let solvers: [&mut dyn FrictionSolver; 2] =
            [&mut AcceleratedSweeps::new(options), &mut ProximalNewton::new(options)];
        for solver in solvers {
            let mut force = [0.0; 6];
            let report = solver.solve(&problem, &mut force).unwrap();
            assert!(report.converged(), "{report:?}");
            let mut velocity = [0.0; 6];
            problem.velocity(&force, &mut velocity, &mut Vec::new()).unwrap();
            answers.push((velocity, force));
        }
        assert!(distance(&answers[0].0, &answers[1].0) < 1e-9, "{answers:?}");
        answers[0]
    };
    let roll = |u: &[f64; 6]| u[3].hypot(u[4]);
    let (u, r) = solve(0.1, 0.0, [0.5, 0.05 * (1.0 + 1e-7), 0.0]);
    assert!(roll(&u) < 1e-9 && u[1].hypot(u[2]) < 1e-9, "{u:?} {r:?}");
    let (u, r) = solve(0.1, 0.0, [0.5, 0.05 * (1.0 - 1e-7), 0.0]);
    assert!(roll(&u) > 1e-9 && u[1].hypot(u[2]) < 1e-9, "{u:?} {r:?}");
    // Without sliding friction there is no moment to resist.
    let (u, _) = solve(0.1, 0.0, [0.0, 0.05, 0.0]);
    assert!((u[1].hypot(u[2]) - 0.1).abs() < 1e-9, "{u:?}");
    // With the inertia 1/10, a moment of 0.2 stops a spin of 2.
    let (u, r) = solve(0.0, 2.0, [0.5, 0.0, 0.3]);
    assert!(u[5].abs() < 1e-9 && (r[5] + 0.2).abs() < 1e-9, "{u:?} {r:?}");
    let (u, r) = solve(0.0, 2.0, [0.5, 0.0, 0.1]);
    assert!((u[5] - 1.0).abs() < 1e-9 && (r[5] + 0.1).abs() < 1e-9, "{u:?} {r:?}");
}

/// Two walls close on a sphere: no velocity satisfies both contacts, forces grow, and the status is infeasible.
#[test]
fn forces_that_grow_without_bound_are_named() {
    let walls = [([None, Some(0)], [0.0, 0.0, 1.0]), ([None, Some(0)], [0.0, 0.0, -1.0])];
    let mut spheres = FrictionSpheres::new(Resistance::Sliding, &[1.0], &walls, [0.0; 6]).unwrap();
    spheres.offset = vec![-1.0, 0.2, 0.0, -1.0, 0.2, 0.0];
    for law in [FrictionLaw::Coulomb, FrictionLaw::Convex] {
        with_spheres(&spheres, 0.3, |problem| {
            let mut solver: Box<dyn FrictionSolver> = match law {
                FrictionLaw::Coulomb => Box::new(CoulombSolver::default()),
                FrictionLaw::Convex => Box::new(ConvexNewton::default()),
            };
            let mut force = [0.0; 6];
            let report = solver.solve(&problem.clone().with_law(law), &mut force).unwrap();
            assert_eq!(report.status, Status::Infeasible, "{report:?}");
            assert!(report.growth > 10.0, "{report:?}");
        });
    }
}

#[test]
fn sweeps_allocate_nothing_and_bits_do_not_depend_on_threads() {
    let spheres = pyramid(5);
    with_spheres(&spheres, 0.2, |problem| {
        let run = |threads: usize| {
            in_pool(threads, || {
                let mut force = vec![0.0; problem.len()];
                let mut solver = CoulombSolver::new(Options::new(1e-12, 100)).with_first_sweeps(20);
                let report = solver.solve(problem, &mut force).unwrap();
                assert!(report.factorizations > 0, "{report:?}");
                force.iter().map(|r| r.to_bits()).collect::<Vec<_>>()
            })
        };
        assert_eq!(run(1), run(2));
        let mut solver = AcceleratedSweeps::new(Options::new(1e-8, 1000));
        let mut force = vec![0.0; problem.len()];
        assert!(solver.solve(problem, &mut force).unwrap().converged());
        force.fill(0.0);
        let info = allocation_counter::measure(|| assert!(solver.solve(problem, &mut force).unwrap().converged()));
        assert_eq!(info.count_total, 0);
    });
}

/// Rows of balls on a floor press against a wall; there are enough balls for sweeps by subdomains.
#[test]
fn sweeps_by_subdomains_have_the_same_bits_for_any_number_of_threads() {
    const ROW: usize = 10;
    let bodies = 4200;
    let ball = |place: usize| 37 * place % bodies;
    let on_floor = (0..bodies).map(|place| ([None, Some(ball(place))], [0.0, 0.0, 1.0]));
    let beside = (1..bodies).map(|place| ([Some(ball(place - 1)), Some(ball(place))], [1.0, 0.0, 0.0]));
    let on_wall = (1..=bodies / ROW).map(|row| ([Some(ball(ROW * row - 1)), None], [1.0, 0.0, 0.0]));
    let contacts: Vec<_> = on_floor.chain(beside).chain(on_wall).collect();
    let velocity = [1.0, 0.2, 0.0, 0.0, 0.3, 0.0];
    let spheres = FrictionSpheres::new(Resistance::Sliding, &vec![1.0; bodies], &contacts, velocity).unwrap();
    with_spheres(&spheres, 0.3, |problem| {
        let mut solver = AcceleratedSweeps::new(Options::new(1e-6, 100));
        let mut run = |threads: usize| {
            in_pool(threads, || {
                let mut force = vec![0.0; problem.len()];
                let mut found = None;
                let allocated =
                    allocation_counter::measure(|| found = solver.solve(problem, &mut force).ok()).count_total;
                (force.iter().map(|r| r.to_bits()).collect::<Vec<_>>(), found.unwrap(), allocated)
            })
        };
        let (bits, report, _) = run(3);
        assert!(report.converged() && report.sweeps > 3, "{report:?}");
        assert_eq!(run(2).0, bits);
        let (of_one, _, allocated) = run(1);
        assert_eq!(of_one, bits);
        assert_eq!(allocated, 0);
        let force: Vec<f64> = bits.iter().map(|&bits| f64::from_bits(bits)).collect();
        assert!((problem.residual(&force).unwrap() - report.residual).abs() < 1e-12, "{report:?}");
        // Each ball presses the next one of its row; subdomains end within rows, since 1024 is not a multiple of ten.
        let pressed = (1..bodies).filter(|place| place % ROW > 0).map(|place| force[3 * (bodies + place - 1)]);
        assert!(pressed.fold(f64::INFINITY, f64::min) > 0.1);
    });
}

/// Forces that have to grow by a ratio of masses do not prove infeasibility.
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

/// The proof comes within the iteration or after its last factorisation, and the report has the growth of the forces.
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

/// A row of spheres between walls that close, with spheres on top that carry no force.
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
