//! Tests of forces and trajectories of bonds against arithmetic with many digits.

use dem_contact::bond::BondEnergies;

use crate::bonds::problems::{pair, unit_grains};
use crate::bonds::reference::{Reference, attitude_difference, difference};
use crate::prelude::*;

const NOTHING: fn(BondLaw) -> BondLaw =
    |law| BondLaw { bending: 0.0, stretching: 0.0, shearing: 0.0, contact: 0.0, ..law };

fn assert_relative(what: &str, found: DVec3, expected: DVec3) {
    let error = (found - expected).length();
    assert!(error <= 1e-13 * expected.length(), "{what}: {found}, not {expected}: {:e}", error / expected.length());
}

#[test]
fn single_bonds_have_the_reference_energies_forces_and_torques() {
    type Part = (&'static str, ShearForm, fn(BondLaw) -> BondLaw, fn(&BondEnergies) -> f64);
    let parts: [Part; 6] = [
        ("m", ShearForm::Decoupled, |law| BondLaw { bending: law.bending, ..NOTHING(law) }, |e| e.bending),
        ("a", ShearForm::Decoupled, |law| BondLaw { stretching: law.stretching, ..NOTHING(law) }, |e| e.stretching),
        ("s_paper", ShearForm::Printed, |law| BondLaw { shearing: law.shearing, ..NOTHING(law) }, |e| e.shearing),
        ("s_A", ShearForm::Decoupled, |law| BondLaw { shearing: law.shearing, ..NOTHING(law) }, |e| e.shearing),
        ("s_B", ShearForm::Monotone, |law| BondLaw { shearing: law.shearing, ..NOTHING(law) }, |e| e.shearing),
        ("pp", ShearForm::Decoupled, |law| BondLaw { contact: law.contact, ..NOTHING(law) }, |e| e.contact),
    ];
    for (name, form, change, energy) in parts {
        let (bodies, mut bonds, state) = pair(form, change);
        let row = reference("bond").at(name);
        let out = wrenches(&bodies, &mut bonds, &state);
        assert_relative(name, out.force.get(0), row.at("F1").vector());
        assert_relative(name, out.force.get(1), -row.at("F1").vector());
        assert_relative(name, out.torque.get(0), row.at("M1").vector());
        assert_relative(name, out.torque.get(1), row.at("M2").vector());
        let found = energy(&bonds.energies(&bodies, &state));
        let expected = row.at("U").number();
        assert!((found - expected).abs() <= 1e-13 * expected, "{name}: {found}, not {expected}");
        assert!((bonds.energy(&bodies, &state) - found).abs() < 1e-300);
        assert_eq!(bonds.latest_energies(), bonds.energies(&bodies, &state));
    }
}

#[test]
fn the_wall_has_the_reference_energy_and_force() {
    let (bond, row) = (reference("bond"), reference("bond").at("pw"));
    let body = Body { radius: 0.5 * bond.at("D").number(), ..Body::spherical(1.0, 1.0) };
    let (bodies, state) = placed([body], [DVec3::X * row.at("x").number()]);
    let mut wall = ElasticWall::new(DVec3::X * row.at("xw").number(), DVec3::X, bond.at("Kpp").number()).unwrap();
    let out = wrenches(&bodies, &mut wall, &state);
    assert_relative("F", out.force.get(0), DVec3::X * row.at("Fx").number());
    assert_relative("reaction", wall.force(), -out.force.get(0));
    let found = wall.energy(&bodies, &state);
    let expected = row.at("U").number();
    assert!((found - expected).abs() <= 1e-13 * expected);
}

/// Returns the largest differences of position, velocity, spin and attitude of body `i`.
fn differences(state: &State, i: usize, column: impl Fn(&str) -> Reference) -> [f64; 4] {
    [
        difference(state.position().get(i), column("x").vector()),
        difference(state.velocity().get(i), column("v").vector()),
        difference(state.angular_momentum().get(i), column("Omega").vector()),
        attitude_difference(state.attitude().get(i), column("alpha").rodrigues()),
    ]
}

#[test]
fn pairs_follow_their_reference_trajectories() {
    let forms = [("paper", ShearForm::Printed), ("A", ShearForm::Decoupled), ("B", ShearForm::Monotone)];
    let maps = [("(23)", Map::Rodrigues23), ("(25)", Map::Rodrigues25), ("(27)", Map::Rodrigues27)];
    for (law, form) in forms {
        for (number, map) in maps {
            let (bodies, mut bonds, mut state) = pair(form, |law| law);
            let mut map = Explicit::new(map, 1e-3).unwrap();
            let mut done = 0;
            for steps in [1, 10, 100] {
                run(&mut map, &bodies, &mut bonds, &mut state, steps - done, |_| ()).unwrap();
                done = steps;
                let name = format!("bond {law} {number} h=0.001 N={steps}");
                let row = reference("two_bodies").at(&name);
                for i in 0..2 {
                    let errors = differences(&state, i, |column| row.at(&format!("{column}{}", i + 1)));
                    assert!(errors.into_iter().all(|error| error <= 1e-13), "{name}: {errors:?}");
                }
            }
        }
    }
}

/// Checks all trajectories of the reference file, N = 10 and 100: three maps, two forms, both diameters.
#[test]
fn tori_follow_their_reference_trajectories() {
    let mut checked = 0;
    for name in reference("torus").keys() {
        let has = |part: &str| name.contains(part);
        let diameter = if has("Dt=3 ") { 3.0 } else { unit_grains() };
        let h = if has("h=0.001") { 1e-3 } else { 1e-2 };
        let form = if has("paper") { ShearForm::Printed } else { ShearForm::Decoupled };
        let (map, _) = [(Map::Rodrigues23, "(23)"), (Map::Rodrigues25, "(25)"), (Map::Rodrigues27, "(27)")]
            .into_iter()
            .find(|(_, number)| has(number))
            .unwrap();
        let steps = if has("N=100") { 100 } else { 10 };
        let mut torus = Torus::new(diameter, form, map);
        torus.run(map, h, steps, |_| ());
        let row = reference("torus").at(name);
        let bodies = row.at("bodies");
        for key in bodies.keys() {
            let errors = differences(&torus.state, key.parse().unwrap(), |column| bodies.at(key).at(column));
            let [x, v, spin, attitude] = errors;
            assert!(x <= 5e-13 && v <= 1e-12 && spin <= 2e-13 && attitude <= 2e-13, "{name}, body {key}: {errors:?}");
        }
        let ledger = torus.ledger();
        let kinetic = kinetic_energy(&torus.bodies, &torus.state);
        for (key, value) in [
            ("KEt", kinetic.translation),
            ("KEr", kinetic.rotation),
            ("Um", ledger.bonds.bending),
            ("Ua", ledger.bonds.stretching),
            ("Us", ledger.bonds.shearing),
            ("Upp", ledger.bonds.contact),
            ("Upw", ledger.walls[0]),
            ("E", ledger.mechanical()),
        ] {
            let error = value - row.at(key).number();
            assert!(error.abs() <= 1e-11, "{name}, {key}: {error:e}");
        }
        checked += 1;
    }
    assert_eq!(checked, 13);
}
