//! The pendulum of `[BG21]`, section 3, step by step against trajectories of 30 and more digits.

use crate::methods::{RODRIGUES_27, TABULATED};
use crate::prelude::*;
use crate::reference::attitude_difference;

/// Tolerance for each number of steps: rounding grows with the number of steps.
const TOLERANCES: [(usize, f64); 5] = [(1, 1e-14), (2, 1e-14), (10, 1e-14), (100, 3e-14), (1000, 3e-13)];

fn assert_follows(method: Method, name: &str, h: f64, tolerances: &[(usize, f64)]) {
    let mut system = pendulum();
    let mut done = 0;
    for &(steps, tolerance) in tolerances {
        system.run(method, h, steps - done, |_, _| ());
        done = steps;
        let row = format!("{name} h={h} N={steps}");
        // The file has N = 2 for the coarse step only.
        if h < 0.1 && steps == 2 {
            continue;
        }
        let error = distance(&system.state, reference("pendulum").at("trajectories").at(&row));
        assert!(error <= tolerance, "{row} by {method:?}: {error:e}");
    }
}

/// The largest difference over quaternion and spin; J = 1, so that spin and angular momentum agree.
fn distance(state: &rrp_integrate::State, expected: Reference) -> f64 {
    let attitude = attitude_difference(state.attitude().get(0), expected.at("q_unit(w,x,y,z)").attitude());
    attitude.max(difference(state.angular_momentum().get(0), expected.at("Omega").vector()))
}

#[test]
fn maps_follow_their_reference_trajectories() {
    for (name, method) in TABULATED {
        assert_follows(method, name, 0.1, &TOLERANCES);
        assert_follows(method, name, 0.01, &TOLERANCES);
    }
}

/// The run ends at N = 100: going to the body frame and back rounds the momentum in each step, also its vertical
/// component, which the other maps keep exactly. At N = 1000 that adds up to 7e-12 for h = 0.1.
#[test]
fn body_frame_map_21_follows_the_trajectory_of_23() {
    assert_follows(Method::BodyFrame, "(23)", 0.1, &TOLERANCES[..4]);
    assert_follows(Method::BodyFrame, "(23)", 0.01, &TOLERANCES[..4]);
}

/// A state extrapolated from two runs of second order, one with half the step of the other.
fn extrapolated(method: Method, h: f64, steps: usize) -> (Attitude, DVec3) {
    let coarse = pendulum().after(method, h, steps);
    let fine = pendulum().after(method, 0.5 * h, 2 * steps);
    let third = |a: Attitude, b: Attitude| {
        Attitude::from_rotation_vector(a.inverse().then(b).to_rotation_vector() / 3.0).unwrap()
    };
    let from = coarse.attitude().get(0);
    let to = fine.attitude().get(0);
    let slow = coarse.angular_momentum().get(0);
    let fast = fine.angular_momentum().get(0);
    (to.then(third(from, to)), fast + (fast - slow) / 3.0)
}

/// With h = 1/1000 and 1/2000 the extrapolation leaves c h⁴ ≲ 1e-12 and the rounding of 2e4 steps.
#[test]
fn second_order_maps_lead_to_the_state_at_10() {
    let expected = reference("pendulum").at("state_at_10");
    for method in [RODRIGUES_23, Method::BodyFrame, RODRIGUES_25, VERLET] {
        let (attitude, spin) = extrapolated(method, 1e-3, 10_000);
        let error = attitude_difference(attitude, expected.at("q_unit(w,x,y,z)").attitude())
            .max(difference(spin, expected.at("Omega").vector()));
        assert!(error <= 1e-11, "{method:?}: {error:e}");
    }
}

/// F₀ = τ₀ = 0 starts (27) and (25) alike, and half a kick is all that they ever differ by.
#[test]
fn euler_27_visits_the_attitudes_of_25_from_a_torque_free_start() {
    let start = |spin| {
        let mut system = pendulum();
        system.state.attitude_mut().set(0, Attitude::IDENTITY);
        system.state.angular_momentum_mut().set(0, spin);
        system
    };
    let spin = DVec3::new(1.0, 0.3, -0.4);
    let [of_25, of_27] = [RODRIGUES_25, RODRIGUES_27].map(|method| start(spin).path(method, 0.1, 100));
    let attitudes = of_25.iter().zip(&of_27).map(|(a, b)| attitude_difference(a.0, b.0)).fold(0.0, f64::max);
    let spins = of_25.iter().zip(&of_27).map(|(a, b)| difference(a.1, b.1)).fold(0.0, f64::max);
    assert!(attitudes <= 1e-13 && spins > 1e-2, "attitudes {attitudes:e}, spins {spins:e}");
}
