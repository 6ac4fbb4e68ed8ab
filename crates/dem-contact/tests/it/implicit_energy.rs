//! Tests of the quantities that implicit steps conserve.

use rrp_integrate::{angular_momentum, linear_momentum};

use crate::prelude::*;

/// Energy and momenta of a cloud that falls together under its own motion: largest deviations over the steps.
fn cloud(
    (form, options): (DiscreteForm, NewtonOptions),
    law: Hooke,
    tangential: impl TangentialLaw + 'static,
    steps: usize,
) -> [f64; 3] {
    let (bodies, mut state) = crowd(218, 7.6, 5);
    let middle = DVec3::splat(3.8);
    for i in 0..218 {
        let inwards = middle - state.position().get(i);
        state.velocity_mut().add(i, 0.8 * inwards);
        state.position_mut().add(i, -middle);
    }
    let dt = time_of_contact() / 32.0;
    let options = options.with_linear(LinearMethod::ConjugateGradient);
    let mut map = ImplicitDem::new(open(law, tangential), dt).unwrap().with_form(form).unwrap();
    map = map.with_options(options).unwrap();
    let energy = |map: &ImplicitDem, state: &_| {
        kinetic_energy(&bodies, state).total() + map.elastic_energy(&bodies, state).unwrap()
    };
    let start = energy(&map, &state);
    let linear = linear_momentum(&bodies, &state);
    let angular = angular_momentum(&bodies, &state);
    // Scales of the momenta: the sums of their sizes.
    let scale = |i: usize| bodies.mass()[i] * state.velocity().get(i).length();
    let momentum: f64 = (0..218).map(scale).sum();
    let moment: f64 = (0..218).map(|i| scale(i) * state.position().get(i).length()).sum();
    let mut worst = [0.0_f64; 3];
    let mut touching = 0;
    let mut iterations = 0;
    for step in 0..steps {
        map.step(&bodies, &mut NoForce, &mut state).unwrap();
        iterations += map.last_report().newton_iterations;
        if step % 100 == 99 {
            touching += map.contacts().contacts(&bodies, &state).unwrap().len();
            worst[0] = worst[0].max((energy(&map, &state) / start - 1.0).abs());
            worst[1] = worst[1].max((linear_momentum(&bodies, &state) - linear).length() / momentum);
            worst[2] = worst[2].max((angular_momentum(&bodies, &state) - angular).length() / moment);
        }
    }
    println!(
        "{form:?}: energy {:e}, momentum {:e}, angular momentum {:e}; {touching} contacts seen, {iterations} iterations",
        worst[0], worst[1], worst[2]
    );
    assert!(touching > steps / 100, "{touching}");
    worst
}

#[test]
fn the_exact_form_keeps_energy_and_momenta_of_a_cloud() {
    let law = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
    let equations = (DiscreteForm::ExactEnergy, NewtonOptions::default().with_tolerance(1e-14));
    let [energy, linear, angular] = cloud(equations, law, Frictionless, 10_000);
    assert!(energy <= 1e-12 && linear <= 1e-12 && angular <= 1e-12, "{energy:e} {linear:e} {angular:e}");
}

/// The bound is that in the documentation of the form.
#[test]
fn at_the_default_tolerance_the_exact_form_hardly_drifts() {
    let law = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
    let [energy, ..] = cloud((DiscreteForm::ExactEnergy, NewtonOptions::default()), law, Frictionless, 1500);
    assert!(energy < 1e-11, "{energy:e}");
}

#[test]
fn momenta_are_kept_with_damping_and_tangential_forces() {
    let law = Hooke::new(STIFFNESS, Damping::coefficient(30.0).unwrap()).unwrap();
    for form in [DiscreteForm::SECOND_ORDER, DiscreteForm::ExactEnergy] {
        let [_, linear, angular] =
            cloud((form, NewtonOptions::default().with_tolerance(1e-14)), law, Viscous::new(15.0).unwrap(), 1500);
        assert!(linear <= 1e-12 && angular <= 1e-12, "{linear:e} {angular:e}");
    }
}

/// Gravity acts in half kicks: with the exact form the energy of a heavy sphere on a floor is kept too, also in long
/// steps.
#[test]
fn gravity_and_steps_longer_than_a_contact_keep_the_energy() {
    let law = Hertz::new(6.0e6, Damping::NONE).unwrap();
    let contacts = open(law, Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::new(0.1, 0.0, 1.0))]).unwrap();
    let (bodies, mut state) = spheres(&[DVec3::Z * 0.8, DVec3::new(0.1, 0.2, 1.9)]);
    let gravity = Gravity { acceleration: DVec3::new(0.0, 0.0, -9.81) };
    for steps in [0.1, 3.0] {
        let dt = steps * time_of_contact();
        let mut map = ImplicitDem::new(contacts.clone(), dt).unwrap().with_form(DiscreteForm::ExactEnergy).unwrap();
        map = map.with_options(NewtonOptions::default().with_tolerance(1e-14)).unwrap();
        let energy = |map: &ImplicitDem, state: &_| {
            let elastic = map.elastic_energy(&bodies, state).unwrap();
            (kinetic_energy(&bodies, state).total() + elastic + gravity.energy(&bodies, state), elastic)
        };
        let ((start, _), mut touched) = (energy(&map, &state), 0);
        for _ in 0..1000 {
            map.step(&bodies, &mut gravity.clone(), &mut state).unwrap();
            let (now, elastic) = energy(&map, &state);
            touched += usize::from(elastic > 0.0);
            assert!((now / start - 1.0).abs() < 1e-12, "{steps}: {:e}", now / start - 1.0);
        }
        assert!(touched > 10, "{touched}");
    }
}
