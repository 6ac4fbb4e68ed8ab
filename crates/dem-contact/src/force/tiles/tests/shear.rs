//! Tests of boxes that deform: images that slide past each other, and edges that grow.

use std::collections::BTreeMap;

use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::{Bodies, Body, Explicit, Integrator as _, Map, NoForce, State, linear_momentum};

use super::{SIDES, assert_one_end, bed, by_id, full, hooke, list};
use crate::error::{DemError, ListError};
use crate::force::ContactForce;
use crate::force::ledger::Ledger;
use crate::law::laws::Laws;
use crate::neighbor::domain::{Boundary, Domain};

type Field = ContactForce;

/// Velocity gradient of simple shear: the velocity along x grows by `rate` (1/s) along y.
pub(super) fn shear(rate: f64) -> DMat3 {
    DMat3::from_cols(DVec3::ZERO, DVec3::X * rate, DVec3::ZERO)
}

fn cube(edge: f64) -> Domain {
    Domain::new(DVec3::ZERO, DVec3::splat(edge), [Boundary::Periodic; 3]).unwrap()
}

pub(super) fn field(domain: Domain) -> Field {
    ContactForce::new(list(domain), Laws::of(hooke(), full())).with_ledger()
}

#[test]
fn a_pair_across_a_border_moves_as_with_an_image_that_is_a_body() {
    let strain = DMat3::from_diagonal(DVec3::new(0.7, -0.9, 0.4));
    let cases = [(shear(3.0), DVec3::Y), (shear(-2.0) + strain, DVec3::new(-1.0, 1.0, 0.0)), (strain, DVec3::X)];
    for (gradient, image) in cases {
        let edge = 10.0;
        let start = 0.3;
        let domain = cube(edge).deforming(0.0, gradient).unwrap();
        let at = |time: f64| edge * (image + gradient * image * time);
        let bodies = Bodies::new([Body::sphere(1.0, 0.5), Body::sphere(1.5, 0.4)]).unwrap();
        let mut explicit = State::at_rest(2).without_attitudes();
        explicit.set_time(start);
        explicit.position_mut().set(0, 0.5 * at(start));
        explicit.position_mut().set(1, 0.5 * at(start) + 0.895 * image.normalize());
        explicit.velocity_mut().set(0, 0.5 * edge * gradient * image + DVec3::Z * 0.3);
        explicit.velocity_mut().set(1, 0.5 * edge * gradient * image - 0.5 * image + DVec3::new(0.0, -0.3, 0.2));
        explicit.angular_momentum_mut().set(0, DVec3::new(0.1, 0.2, -0.3));
        let mut periodic = explicit.clone();
        periodic.position_mut().add(1, -at(start));
        periodic.velocity_mut().add(1, -(edge * gradient * image));
        let mut inside = field(domain);
        let mut beyond = field(Domain::OPEN);
        let mut map = Explicit::new(Map::Rodrigues25, 1e-4).unwrap();
        let mut same = Explicit::new(Map::Rodrigues25, 1e-4).unwrap();
        let mut touched = 0;
        for _ in 0..150 {
            map.step(&bodies, &mut inside, &mut periodic).unwrap();
            same.step(&bodies, &mut beyond, &mut explicit).unwrap();
            let contacts = beyond.contacts(&bodies, &explicit).unwrap();
            let seen = inside.contacts(&bodies, &periodic).unwrap();
            assert_eq!(contacts.len(), seen.len());
            for (contact, seen) in contacts.iter().zip(&seen) {
                assert!(
                    (contact.tangential_force - seen.tangential_force).length() < 1e-7,
                    "{seen:?}, not {contact:?}"
                );
                assert!((contact.normal_force - seen.normal_force).abs() < 1e-7);
            }
            touched += contacts.len();
        }
        assert!(touched > 30, "{touched}");
        for i in 0..2 {
            let moved = if i == 1 { at(explicit.time()) } else { DVec3::ZERO };
            assert!((periodic.position().get(i) + moved - explicit.position().get(i)).length() < 1e-11);
            let spins = [&periodic, &explicit].map(|state| state.angular_momentum().get(i));
            assert!((spins[0] - spins[1]).length() < 1e-11 && spins[0].length() > 1e-3);
        }
    }
}

#[test]
fn a_crystal_that_flows_with_the_box_stays_one() {
    // All bodies have the same surroundings, so the flow stays uniform through all lists, and while the offset passes
    // half a period.
    let rate = 30.0;
    let dt = 2e-4;
    let steps = 130;
    let gradient = shear(rate);
    let (domain, bodies, mut state) = bed([5, 4, 4], SIDES[0], false);
    let domain = domain.deforming(0.0, gradient).unwrap();
    for i in 0..bodies.len() {
        let at = 0.99 * ((state.position().get(i) / 0.99).floor() + 0.5);
        state.position_mut().set(i, at);
        state.velocity_mut().set(i, gradient * at);
        state.angular_momentum_mut().set(i, DVec3::ZERO);
    }
    let mut field = field(domain);
    let start = state.clone();
    let mut map = Explicit::new(Map::Rodrigues25, dt).unwrap();
    let mut worst = 0.0_f64;
    let mut compared = 0;
    for _ in 0..steps {
        map.step(&bodies, &mut field, &mut state).unwrap();
        for i in 0..bodies.len() {
            let lag = state.velocity().get(i) - gradient * start.position().get(i);
            let turn = state.angular_momentum().get(i) - state.angular_momentum().get(0);
            worst = worst.max(lag.length()).max(turn.length());
        }
        // Springs follow the affine flow: they are equal in all pairs of one direction, across the border too.
        let mut of_direction: BTreeMap<[i64; 3], DVec3> = BTreeMap::new();
        for contact in field.contacts(&bodies, &state).unwrap() {
            let key = |normal: DVec3| (normal * 1e4).round().to_array().map(|x| x as i64);
            let [normal, spring] = [contact.normal, contact.tangential_force];
            let side = if normal.x + 0.1 * normal.y + 0.01 * normal.z > 0.0 { 1.0 } else { -1.0 };
            let first = *of_direction.entry(key(side * normal)).or_insert(side * spring);
            assert!((side * spring - first).length() < 1e-4, "{spring} and {first} along {normal}");
            compared += 1;
        }
    }
    assert!(worst < 1e-6, "{worst}");
    let offset = rate * dt * f64::from(steps) * domain.high().y;
    assert!(offset > 0.5 * domain.high().x && field.list().builds() > 2 && compared > 10_000, "{compared}");
}

fn run(
    steps: usize,
    dt: f64,
    mut disturb: impl FnMut(usize, &mut Field, &mut Bodies, &mut State),
) -> (Field, Bodies, State) {
    let gradient = shear(8.0) + DMat3::from_diagonal(DVec3::new(0.5, -0.5, 0.1));
    let (domain, mut bodies, mut state) = bed([11, 10, 11], SIDES[0], true);
    for i in 0..bodies.len() {
        let flow = gradient * state.position().get(i);
        state.velocity_mut().add(i, flow);
    }
    let mut field = field(domain.deforming(-0.065, shear(8.0)).unwrap().deforming(0.0, gradient).unwrap());
    let mut map = Explicit::new(Map::Rodrigues25, dt).unwrap();
    for step in 0..steps {
        map.step(&bodies, &mut field, &mut state).unwrap();
        disturb(step, &mut field, &mut bodies, &mut state);
    }
    (field, bodies, state)
}

#[test]
fn bits_in_a_box_that_deforms_do_not_depend_on_threads_numbers_or_restarts() {
    assert_one_end(|disturb| {
        let (field, bodies, state) = run(40, 2e-4, disturb);
        assert!(field.list().builds() > 1);
        by_id(&field, &bodies, &state)
    });
}

#[test]
fn no_contact_is_missed_and_momentum_is_kept_while_a_box_deforms() {
    let mut momentum = None;
    let (field, ..) = run(60, 2e-4, |step, field, bodies, state| {
        let now = linear_momentum(bodies, state);
        assert!((now - *momentum.get_or_insert(now)).length() < 1e-9, "{now}");
        if step % 12 != 11 {
            return;
        }
        let domain = field.list().domain().at(state.time()).unwrap();
        let mut touching = 0;
        for a in 0..bodies.len() {
            for b in a + 1..bodies.len() {
                let apart = domain.separation(state.position().get(a), state.position().get(b)).length();
                touching += usize::from(apart < bodies.radius()[a] + bodies.radius()[b]);
            }
        }
        let committed = field.histories.committed(field.law_assignment()).pairs.len();
        assert_eq!((field.contacts(bodies, state).unwrap().len(), committed), (touching, touching));
    });
    assert!(field.list().builds() > 1);
}

#[test]
fn the_work_of_the_box_closes_the_balance() {
    let error = |dt: f64| {
        let mut first = None;
        let (field, bodies, state) = run((8e-3 / dt).round() as usize, dt, |_, field, bodies, state| {
            first.get_or_insert_with(|| Ledger::read(field, &NoForce, bodies, state).unwrap());
        });
        let first = first.unwrap();
        let last = Ledger::read(&field, &NoForce, &bodies, &state).unwrap();
        let work = last.box_work - first.box_work;
        assert!(work.abs() > 10.0 && last.dissipated > 10.0, "{last:?}");
        (last.balance() - first.balance()) / work.abs().max(last.dissipated)
    };
    let [coarse, fine] = [2e-4, 1e-4].map(error);
    assert!(coarse.abs() < 1e-2 && fine.abs() < 0.7 * coarse.abs(), "{coarse:e}, {fine:e}");
}

#[test]
fn the_power_of_the_box_is_that_of_the_stress() {
    // V σ : G = −Σ f · G d over contacts. Out of equilibrium the sum of F · G x over bodies is added.
    let gradient = shear(8.0) + DMat3::from_diagonal(DVec3::new(0.3, -0.5, 0.5));
    let (domain, bodies, mut state) = bed([5, 5, 5], SIDES[0], true);
    for i in (0..bodies.len()).step_by(3) {
        let wrapped = domain.periods() * DVec3::new(1.0, -2.0, 1.0);
        state.position_mut().add(i, wrapped);
        state.velocity_mut().add(i, gradient * wrapped);
    }
    let mut field = field(domain.deforming(0.0, gradient).unwrap());
    let mut forces = rrp_integrate::Wrenches::zeros(bodies.len());
    rrp_integrate::ForceField::accumulate(&mut field, &bodies, &state, 0.0, &mut forces).unwrap();
    let mut expected = 0.0;
    for contact in field.contacts(&bodies, &state).unwrap() {
        let [a, b] = [contact.a, contact.b.body().unwrap()].map(|body| bodies.radius()[body]);
        let force = contact.normal * contact.normal_force + contact.tangential_force;
        expected -= force.dot(gradient * contact.normal * (a + b - contact.overlap));
    }
    for i in 0..bodies.len() {
        expected += forces.force.get(i).dot(gradient * state.position().get(i));
    }
    let found = field.work.as_ref().unwrap().start_by_box()[0];
    assert!((found - expected).abs() < 1e-9 * expected.abs() && expected.abs() > 1.0, "{found}, not {expected}");
}

#[test]
fn boxes_that_cannot_deform_are_refused() {
    let refused = |domain: Domain, gradient: DMat3| {
        matches!(domain.deforming(0.0, gradient), Err(DemError::List(ListError::InvalidDeformation { .. })))
    };
    let two = DMat3::from_cols(DVec3::ZERO, DVec3::X, DVec3::X);
    assert!(refused(cube(1.0), two) && refused(cube(1.0), shear(f64::NAN)));
    let open = |c: usize| {
        let side = |k: usize| if k == c { Boundary::Open } else { Boundary::Periodic };
        Domain::new(DVec3::ZERO, DVec3::ONE, [side(0), side(1), side(2)]).unwrap()
    };
    assert!(refused(open(0), shear(1.0)) && refused(open(1), shear(1.0)) && !refused(open(2), shear(1.0)));
    assert!(refused(open(2), DMat3::from_diagonal(DVec3::Z)));
    let sheared = cube(1.0).deforming(0.0, shear(1.0)).unwrap().at(0.2).unwrap();
    assert!(sheared.deforming(0.2, shear(1.0).transpose()).is_err() && sheared.deforming(0.2, DMat3::ZERO).is_ok());
    let shrinking = cube(1.0).deforming(0.0, DMat3::from_diagonal(DVec3::new(-1.0, 0.0, 0.0))).unwrap();
    assert!(matches!(shrinking.at(2.0), Err(DemError::List(ListError::InvalidDomain { .. }))));
    let next = sheared.deforming(0.2, shear(-1.0)).unwrap();
    assert!(
        (next.at(0.3).unwrap().separation(DVec3::ZERO, DVec3::Y * 0.9) - DVec3::new(-0.1, -0.1, 0.0)).length() < 1e-15
    );
    assert!((next.velocity_gradient() - shear(-1.0)).abs_diff_eq(DMat3::ZERO, 1e-15));
}
