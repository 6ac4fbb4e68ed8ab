//! Tests of impacts: restitution as a function of the speed.

use super::{Below, MEETINGS, Meeting, dmt, jkr};
use crate::prelude::*;

/// Returns the restitution of an impact at `speed`, in steps of the contact time over `steps`; zero if the bodies stick
/// that long. Also returns the largest deviation of the balance of the ledger, as a share of the energy of the impact.
/// The share `phase` of a step is the moment at which the bodies meet.
fn impact(
    law: impl ContactLaw + Copy + 'static,
    below: Below,
    own: f64,
    speed: f64,
    steps: f64,
    phase: f64,
) -> [f64; 2] {
    let mut meeting = Meeting::new(law, below, own);
    let upper = meeting.upper();
    let time = contact_time(&law, meeting.radius, 1.0, speed).unwrap();
    let above = 1e-3 + phase * speed * time / steps;
    meeting.state.position_mut().set(upper, DVec3::Z * (meeting.height + above));
    meeting.state.velocity_mut().set(upper, DVec3::NEG_Z * speed);
    let start = meeting.ledger().balance();
    let mut map = Explicit::new(Map::Verlet, time / steps).unwrap();
    let mut worst = 0.0_f64;
    while meeting.state.time() < above / speed + 6.0 * time {
        map.step(&meeting.bodies, &mut meeting.field, &mut meeting.state).unwrap();
        worst = worst.max((meeting.ledger().balance() - start).abs());
        if meeting.gap() > above + law.range(meeting.radius) {
            let after = meeting.state.velocity().get(upper).z;
            return [after / speed, worst / (0.5 * speed * speed)];
        }
    }
    [0.0, worst / (0.5 * speed * speed)]
}

/// Numbers of steps in the time of a contact.
const STEPS: [f64; 3] = [100.0, 400.0, 1600.0];

/// Checks the restitution of impacts in shorter and shorter steps, and the balance of their ledger.
fn assert_restitution(
    law: impl ContactLaw + Copy + std::fmt::Debug + 'static,
    (below, own): (Below, f64),
    speed: f64,
    expected: f64,
) {
    let found = STEPS.map(|steps| impact(law, below, own, speed, steps, 0.0));
    let errors = found.map(|[restitution, _]| (restitution - expected).abs());
    let balance = found.map(|[_, balance]| balance);
    println!("{law:?}, {below:?}, {speed} m/s: e = {expected:.4}, off by {errors:?}; balance {balance:?}");
    if expected <= 0.0 {
        assert!(errors.iter().all(|&off| off <= 0.0), "{law:?}, {below:?}, {speed} m/s: {errors:?}");
        return;
    }
    // Errors are within a bound that falls with the step, because jumps of the force come at any moment of a step.
    let is_first_order = errors.iter().zip(STEPS).all(|(error, steps)| error * steps < 10.0);
    assert!(is_first_order, "{law:?}, {below:?}, {speed} m/s: {errors:?}");
    // The balance is of second order in spite of the jumps.
    let is_second_order = balance[1] < balance[0] / 12.0 && balance[2] < balance[1] / 12.0;
    assert!(is_second_order, "{law:?}, {below:?}, {speed} m/s: {balance:?}");
}

#[test]
fn impacts_have_the_restitution_of_the_closed_form_to_first_order() {
    for meeting in MEETINGS {
        let sticking = (14.1844 * Meeting::new(jkr(), meeting.0, meeting.1).unit_of_work()).sqrt();
        for ratio in [0.7, 1.3, 3.0] {
            assert_restitution(jkr(), meeting, ratio * sticking, (1.0 - f64::powi(ratio, -2)).max(0.0).sqrt());
        }
        // Without hysteresis, spheres separate at the speed of approach.
        for speed in [0.05, 0.3] {
            assert_restitution(dmt(), meeting, speed, 1.0);
        }
    }
}

/// The error of the restitution, averaged over the phase of the impact in a step, falls with the step.
#[test]
fn the_mean_error_of_the_restitution_has_the_order_of_the_step() {
    let phases = [0.05, 0.25, 0.45, 0.65, 0.85];
    let (below, own) = MEETINGS[1];
    let sticking = (14.1844 * Meeting::new(jkr(), below, own).unit_of_work()).sqrt();
    let means = |impact: &dyn Fn(f64, f64) -> f64, expected: f64| {
        [50.0, 400.0].map(|steps| phases.map(|phase| (impact(steps, phase) - expected).abs()).iter().sum::<f64>() / 5.0)
    };
    let of_jkr = |steps, phase| impact(jkr(), below, own, 1.3 * sticking, steps, phase)[0];
    let of_dmt = |steps, phase| impact(dmt(), below, own, 0.3, steps, phase)[0];
    for (name, means) in [("JKR", means(&of_jkr, (1.0 - 1.3_f64.powi(-2)).sqrt())), ("DMT", means(&of_dmt, 1.0))] {
        println!("{name}: {means:?}, {:.2} times", means[0] / means[1]);
        assert!((4.0..16.0).contains(&(means[0] / means[1])), "{means:?}");
    }
}
