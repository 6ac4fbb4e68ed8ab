//! Compliant steps: velocities, compatible forces up to a multiple of the compliance, and steps without solution.

use cd_solve::{CompliantStep, CompliantStepInput, CompliantStepProblem};

use crate::prelude::*;

/// Velocities and forces of bodies of unit mass, initially at rest under the load, dt = 1.
fn one_step(assembly: &Assembly, exponent: f64, compliance: f64) -> (Vec<f64>, Vec<f64>) {
    let jacobian = assembly.jacobian().unwrap();
    let mass = BodyBlocks::scalar(3, vec![1.0; assembly.bodies]).unwrap();
    let free: Vec<f64> = assembly.load.iter().map(|load| -load).collect();
    let gap_rate = &assembly.gap[..];
    let stiffness = &assembly.stiffness[..];
    let input = CompliantStepInput { free_velocity: &free, gap_rate, stiffness, exponent, compliance };
    let problem = CompliantStepProblem::new(&jacobian, &mass, input).unwrap();
    let mut velocity = vec![0.0; jacobian.columns()];
    let mut force = vec![0.0; jacobian.contacts()];
    let report = CompliantStep::new(Options::new(1e-13, 300)).solve(&problem, &mut velocity, &mut force).unwrap();
    assert!(report.residual < 1e-11, "{report:?}");
    (velocity, force)
}

fn relative(a: &[f64], b: &[f64]) -> f64 {
    let square = |sum: f64, x: f64| sum + x * x;
    (a.iter().zip(b).map(|(a, b)| a - b).fold(0.0, square) / b.iter().copied().fold(0.0, square)).sqrt()
}

#[test]
fn the_error_is_linear_in_the_compliance() {
    let laws = [(Species::Uniform, 2.0, 39.8), (Species::EvenSoft, 2.0, 112.0), (Species::Uniform, 2.5, 26.5)];
    for (species, exponent, constant) in laws {
        let assembly = Pyramid::new(20).assembly(species);
        let jacobian = assembly.jacobian().unwrap();
        let mut exact = vec![0.0; assembly.contacts()];
        let problem = assembly.problem(&jacobian, exponent).unwrap();
        let _ = CompatibleForces::new(Options::new(1e-14, 100)).solve(&problem, &mut exact).unwrap();
        for compliance in [1e-6, 1e-9, 1e-12] {
            let (_, force) = one_step(&assembly, exponent, compliance);
            let error = relative(&force, &exact) / compliance;
            assert!(
                (error / constant - 1.0).abs() < 0.01,
                "{species:?}, {exponent}, {compliance:e}: {error} of {constant}"
            );
        }
        // Extrapolation from two compliances removes the first order.
        let ((_, coarse), (_, fine)) = (one_step(&assembly, exponent, 1e-4), one_step(&assembly, exponent, 1e-5));
        let both: Vec<f64> = fine.iter().zip(&coarse).map(|(fine, coarse)| (10.0 * fine - coarse) / 9.0).collect();
        assert!(relative(&both, &exact) < 0.1 * relative(&fine, &exact), "{species:?}, {exponent}");
    }
}

/// With gaps, rattlers and floating bodies, velocities are those of the complementarity problem.
#[test]
fn velocities_are_those_of_the_complementarity_problem() {
    for seed in 0..4 {
        let assembly = Assembly::random([4, 3, 3], seed % 2 == 1, seed);
        let (velocity, force) = one_step(&assembly, 2.0, 1e-9);
        let classic = Classic::new(assembly);
        let (classic_force, report) = classic.solve(&mut cd_solve::Apgd::new(Options::new(1e-13, 200_000)));
        assert!(report.residual < 1e-11, "{report:?}");
        let expected: Vec<f64> =
            classic.velocity(&classic_force).iter().zip(&classic.assembly.load).map(|(v, load)| v - load).collect();
        assert!(distance(&velocity, &expected) < 1e-7, "{:e}", distance(&velocity, &expected));
        let balance = distance(&classic.velocity(&force), &classic.velocity(&classic_force));
        assert!(balance < 1e-7, "{balance:e}");
    }
}

/// Bodies of six coordinates with full mass blocks that differ by 1e6, gaps, and a last body in free flight.
#[test]
fn heavy_and_light_bodies_balance() {
    let bodies = 6_usize;
    let contacts = 12_usize;
    let number = |k: usize| (1.7 * k as f64 + 0.3).sin();
    let pairs: Vec<BodyPair> =
        (0..contacts).map(|i| [(i % 3 > 0).then_some((i + 1 + i / 5) % 5), Some(i % 5)]).collect();
    let pairs: Vec<_> = pairs.into_iter().map(|[a, b]| [a.filter(|a| Some(*a) != b), b]).collect();
    let jacobian =
        ContactJacobian::new(6, bodies, &pairs, &(0..12 * contacts).map(number).collect::<Vec<_>>()).unwrap();
    let entry = |k: usize| {
        let body = k / 36;
        let r = k / 6 % 6;
        let c = k % 6;
        let size = if body.is_multiple_of(2) { 1.0 } else { 1e6 };
        size * if r == c { 2.0 + number(k) } else { 0.1 * number(body + r + c) }
    };
    let blocks: Vec<f64> = (0..36 * bodies).map(entry).collect();
    let mass = BodyBlocks::full(6, blocks.clone()).unwrap();
    let free: Vec<f64> = (0..6 * bodies).map(|k| number(3 * k)).collect();
    let gap: Vec<f64> = (0..contacts).map(|i| 0.3 * number(7 * i)).collect();
    for (exponent, compliance) in [(2.0, 1e-6), (2.25, 1e-3), (2.5, 1e-6), (3.0, 1e-2)] {
        let problem = CompliantStepProblem::new(
            &jacobian,
            &mass,
            CompliantStepInput { free_velocity: &free, gap_rate: &gap, stiffness: &[1.0; 12], exponent, compliance },
        )
        .unwrap();
        let mut velocity = vec![0.0; 6 * bodies];
        let mut force = vec![0.0; contacts];
        let report = CompliantStep::new(Options::new(1e-11, 1000)).solve(&problem, &mut velocity, &mut force).unwrap();
        assert!(report.converged(), "{report:?}");
        let mut pushed = vec![0.0; 6 * bodies];
        let mut rate = vec![0.0; contacts];
        jacobian.apply_transpose(&force, &mut pushed).unwrap();
        jacobian.apply(&velocity, &mut rate).unwrap();
        let largest = force.iter().fold(0.0_f64, |most, force| most.max(*force));
        assert!(largest > 0.1 && force.iter().any(|force| *force <= 0.0));
        for (row, pushed) in pushed.iter().enumerate() {
            let columns = 6 * (row / 6)..6 * (row / 6) + 6;
            let inertia: f64 = columns.map(|c| blocks[6 * row + c % 6] * (velocity[c] - free[c])).sum();
            assert!((inertia - pushed).abs() <= 1e-8 * largest, "{inertia} for {pushed} at p = {exponent}");
        }
        for ((force, rate), gap) in force.iter().zip(&rate).zip(&gap) {
            // The compression is computed from the force; the force from a compression would lose digits.
            let compression = compliance * force.powf((exponent - 1.0).recip());
            let gap_rate = rate + gap;
            let closed = *force > 0.0 && (gap_rate + compression).abs() < 1e-9;
            assert!(closed || (*force <= 0.0 && gap_rate > -1e-9), "{force}, {gap_rate} at p = {exponent}");
        }
        assert!((30..36).all(|k| (velocity[k] - free[k]).abs() < 1e-300));
    }
}

fn chain(bodies: usize, coefficient: f64) -> ContactJacobian {
    let pair = |i: usize| -> BodyPair { [i.checked_sub(1), Some(i)] };
    let pairs: Vec<BodyPair> = (0..bodies).map(pair).collect();
    ContactJacobian::new(3, bodies, &pairs, &padded(1, &[-coefficient, coefficient].repeat(bodies))).unwrap()
}

/// The squares of such coefficients overflow: no step can be computed.
#[test]
fn what_cannot_be_computed_stalls() {
    let jacobian = chain(3, 1e200);
    for tolerance in [0.0, 1e-10, 0.01] {
        let options = Options::new(tolerance, 50);
        let load = padded(1, &[1.0; 3]);
        let problem = CompatibilityProblem::new(&jacobian, &load, &[1.0; 3], 2.0).unwrap();
        let mut force = [7.0; 3];
        let report = CompatibleForces::new(options).solve(&problem, &mut force).unwrap();
        assert_eq!(report.status, Status::Stalled, "{report:?}");
        assert!(force.iter().all(|force| force.is_finite()));
        let mut force = [7.0; 3];
        match CompatibleForces::new(options).with_factors_alone().solve(&problem, &mut force) {
            Ok(report) => assert!(!report.converged()),
            Err(_) => assert!(force.iter().all(|force| force.to_bits() == 7.0_f64.to_bits())),
        }
        let mass = BodyBlocks::scalar(3, vec![1.0; 3]).unwrap();
        let free = padded(1, &[-1.0; 3]);
        let one_step = CompliantStepProblem::new(
            &jacobian,
            &mass,
            CompliantStepInput {
                free_velocity: &free,
                gap_rate: &[0.0; 3],
                stiffness: &[1.0; 3],
                exponent: 2.0,
                compliance: 1e-6,
            },
        )
        .unwrap();
        let mut velocity = [0.0; 9];
        let mut force = [0.0; 3];
        let report = CompliantStep::new(options).solve(&one_step, &mut velocity, &mut force).unwrap();
        assert_eq!(report.status, Status::Stalled, "{report:?}");
    }
}

/// For any limit of iterations, velocity, forces and residual belong to one point.
#[test]
fn what_is_returned_belongs_together() {
    let jacobian = chain(30, 1.0);
    let mass = BodyBlocks::scalar(3, (0..30).map(|i| 1.0 + f64::from(i % 7)).collect()).unwrap();
    let free = padded(1, &(0..30).map(|i| (2.3 * f64::from(i)).sin()).collect::<Vec<_>>());
    let compliance = 1e-3;
    let gap = [0.1; 30];
    let stiffness = [1.0; 30];
    let problem = CompliantStepProblem::new(
        &jacobian,
        &mass,
        CompliantStepInput { free_velocity: &free, gap_rate: &gap, stiffness: &stiffness, exponent: 2.5, compliance },
    )
    .unwrap();
    for iterations in [0, 1, 2, 3, 40] {
        let mut velocity = vec![0.0; 90];
        let mut force = vec![0.0; 30];
        let mut rate = vec![0.0; 30];
        let report =
            CompliantStep::new(Options::new(1e-12, iterations)).solve(&problem, &mut velocity, &mut force).unwrap();
        assert_eq!(report.converged(), iterations == 40, "{report:?}");
        assert!(report.iterations <= 2 * iterations, "{report:?} for {iterations}");
        jacobian.apply(&velocity, &mut rate).unwrap();
        for (force, rate) in force.iter().zip(&rate) {
            let expected = (-(rate + 0.1)).max(0.0).powf(1.5) / compliance.powf(1.5);
            assert!((force - expected).abs() <= 1e-9 * (1.0 + expected), "{force} for {expected}: {report:?}");
        }
        // The residual is that of the worst body, relative to its forces or to those that would each stop one of its
        // contacts.
        let mut pushed = vec![0.0; 90];
        let mut all = vec![0.0; 90];
        let mut stopping = vec![0.0; 90];
        jacobian.apply_transpose(&force, &mut pushed).unwrap();
        jacobian.sizes_of_forces(&force, &mut all).unwrap();
        jacobian.apply(&free, &mut rate).unwrap();
        let mobility = |contact: usize| {
            let bodies = jacobian.pair(contact).into_iter().flatten();
            bodies.map(|body| 1.0 / (1.0 + (body % 7) as f64)).sum::<f64>()
        };
        let stops: Vec<f64> = (0..30).map(|i| (rate[i] + 0.1) / mobility(i)).collect();
        jacobian.sizes_of_forces(&stops, &mut stopping).unwrap();
        let of_body = |i: usize| {
            let inertia = (1.0 + (i % 7) as f64) * (velocity[3 * i] - free[3 * i]);
            (inertia - pushed[3 * i]).abs() / inertia.abs().max(all[3 * i]).max(stopping[3 * i])
        };
        let residual = (0..30).map(of_body).fold(0.0, f64::max);
        assert!((report.residual - residual).abs() <= 1e-9 * residual + 1e-13, "{residual}: {report:?}");
    }
}
