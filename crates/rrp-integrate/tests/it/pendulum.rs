//! The pendulum of `[BG21]`, section 3: trajectories against references of 30 and more digits; energy error (38), norm
//! error (37) and distance for a ladder of time steps.

use std::sync::LazyLock;

use rrp_verify::{EnergyError, Motion, OrderFit, PathComparison, Trapezoid, norm_error};

use crate::methods::{RODRIGUES_27, TABULATED};
use crate::prelude::*;
use crate::problems::energy;
use crate::reference::attitude_difference;

/// Tolerance for each number of steps: rounding errors grow with the number of steps.
const TOLERANCES: [(usize, f64); 5] = [(1, 1e-14), (2, 1e-14), (10, 1e-14), (100, 3e-14), (1000, 3e-13)];

fn assert_follows(method: Method, name: &str, h: f64, tolerances: &[(usize, f64)]) {
    let mut system = pendulum();
    let mut done = 0;
    for &(steps, tolerance) in tolerances {
        system.run(method, h, steps - done, |_, _| ());
        done = steps;
        let row = format!("{name} h={h} N={steps}");
        if h < 0.1 && steps == 2 {
            continue;
        }
        let error = distance(&system.state, reference("pendulum").at("trajectories").at(&row));
        assert!(error <= tolerance, "{row} by {method:?}: {error:e}");
    }
}

/// Largest difference of quaternion and spin; J = 1, so spin and angular momentum agree.
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

/// The run ends at N = 100, since conversions to the body frame and back round the momentum in each step. The error at
/// N = 1000 would be 7e-12 for h = 0.1. The other maps keep the vertical component exactly.
#[test]
fn body_frame_map_21_follows_the_trajectory_of_23() {
    assert_follows(Method::BodyFrame, "(23)", 0.1, &TOLERANCES[..4]);
    assert_follows(Method::BodyFrame, "(23)", 0.01, &TOLERANCES[..4]);
}

/// State extrapolated from two runs of second order, with the steps h and h/2.
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

/// For h = 1/1000 and 1/2000 the extrapolation leaves an error c h⁴ ≲ 1e-12, and the rounding of 2e4 steps.
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

/// With F₀ = τ₀ = 0, (27) and (25) visit the same attitudes; their momenta differ by half a kick.
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

const END: f64 = 10.0;

/// Number k of the finest step in the ladder h = 0.2/2ᵏ.
const FINEST: usize = 8;

fn steps(rung: usize) -> usize {
    50 << rung
}

/// Motion of the body; J = 1, so spin and angular momentum agree.
fn motion(state: &State) -> Motion {
    Motion::turning(state.attitude().get(0), state.angular_momentum().get(0))
}

/// Motions at the grid points of the finest step, from a run with `refinement` times as many steps.
fn sampled(refinement: usize) -> Vec<Motion> {
    let mut system = pendulum();
    let mut path = vec![motion(&pendulum().state)];
    let mut step = 0;
    let count = steps(FINEST) * refinement;
    system.run(VERLET, END / count as f64, count, |_, state| {
        step += 1;
        if step % refinement == 0 {
            path.push(motion(state));
        }
    });
    path
}

/// Exact path, by Richardson extrapolation from runs 8 and 16 times finer than the finest step.
static TRUE_PATH: LazyLock<Vec<Motion>> = LazyLock::new(|| {
    let extrapolate = |(coarse, fine): (Motion, Motion)| {
        let third = coarse.attitude.inverse().then(fine.attitude).to_rotation_vector() / 3.0;
        let attitude = fine.attitude.then(Attitude::from_rotation_vector(third).unwrap());
        Motion::turning(attitude, fine.spin + (fine.spin - coarse.spin) / 3.0)
    };
    sampled(8).into_iter().zip(sampled(16)).map(extrapolate).collect()
});

fn norm_squared() -> f64 {
    reference("pendulum").at("norm_squared_to_10").number()
}

/// Errors of one run: energy (38), norm (37), and distance to the exact path relative to |q|.
#[derive(Debug, Clone, Copy)]
struct Errors {
    energy: f64,
    norm: f64,
    distance: f64,
}

fn errors(method: Method, rung: usize) -> Errors {
    let mut system = pendulum();
    let field = system.field;
    let h = END / steps(rung) as f64;
    let mut energies = EnergyError::new(h, system.energy()).unwrap();
    let mut paths = PathComparison::new(h).unwrap();
    let mut truth = TRUE_PATH.iter().step_by(1 << (FINEST - rung));
    let mut push = |energy, motion| {
        energies.push(energy);
        paths.push(&[motion], &[*truth.next().unwrap()]).unwrap();
    };
    push(system.energy(), motion(&system.state));
    system.run(method, h, steps(rung), |bodies, state| push(energy(&field, bodies, state), motion(state)));
    // The distance is relative to the exact |q|, not to its trapezoidal sum on this grid.
    let on_grid = paths.reference_norm_squared() / norm_squared();
    Errors {
        energy: energies.error().unwrap(),
        norm: norm_error(paths.norm_squared(), norm_squared()).unwrap(),
        distance: paths.distance().unwrap() * on_grid.sqrt(),
    }
}

/// Observed order over the steps 3 to 8 of the ladder; the fit must use all of them.
fn order(errors: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> =
        errors.iter().enumerate().skip(3).map(|(rung, &error)| (END / steps(rung) as f64, error)).collect();
    let fit = OrderFit::new(0.0).unwrap().fit(&points).unwrap();
    assert!(fit.dropped.is_empty(), "{:?}", fit.dropped);
    fit.order
}

#[test]
fn the_true_path_has_the_reference_norm_and_end() {
    let mut rule = Trapezoid::new(END / steps(FINEST) as f64).unwrap();
    TRUE_PATH.iter().for_each(|motion| rule.push(motion.norm_squared()));
    let value = rule.integral();
    // The trapezoidal rule has an error of h²/12 [f'] ≈ 1e-7.
    assert!(close(value, norm_squared(), 1e-7), "{value}");
    let end = reference("pendulum").at("state_at_10").at("q_unit(w,x,y,z)").attitude();
    assert!(TRUE_PATH.last().unwrap().attitude.angle_to(end) < 2e-12);
}

/// (37) is the root of a difference of squares, so its order is half that of the map.
#[test]
fn errors_and_orders_are_those_of_the_reference_ladder() {
    for (name, method) in TABULATED {
        let mut found = vec![];
        for (rung, expected) in reference("pendulum").at("ladder").at(name).rows().enumerate().take(FINEST + 1) {
            let errors = errors(method, rung);
            let [energy, norm, distance] = ["E_error", "q_error37", "H1_true"].map(|key| expected.at(key).number());
            assert!(close(errors.energy, energy, 1e-6), "{name} rung {rung}: {errors:?}, not {energy:e}");
            // (37) cancels: its square is known to the rounding of the two norms.
            let rounding = (errors.norm.powi(2) - norm.powi(2)).abs();
            assert!(rounding <= 1e-13, "{name} rung {rung}: (37) {errors:?}, not {norm:e}: {rounding:e}");
            assert!(close(errors.distance, distance, 1e-6), "{name} rung {rung}: {errors:?}, not {distance:e}");
            found.push(errors);
        }
        assert_eq!(found.len(), FINEST + 1, "{name}");
        let expected = reference("pendulum").at("orders").at(name);
        let column = |pick: fn(&Errors) -> f64| order(&found.iter().map(pick).collect::<Vec<_>>());
        let claimed = f64::from(method.with_step(0.1).scheme().order);
        for (what, value, tabulated, claim) in [
            ("energy", column(|e| e.energy), expected.at("E_error").number(), claimed),
            ("norm", column(|e| e.norm), expected.at("q_error37").number(), 0.5 * claimed),
            ("distance", column(|e| e.distance), expected.at("H1_true").number(), claimed),
        ] {
            assert!((value - tabulated).abs() < 0.01, "{name}: {what} {value}, tabulated {tabulated}");
            assert!((value - claim).abs() < 0.05, "{name}: {what} {value}, claimed {claim}");
        }
    }
}
