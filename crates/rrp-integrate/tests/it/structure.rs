//! Invariants of the maps on the pendulum: modified energies, momenta, reversibility.

use crate::methods::{RODRIGUES_27, SPLITTING};
use crate::prelude::*;
use crate::problems::energy;

fn arm(state: &State) -> DVec3 {
    state.attitude().get(0).rotate(DVec3::Z)
}

/// The angular momentum, which equals Ω here since J = 1.
fn momentum(state: &State) -> DVec3 {
    state.angular_momentum().get(0)
}

fn drift(method: Method, h: f64, steps: usize, quantity: impl Fn(&State) -> f64) -> f64 {
    let mut system = pendulum();
    let start = quantity(&system.state);
    let mut worst = 0.0_f64;
    system.run(method, h, steps, |_, state| worst = worst.max((quantity(state) - start).abs()));
    worst
}

/// The energy E plus a function `correction` of the torque and the angular momentum.
fn modified_energy(correction: impl Fn(DVec3, DVec3) -> f64) -> impl Fn(&State) -> f64 {
    move |state| {
        let system = pendulum();
        energy(&system.field, &system.bodies, state) + correction(arm(state).cross(DVec3::Z), momentum(state))
    }
}

/// The modified energy E − h²|τ|²/(8J) is constant for any potential linear in R.
#[test]
fn newmark_25_keeps_its_modified_energy() {
    for h in [0.1, 0.5, 1.5] {
        let exact =
            drift(RODRIGUES_25, h, 100_000, modified_energy(|torque, _| -h * h * torque.length_squared() / 8.0));
        let plain = drift(RODRIGUES_25, h, 100_000, modified_energy(|_, _| 0.0));
        assert!(exact <= 2e-13, "h={h}: {exact:e}");
        // The maximum of |τ|² along the path is 1, the initial value 1/2.
        assert!(close(plain, h * h / 16.0, 1e-3), "h={h}: {plain:e}");
    }
}

/// The modified energy E + (h/2) Ω·τ is constant for any potential linear in R.
#[test]
fn euler_27_keeps_its_modified_energy() {
    for h in [0.1, 0.5, 1.5] {
        let exact = drift(RODRIGUES_27, h, 100_000, modified_energy(|torque, spin| 0.5 * h * spin.dot(torque)));
        assert!(exact <= 2e-13, "h={h}: {exact:e}");
    }
}

#[test]
fn legendre_23_has_no_such_energy() {
    let modified =
        drift(RODRIGUES_23, 0.1, 100_000, modified_energy(|torque, _| -0.01 * torque.length_squared() / 8.0));
    assert!(close(modified, 7.609_359_808_75e-3, 1e-6), "{modified:e}");
}

/// Checks the drift of the spin R ρ₀·Ω about the arm. Rounding makes it a random walk of about 5e-17 √N; three times as
/// much is allowed.
fn assert_spin_about_the_arm(steps: u32) {
    for method in [RODRIGUES_23, RODRIGUES_25, RODRIGUES_27] {
        let worst = drift(method, 0.1, steps as usize, |state| arm(state).dot(momentum(state)));
        let allowed = 1.58e-16 * f64::from(steps).sqrt();
        assert!(worst <= allowed, "{method:?}: {worst:e}");
    }
}

#[test]
#[ignore = "soak: thirty million steps"]
fn ten_million_steps_keep_the_spin_about_the_arm() {
    assert_spin_about_the_arm(10_000_000);
}

#[test]
fn explicit_maps_keep_the_spin_about_the_arm() {
    assert_spin_about_the_arm(1_000_000);
}

/// The torque of the weight has no vertical component, and the maps add none.
#[test]
fn spin_about_the_vertical_keeps_its_bits() {
    for method in [RODRIGUES_23, RODRIGUES_25, RODRIGUES_27, VERLET, SPLITTING, Method::Implicit(0.5)] {
        let worst = drift(method, 0.1, 10_000, |state| momentum(state).z);
        assert!(worst <= 0.0, "{method:?}: {worst:e}");
    }
}

/// Map (26) with φ < 1 loses the spin about the arm, unlike the other maps. The reference file has the expected
/// numbers.
#[test]
fn implicit_26_does_not_keep_the_spin_about_the_arm() {
    for (weight, name) in [(0.5, "(26)phi=1/2"), (0.0, "(26)phi=0")] {
        let worst = drift(Method::Implicit(weight), 0.2, 50, |state| arm(state).dot(momentum(state)));
        let coarsest = reference("pendulum").at("ladder").at(name).rows().next().unwrap();
        assert!(close(worst, coarsest.at("drift_RrhoOm").number(), 1e-9), "φ={weight}: {worst:e}");
    }
}

/// Largest difference in R and Ω from the start, after `steps` steps forwards and as many backwards.
fn irreversibility(method: Method, steps: usize) -> f64 {
    let mut system = pendulum();
    let start = system.state.clone();
    for _ in 0..2 {
        system.run(method, 0.1, steps, |_, _| ());
        system.state.reverse();
    }
    let matrix = |state: &State| state.attitude().get(0).to_matrix();
    let entries = (matrix(&system.state) - matrix(&start)).to_cols_array();
    entries.into_iter().map(f64::abs).fold(0.0, f64::max).max(difference(momentum(&system.state), momentum(&start)))
}

#[test]
fn second_order_maps_run_backwards() {
    for method in [RODRIGUES_23, RODRIGUES_25, VERLET, SPLITTING] {
        let distance = irreversibility(method, 1000);
        assert!(distance <= 1e-12, "{method:?}: {distance:e}");
    }
}

#[test]
fn first_order_maps_do_not_run_backwards() {
    for (method, expected) in
        [(RODRIGUES_27, 0.005_052_101), (Method::Implicit(0.5), 0.005_052_260), (Method::Implicit(0.0), 0.005_052_312)]
    {
        let distance = irreversibility(method, 1);
        assert!(close(distance, expected, 1e-6), "{method:?}: {distance:e}");
    }
}

/// In the fourth step h|P| reaches one: the step is refused and leaves the state unchanged.
#[test]
fn legendre_23_refuses_a_turn_beyond_its_range() {
    let mut system = pendulum();
    let mut map = RODRIGUES_23.with_step(0.6);
    let mut good = 0;
    let error = loop {
        let before = system.state.clone();
        match map.step(&system.bodies, &mut system.field, &mut system.state) {
            Ok(_) => good += 1,
            Err(error) => {
                assert_eq!((&system.state, system.state.wrenches()), (&before, before.wrenches()));
                break error;
            }
        }
    };
    assert!(
        matches!(error, IntegrateError::TurnTooLarge { body: 0, turn, dt_limit } if turn >= 1.0 && dt_limit < 0.6),
        "{error}"
    );
    assert_eq!(good, 3, "the spec counts the first bad step as number 4");
}

#[test]
fn newmark_25_takes_steps_up_to_two() {
    let worst = drift(RODRIGUES_25, 2.0, 100_000, modified_energy(|_, _| 0.0));
    assert!(close(worst, 0.25, 1e-6), "{worst:e}");
}
