//! Tests of boxes that deform until they bear a given stress.

use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::{Explicit, ForceField as _, Integrator as _, Map, NoForce, State, Wrenches};

use super::shear::{field, shear};
use super::{SIDES, bed};
use crate::force::ContactForce;
use crate::force::box_servo::BoxDrive;
use crate::force::ledger::Ledger;

type Field = ContactForce;

fn compressed(gradient: DMat3, wanted: [Option<f64>; 3]) -> BoxDrive {
    BoxDrive::new(gradient).with_stress(wanted, 1.0, 1.0).unwrap()
}

fn run(
    drive: &BoxDrive,
    mixed: bool,
    [steps, dt]: [f64; 2],
    mut look: impl FnMut(usize, &mut Field, &rrp_integrate::Bodies, &State),
) -> State {
    let (domain, bodies, mut state) = bed([5, 5, 5], SIDES[0], mixed);
    let mut field = field(domain).watching_box();
    let mut drive = drive.clone();
    let mut map = Explicit::new(Map::Rodrigues25, dt).unwrap();
    for step in 0..steps as usize {
        field.steer_box(&mut drive, state.time(), state.wrenches().is_some()).unwrap();
        map.step(&bodies, &mut field, &mut state).unwrap();
        look(step, &mut field, &bodies, &state);
    }
    state
}

#[test]
fn the_stress_is_that_of_all_contacts() {
    for gradient in [DMat3::ZERO, shear(8.0) + DMat3::from_diagonal(DVec3::new(0.3, -0.5, 0.5))] {
        let (domain, bodies, mut state) = bed([5, 5, 5], SIDES[0], true);
        state.set_time(0.3);
        let domain = domain.deforming(0.27, gradient).unwrap();
        let now = domain.at(0.3).unwrap();
        for i in (0..bodies.len()).step_by(3) {
            let wrapped = now.periods() * DVec3::new(0.0, 0.0, 1.0);
            state.position_mut().add(i, wrapped);
        }
        let mut field = field(domain).watching_box();
        let mut forces = Wrenches::zeros(bodies.len());
        field.accumulate(&bodies, &state, 0.0, &mut forces).unwrap();
        let mut expected = DVec3::ZERO;
        for contact in field.contacts(&bodies, &state).unwrap() {
            let [a, b] = [contact.a, contact.b.body().unwrap()].map(|body| bodies.radius()[body]);
            let force = contact.normal * contact.normal_force + contact.tangential_force;
            expected += force * contact.normal * (a + b - contact.overlap);
        }
        let edges = now.high() - now.low();
        expected /= edges.x * edges.y * edges.z;
        let found = field.box_stress();
        assert!(
            (found - expected).length() < 1e-9 * expected.length() && expected.length() > 10.0,
            "{found} {expected}"
        );
    }
}

/// Checks that the stress is independent of the list: a list counts images from the offset at its making, so a later
/// list counts them differently.
#[test]
fn the_stress_is_the_same_whether_images_passed_half_a_period_before_or_after_the_list_was_made() {
    let (domain, bodies, mut state) = bed([5, 5, 5], SIDES[0], true);
    let domain = domain.deforming(0.0, shear(1.0)).unwrap();
    let half = 0.5 * domain.periods().x / domain.periods().y;
    let mut stress = |field: &mut Field, time: f64| {
        state.set_time(time);
        field.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(bodies.len())).unwrap();
        (field.box_stress(), field.list.builds())
    };
    let mut early = field(domain).watching_box();
    let mut late = field(domain).watching_box();
    let (_, builds) = stress(&mut early, half - 1e-5);
    let (found, builds_after) = stress(&mut early, half + 1e-5);
    assert_eq!(builds, builds_after, "the list was made anew");
    let (expected, _) = stress(&mut late, half + 1e-5);
    assert!((found - expected).length() < 1e-12 * expected.length(), "{found} {expected}");
    assert!(expected.length() > 10.0);
}

#[test]
fn stresses_are_those_wanted_within_half_a_percent() {
    for (mixed, wanted) in [(false, [2000.0; 3]), (true, [1500.0, 3000.0, 2000.0]), (true, [800.0; 3])] {
        let steps = 8000.0;
        let mut sums = [0.0; 3];
        let mut count = 0.0;
        run(&compressed(DMat3::ZERO, wanted.map(Some)), mixed, [steps, 2e-4], |step, field, _, _| {
            if step as f64 >= 0.75 * steps {
                for axis in 0..3 {
                    sums[axis] += (field.box_stress()[axis] / wanted[axis] - 1.0).powi(2);
                }
                count += 1.0;
            }
        });
        let off = sums.map(|sum: f64| f64::sqrt(sum / count));
        assert!(off.iter().all(|&off| off < 5e-3), "{wanted:?}: off by {off:?}");
    }
}

#[test]
fn the_balance_closes_while_a_servo_works() {
    let drive = compressed(shear(2.0), [None, Some(2000.0), Some(3000.0)]);
    let error = |dt: f64| {
        let mut ends = Vec::new();
        run(&drive, true, [(0.2 / dt).round(), dt], |_, field, bodies, state| {
            ends.truncate(1);
            ends.push(Ledger::read(field, &NoForce, bodies, state).unwrap());
        });
        let work = ends[1].box_work - ends[0].box_work;
        assert!(work.abs() > 10.0, "{ends:?}");
        (ends[1].balance() - ends[0].balance()) / work.abs().max(ends[1].dissipated)
    };
    let [coarse, fine] = [2e-4, 1e-4].map(error);
    assert!(coarse.abs() < 1e-2 && fine.abs() < 0.6 * coarse.abs(), "{coarse:e}, {fine:e}");
}

#[cfg(feature = "serde")]
#[test]
fn a_servo_that_is_stored_goes_on_with_the_same_bits() {
    let drive = compressed(shear(8.0), [Some(2500.0), Some(2000.0), Some(3000.0)]);
    let work = |stores: bool| {
        let mut work = 0.0;
        let state = run(&drive, true, [400.0, 2e-4], |step, field, bodies, state| {
            if stores && step % 37 < 2 {
                *field = super::restored(field);
            }
            work = Ledger::read(field, &NoForce, bodies, state).unwrap().box_work;
        });
        (state, work.to_bits())
    };
    assert!(work(true) == work(false));
}

#[test]
fn drives_without_meaning_are_refused() {
    let drive = BoxDrive::new(DMat3::ZERO);
    for (wanted, rate, gain) in [(0.0, 1.0, 1.0), (-1.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, f64::NAN)] {
        assert!(drive.clone().with_stress([None, Some(wanted), None], rate, gain).is_err());
    }
}
