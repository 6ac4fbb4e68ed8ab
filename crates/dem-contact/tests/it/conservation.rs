//! Tests of the quantities that contacts conserve.

use rrp_integrate::{angular_momentum, linear_momentum};

use crate::prelude::*;

#[test]
fn momenta_are_kept_to_rounding_and_energy_to_the_order() {
    let (bodies, start) = crowd(200, 7.0, 3);
    let mut errors = Vec::new();
    for steps in [400, 800] {
        let mut state = start.clone();
        let mut field = open(Hertz::new(1e4, Damping::NONE).unwrap(), Frictionless);
        let mut map = Explicit::new(Map::Verlet, 0.4 / f64::from(steps)).unwrap();
        let energy =
            |field: &dyn Potential, state: &_| field.energy(&bodies, state) + kinetic_energy(&bodies, state).total();
        let e0 = energy(&field, &state);
        let p0 = linear_momentum(&bodies, &state);
        let l0 = angular_momentum(&bodies, &state);
        for _ in 0..steps {
            map.step(&bodies, &mut field, &mut state).unwrap();
        }
        assert!((linear_momentum(&bodies, &state) - p0).length() < 1e-10);
        assert!((angular_momentum(&bodies, &state) - l0).length() < 1e-9);
        errors.push((energy(&field, &state) / e0 - 1.0).abs());
    }
    assert!(errors[0] < 1e-3 && errors[1] < 0.5 * errors[0], "{errors:?}");
}

#[test]
fn uncapped_tangential_damping_keeps_angular_momentum() {
    let (bodies, mut state) = crowd(100, 5.0, 5);
    let law = Hooke::new(1e4, Damping::coefficient(10.0).unwrap()).unwrap();
    let mut field = open(law, Viscous::new(20.0).unwrap());
    let p0 = linear_momentum(&bodies, &state);
    let l0 = angular_momentum(&bodies, &state);
    crate::support::advance(&bodies, &mut field, &mut state, 1e-3, 500);
    assert!((linear_momentum(&bodies, &state) - p0).length() < 1e-10);
    assert!((angular_momentum(&bodies, &state) - l0).length() < 1e-9);
}

#[test]
fn a_step_that_is_too_long_raises_the_alarm() {
    let (bodies, mut state) = crowd(200, 7.0, 3);
    let field = open(Hooke::new(1e5, Damping::NONE).unwrap(), Frictionless);
    let dt = 50.0 * field.recommended_dt(&bodies, 1.0).unwrap();
    let mut field = EnergyGuard::new(field, 0.5, 10).unwrap();
    let mut map = Explicit::new(Map::Verlet, dt).unwrap();
    let error = (0..1000).find_map(|_| map.step(&bodies, &mut field, &mut state).err());
    let Some(IntegrateError::Field(error)) = error else { panic!("no alarm: {error:?}") };
    let text = error.to_string();
    assert!(text.contains("reduce the time step") || text.contains("overlap"), "{text}");

    let (bodies, mut state) = crowd(200, 7.0, 3);
    let field = open(Hooke::new(1e5, Damping::NONE).unwrap(), Frictionless);
    let dt = field.recommended_dt(&bodies, 1.0).unwrap();
    let mut field = EnergyGuard::new(field, 0.5, 10).unwrap();
    crate::support::advance(&bodies, &mut field, &mut state, dt, 1000);
}

/// Nothing moves when an elastic collision turns round, and with the longest useful steps the energy is then a little
/// above its initial value: that is not growth.
#[test]
fn a_collision_that_turns_round_raises_no_alarm() {
    for shift in 0..40 {
        let gap = 0.001 * f64::from(shift);
        let (bodies, mut state) = spheres(&[DVec3::ZERO, DVec3::X * (1.0 + gap)]);
        state.velocity_mut().set(0, DVec3::X);
        state.velocity_mut().set(1, DVec3::NEG_X);
        let field = open(Hooke::new(1e4, Damping::NONE).unwrap(), Frictionless);
        let mut field = EnergyGuard::new(field, 0.5, 1).unwrap();
        crate::support::advance(&bodies, &mut field, &mut state, 1.5e-3, 60);
    }
}
