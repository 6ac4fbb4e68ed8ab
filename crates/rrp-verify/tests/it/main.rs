//! The checks of this crate on the pendulum of `[BG21]`, section 3, against independently computed numbers.

use rrp_geom::glam::{DQuat, DVec3};
use rrp_geom::{Attitude, RodriguesVector};
use rrp_verify::{ConservationMonitor, EnergyError, Motion, OrderFit, PathComparison, norm_error};

/// Errors of map (25) over T = 10 with h = 0.2/2^k. Columns: h, (38), (37) and the H¹ distance.
const MAP_25: [[f64; 4]; 6] = [
    [0.1, 0.000504731460928287, 0.03048093846521986, 0.002556013830285396],
    [0.05, 0.0001261436352149383, 0.01503600109276677, 0.000639640541564593],
    [0.025, 3.153345528816505e-05, 0.00754684630823255, 0.00015994999507633632],
    [0.0125, 7.883210452384634e-06, 0.003806752483527018, 3.998999065631487e-05],
    [0.00625, 1.9707930258849007e-06, 0.0019069048798777877, 9.99765341564181e-06],
    [0.003125, 4.926976566268619e-07, 0.0009470833336375729, 2.4994230882730657e-06],
];
/// Squared norm |q|² of the exact motion over T = 10.
const NORM_SQUARED: f64 = 66.863_016_068_494_67;

/// The torque (R ρ₀) × e₃ with ρ₀ = e₃ and m = g = 1.
fn torque(attitude: Attitude) -> DVec3 {
    attitude.rotate(DVec3::Z).cross(DVec3::Z)
}

fn energy(motion: &Motion) -> f64 {
    0.5 * motion.spin.length_squared() - motion.attitude.rotate(DVec3::Z).z
}

fn start() -> Motion {
    let attitude = Attitude::from_rotation_vector(DVec3::Y * (0.75 * std::f64::consts::PI)).unwrap();
    Motion::turning(attitude, DVec3::new(0.2, 0.0, 0.2))
}

/// Takes one step of map `[BG21] (25)`.
fn map_25(motion: &mut Motion, h: f64) {
    let half = motion.spin + 0.5 * h * torque(motion.attitude);
    motion.attitude = motion.attitude.turned(RodriguesVector::new(h * half).unwrap());
    motion.spin = half + 0.5 * h * torque(motion.attitude);
}

/// Takes one step of the classical Runge-Kutta method for (q, Ω), with q̇ = (0, Ω) q/2.
fn reference(motion: &mut Motion, h: f64) {
    let slope = |q: DQuat, spin: DVec3| {
        let rate = DQuat::from_xyzw(0.5 * spin.x, 0.5 * spin.y, 0.5 * spin.z, 0.0);
        (rate * q, (q * DVec3::Z).cross(DVec3::Z))
    };
    let q = motion.attitude.to_quaternion();
    let spin = motion.spin;
    let k1 = slope(q, spin);
    let k2 = slope(q + k1.0 * (0.5 * h), spin + 0.5 * h * k1.1);
    let k3 = slope(q + k2.0 * (0.5 * h), spin + 0.5 * h * k2.1);
    let k4 = slope(q + k3.0 * h, spin + h * k3.1);
    let turned = q + (k1.0 + (k2.0 + k3.0) * 2.0 + k4.0) * (h / 6.0);
    motion.attitude = Attitude::from_quaternion(turned.normalize()).unwrap();
    motion.spin = spin + h / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
}

/// Errors (38) and (37) and the H¹ distance, relative to the norm of the exact motion.
fn errors(h: f64) -> [f64; 3] {
    let steps = (10.0 / h).round() as u32;
    let fine = steps.max(1600) / steps * 4;
    let mut ours = start();
    let mut exact = start();
    let mut comparison = PathComparison::new(h).unwrap();
    let mut energies = EnergyError::new(h, energy(&ours)).unwrap();
    for step in 0..=steps {
        comparison.push(&[ours], &[exact]).unwrap();
        energies.push(energy(&ours));
        if step < steps {
            map_25(&mut ours, h);
            (0..fine).for_each(|_| reference(&mut exact, h / f64::from(fine)));
        }
    }
    let norm = norm_error(comparison.norm_squared(), NORM_SQUARED).unwrap();
    [energies.error().unwrap(), norm, (comparison.distance_squared() / NORM_SQUARED).sqrt()]
}

#[test]
fn the_three_errors_of_the_explicit_map_and_their_orders() {
    let mut ladders = [const { Vec::new() }; 3];
    for [h, known @ ..] in MAP_25 {
        for ((found, known), ladder) in errors(h).into_iter().zip(known).zip(&mut ladders) {
            assert!((found / known - 1.0).abs() < 1e-5, "h = {h}: {found:e} instead of {known:e}");
            ladder.push((h, found));
        }
    }
    let fit = OrderFit::new(1e-12).unwrap();
    for (ladder, order) in ladders.iter().zip([2.0, 1.0, 2.0]) {
        let found = fit.fit(ladder).unwrap();
        assert!((found.order - order).abs() < 0.05, "{found:?}");
        assert_eq!(found.used.len(), MAP_25.len());
    }
}

#[test]
fn energy_is_bounded_by_a_sixteenth_of_the_squared_step_without_slope() {
    let mut motion = start();
    let mut monitor = ConservationMonitor::new();
    for step in 0..300_000 {
        monitor.push(0.1 * f64::from(step), energy(&motion));
        map_25(&mut motion, 0.1);
    }
    let report = monitor.report().unwrap();
    assert!((report.largest_deviation / 6.25e-4 - 1.0).abs() < 1e-3, "{report:?}");
    assert!((report.first_window / report.last_window - 1.0).abs() < 1e-3, "{report:?}");
    assert!(!report.has_secular_slope(4.0) && report.slope_error < 2e-11, "{report:?}");
}
