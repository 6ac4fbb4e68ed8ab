//! Global damping: closed forms, order, energy balance and refused parameters.

use rrp_integrate::Potential;
use rrp_integrate::step::{Damped, GlobalDamping};
use rrp_parallel::ExactSum;

use crate::prelude::*;

const G: f64 = 10.0;
const FALL: Gravity = Gravity { acceleration: DVec3::new(0.0, 0.0, -G) };
const VISCOUS: GlobalDamping = GlobalDamping::Viscous { rate: 2.0 };
const CUNDALL: GlobalDamping = GlobalDamping::Cundall { coefficient: 0.6 };

#[derive(Clone, Copy)]
struct Springs(f64);

impl ForceField for Springs {
    fn accumulate(&mut self, _: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        (0..state.len()).for_each(|i| out.force.add(i, -self.0 * state.position().get(i)));
        Ok(())
    }
}

impl Potential for Springs {
    fn energy(&self, _: &Bodies, state: &State) -> f64 {
        state.position().iter().map(|x| 0.5 * self.0 * x.length_squared()).sum()
    }
}

fn ball() -> Bodies {
    Bodies::new([Body::sphere(2.0, 0.5)]).unwrap()
}

fn thrown(velocity: f64) -> State {
    let mut state = State::at_rest(1);
    state.velocity_mut().set(0, DVec3::Z * velocity);
    state
}

/// Takes `steps` steps, and returns the energy that damping has taken.
fn run(damping: GlobalDamping, dt: f64, steps: usize, field: &mut dyn ForceField, state: &mut State) -> f64 {
    let mut map = Damped::new(Map::Rodrigues25, dt, damping).unwrap();
    (0..steps).for_each(|_| assert_eq!(map.step(&ball(), field, state).unwrap().iterations, 0));
    map.work()
}

#[test]
fn falling_bodies_reach_the_speed_g_over_c() {
    let mut state = thrown(0.0);
    run(VISCOUS, 0.05, 20, &mut { FALL }, &mut state);
    let expected = -G / 2.0 * (1.0 - (-2.0_f64).exp());
    assert!((state.velocity().get(0).z - expected).abs() < 1e-13, "{}", state.velocity().get(0).z);
    run(VISCOUS, 0.5, 100, &mut { FALL }, &mut state);
    assert!((state.velocity().get(0).z + G / 2.0).abs() < 1e-13);
}

/// Cundall's damping reduces the weight of falling bodies by the factor 1 − α, and raises that of rising ones by 1 + α.
#[test]
fn bodies_fall_slower_and_rise_under_more_than_their_weight() {
    for (start, gravity) in [(-1.0, G * (1.0 - 0.6)), (9.0, G * (1.0 + 0.6))] {
        let mut state = thrown(start);
        let work = run(CUNDALL, 0.01, 50, &mut { FALL }, &mut state);
        let velocity = start - gravity * 0.5;
        let height = start * 0.5 - 0.5 * gravity * 0.25;
        assert!((state.velocity().get(0).z - velocity).abs() < 1e-13, "{}", state.velocity().get(0).z);
        assert!((state.position().get(0).z - height).abs() < 1e-13, "{}", state.position().get(0).z);
        assert!((work - 2.0 * 0.6 * G * height.abs()).abs() < 1e-12, "{work}");
    }
}

/// Exact position and velocity of an oscillator that starts at rest at x = 1, with m = 2, k = 50.
fn oscillation(damping: GlobalDamping, time: f64) -> [f64; 2] {
    let omega: f64 = 5.0;
    match damping {
        GlobalDamping::Viscous { rate } => {
            let half = 0.5 * rate;
            let w = (omega * omega - 0.25 * rate * rate).sqrt();
            let (sin, cos) = (w * time).sin_cos();
            let envelope = (-half * time).exp();
            [envelope * (cos + half / w * sin), -envelope * omega * omega / w * sin]
        }
        GlobalDamping::Cundall { coefficient } => {
            // The stiffness is k (1 − α) towards the centre and k (1 + α) away from it.
            let [inward, outward] = [1.0 - coefficient, 1.0 + coefficient].map(|share| omega * share.sqrt());
            let [first, second] = [inward, outward].map(|w| std::f64::consts::FRAC_PI_2 / w);
            let mut amplitude = 1.0;
            let mut time = time;
            while time > first + second {
                time -= first + second;
                amplitude *= -inward / outward;
            }
            if time < first {
                return [amplitude * (inward * time).cos(), -amplitude * inward * (inward * time).sin()];
            }
            let (sin, cos) = (outward * (time - first)).sin_cos();
            [-amplitude * inward / outward * sin, -amplitude * inward * cos]
        }
        _ => unreachable!(),
    }
}

/// Both dampings are products of exact flows: motion and energy balance have order 2, even where velocities change
/// sign.
#[test]
fn oscillations_and_their_energy_have_order_two() {
    for damping in [VISCOUS, CUNDALL] {
        let error = |steps: usize| {
            let time = 1.7;
            let mut state = State::at_rest(1);
            state.position_mut().set(0, DVec3::Z);
            let work = run(damping, time / steps as f64, steps, &mut Springs(50.0), &mut state);
            let [x, v] = oscillation(damping, time);
            let balance = kinetic_energy(&ball(), &state).total() + Springs(50.0).energy(&ball(), &state) + work;
            assert!(work > 20.0, "{work}");
            let off = (state.position().get(0).z - x).abs() + (state.velocity().get(0).z - v).abs() / 5.0;
            [off, (balance - 25.0).abs()]
        };
        let errors = [400, 800, 1600, 3200].map(error);
        let fall = |which: usize| errors[0][which] / errors[3][which];
        // The ratio is 64 for order two and 8 for order one. It varies with the place in a step where the velocity
        // changes sign.
        assert!(fall(0) > 40.0 && fall(1) > 25.0, "{damping:?}: {errors:?}");
        assert!(errors[3][0] < 2e-5 && errors[3][1] < 1e-4, "{damping:?}: {errors:?}");
    }
}

#[test]
fn spins_die_out_and_fixed_bodies_go_on() {
    let bodies = Bodies::new([Body::sphere(2.0, 0.5), Body::fixed(0.5)]).unwrap();
    let mut state = State::at_rest(2);
    let spin = DVec3::new(0.05, -0.1, 0.2);
    state.angular_momentum_mut().set(0, spin);
    (0..2).for_each(|i| state.velocity_mut().set(i, DVec3::X));
    let mut map = Damped::new(Map::Rodrigues23, 0.1, VISCOUS).unwrap();
    let before = kinetic_energy(&bodies, &state).total();
    rrp_integrate::run(&mut map, &bodies, &mut Springs(0.0), &mut state, 10, |_| ()).unwrap();
    let decay = (-2.0_f64).exp();
    assert!((state.angular_momentum().get(0) - decay * spin).length() < 1e-14);
    assert!((state.velocity().get(0) - decay * DVec3::X).length() < 1e-14);
    assert!(state.velocity().get(1) == DVec3::X && (state.position().get(1) - DVec3::X).length() < 1e-14);
    assert!((map.work() - before * (1.0 - decay * decay)).abs() < 1e-13 * before, "{}", map.work());
}

#[test]
fn torques_are_damped_by_the_sign_of_the_spin() {
    let mut state = State::at_rest(1);
    let mut wheel = field(|_, _, out| {
        out.torque.add(0, DVec3::Y * 0.2);
        Ok(())
    });
    let work = run(CUNDALL, 0.1, 10, &mut wheel, &mut state);
    let momentum = 0.2 * (1.0 - 0.6);
    assert!((state.angular_momentum().get(0).y - momentum).abs() < 1e-15);
    let energy = 0.5 * momentum * momentum / ball().inertia().get(0).x;
    assert!((work / energy - 0.6 / 0.4).abs() < 1e-12, "{work}");
}

#[test]
fn a_step_that_fails_takes_no_energy() {
    let mut state = thrown(1.0);
    let mut evaluations = 0;
    let mut field = field(|_, _, _| {
        evaluations += 1;
        if evaluations == 3 { Err("it fails".into()) } else { Ok(()) }
    });
    let mut map = Damped::new(Map::Verlet, 0.1, VISCOUS).unwrap();
    map.step(&ball(), &mut field, &mut state).unwrap();
    let before = state.clone();
    let work = map.work();
    assert!(map.step(&ball(), &mut field, &mut state).is_err());
    assert!(state == before && state.wrenches() == before.wrenches() && map.work().to_bits() == work.to_bits());
    assert!(work > 0.1);
    map.step(&ball(), &mut field, &mut state).unwrap();
}

#[test]
fn what_cannot_be_damped_is_refused() {
    let error = Damped::new(Map::Rodrigues27, 0.1, VISCOUS).unwrap_err();
    assert!(matches!(error, IntegrateError::UndampedMap), "{error}");
    assert!(matches!(Damped::new(Map::Verlet, 0.0, VISCOUS), Err(IntegrateError::InvalidTimeStep { .. })));
    let wrong = GlobalDamping::Viscous { rate: -1.0 };
    assert!(matches!(Damped::new(Map::Verlet, 0.1, wrong), Err(IntegrateError::InvalidDamping { .. })));
    let map = Damped::new(Map::Verlet, 0.1, VISCOUS).unwrap();
    assert!(map.with_work(f64::NAN).is_err());
    let long = Bodies::new([Body::rigid(1.0, DVec3::new(1.0, 1.0, 0.5))]).unwrap();
    let mut map = Damped::new(Map::MoserVeselov, 0.1, VISCOUS).unwrap();
    let error = map.step(&long, &mut { FALL }, &mut State::at_rest(1)).unwrap_err();
    assert!(matches!(error, IntegrateError::NotSpherical { .. }), "{error}");
}

/// Exact sums of subsets of the bodies, as ranks of a parallel program have them, add up to the sum over all bodies.
#[test]
fn the_loss_of_a_step_is_the_exact_sum_over_bodies() {
    let loss = |bodies: std::ops::Range<usize>| {
        let mut state = State::at_rest(bodies.len());
        let count = bodies.len();
        for (i, body) in bodies.enumerate() {
            state.position_mut().set(i, DVec3::new((body as f64).sin(), 1e3 * (body as f64).cos(), 0.1));
        }
        let bodies = Bodies::new((0..count).map(|_| Body::sphere(1.0, 0.5))).unwrap();
        let mut map = Damped::new(Map::Verlet, 0.02, CUNDALL).unwrap();
        rrp_integrate::run(&mut map, &bodies, &mut Springs(50.0), &mut state, 2, |_| ()).unwrap();
        map.last_loss().parts()
    };
    let whole = ExactSum::of(loss(0..100));
    assert!(whole > 1.0 && ExactSum::of(loss(37..100).into_iter().chain(loss(0..37))).to_bits() == whole.to_bits());
}

/// Bodies do not interact, so each moves as it does alone.
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    const BODIES: usize = 20_011;
    let after = |threads: usize| {
        on_threads(threads, || {
            let bodies = Bodies::new((0..BODIES).map(|i| Body::sphere(1.0 + (i % 7) as f64, 0.5))).unwrap();
            let mut state = State::at_rest(BODIES);
            for i in 0..BODIES {
                state.position_mut().set(i, DVec3::new((i as f64).sin(), (i as f64).cos(), 0.1));
            }
            let mut map = Damped::new(Map::Rodrigues25, 0.02, CUNDALL).unwrap();
            rrp_integrate::run(&mut map, &bodies, &mut Springs(50.0), &mut state, 4, |_| ()).unwrap();
            (state, map.work().to_bits())
        })
    };
    let one = after(1);
    assert!(after(2) == one && after(7) == one);
}
