//! Tests of bonds that break, and of where their energy goes.

use dem_contact::bond::BondLedger;

use crate::prelude::*;

/// Makes two touching unit spheres with a bond of this strength that fly apart at the relative speed 2.
fn parting(strength: Strength) -> (Bodies, Bonds, State) {
    let (bodies, mut state) = spheres(&[DVec3::X, DVec3::ZERO]);
    let law = BondLaw { stretching: 4.0, shearing: 1.0, bending: 1.0, contact: 10.0, strength };
    let bonds = Bonds::new(&bodies, &state, [Bond::new(0, 1, law)]).unwrap();
    state.velocity_mut().set(0, DVec3::X);
    state.velocity_mut().set(1, -DVec3::X);
    (bodies, bonds, state)
}

fn ledgers(strength: Strength, map: Map) -> Vec<(BondLedger, usize)> {
    let (bodies, mut bonds, mut state) = parting(strength);
    let mut map = Explicit::new(map, 1e-3).unwrap();
    (0..2000)
        .map(|_| {
            map.step(&bodies, &mut bonds, &mut state).unwrap();
            (BondLedger::read(&bodies, &state, &bonds, &[], &NoForce), bonds.ruptures().len())
        })
        .collect()
}

#[test]
fn a_bond_breaks_at_its_stretch_and_the_energy_is_accounted_for() {
    for map in [Map::Rodrigues23, Map::Rodrigues25] {
        let rows = ledgers(Strength::of_stretch(0.5), map);
        let first = rows.iter().position(|(_, broken)| *broken == 1).unwrap();
        let before = &rows[first - 1].0;
        let after = &rows[first].0;
        // U = 4/2 · 0.5² at the break, and zero afterwards.
        assert!((after.released - 0.5).abs() < 5e-3, "{}", after.released);
        assert!(before.bonds.stretching > 0.49 && after.bonds.total().abs() < 1e-300);
        assert!((before.kinetic.total() - after.kinetic.total()).abs() < 5e-3);
        for (row, _) in &rows {
            assert!((row.balance() - 1.0).abs() < 1.5e-3, "{}", row.balance());
        }
        let last = &rows.last().unwrap().0;
        assert!((last.kinetic.total() - after.kinetic.total()).abs() < 1e-14, "it flies on freely");
    }
}

#[test]
fn a_bond_breaks_at_its_force() {
    // F = 4 s reaches 1.2 at s = 0.3, where 4/2 s² is 0.18.
    let rows = ledgers(Strength::of_force(1.2), Map::Rodrigues25);
    assert!((rows.last().unwrap().0.released - 0.18).abs() < 2e-3);
    assert_eq!(ledgers(Strength::of_force(4.0), Map::Rodrigues25).last().unwrap().1, 0);
    assert_eq!(ledgers(Strength::UNBREAKABLE, Map::Rodrigues25).last().unwrap().1, 0);
}

#[test]
fn a_broken_pair_keeps_its_contact() {
    let (bodies, mut bonds, mut state) = parting(Strength::of_stretch(0.1));
    let mut map = Explicit::new(Map::Rodrigues25, 1e-2).unwrap();
    (0..50).for_each(|_| assert_eq!(map.step(&bodies, &mut bonds, &mut state).unwrap().iterations, 0));
    assert_eq!(bonds.ruptures().len(), 1);
    let close = state.position().get(1) + DVec3::X * 0.8;
    state.position_mut().set(0, close);
    let load = bonds.loads(&bodies, &state).next().unwrap();
    assert!(!load.intact && load.force.x > 0.1 && load.energies.binder().abs() < 1e-300);
    assert!((bonds.energy(&bodies, &state) - load.energies.contact).abs() < 1e-300);
}

#[test]
fn trial_states_break_nothing() {
    let (bodies, mut bonds, state) = parting(Strength::of_stretch(0.1));
    let mut far = state.clone();
    far.position_mut().set(0, DVec3::X * 3.0);
    let mut out = Wrenches::zeros(2);
    bonds.accumulate(&bodies, &far, 1e-3, &mut out).unwrap();
    assert!(out.force.get(0).length() < 1e-300, "the trial state itself is that of a broken bond");
    bonds.accumulate(&bodies, &state, 1e-3, &mut out).unwrap();
    bonds.commit();
    assert!(bonds.ruptures().is_empty());
    bonds.accumulate(&bodies, &far, 1e-3, &mut out).unwrap();
    bonds.commit();
    assert_eq!(bonds.ruptures()[0].bond, 0);
    assert!((bonds.released() - 8.0).abs() < 1e-14);
}

/// A bond beyond its strength exerts no force at the start of a run, so it must not mend within the first step.
#[test]
fn a_bond_that_starts_beyond_its_strength_breaks_there() {
    let (bodies, mut bonds, mut state) = parting(Strength::of_stretch(0.1));
    state.position_mut().set(0, DVec3::X * 1.101);
    (0..2).for_each(|i| state.velocity_mut().set(i, DVec3::X * (i as f64 - 0.5)));
    let mut map = Explicit::new(Map::Rodrigues25, 1e-2).unwrap();
    let stored = bonds.energy(&bodies, &state);
    map.step(&bodies, &mut bonds, &mut state).unwrap();
    assert!(state.position().get(0).x - state.position().get(1).x < 1.1);
    assert!(bonds.ruptures().len() == 1 && bonds.ruptures()[0].time.abs() < 1e-300);
    assert!((bonds.released() - stored).abs() < 1e-300 && bonds.latest_energies().total().abs() < 1e-300);
    map.step(&bodies, &mut bonds, &mut state).unwrap();
    assert_eq!(bonds.ruptures().len(), 1);
}

/// A step that fails because of another field breaks no bond and adds nothing to the impulse on the wall.
#[test]
fn a_failed_step_breaks_nothing_and_gives_the_wall_nothing() {
    let after = |failures: usize| {
        let (bodies, bonds, mut state) = parting(Strength::of_stretch(0.1));
        let wall = ElasticWall::new(DVec3::X * -0.499, DVec3::X, 100.0).unwrap();
        let mut field = Both(Both(bonds, wall), Fails(0));
        let mut map = Explicit::new(Map::Rodrigues25, 1e-2).unwrap();
        for _ in 0..20 {
            for _ in 0..failures {
                field.1.0 = 1;
                let before = state.clone();
                assert!(map.step(&bodies, &mut field, &mut state).is_err() && state == before);
            }
            map.step(&bodies, &mut field, &mut state).unwrap();
        }
        let Both(bonds, wall) = field.0;
        assert!(bonds.ruptures().len() == 1 && wall.impulse().linear.x < 0.0);
        (state, bonds.ruptures().to_vec(), wall.impulse())
    };
    assert!(after(0) == after(2));
}

/// Bodies of a broken bond without contact may meet in one point.
#[test]
fn a_broken_pair_without_contact_may_pass_through_itself() {
    let (bodies, _, mut state) = parting(Strength::UNBREAKABLE);
    let law = BondLaw { stretching: 1.0, strength: Strength::of_stretch(0.1), ..BondLaw::default() };
    let mut start = State::at_rest(2);
    start.position_mut().set(0, DVec3::X);
    let mut bonds = Bonds::new(&bodies, &start, [Bond::new(0, 1, law)]).unwrap();
    let mut map = Explicit::new(Map::Rodrigues25, 0.1).unwrap();
    map.step(&bodies, &mut bonds, &mut state).unwrap();
    assert_eq!(bonds.ruptures().len(), 1);
    (0..2).for_each(|i| state.position_mut().set(i, DVec3::ZERO));
    assert!(bonds.energy(&bodies, &state).abs() < 1e-300);
    map.step(&bodies, &mut bonds, &mut state).unwrap();
    // The binder of an intact bond has no direction there, and no defined energy.
    let bonds = Bonds::new(&bodies, &start, [Bond::new(0, 1, law)]).unwrap();
    let mut met = start;
    met.position_mut().set(0, DVec3::ZERO);
    assert!(bonds.energy(&bodies, &met).is_nan());
}
