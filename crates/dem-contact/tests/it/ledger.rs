//! Tests that the balance of the ledger closes, and of the quantities that contacts conserve.

use rrp_integrate::{angular_momentum, linear_momentum};

use crate::prelude::*;

/// Largest deviation of the balance over a run, the energy dissipated, and the work of walls.
fn run(dt: f64, moving: bool) -> (f64, f64, f64) {
    let (bodies, mut state) = crowd(100, 5.5, 9);
    let gravity = Gravity { acceleration: DVec3::NEG_Z * 10.0 };
    let mut walls = Wall::inside_of_box(DVec3::splat(-0.1), DVec3::splat(5.6));
    if moving {
        walls[0] = walls[0].clone().moving(DVec3::X * 0.8);
        // A floor that slides does work by its tangential force.
        walls[4] = walls[4].clone().moving(DVec3::Y * 2.0);
    }
    let law = Hertz::new(3e4, Damping::restitution(0.6).unwrap()).unwrap();
    let contacts = open(law, CoulombViscous::new(20.0, 0.4).unwrap()).with_walls(walls).unwrap().with_ledger();
    let mut field = Both(gravity, contacts);
    let mut map = Explicit::new(Map::Verlet, dt).unwrap();
    let read = |field: &Both<Gravity, _>, state: &_| Ledger::read(&field.1, &field.0, &bodies, state).unwrap();
    let start = read(&field, &state).balance();
    let mut worst = 0.0_f64;
    let mut last = 0.0;
    while state.time() < 0.5 {
        map.step(&bodies, &mut field, &mut state).unwrap();
        let ledger = read(&field, &state);
        worst = worst.max((ledger.balance() - start).abs());
        // The dissipated energy never falls, but for rounding of small differences.
        assert!(ledger.dissipated >= last - 1e-3 * ledger.dissipated.abs().max(1e-3));
        last = ledger.dissipated;
    }
    let ledger = read(&field, &state);
    (worst, ledger.dissipated, ledger.wall_work)
}

#[test]
fn balance_closes_to_second_order() {
    for moving in [false, true] {
        let runs = [4e-4, 2e-4, 1e-4].map(|dt| run(dt, moving));
        println!("walls move: {moving}: (largest deviation, dissipated, work of walls) {runs:?}");
        let dissipated = runs[2].1;
        assert!(dissipated > 10.0 && (runs[2].2.abs() > 1.0) == moving);
        assert!(runs[2].0 < 2e-4 * dissipated, "{runs:?}");
        // Contacts begin at random phases of a step: halving the step need not divide the error by exactly four.
        assert!(runs[2].0 < runs[0].0 / 10.0, "{runs:?}");
    }
}

#[test]
fn fixed_bodies_that_move_work_as_walls_do() {
    // A row of fixed spheres that turn is driven into free ones.
    let run = |dt: f64| {
        let fixed = (0..3).map(|_| Body::fixed(0.5));
        let bodies = Bodies::new(fixed.chain((0..3).map(|_| Body::sphere(1.0, 0.5)))).unwrap();
        let mut state = State::at_rest(6);
        for i in 0..6 {
            let row = (i / 3) as f64;
            let along = (i % 3) as f64;
            state.position_mut().set(i, DVec3::new(1.05 * row, 1.1 * along, 0.1 * row));
        }
        for i in 0..3 {
            state.velocity_mut().set(i, DVec3::new(0.5, 0.2, -0.1));
            state.set_spin(&bodies, i, DVec3::Z * 3.0);
        }
        let law = Hooke::new(2e3, Damping::restitution(0.6).unwrap()).unwrap();
        let mut field = open(law, CoulombViscous::new(20.0, 0.4).unwrap()).with_ledger();
        let mut map = Explicit::new(Map::Verlet, dt).unwrap();
        while state.time() < 0.6 {
            map.step(&bodies, &mut field, &mut state).unwrap();
        }
        let free = (3..6).map(|i| 0.5 * state.velocity().get(i).length_squared()).sum::<f64>();
        let ledger = Ledger::read(&field, &NoForce, &bodies, &state).unwrap();
        [ledger.balance(), ledger.wall_work, free]
    };
    let [[coarse, _, _], [fine, work, free]] = [8e-4, 2e-4].map(run);
    println!("off by {coarse:.1e} J, by {fine:.1e} J with a quarter of the step, of {work:.2e} J");
    assert!(work > free && free > 0.3, "{work} {free}");
    assert!(fine.abs() < 2e-4 * work && fine.abs() < coarse.abs() / 6.0, "{coarse} {fine}");
}

#[test]
fn contacts_add_up_to_the_ledger() {
    let (bodies, mut state) = crowd(100, 5.0, 9);
    let law = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    let mut field = open(law, Viscous::new(10.0).unwrap()).with_ledger();
    let mut map = Explicit::new(Map::Verlet, 1e-5).unwrap();
    let mut before = 0.0;
    let mut work = 0.0;
    for _ in 0..2000 {
        map.step(&bodies, &mut field, &mut state).unwrap();
        let power: f64 = field.contacts(&bodies, &state).unwrap().iter().map(|contact| contact.dissipated_power).sum();
        work += 0.5e-5 * (before + power);
        before = power;
    }
    let ledger = Ledger::read(&field, &rrp_integrate::NoForce, &bodies, &state).unwrap();
    assert!((work / ledger.dissipated - 1.0).abs() < 1e-2, "{work} {}", ledger.dissipated);
    let elastic: f64 = field.contacts(&bodies, &state).unwrap().iter().map(|contact| contact.elastic_energy).sum();
    assert!((elastic / ledger.elastic - 1.0).abs() < 1e-12);
}

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

/// At the turning point of an elastic collision, with the longest useful steps, the energy is a little above its
/// initial value. This does not count as growth.
#[test]
fn a_collision_that_turns_round_raises_no_alarm() {
    for shift in 0..40 {
        let gap = 0.001 * f64::from(shift);
        let (bodies, mut state) = moving(&[[DVec3::ZERO, DVec3::X], [DVec3::X * (1.0 + gap), DVec3::NEG_X]]);
        let field = open(Hooke::new(1e4, Damping::NONE).unwrap(), Frictionless);
        let mut field = EnergyGuard::new(field, 0.5, 1).unwrap();
        crate::support::advance(&bodies, &mut field, &mut state, 1.5e-3, 60);
    }
}
