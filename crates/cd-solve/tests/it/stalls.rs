//! Newton's method where plain steps lead nowhere, and where the iterations run out.

use cd_solve::{CompliantStep, CompliantStepInput, CompliantStepProblem};

use crate::prelude::*;

/// Bodies on a line, each with a contact to the next, the first with a wall.
fn chain(bodies: usize, coefficient: f64) -> ContactJacobian {
    let pair = |i: usize| -> BodyPair { [i.checked_sub(1), Some(i)] };
    let pairs: Vec<BodyPair> = (0..bodies).map(pair).collect();
    ContactJacobian::new(3, bodies, &pairs, &padded(1, &[-coefficient, coefficient].repeat(bodies))).unwrap()
}

/// The squares of such coefficients are infinite: no step can be computed.
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

/// Whatever the iterations allow, velocity, forces and residual are those of one point.
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
        // The worst body, in the size of its forces, or of those that would each stop one of its contacts alone.
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
