//! The one-step form: compatible forces up to a multiple of the compliance.

use cd_solve::conformance::{Assembly, Pyramid, Species};
use cd_solve::{BodyBlocks, CompatibilitySolver, Compatible, OneStep, OneStepProblem, Options};

use crate::support::{Classic, distance};

/// Velocities and forces of bodies of unit mass that the load is about to move, dt = 1.
fn one_step(assembly: &Assembly, exponent: f64, compliance: f64) -> (Vec<f64>, Vec<f64>) {
    let map = assembly.map().unwrap();
    let mass = BodyBlocks::scalar(3, vec![1.0; assembly.bodies]).unwrap();
    let free: Vec<f64> = assembly.load.iter().map(|load| -load).collect();
    let columns = [&free[..], &assembly.gap, &assembly.stiffness];
    let problem = OneStepProblem::new(&map, &mass, columns, exponent, compliance).unwrap();
    let (mut velocity, mut force) = (vec![0.0; map.columns()], vec![0.0; map.contacts()]);
    let report = OneStep::new(Options::new(1e-13, 300)).solve(&problem, &mut velocity, &mut force).unwrap();
    assert!(report.residual < 1e-11, "{report:?}");
    (velocity, force)
}

/// ‖a − b‖ / ‖b‖.
fn relative(a: &[f64], b: &[f64]) -> f64 {
    let square = |sum: f64, x: f64| sum + x * x;
    (a.iter().zip(b).map(|(a, b)| a - b).fold(0.0, square) / b.iter().copied().fold(0.0, square)).sqrt()
}

#[test]
fn the_error_is_linear_in_the_compliance() {
    let laws = [(Species::Uniform, 2.0, 39.8), (Species::EvenSoft, 2.0, 112.0), (Species::Uniform, 2.5, 26.5)];
    for (species, exponent, constant) in laws {
        let assembly = Pyramid::new(20).assembly(species);
        let map = assembly.map().unwrap();
        let mut exact = vec![0.0; assembly.contacts()];
        let problem = assembly.problem(&map, exponent).unwrap();
        let _ = Compatible::new(Options::new(1e-14, 100)).solve(&problem, &mut exact).unwrap();
        for compliance in [1e-6, 1e-9, 1e-12] {
            let (_, force) = one_step(&assembly, exponent, compliance);
            let error = relative(&force, &exact) / compliance;
            assert!(
                (error / constant - 1.0).abs() < 0.01,
                "{species:?}, {exponent}, {compliance:e}: {error} of {constant}"
            );
        }
        // Two compliances tell the first order.
        let ((_, coarse), (_, fine)) = (one_step(&assembly, exponent, 1e-4), one_step(&assembly, exponent, 1e-5));
        let both: Vec<f64> = fine.iter().zip(&coarse).map(|(fine, coarse)| (10.0 * fine - coarse) / 9.0).collect();
        assert!(relative(&both, &exact) < 0.1 * relative(&fine, &exact), "{species:?}, {exponent}");
    }
}

/// Gaps, rattlers and bodies that float need no care: velocities are those of the complementarity problem.
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
