//! Pyramids and the beam of [OK18] section 8 against independently computed forces of 30 and more digits.

use rand::seq::SliceRandom;

use crate::prelude::*;

const ROOT: f64 = std::f64::consts::SQRT_2;

/// Laws of the tables: column, species, exponent.
const LAWS: [(usize, Species, f64); 4] =
    [(0, Species::Uniform, 2.0), (1, Species::Uniform, 2.5), (2, Species::EvenSoft, 2.0), (3, Species::OddSoft, 2.0)];

fn table(layers: usize) -> Vec<(usize, [usize; 2], [f64; 4])> {
    let text = match layers {
        4 => include_str!("../data/pyramid-n4.csv"),
        6 => include_str!("../data/pyramid-n6.csv"),
        _ => include_str!("../data/pyramid-n20.csv"),
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |i: usize| cells[i].parse().unwrap();
        (number(0), [number(1), number(2)], std::array::from_fn(|k| cells[3 + k].parse().unwrap()))
    };
    text.lines().skip(1).map(row).collect()
}

fn compatible(solver: &mut dyn CompatibilitySolver, assembly: &Assembly, exponent: f64) -> Vec<f64> {
    let jacobian = assembly.jacobian().unwrap();
    let mut force = vec![0.0; assembly.contacts()];
    let report = solver.solve(&assembly.problem(&jacobian, exponent).unwrap(), &mut force).unwrap();
    assert!(report.converged(), "{report:?}");
    force
}

fn floor_sum(pyramid: &Pyramid, force: &[f64]) -> f64 {
    let on_floor =
        pyramid.pairs().iter().zip(force).filter(|([a, b], _)| *a < pyramid.fixed() && *b >= pyramid.fixed());
    on_floor.map(|(&[a, b], f)| f * (pyramid.centre()[b][2] - pyramid.centre()[a][2])).sum()
}

fn maximum(force: &[f64]) -> f64 {
    force.iter().fold(0.0, |most, f| most.max(*f))
}

#[test]
fn every_force_of_the_tables() {
    for layers in [4, 6, 20] {
        let pyramid = Pyramid::new(layers);
        let table = table(layers);
        assert!(table.len() > 70 && table.iter().all(|(contact, pair, _)| pyramid.pairs()[*contact] == *pair));
        for (column, species, exponent) in LAWS {
            let assembly = pyramid.assembly(species);
            for (name, mut solver) in compatibility_solvers(1e-12) {
                let force = compatible(&mut *solver, &assembly, exponent);
                let scale = maximum(&force);
                for (contact, _, expected) in &table {
                    let error = (force[*contact] - expected[column]).abs() / scale;
                    assert!(error < 1e-10, "{name}, {layers} layers, {species:?}, {exponent}: {contact} by {error:e}");
                }
                let floor = floor_sum(&pyramid, &force);
                let weight = assembly.bodies as f64;
                assert!((floor - weight).abs() < 1e-12 * weight, "{name}, {layers} layers: floor carries {floor}");
            }
        }
    }
}

#[test]
fn maxima_of_twenty_layers() {
    let pyramid = Pyramid::new(20);
    assert_eq!((pyramid.centre().len(), pyramid.pairs().len()), (2870, 14440));
    let maxima = [4.39701113994152, 4.521309496540678, 7.174713123167, 7.187882593363];
    for ((_, species, exponent), expected) in LAWS.into_iter().zip(maxima) {
        let force =
            compatible(&mut CompatibleForces::new(Options::new(1e-12, 100)), &pyramid.assembly(species), exponent);
        assert!((maximum(&force) - expected).abs() < 1e-11 * expected, "{species:?}, {exponent}");
        if species == Species::Uniform && exponent < 2.25 {
            assert_eq!(force.iter().filter(|f| **f > 1e-9).count(), 9784);
            let sum: f64 = force.iter().sum();
            assert!((sum - 13300.0 * ROOT).abs() < 1e-9 * sum, "sum {sum}");
        }
    }
}

#[test]
fn rational_forces_of_four_layers() {
    let pyramid = Pyramid::new(4);
    let assembly = pyramid.assembly(Species::Uniform);
    for (name, mut solver) in compatibility_solvers(1e-14) {
        let jacobian = assembly.jacobian().unwrap();
        let mut force = vec![0.0; assembly.contacts()];
        // Solvers reach the last digit here, although none promises it.
        let report = solver.solve(&assembly.problem(&jacobian, 2.0).unwrap(), &mut force).unwrap();
        assert!(report.residual < 1e-13, "{name}: {report:?}");
        assert!((maximum(&force) - 73.0 / 124.0 * ROOT).abs() < 1e-13, "{name}");
        let floor = |sphere: usize| -> f64 {
            let on_sphere = pyramid.pairs().iter().zip(&force).filter(|([a, _], _)| *a == sphere);
            on_sphere.map(|(_, f)| f / ROOT).sum()
        };
        for (sphere, expected) in [(0, 73.0), (1, 113.0), (5, 135.0), (10, 135.0), (15, 73.0)] {
            assert!((floor(sphere) - expected / 124.0).abs() < 1e-13, "{name}: {sphere} carries {}", floor(sphere));
        }
    }
}

#[test]
fn forces_do_not_depend_on_the_numbers_of_contacts_and_bodies() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut permutation = |n: usize| {
        let mut order: Vec<usize> = (0..n).collect();
        order.shuffle(&mut random);
        order
    };
    for (_, species, exponent) in LAWS {
        let assembly = Pyramid::new(6).assembly(species);
        let force = compatible(&mut CompatibleForces::new(Options::new(1e-12, 100)), &assembly, exponent);
        for _ in 0..3 {
            let contacts = permutation(assembly.contacts());
            let names = permutation(assembly.bodies);
            let other = assembly.renumbered(&contacts, &names);
            for (name, mut solver) in compatibility_solvers(1e-12) {
                let found = compatible(&mut *solver, &other, exponent);
                let expected: Vec<f64> = contacts.iter().map(|&i| force[i]).collect();
                assert!(distance(&found, &expected) < 1e-10 * maximum(&force), "{name}, {species:?}");
            }
        }
    }
}

/// Forces of contact dynamics depend on the solver; the forces compatible with their loads do not.
#[test]
fn compatible_forces_do_not_depend_on_the_classic_ones() {
    let assembly = Pyramid::new(6).assembly(Species::Uniform);
    let expected = compatible(&mut CompatibleForces::new(Options::new(1e-12, 100)), &assembly, 2.0);
    let classic = Classic::new(assembly);
    let options = Options::new(1e-13, 100_000);
    let mut maxima = Vec::new();
    for solver in [&mut Apgd::new(options) as &mut dyn cd_solve::LcpSolver, &mut ProjectedGaussSeidel::new(options)] {
        let (force, report) = classic.solve(solver);
        assert!(report.residual < 1e-12, "{report:?}");
        maxima.push(maximum(&force));
        let mut load = vec![0.0; classic.jacobian.columns()];
        classic.jacobian.apply_transpose(&force, &mut load).unwrap();
        let loaded = Assembly { load, ..classic.assembly.clone() };
        let found = compatible(&mut CompatibleForces::new(Options::new(1e-12, 100)), &loaded, 2.0);
        assert!(distance(&found, &expected) < 1e-10 * maximum(&expected));
        assert!(distance(&force, &expected) > 1e-2, "the classic forces happen to be compatible");
    }
    assert!((maxima[0] - maxima[1]).abs() > 1e-3, "{maxima:?}");
}

/// Many spheres of a large pyramid of two species are loose far from the minimum. Without regularisation each would
/// move as far as nothing holds it, and the line search would stop at one sphere after the other.
#[test]
fn loose_spheres_do_not_hold_up_a_large_pyramid() {
    let assembly = Pyramid::new(68).assembly(Species::EvenSoft);
    let jacobian = assembly.jacobian().unwrap();
    let mut force = vec![0.0; assembly.contacts()];
    let problem = assembly.problem(&jacobian, 2.0).unwrap();
    let report = CompatibleForces::new(Options::new(1e-2, 200)).solve(&problem, &mut force).unwrap();
    assert!(report.converged() && report.iterations <= 40, "{report:?}");
}

/// At twenty layers accelerated descent and Gauss-Seidel do not find the compatible forces, as `[OK18]` reports. Their
/// distance from them depends on options that the paper does not state.
#[test]
fn classic_maxima_depend_on_method_and_options() {
    use cd_solve::LcpSolver;
    use cd_solve::apgd::{Momentum, StepRule};
    use cd_solve::pgs::SweepOrder;
    let classic = Classic::new(Pyramid::new(20).assembly(Species::Uniform));
    let options = Options::new(1e-7, 20_000);
    let apgd = || Apgd::new(options);
    let gauss_seidel = |order| ProjectedGaussSeidel::new(options).with_order(order);
    let cases: [(&str, Box<dyn LcpSolver>, std::ops::Range<f64>); 7] = [
        ("restarted", Box::new(apgd()), 1.150..1.157),
        ("never restarted", Box::new(apgd().with_momentum(Momentum::Plain)), 1.296..1.301),
        ("without momentum", Box::new(apgd().with_momentum(Momentum::None)), 0.999..1.001),
        ("fixed step", Box::new(apgd().with_step(StepRule::Fixed)), 1.160..1.164),
        ("as given", Box::new(gauss_seidel(SweepOrder::AsGiven)), 1.215..1.225),
        ("lexicographic", Box::new(gauss_seidel(SweepOrder::Lexicographic)), 1.215..1.225),
        ("shuffled", Box::new(gauss_seidel(SweepOrder::Random { seed: 1, redraw: false })), 1.66..1.81),
    ];
    for (name, mut solver, expected) in cases {
        let (force, report) = classic.solve(&mut *solver);
        assert!(report.converged(), "{name}: {report:?}");
        let ratio = maximum(&force) / 4.39701113994152;
        assert!(expected.contains(&ratio), "{name}: {ratio}");
    }
}

/// Gauss-Seidel returns one of several solutions, which depends on the order of the sweep.
#[test]
fn the_order_of_the_sweep_decides_about_the_forces() {
    let orders: [([usize; 3], [f64; 3]); 6] = [
        ([0, 1, 2], [5.0 / 3.0, 20.0 / 3.0, 5.0 / 3.0]),
        ([2, 1, 0], [5.0 / 3.0, 20.0 / 3.0, 5.0 / 3.0]),
        ([0, 2, 1], [10.0 / 3.0; 3]),
        ([2, 0, 1], [10.0 / 3.0; 3]),
        ([1, 0, 2], [0.0, 10.0, 0.0]),
        ([1, 2, 0], [0.0, 10.0, 0.0]),
    ];
    let beam = beam();
    for (order, expected) in orders {
        let solver = ProjectedGaussSeidel::new(Options::new(1e-14, 1000));
        let (force, report) = beam.solve(&mut solver.with_order(SweepOrder::Explicit(order.into())));
        assert!(report.converged(), "{order:?}: {report:?}");
        assert!(distance(&force, &expected) < 1e-12, "{order:?}: {force:?}");
    }
}

#[test]
fn apgd_from_zero_shares_the_weight_equally() {
    let (force, report) = beam().solve(&mut Apgd::new(Options::new(1e-14, 1000)));
    assert!(report.converged(), "{report:?}");
    assert!(distance(&force, &[10.0 / 3.0; 3]) < 1e-12, "{force:?}");
}

/// The beam with m = 1 and J = m L² / 12.
fn beam() -> Classic {
    let entry = |k: usize| if k.is_multiple_of(7) { [1.0, 1.0, 1.0, 1.0, 12.0, 1.0][k / 7] } else { 0.0 };
    let inverse_mass = cd_solve::BodyBlocks::full(6, (0..36).map(entry).collect()).unwrap();
    Classic { inverse_mass, ..Classic::new(Assembly::beam(1.0)) }
}
