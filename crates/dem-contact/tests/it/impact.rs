//! Tests of impacts of two spheres: against LAMMPS and against the analytic solution.

use crate::prelude::*;

const STIFFNESS: f64 = 195_000.0;

/// Contact time of two undamped unit spheres.
fn contact_time() -> f64 {
    std::f64::consts::PI * (0.5 / STIFFNESS).sqrt()
}

fn field(gamma: f64, gamma_t: f64, uncapped: bool, cut_off: bool) -> Box<dyn ForceField> {
    let mut law = Hooke::new(STIFFNESS, Damping::coefficient(gamma).unwrap()).unwrap();
    if cut_off {
        law = law.capped();
    }
    if uncapped {
        Box::new(open(law, Viscous::new(gamma_t).unwrap()))
    } else {
        Box::new(open(law, CoulombViscous::new(gamma_t, 0.0).unwrap()))
    }
}

/// Kinetic energies of one sphere after the impact: translation, rotation.
fn impact(field: &mut dyn ForceField, x0: f64, v: f64, dy: f64, dt: f64) -> (f64, f64) {
    let (bodies, mut state) = spheres(&[DVec3::new(x0, 0.5 * dy, 0.0), DVec3::new(-x0, -0.5 * dy, 0.0)]);
    state.velocity_mut().set(0, DVec3::new(-v, 0.0, 0.0));
    state.velocity_mut().set(1, DVec3::new(v, 0.0, 0.0));
    let steps = ((2.0 * (x0 - 0.5) / v + 0.05) / dt) as usize;
    advance(&bodies, field, &mut state, dt, steps);
    let separation = state.position().get(0) - state.position().get(1);
    assert!(separation.length() > 1.0 && separation.dot(state.velocity().get(0)) > 0.0, "still in contact");
    let spin = state.spin(&bodies, 0);
    (0.5 * state.velocity().get(0).length_squared(), 0.5 * bodies.inertia().get(0).x * spin.length_squared())
}

#[test]
fn final_energies_are_those_of_lammps() {
    let sweep = csv("impact_phase_sweep.csv");
    let spread = |row: &std::collections::HashMap<String, String>, column: &str| {
        let same = sweep.iter().filter(|other| {
            ["gamma_n", "dy", "tc_over_dt"].iter().all(|c| (number(other, c) - number(row, c)).abs() < 1e-9)
        });
        let values: Vec<f64> = same.map(|other| number(other, column)).collect();
        let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(l, h), &v| (l.min(v), h.max(v)));
        if values.is_empty() { 0.0 } else { high - low }
    };
    let mut checked = 0;
    let mut worst = [0.0_f64; 2];
    for row in csv("impact_summary.csv").iter().filter(|row| (number(row, "tc_over_dt") - 160.0).abs() < 1e-9) {
        let uncapped = number(row, "mu") > 1.0;
        let mut field = field(number(row, "gamma_n"), number(row, "gamma_t"), uncapped, row["lim"] == "limit_damping");
        let (x0, v, initial) = (number(row, "x0"), number(row, "v"), 0.5 * number(row, "v").powi(2));
        let found = impact(&mut *field, x0, v, number(row, "dy"), number(row, "dt"));
        for (k, (found, column)) in [(found.0, "KT_final"), (found.1, "KR_final")].into_iter().enumerate() {
            let error = (found - number(row, column)).abs() / initial;
            let allowed = 1e-3_f64.max(spread(row, column) / initial);
            assert!(error <= allowed, "{} {column}: {found} off by {error:e} > {allowed:e}", row["name"]);
            worst[k] = worst[k].max(error);
        }
        checked += 1;
    }
    assert_eq!(checked, 20);
    println!("largest differences: translation {:e}, rotation {:e} of the initial energy", worst[0], worst[1]);
}

/// Velocity error after one undamped contact time, started at the touch.
fn velocity_error(gamma: f64, steps: usize) -> f64 {
    let law = Hooke::new(STIFFNESS, Damping::coefficient(gamma).unwrap()).unwrap();
    let mut field = open(law, Frictionless);
    let (bodies, mut state) = spheres(&[DVec3::X * 0.5, DVec3::X * -0.5]);
    state.velocity_mut().set(0, -DVec3::X);
    state.velocity_mut().set(1, DVec3::X);
    // The time is a little before the end: at s = t_c the undamped spheres part, where the law has a kink.
    let time = 0.9 * contact_time();
    advance(&bodies, &mut field, &mut state, time / steps as f64, steps);
    // [DK21] (34) with b = γ_n/2: v = −e^{−bs} (cos ws − b/w sin ws)
    let b = 0.5 * gamma;
    let w = (2.0 * STIFFNESS - b * b).sqrt();
    let exact = -(-b * time).exp() * ((w * time).cos() - b / w * (w * time).sin());
    (state.velocity().get(0).x - exact).abs()
}

#[test]
fn order_inside_a_contact() {
    for (gamma, order) in [(0.0, 2.0), (60.0, 1.0)] {
        let errors: Vec<f64> = [64, 128, 256, 512].map(|steps| velocity_error(gamma, steps)).to_vec();
        for pair in errors.windows(2) {
            let found = (pair[0] / pair[1]).log2();
            // Damping is taken at the half-kicked velocity, hence order one.
            assert!((found - order).abs() < 0.1, "gamma {gamma}: order {found}, errors {errors:?}");
        }
    }
}
