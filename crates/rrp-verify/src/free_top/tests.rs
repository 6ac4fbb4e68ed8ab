use super::*;
use proptest::prelude::*;
use std::f64::consts::TAU;

fn top(inertia: [f64; 3], spin: [f64; 3]) -> FreeTop {
    FreeTop::new(DVec3::from_array(inertia), DVec3::from_array(spin)).unwrap()
}

/// Integrates Euler's equations by the classical Runge-Kutta method with Richardson extrapolation.
fn integrated(inertia: DVec3, spin: DVec3, time: f64, steps: u32) -> DVec3 {
    let run = |steps: u32| {
        let h = time / f64::from(steps);
        let slope = |w: DVec3| (inertia * w).cross(w) / inertia;
        (0..steps).fold(spin, |w, _| {
            let k1 = slope(w);
            let k2 = slope(w + 0.5 * h * k1);
            let k3 = slope(w + 0.5 * h * k2);
            let k4 = slope(w + h * k3);
            w + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
        })
    };
    let coarse = run(steps);
    let fine = run(2 * steps);
    fine + (fine - coarse) / 15.0
}

#[test]
fn the_tumbling_top_has_its_known_period() {
    let tumbling = top([1.0, 2.0, 3.0], [0.01, 1.0, 0.0]);
    let period = tumbling.period().unwrap();
    // From a 60-digit mean for m = 1/1.0001. With m in f64 the error would be 5e-13: K needs 1 − m.
    assert!((period / 41.509_219_529_338_49 - 1.0).abs() < 1e-15, "{period}");
    assert!((tumbling.parameter().unwrap() - 1.0001_f64.recip()).abs() < 2e-16);
    assert!((tumbling.spin_body(period) - tumbling.spin_body(0.0)).length() < 1e-11);
    // After half a period ω₂ has changed sign.
    assert!((tumbling.spin_body(0.5 * period) - DVec3::new(0.01, -1.0, 0.0)).length() < 1e-11);
}

/// A top that starts near its middle axis spins about the axis between two flips after a quarter of a period.
#[test]
fn flips_next_to_the_separatrix_keep_their_digits() {
    let mut worst = 0.0_f64;
    for power in 4..=20 {
        let small = 10.0_f64.powi(-power);
        for (inertia, spin, circled) in [
            ([1.0, 2.0, 3.0], [small, 1.0, 0.0], 0),
            ([3.0, 1.0, 2.0], [0.0, small, 1.0], 1),
            ([2.0, 1.0, 3.0], [-1.0, small, 0.0], 1),
        ] {
            let exact = top(inertia, spin);
            // The tolerance is for the rounding of the time of the flip, half a unit in the last place.
            let quarter = 0.25 * exact.period().unwrap();
            let found = exact.spin_body(quarter);
            let middle = inertia.iter().position(|&moment| (moment - 2.0).abs() < 1e-9).unwrap();
            let expected = (1.0 + small * small).sqrt();
            worst = worst.max(found[middle].abs()).max((found[circled] - expected).abs());
            let half = exact.spin_body(2.0 * quarter);
            worst = worst.max((half[middle] + spin[middle]).abs());
            // The small component is accurate relative to its own size. The tolerance is for rounding of the time: the
            // component grows by the factor e in the time 1/λ.
            assert!((half[circled] / small - 1.0).abs() < 1e-12, "{power}: {half}");
        }
    }
    assert!(worst < 1e-14, "{worst}");
}

/// The expected period is 4K/λ with λ² = (2 w₂² + 6 w₃²)/6 and K ≈ ½ ln(16/(1 − m)).
#[test]
fn the_period_next_to_the_separatrix_is_that_of_its_data() {
    // L² − 2EJ₂ nearly cancels: w₃² and w₁²/3 differ by 1e-14.
    let w1 = 3.0_f64.sqrt() * 0.5;
    let w3 = 0.5 + 1e-14;
    let exact = top([1.0, 2.0, 3.0], [w1, 0.1, w3]);
    // 3 w₃² − w₁², in integers times 2⁻¹⁰⁶.
    let [a, b] = [w1, w3].map(|w| (w * 2.0_f64.powi(53)) as i128);
    let difference = (3 * b * b - a * a) as f64 * 2.0_f64.powi(-106);
    let complement = 2.0 * difference / (2.0 * 0.01 + 6.0 * w3 * w3);
    let asymptotic = 0.5 * (16.0 / complement).ln();
    let rate = ((2.0 * 0.01 + 6.0 * w3 * w3) / 6.0).sqrt();
    assert!((exact.period().unwrap() * rate / (4.0 * asymptotic) - 1.0).abs() < 1e-12, "{:?}", exact.period());
}

#[test]
fn attitudes_follow_the_spin_and_keep_the_momentum_in_space() {
    let start = Attitude::from_rotation_vector(DVec3::new(0.3, -1.1, 0.7)).unwrap();
    let mut worst = [0.0_f64; 2];
    for (inertia, spin, times) in [
        ([1.0, 2.0, 3.0], [0.9, 0.4, 0.2], [0.7, 31.0, -5.0]),
        ([3.0, 2.0, 1.0], [-0.2, 0.4, -0.9], [0.7, 31.0, -5.0]),
        ([1.0, 2.0, 3.0], [1e-3, 1.0, 0.0], [9.0, 40.0, -25.0]),
        ([2.0, 1.0, 3.0], [1.0, -1e-9, 1e-12], [20.0, 60.0, -30.0]),
        ([1.0, 2.5, 3.0], [0.75, 0.25, -0.75], [3.0, 200.0, -200.0]),
        ([1.0, 1.0, 1.7], [0.3, 0.1, -0.8], [3.0, 50.0, -8.0]),
        ([2.0, 2.0, 2.0], [0.3, 0.1, -0.8], [3.0, 50.0, -8.0]),
    ] {
        let exact = top(inertia, spin);
        let inertia = DVec3::from_array(inertia);
        let momentum = |time: f64| exact.attitude(start, time).rotate(inertia * exact.spin_body(time));
        assert!(exact.attitude(start, 0.0).angle_to(start) < 1e-15);
        for time in times {
            worst[0] = worst[0].max((momentum(time) - momentum(0.0)).length() / momentum(0.0).length());
            let turn = |by: f64| {
                let [from, to] = [-by, by].map(|by| exact.attitude(start, time + by));
                to.then(from.inverse()).to_rotation_vector() / (2.0 * by)
            };
            let rate = (4.0 * turn(1e-3) - turn(2e-3)) / 3.0;
            worst[1] = worst[1].max((rate - exact.spin_body(time)).length());
        }
    }
    assert!(worst[0] < 1e-13 && worst[1] < 1e-10, "{worst:?}");
}

#[test]
fn all_orders_of_the_axes_and_all_signs_solve_eulers_equations() {
    let moments =
        [[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [2.0, 1.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0], [3.0, 2.0, 1.0]];
    let mut worst = 0.0_f64;
    for inertia in moments {
        for bits in 0..8 {
            let sign = |bit: u32| if bits >> bit & 1 == 1 { -1.0 } else { 1.0 };
            for size in [[0.9, 0.4, 0.2], [0.2, 0.4, 0.9], [0.01, 1.0, 0.0]] {
                let spin = [sign(0) * size[0], sign(1) * size[1], sign(2) * size[2]];
                let exact = top(inertia, spin);
                let inertia = DVec3::from_array(inertia);
                let spin = DVec3::from_array(spin);
                assert!((exact.spin_body(0.0) - spin).length() < 1e-15);
                let reference = integrated(inertia, spin, 6.0, 2000);
                worst = worst.max((exact.spin_body(6.0) - reference).length());
            }
        }
    }
    assert!(worst < 1e-12, "{worst}");
}

#[test]
fn symmetric_tops_precess_uniformly() {
    // J₁ = J₂ = J, oblate and prolate: ω precesses about axis 3 at the rate (J₃ − J) ω₃/J.
    for (equal, axial) in [(1.0, 1.7), (1.7, 1.0)] {
        let exact = top([equal, equal, axial], [0.3, 0.1, -0.8]);
        let rate = (axial - equal) * -0.8 / equal;
        assert!((exact.period().unwrap() - TAU / rate.abs()).abs() < 1e-13);
        assert!(exact.parameter().unwrap().abs() < 1e-15);
        let (sine, cosine) = (rate * 5.0_f64).sin_cos();
        let expected = DVec3::new(0.3 * cosine - 0.1 * sine, 0.3 * sine + 0.1 * cosine, -0.8);
        assert!((exact.spin_body(5.0) - expected).length() < 1e-14, "{:?}", exact.spin_body(5.0));
    }
}

#[test]
fn steady_rotations_stay() {
    let cases = [
        ([2.0, 2.0, 2.0], [0.3, 0.1, -0.8]),
        ([1.0, 2.0, 3.0], [0.0, 1.0, 0.0]),
        ([1.0, 2.0, 3.0], [0.0, 0.0, -1.0]),
        ([1.0, 2.0, 3.0], [-1.0, 0.0, 0.0]),
        ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]),
        ([2.0, 2.0, 3.0], [0.4, 0.3, 0.0]),
        ([1.0, 2.0, 2.0], [0.0, 0.3, 0.4]),
    ];
    for (inertia, spin) in cases {
        let exact = top(inertia, spin);
        assert_eq!((exact.period(), exact.parameter()), (None, None), "{inertia:?} {spin:?}");
        assert_eq!(exact.spin_body(1e3), DVec3::from_array(spin));
    }
}

#[test]
fn the_separatrix_ends_on_the_middle_axis() {
    // J₁ (J₂ − J₁) = J₃ (J₃ − J₂) = 1.5 exactly.
    for inertia in [DVec3::new(1.0, 2.5, 3.0), DVec3::new(3.0, 2.5, 1.0)] {
        for bits in 0..8 {
            let sign = |bit: u32| if bits >> bit & 1 == 1 { -1.0 } else { 1.0 };
            let spin = DVec3::new(0.75 * sign(0), 0.25 * sign(1), 0.75 * sign(2));
            let exact = FreeTop::new(inertia, spin).unwrap();
            assert_eq!((exact.period(), exact.parameter()), (None, Some(1.0)));
            for time in [-4.0, 0.0, 3.0] {
                let reference = integrated(inertia, spin, time, 2000);
                assert!((exact.spin_body(time) - reference).length() < 1e-12, "{inertia} {spin} {time}");
            }
            let end = exact.angular_momentum() / 2.5;
            let late = exact.spin_body(1e4);
            let early = exact.spin_body(-1e4);
            assert!((late.y.abs() - end).abs() < 1e-15 && (late + early).length() < 1e-15);
        }
    }
    let close = top([1.0, 2.5, 3.0], [1e-170, 1.0, -1e-170]).spin_body(1e4);
    assert!((close - DVec3::Y).length() < 1e-15 || (close + DVec3::Y).length() < 1e-15, "{close}");
}

#[test]
fn extreme_scales_do_not_overflow() {
    let small = top([1e-150, 2e-150, 3e-150], [1e-160, 1e-158, 0.0]);
    let large = top([1e150, 2e150, 3e150], [1e158, 1e160, 0.0]);
    let reference = top([1.0, 2.0, 3.0], [0.01, 1.0, 0.0]).period().unwrap();
    assert!((small.period().unwrap() * 1e-158 / reference - 1.0).abs() < 1e-14);
    assert!((large.period().unwrap() * 1e160 / reference - 1.0).abs() < 1e-14);
    assert!((small.angular_momentum() / 2e-308 - 1.0).abs() < 1e-4 && (large.energy()).is_infinite());
    let huge = top([1e-150, 2e-150, 3e-150], [1e158, 1e160, 0.0]);
    assert!((huge.energy() / 1e170 - 1.0).abs() < 1e-4 && (huge.angular_momentum() / 2e10 - 1.0).abs() < 1e-4);
    assert!(huge.attitude(Attitude::IDENTITY, 1e-160).to_matrix().is_finite());
    assert!(top([1.0, 2.0, 3.0], [1e-200, 0.0, 1.0]).spin_body(1.0).is_finite());
}

#[test]
fn refusals() {
    assert!(matches!(
        FreeTop::new(DVec3::new(1.0, 0.0, 1.0), DVec3::X),
        Err(VerifyError::InvalidInertia { axis: 1, .. })
    ));
    assert!(matches!(
        FreeTop::new(DVec3::ONE, DVec3::new(0.0, 0.0, f64::NAN)),
        Err(VerifyError::NotFinite { index: 2, .. })
    ));
}

proptest! {
    #[test]
    fn energy_and_momentum_stay_and_the_period_closes(
        inertia in proptest::array::uniform3(0.1_f64..10.0),
        spin in proptest::array::uniform3(-10.0_f64..10.0),
        time in -20.0_f64..20.0,
    ) {
        let exact = top(inertia, spin);
        let inertia = DVec3::from_array(inertia);
        let now = exact.spin_body(time);
        prop_assert!((0.5 * now.dot(inertia * now) / exact.energy() - 1.0).abs() < 1e-12);
        prop_assert!(((inertia * now).length() / exact.angular_momentum() - 1.0).abs() < 1e-12);
        if let Some(period) = exact.period() {
            let later = exact.spin_body(time + period);
            prop_assert!((later - now).length() < 1e-9 * now.length(), "{now} {later}");
        }
    }
}
