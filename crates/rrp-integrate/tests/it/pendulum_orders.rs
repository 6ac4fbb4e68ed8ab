//! The pendulum of `[BG21]`, section 3: energy error (38), norm error (37) and true distance over a ladder of steps.

use std::sync::LazyLock;

use rrp_geom::Attitude;
use rrp_integrate::State;
use rrp_verify::{EnergyError, Motion, OrderFit, PathComparison, Trapezoid, norm_error};

use crate::methods::{Method, TABULATED, VERLET};
use crate::problems::{energy, pendulum};
use crate::reference::{Reference, close, reference};

/// End of all runs.
const END: f64 = 10.0;

/// Finest rung of the ladder h = 0.2/2ᵏ.
const FINEST: usize = 8;

fn steps(rung: usize) -> usize {
    50 << rung
}

/// The motion of the body. J = 1, so that spin and angular momentum agree.
fn motion(state: &State) -> Motion {
    Motion::turning(state.attitude().get(0), state.angular_momentum().get(0))
}

/// Motions at the grid points of the finest rung, by a run that is `refinement` times finer.
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

/// The true path: Richardson's extrapolation from runs 8 and 16 times finer than the finest rung.
static TRUE_PATH: LazyLock<Vec<Motion>> = LazyLock::new(|| {
    let extrapolate = |(coarse, fine): (Motion, Motion)| {
        let third = coarse.attitude.inverse().then(fine.attitude).to_rotation_vector() / 3.0;
        let attitude = fine.attitude.then(Attitude::from_rotation_vector(third).unwrap());
        Motion::turning(attitude, fine.spin + (fine.spin - coarse.spin) / 3.0)
    };
    sampled(8).into_iter().zip(sampled(16)).map(extrapolate).collect()
});

/// |q|² of the true path, from the file.
fn norm_squared() -> f64 {
    reference("pendulum").at("norm_squared_to_10").number()
}

/// Errors of one run: energy (38), norm (37), true distance relative to |q|.
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
    // The distance is relative to the true |q|, not to its trapezoid on this grid.
    let on_grid = paths.reference_norm_squared() / norm_squared();
    Errors {
        energy: energies.error().unwrap(),
        norm: norm_error(paths.norm_squared(), norm_squared()).unwrap(),
        distance: paths.distance().unwrap() * on_grid.sqrt(),
    }
}

fn ladder(name: &str) -> impl Iterator<Item = (usize, Reference)> {
    reference("pendulum").at("ladder").at(name).rows().enumerate().take(FINEST + 1)
}

/// The observed order over the rungs 3 to 8, all of which must count.
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
    // The trapezoid itself is off by h²/12 [f'] ≈ 1e-7.
    assert!(close(value, norm_squared(), 1e-7), "{value}");
    let end = reference("pendulum").at("state_at_10").at("q_unit(w,x,y,z)").attitude();
    assert!(TRUE_PATH.last().unwrap().attitude.angle_to(end) < 2e-12);
}

#[test]
fn energy_errors_38_are_those_of_the_reference_ladder() {
    for (name, method) in TABULATED {
        for (rung, expected) in ladder(name) {
            let value = errors(method, rung).energy;
            let expected = expected.at("E_error").number();
            assert!(close(value, expected, 1e-6), "{name} rung {rung}: {value:e}, not {expected:e}");
        }
    }
}

#[test]
fn norm_errors_37_and_true_distances_are_those_of_the_reference_ladder() {
    for (name, method) in TABULATED {
        for (rung, expected) in ladder(name) {
            let errors = errors(method, rung);
            let norm = expected.at("q_error37").number();
            let distance = expected.at("H1_true").number();
            // A difference of two nearly equal norms: its square is known to their rounding, not to its own.
            let rounding = (errors.norm.powi(2) - norm.powi(2)).abs();
            assert!(rounding <= 1e-13, "{name} rung {rung}: (37) {:e}, not {norm:e}: {rounding:e}", errors.norm);
            let found = errors.distance;
            assert!(close(found, distance, 1e-6), "{name} rung {rung}: distance {found:e}, not {distance:e}");
        }
    }
}

/// (37) is a root of a difference of squares and so shows half the order of the map.
#[test]
fn orders_are_two_and_one_and_half_of_that_in_the_norm_error() {
    for (name, method) in TABULATED {
        let errors: Vec<Errors> = (0..=FINEST).map(|rung| errors(method, rung)).collect();
        let expected = reference("pendulum").at("orders").at(name);
        let column = |pick: fn(&Errors) -> f64| order(&errors.iter().map(pick).collect::<Vec<_>>());
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
