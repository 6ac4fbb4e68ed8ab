//! The ledger closes.

use dem_contact::force::Ledger;
use dem_contact::law::{CoulombViscous, Damping, Hertz, Hooke, Viscous};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Both, Explicit, Gravity, Integrator, Map};

use crate::support::{crowd, open};

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
        // Nothing is ever given back but by what rounding of small differences allows.
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
        // Touches come at random places within a step, so that halving it need not divide by exactly four.
        assert!(runs[2].0 < runs[0].0 / 10.0, "{runs:?}");
    }
}

#[test]
fn contacts_add_up_to_the_ledger() {
    let (bodies, mut state) = crowd(100, 5.0, 9);
    let law = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    let mut field = open(law, Viscous::new(10.0).unwrap()).with_ledger();
    let mut map = Explicit::new(Map::Verlet, 1e-5).unwrap();
    let (mut before, mut work) = (0.0, 0.0);
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
