//! The forces of slow loading against closed forms and independent computations in many digits.

use cd_solve::friction::{CompatibleFriction, CompatibleFrictionProblem, LeastEnergyForces, Springs};

use crate::friction::{pyramid, stack};
use crate::prelude::*;

const KAPPA: f64 = 2.0 / 7.0;

fn slow_loading(spheres: &FrictionSpheres, mu: f64) -> Vec<f64> {
    with_springs(1e-12, spheres, mu, FrictionLaw::Coulomb)
}

fn with_springs(tolerance: f64, spheres: &FrictionSpheres, mu: f64, law: FrictionLaw) -> Vec<f64> {
    let contacts = spheres.map.contacts();
    let load = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0].repeat(spheres.map.bodies());
    let stiffness = vec![1.0; contacts];
    let mu = vec![mu; contacts];
    let problem = CompatibleFrictionProblem::new(&spheres.map, &load, &stiffness, KAPPA, &mu).unwrap();
    let problem = problem.with_law(law);
    let mut force = vec![0.0; 3 * contacts];
    let report = CompatibleFriction::new(Options::new(tolerance, 1000)).solve(&problem, &mut force).unwrap();
    assert!(report.converged(), "{report:?}");
    assert!(problem.residual(&force).unwrap() < 1e-11);
    force
}

/// Contact forces on the second sphere of each contact, world frame, in the order of the contacts of the pyramid.
fn world_forces(pyramid: &Pyramid, force: &[f64]) -> Vec<[f64; 3]> {
    let centre = pyramid.centre();
    let world = |(&[a, b], r): (&[usize; 2], &[f64])| {
        let normal: [f64; 3] = std::array::from_fn(|d| centre[b][d] - centre[a][d]);
        let norm = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        let frame = cd_solve::friction::Frame::from_normal(normal.map(|x| x / norm));
        std::array::from_fn(|d| r[0] * frame.normal[d] + r[1] * frame.tangents[0][d] + r[2] * frame.tangents[1][d])
    };
    pyramid.pairs().iter().zip(force.chunks_exact(3)).map(world).collect()
}

/// Largest difference from independently computed forces, matched by the centres of the spheres.
fn differ_from_table(layers: usize, mu: f64, law: FrictionLaw, table: &str) -> f64 {
    let pyramid = Pyramid::new(layers);
    let spheres = crate::friction::pyramid(layers);
    let found = world_forces(&pyramid, &with_springs(1e-12, &spheres, mu, law));
    let mut worst = 0.0_f64;
    let mut rows = 0;
    for line in table.lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').take(10).map(|word| word.parse().unwrap()).collect();
        let near = |sphere: usize, at: &[f64]| distance(&pyramid.centre()[sphere], at) < 1e-9;
        let forward = pyramid.pairs().iter().position(|&[a, b]| near(a, &numbers[..3]) && near(b, &numbers[3..6]));
        let backward = pyramid.pairs().iter().position(|&[a, b]| near(b, &numbers[..3]) && near(a, &numbers[3..6]));
        let sign = if forward.is_some() { 1.0 } else { -1.0 };
        let contact = forward.or(backward).unwrap();
        worst = worst.max(distance(&found[contact].map(|x| sign * x), &numbers[7..10]));
        rows += 1;
    }
    assert_eq!(rows, pyramid.pairs().len());
    worst
}

#[test]
fn pyramids_as_in_tables() {
    for (layers, mu, law, table) in [
        (3, 0.3, FrictionLaw::Coulomb, include_str!("../data/friction-pyramid-n3-mu0.3.csv")),
        (4, 0.2, FrictionLaw::Coulomb, include_str!("../data/friction-pyramid-n4-mu0.2.csv")),
        (4, 0.3, FrictionLaw::Coulomb, include_str!("../data/friction-pyramid-n4-mu0.3.csv")),
        (4, 0.5, FrictionLaw::Coulomb, include_str!("../data/friction-pyramid-n4-mu0.5.csv")),
        (4, 0.3, FrictionLaw::Convex, include_str!("../data/friction-pyramid-n4-mu0.3-convex.csv")),
    ] {
        let worst = differ_from_table(layers, mu, law, table);
        assert!(worst < 1e-10, "{layers} layers, {mu}, {law:?}: {worst:e}");
    }
}

/// Newton's method stalls from bonded contacts, and creep continues. Forces at μ = 0.1 agree with an independent
/// program, those at μ = 0.05 with creep from zero displacement.
#[test]
#[ignore = "soak: ten layers take seconds"]
fn ten_layers_on_which_most_contacts_slide() {
    for (mu, expected) in [(0.05, 1.990_570_367_76), (0.1, 1.857_979_696_58)] {
        let force = slow_loading(&pyramid(10), mu);
        let largest = force.chunks_exact(3).map(|r| r[0]).fold(0.0, f64::max);
        assert!((largest - expected).abs() < 1e-9, "{mu}: {largest}");
    }
}

/// With so many bodies, products replace factorisations.
#[test]
#[ignore = "soak: twenty layers take seconds"]
fn twenty_layers() {
    let force = slow_loading(&pyramid(20), 0.3);
    let largest = force.chunks_exact(3).map(|r| r[0]).fold(0.0, f64::max);
    assert!((largest - 3.271_330_328_12).abs() < 1e-9, "{largest}");
}

#[test]
fn five_layers_on_which_most_contacts_slide() {
    let force = slow_loading(&pyramid(5), 0.05);
    let sliding = force.chunks_exact(3).filter(|r| r[0] > 0.0 && r[1].hypot(r[2]) > 0.05 * r[0] * (1.0 - 1e-9));
    assert!(2 * sliding.count() > force.len() / 3);
}

/// With contacts of different stiffness Newton's method stalls with bodies at distances of 1e6 to 1e10, where
/// displacements have no digits left for a step of creep.
#[test]
fn creep_starts_from_bonded_contacts() {
    let spheres = pyramid(3);
    let contacts = spheres.map.contacts();
    let load = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0].repeat(spheres.map.bodies());
    let stiffness: Vec<f64> = (0..contacts).map(|i| 10.0_f64.powf((12.9898 * i as f64).sin())).collect();
    for mu in [0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.2] {
        let mu = vec![mu; contacts];
        let problem = CompatibleFrictionProblem::new(&spheres.map, &load, &stiffness, KAPPA, &mu).unwrap();
        let mut force = vec![0.0; 3 * contacts];
        let report = CompatibleFriction::default().solve(&problem, &mut force).unwrap();
        assert!(report.converged(), "{mu:?}: {report:?}");
        assert!(problem.residual(&force).unwrap() < 1e-11);
    }
}

/// The closed form is N = √2/(4 (1 + min(μ, κ))), T = min(μ, κ) N.
#[test]
fn the_pyramid_of_two_layers_by_hand() {
    for mu in [0.0, 0.2, 0.3, 0.5] {
        // Bonded contacts, the start of Newton's method, have a ridge of 1e-12, and errors of this size.
        let force = with_springs(1e-14, &pyramid(2), mu, FrictionLaw::Coulomb);
        let ratio = KAPPA.min(mu);
        let normal = 2.0_f64.sqrt() / (4.0 * (1.0 + ratio));
        for r in force.chunks_exact(3) {
            assert!((r[0] - normal).abs() < 1e-13, "{r:?}");
            assert!((r[1].hypot(r[2]) - ratio * normal).abs() < 1e-13, "{r:?}");
        }
    }
}

/// Three touching spheres on a floor carry a fourth: N = 1/3 and T = (√3 − √2)/3 at the upper contacts, 4/3 and T on
/// the floor. The fourth sphere pushes the three apart, so the contacts between them carry no force.
#[test]
fn four_spheres_open_at_their_base() {
    let across = 3.0_f64.sqrt().recip();
    let up = (2.0_f64 / 3.0).sqrt();
    let below: [[f64; 3]; 3] = std::array::from_fn(|k| {
        let (sin, cos) = (k as f64 * std::f64::consts::TAU / 3.0).sin_cos();
        [across * cos, across * sin, 0.0]
    });
    let floor = (0..3).map(|k| ([None, Some(k)], [0.0, 0.0, 1.0]));
    let base = [[0, 1], [0, 2], [1, 2]].map(|[a, b]| ([a, b].map(Some), difference(below[b], below[a])));
    let above = (0..3).map(|k| ([Some(k), Some(3)], difference([0.0, 0.0, up], below[k])));
    let contacts: Vec<_> = floor.chain(base).chain(above).collect();
    let spheres = FrictionSpheres::new(Resistance::Sliding, &[1.0; 4], &contacts, [0.0; 6]).unwrap();
    let ratio = 3.0_f64.sqrt() - 2.0_f64.sqrt();
    for mu in [ratio + 1e-3, 0.5] {
        let force = slow_loading(&spheres, mu);
        for (i, r) in force.chunks_exact(3).enumerate() {
            let (normal, tangential) = [(4.0 / 3.0, ratio / 3.0), (0.0, 0.0), (1.0 / 3.0, ratio / 3.0)][i / 3];
            assert!((r[0] - normal).abs() < 1e-9, "{mu}, {i}: {r:?}");
            assert!((r[1].hypot(r[2]) - tangential).abs() < 1e-9, "{mu}, {i}: {r:?}");
        }
    }
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|d| a[d] - b[d])
}

/// A point mass in a groove whose normals are at an angle β to the vertical, loaded to one and unloaded to λ: sliding
/// at the end of loading turns into sticking, and back into sliding in the other direction.
#[test]
fn a_groove_remembers_its_load() {
    let beta = 0.5_f64;
    let sin = beta.sin();
    let cos = beta.cos();
    let tan = beta.tan();
    let mut rows = Vec::new();
    for side in [-1.0, 1.0] {
        // Axes: normal, tangent up the flank, tangent along the groove; the mass has no arms.
        for axis in [[side * sin, 0.0, cos], [-side * cos, 0.0, sin], [0.0, 1.0, 0.0]] {
            rows.extend([0.0; 6]);
            rows.extend(axis);
            rows.extend([0.0; 3]);
        }
    }
    let pairs = [[None, Some(0)]; 2];
    let mass = BodyBlocks::scalar(6, vec![1.0]).unwrap();
    let map = ContactMap::from_rows(Resistance::Sliding, &pairs, &rows, mass).unwrap();
    let mu = 0.1;
    let solve_by = |mut solver: CompatibleFriction, mu: f64, weight: f64, history: Option<&[f64]>| {
        let load = [0.0, 0.0, weight, 0.0, 0.0, 0.0];
        let mu = [mu; 2];
        let mut problem = CompatibleFrictionProblem::new(&map, &load, &[1.0; 2], KAPPA, &mu).unwrap();
        if let Some(history) = history {
            problem = problem.with_history(history).unwrap();
        }
        let mut force = [0.0; 6];
        let report = solver.solve(&problem, &mut force).unwrap();
        (force, report)
    };
    let (_, report) = solve_by(CompatibleFriction::default(), mu, 1.0, None);
    assert!(report.converged(), "{report:?}");
    let solve = |mu: f64, weight: f64, history: Option<&[f64]>| {
        // Errors of increments add up, so the tolerance is below 1e-12.
        let (force, report) = solve_by(CompatibleFriction::new(Options::new(1e-14, 100)), mu, weight, history);
        assert!(report.residual < 1e-12, "{report:?}");
        force
    };
    // Since κ tan β > μ, the mass slides during loading.
    let loaded = solve(mu, 1.0, None);
    let normal = 1.0 / (2.0 * (cos + mu * sin));
    assert!((loaded[0] - normal).abs() < 1e-13 && (loaded[1] - mu * normal).abs() < 1e-13, "{loaded:?}");
    let lambda = 0.9;
    let sticking = solve(mu, lambda, Some(&loaded));
    let fall = (1.0 - lambda) / (2.0 * cos * (1.0 + KAPPA * tan * tan));
    let n = normal - fall;
    let t = mu * normal - KAPPA * tan * fall;
    let slides = t < -mu * n;
    assert!(!slides && (sticking[0] - n).abs() < 1e-13 && (sticking[1] - t).abs() < 1e-13, "{sticking:?}");
    let lambda = 0.1;
    let sliding = solve(mu, lambda, Some(&loaded));
    let n = lambda / (2.0 * (cos - mu * sin));
    assert!((sliding[0] - n).abs() < 1e-13 && (sliding[1] + mu * n).abs() < 1e-13, "{sliding:?}");
    // In twenty increments of loading and eighteen of unloading the mass slides up, sticks, and slides back. For μ > κ
    // tan β nothing slides, and forces are a function of the weight.
    let unloaded = |weight: f64| {
        let fall = (1.0 - weight) / (2.0 * cos * (1.0 + KAPPA * tan * tan));
        let [n, t] = [normal - fall, mu * normal - KAPPA * tan * fall];
        let back = weight / (2.0 * (cos - mu * sin));
        if t < -mu * n { [back, -mu * back] } else { [n, t] }
    };
    let mut slid = [0.0; 6];
    let mut stuck = [0.0; 6];
    for (k, is_loading) in (1..=20).map(|k| (k, true)).chain((2..20).rev().map(|k| (k, false))) {
        let weight = 0.05 * f64::from(k);
        slid = solve(mu, weight, Some(&slid));
        let [n, t] = if is_loading { [weight * normal, mu * weight * normal] } else { unloaded(weight) };
        assert!((slid[0] - n).abs() < 1e-12 && (slid[1] - t).abs() < 1e-12, "{weight}: {slid:?}");
        stuck = solve(0.3, weight, Some(&stuck));
        let n = weight / (2.0 * cos * (1.0 + KAPPA * tan * tan));
        assert!((stuck[0] - n).abs() < 1e-12 && (stuck[1] - KAPPA * tan * n).abs() < 1e-12, "{weight}: {stuck:?}");
    }
}

#[test]
fn least_energy_forces_of_a_pyramid_do_not_depend_on_the_solver() {
    with_spheres(&pyramid(4), 0.3, assert_one_selection);
}

/// Checks that different solutions of one problem lead to the same selected forces.
pub(crate) fn assert_one_selection(problem: &FrictionProblem<'_>) {
    let stiffness = vec![1.0; problem.contacts()];
    let springs = Springs { stiffness: &stiffness, tangential_ratio: KAPPA };
    let options = Options::new(1e-13, 500);
    let solvers: [&mut dyn FrictionSolver; 3] = [
        &mut CoulombSolver::new(options),
        &mut ProximalNewton::new(options),
        &mut AcceleratedSweeps::new(Options::new(1e-13, 10_000)).plain(),
    ];
    let mut found = Vec::new();
    for solver in solvers {
        let mut force = vec![0.0; problem.len()];
        let report = solver.solve(problem, &mut force).unwrap();
        assert!(report.residual < 1e-12, "{report:?}");
        let mut least = force.clone();
        let mut selection = LeastEnergyForces::new(Options::new(1e-11, 100), 1e-4);
        assert!(selection.solve(problem, springs, &mut least).unwrap().converged());
        found.push((force, least));
    }
    let largest = distance(&found[0].0, &vec![0.0; problem.len()]);
    let spread = |of: &dyn Fn(usize) -> Vec<f64>| {
        [(0, 1), (1, 2), (0, 2)].map(|(i, j)| distance(&of(i), &of(j)) / largest).into_iter().fold(0.0, f64::max)
    };
    let forces = spread(&|i| found[i].0.clone());
    let selected = spread(&|i| found[i].1.clone());
    assert!(forces > 1e-2, "the solvers agree by themselves: {forces:e}");
    assert!(selected < 1e-6, "{selected:e}");
}

/// With displacements as unknowns the errors are a multiple of the compliance down to 1e-10.
#[test]
fn inertia_changes_forces_by_a_multiple_of_the_compliance() {
    let spheres = pyramid(4);
    let expected = slow_loading(&spheres, 0.2);
    let contacts = spheres.map.contacts();
    let load = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0].repeat(spheres.map.bodies());
    let stiffness = vec![1.0; contacts];
    let mu = vec![0.2; contacts];
    let errors: Vec<f64> = [1e-4, 1e-7, 1e-10]
        .into_iter()
        .map(|compliance| {
            let problem = CompatibleFrictionProblem::new(&spheres.map, &load, &stiffness, KAPPA, &mu).unwrap();
            let problem = problem.with_inertia(compliance).unwrap();
            let mut force = vec![0.0; 3 * contacts];
            let report = CompatibleFriction::new(Options::new(1e-14, 100)).solve(&problem, &mut force).unwrap();
            assert!(report.residual < 1e-13, "{report:?}");
            distance(&force, &expected) / compliance
        })
        .collect();
    assert!(errors.iter().all(|error| (0.5 * errors[0]..2.0 * errors[0]).contains(error)), "{errors:?}");
}

/// In stacks, a light ball on heavy ones has forces that balance its own weight, or the solver does not report
/// convergence.
#[test]
fn light_balls_in_stacks_have_their_forces_or_are_not_converged() {
    for ratio in [1e3, 1e6, 1e9, 1e12] {
        for masses in [&[1.0, ratio][..], &[ratio, 1.0], &[1.0, ratio, 1.0], &[ratio, 1.0, ratio]] {
            let map = stack(masses);
            let load: Vec<f64> = masses.iter().flat_map(|&mass| [0.0, 0.0, mass, 0.0, 0.0, 0.0]).collect();
            let stiffness = vec![1.0; masses.len()];
            let mu = vec![0.3; masses.len()];
            let problem = CompatibleFrictionProblem::new(&map, &load, &stiffness, KAPPA, &mu).unwrap();
            let mut force = vec![0.0; 3 * masses.len()];
            let report = CompatibleFriction::default().solve(&problem, &mut force).unwrap();
            let error = |i: usize| {
                let weight: f64 = masses[i..].iter().sum();
                (force[3 * i] / weight - 1.0).abs().max(force[3 * i + 1].hypot(force[3 * i + 2]) / weight)
            };
            let worst = (0..masses.len()).map(error).fold(0.0, f64::max);
            assert!(!report.converged() || worst < 1e-8, "{masses:?}: {report:?}, {worst:e}");
            assert!(report.converged() || ratio > 1e9, "{masses:?}: {report:?}");
            // Rounding of the displacement of the heavy ball exceeds the effect of the light one on it.
            assert!(masses != [1e12, 1.0] || report.status == Status::Stalled, "{masses:?}: {report:?}");
        }
    }
}

/// A ball with weight leans on one without weight, which nothing holds.
#[test]
fn a_body_without_load_has_no_force() {
    let slope = std::f64::consts::FRAC_1_SQRT_2;
    let contact = |pair, normal: [f64; 3]| {
        let arms = [normal.map(|x| 0.5 * x), normal.map(|x| -0.5 * x)];
        FrictionContact { pair, frame: Frame::from_normal(normal), arms }
    };
    let contacts = [contact([None, Some(0)], [0.0, 0.0, 1.0]), contact([Some(0), Some(1)], [slope, 0.0, slope])];
    let inverse = BodyBlocks::scalar(6, vec![1.0; 2]).unwrap();
    let map = ContactMap::new(Resistance::Sliding, &contacts, inverse).unwrap();
    let mut load = [0.0; 12];
    load[2] = 1.0;
    let stiffness = [1.0, 0.7];
    let mu = [0.3; 2];
    let bare = CompatibleFrictionProblem::new(&map, &load, &stiffness, KAPPA, &mu).unwrap();
    for problem in [bare.clone(), bare.with_inertia(1e-6).unwrap()] {
        let mut force = [0.0; 6];
        let report = CompatibleFriction::default().solve(&problem, &mut force).unwrap();
        assert!(report.converged(), "{report:?}, {force:?}");
        assert!((force[0] - 1.0).abs() < 1e-5 && force[3..].iter().all(|r| r.abs() < 1e-5), "{force:?}");
    }
}
