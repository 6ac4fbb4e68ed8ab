//! Tests of friction and rolling of contacts that stick, and of rolling by a coefficient alone.

use std::f64::consts::PI;

use super::{ADHESION, MEETINGS, Meeting, dmt, field, jkr};
use crate::prelude::*;

/// Finds the overlap in m at which the force is zero.
fn unloaded(law: &dyn ContactLaw, radius: f64) -> f64 {
    let [mut low, mut high] = [1e-9, 0.1];
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        let bound = if law.force(middle, radius) < 0.0 { &mut low } else { &mut high };
        *bound = middle;
    }
    high
}

#[test]
fn friction_is_limited_by_the_load_and_the_adhesion() {
    let friction = 0.4;
    let of_jkr: &dyn Fn(f64) -> ContactForce = &|friction| field(jkr(), friction, 0.0);
    for (of_law, times) in [(of_jkr, 3.0), (&|friction| field(dmt(), friction, 0.0), 2.0)] {
        let laws = of_law(friction).law().traits().clone();
        let law = &*laws.normal;
        for (below, own) in MEETINGS {
            let radius = Meeting::of(of_law(0.0), below, own).radius;
            let mut depths = vec![unloaded(law, radius), 2.0 * unloaded(law, radius)];
            // The contact also pulls with the surfaces apart.
            depths.extend(Some(-0.9 * law.range(radius)).filter(|depth| *depth < 0.0));
            for depth in depths {
                let mut meeting = Meeting::of(of_law(friction), below, own);
                let mut last = DVec3::ZERO;
                // The sphere touches first, then slides sideways at this depth.
                for (at, speed) in std::iter::once((1e-6, 0.0)).chain(std::iter::repeat_n((depth, 1.0), 200)) {
                    last = meeting.press(-at, DVec3::X * speed, 1e-3);
                }
                let limit = friction * (last.z + times * PI * ADHESION * radius);
                assert!((last.z - law.force(depth, radius)).abs() < 1e-7 * limit, "{last} at {depth}");
                assert!((-last.x / limit - 1.0).abs() < 1e-9, "{laws:?} {below:?} {depth}: {last}, not {limit}");
            }
        }
    }
}

const GRAVITY: f64 = 10.0;
const RADIUS: f64 = 0.5;

/// A ball of mass one that begins to roll at `speed` (m/s) on a floor, down which gravity pulls by the angle `slope`.
fn ball(field: ContactForce, speed: f64, slope: f64) -> (Bodies, State, Both<Gravity, ContactForce>) {
    let bodies = Bodies::new([Body::sphere(1.0, RADIUS)]).unwrap();
    let mut state = State::at_rest(1);
    let law = field.law().traits().normal.clone();
    let depth = (0..60).fold([0.0, 0.1], |[low, high], _| {
        let middle = 0.5 * (low + high);
        if law.force(middle, RADIUS) < GRAVITY * slope.cos() { [middle, high] } else { [low, middle] }
    })[0];
    state.position_mut().set(0, DVec3::Z * (RADIUS - depth));
    state.velocity_mut().set(0, DVec3::X * speed);
    state.set_spin(&bodies, 0, DVec3::Y * (speed / (RADIUS - depth)));
    let gravity = Gravity { acceleration: DVec3::new(slope.sin(), 0.0, -slope.cos()) * GRAVITY };
    (bodies, state, Both(gravity, field.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap().with_ledger()))
}

/// Hard contacts without adhesion, so that the arm is the radius, with damping and this resistance to rolling.
fn hard(rolling: SpringSlider) -> ContactForce {
    let damped = Hertz::new(2e7, Damping::restitution(0.3).unwrap()).unwrap();
    let law = Jkr::new(damped, 0.0).unwrap();
    let spring = MindlinSpring::new(1e7, 0.0, 0.8).unwrap().damped(Damping::restitution(0.3).unwrap());
    contacts(open_list(0.05), law, Rolling::new(spring, rolling))
}

/// Returns the distance and the last speed of a ball after `time` (s).
fn roll((bodies, mut state, mut field): (Bodies, State, Both<Gravity, ContactForce>), time: f64, dt: f64) -> [f64; 2] {
    let mut map = Explicit::new(Map::Rodrigues25, dt).unwrap();
    while state.time() < time - 0.5 * dt {
        map.step(&bodies, &mut field, &mut state).unwrap();
    }
    [state.position().get(0).x, state.velocity().get(0).x]
}

#[test]
fn a_coefficient_alone_slows_a_ball_by_the_closed_form_and_stops_it_for_good() {
    let resistance = 0.05;
    let speed = 0.5;
    let dt = 2e-4;
    let by_coefficient = || hard(SpringSlider::coefficient(resistance).unwrap());
    let slowing = 5.0 / 7.0 * resistance * GRAVITY;
    let [way, rest] = roll(ball(by_coefficient(), speed, 0.0), 0.5 * speed / slowing, dt);
    println!("half way: {way} m, {rest} m/s");
    assert!((rest / (0.5 * speed) - 1.0).abs() < 2e-3, "{rest}");
    let stopped = 7.0 * speed * speed / (10.0 * resistance * GRAVITY);
    let [way, rest] = roll(ball(by_coefficient(), speed, 0.0), 1.5 * speed / slowing, dt);
    println!("stopped after {way} m, {stopped} m by the closed form; {rest:.1e} m/s");
    assert!((way / stopped - 1.0).abs() < 2e-3 && rest.abs() < 1e-9, "{way} {stopped} {rest}");
}

#[test]
fn a_ball_rests_on_a_slope_up_to_its_coefficient() {
    let resistance = 0.05_f64;
    let dt = 2e-4;
    let time = 1.0;
    // This stiffness is that of the tangential spring under the weight.
    let spring = || SpringSlider::new(2e4, 10.0, resistance).unwrap();
    for (share, rests) in [(0.9, true), (1.1, false)] {
        let slope = (share * resistance).atan();
        let by_coefficient = || ball(hard(SpringSlider::coefficient(resistance).unwrap()), 0.0, slope);
        let constant = roll(by_coefficient(), time, dt);
        let sprung = roll(ball(hard(spring()), 0.0, slope), time, dt);
        let free = 5.0 / 7.0 * GRAVITY * (slope.sin() - resistance * slope.cos());
        println!("{share}: by the coefficient {constant:?}, by the spring {sprung:?}, free {free}");
        if rests {
            // The constant torque creeps by 5/2 g sin α times the step; the spring holds.
            assert!((constant[1] / (2.5 * GRAVITY * slope.sin() * dt) - 1.0).abs() < 0.05, "{constant:?}");
            assert!(sprung[0].abs() < 3e-4 && sprung[1].abs() < 1e-6, "{sprung:?}");
        } else {
            // The acceleration is measured after the springs are stretched.
            let halfway =
                [by_coefficient(), ball(hard(spring()), 0.0, slope)].map(|ball| roll(ball, 0.5 * time, dt)[1]);
            for (speed, before) in [constant[1], sprung[1]].into_iter().zip(halfway) {
                let gained = (speed - before) / (0.5 * time);
                assert!((gained / free - 1.0).abs() < 0.02, "{gained} {free}");
            }
        }
    }
}

#[test]
fn rolling_under_adhesion_is_limited_by_the_load_and_the_adhesion() {
    let resistance = 0.01;
    let (bodies, state, mut both) = ball(field(jkr(), 0.8, resistance), 0.4, 0.0);
    wrenches(&bodies, &mut both, &state);
    let contact = both.1.contacts(&bodies, &state).unwrap()[0];
    let limit = resistance * RADIUS * (contact.normal_force + 3.0 * PI * ADHESION * RADIUS);
    assert!((contact.couple.length() / limit - 1.0).abs() < 1e-12, "{} {limit}", contact.couple);
}
