//! Two bonded bodies in SE(3)²: forces, trajectories and momenta.

use rrp_geom::Attitude;
use rrp_geom::glam::DVec3;
use rrp_integrate::body::spin_momentum;
use rrp_integrate::{Bodies, Body, State, angular_momentum, linear_momentum};

use crate::bond::{Bond, Shear};
use crate::methods::{RODRIGUES_23, RODRIGUES_25, RODRIGUES_27};
use crate::problems::System;
use crate::reference::{Reference, attitude_difference, close, difference, reference};

fn data() -> Reference {
    reference("two_bodies")
}

/// The bond of the reference file, with all its parts.
fn bond(shear: Shear) -> Bond {
    let row = data().at("bond");
    Bond {
        bending: row.at("Km").number(),
        stretching: row.at("Ka").number(),
        shearing: row.at("Ks").number(),
        contact: row.at("Kpp").number(),
        diameter: row.at("D").number(),
        length: row.at("r0").number(),
        direction: row.at("n0").vector(),
        shear,
    }
}

/// One part of the bond alone.
fn part(name: &str) -> Bond {
    let nothing = Bond { bending: 0.0, stretching: 0.0, shearing: 0.0, contact: 0.0, ..bond(Shear::None) };
    let whole = bond(Shear::None);
    match name {
        "m" => Bond { bending: whole.bending, ..nothing },
        "a" => Bond { stretching: whole.stretching, ..nothing },
        "pp" => Bond { contact: whole.contact, ..nothing },
        "s_paper" => Bond { shearing: whole.shearing, shear: Shear::Printed, ..nothing },
        "s_A" => Bond { shearing: whole.shearing, shear: Shear::A, ..nothing },
        "s_B" => Bond { shearing: whole.shearing, shear: Shear::B, ..nothing },
        _ => panic!("no bond part {name}"),
    }
}

const PARTS: [&str; 6] = ["m", "a", "s_paper", "s_A", "s_B", "pp"];

/// The reference start; bodies have m = J = 1.
fn start(shear: Shear) -> System<Bond> {
    let row = data().at("trajectories").at("initial");
    let mut state = State::at_rest(2);
    for i in 0..2 {
        let column = |name: &str| row.at(&format!("{name}{}", i + 1));
        state.position_mut().set(i, column("x").vector());
        state.velocity_mut().set(i, column("v").vector());
        state.attitude_mut().set(i, column("alpha").rodrigues());
        state.angular_momentum_mut().set(i, column("Omega").vector());
    }
    System { bodies: Bodies::new([Body::spherical(1.0, 1.0); 2]).unwrap(), field: bond(shear), state }
}

#[test]
fn bond_parts_have_the_reference_energies_forces_and_torques() {
    let state = start(Shear::None).state;
    for name in PARTS {
        let action = part(name).act(&state);
        let row = data().at("bond").at(name);
        assert!(close(action.energy, row.at("U").number(), 1e-13), "{name}: {}", action.energy);
        let force = row.at("F1").vector();
        let moments = [row.at("M1").vector(), row.at("M2").vector()];
        assert!((action.force - force).length() <= 1e-13 * force.length(), "{name}: {}", action.force);
        for (torque, moment) in action.torques.into_iter().zip(moments) {
            assert!((torque - moment).length() <= 1e-13 * moment.length(), "{name}: {torque}, not {moment}");
        }
    }
}

/// The derivative of the energy by differences of sixth order, which are good to about 1e-10 of the forces.
#[test]
fn bond_forces_are_gradients_of_the_energies() {
    const STEP: f64 = 1e-3;
    let state = start(Shear::None).state;
    for name in PARTS {
        let bond = part(name);
        let action = part(name).act(&state);
        let size = action.force.length() + action.torques[0].length();
        for (i, axis) in [(0, DVec3::X), (0, DVec3::Y), (0, DVec3::Z), (1, DVec3::X), (1, DVec3::Y), (1, DVec3::Z)] {
            let derivative = |energy: &dyn Fn(f64) -> f64| {
                let odd = |k: f64| energy(k * STEP) - energy(-k * STEP);
                (45.0 * odd(1.0) - 9.0 * odd(2.0) + odd(3.0)) / (60.0 * STEP)
            };
            let moved = derivative(&|distance| {
                let mut moved = state.clone();
                // Bonds are stiff against separation: a hundredth of the step will do.
                moved.position_mut().add(i, 0.01 * distance * axis);
                bond.act(&moved).energy
            }) * 100.0;
            let turned = derivative(&|angle| {
                let mut turned = state.clone();
                let rotation = Attitude::from_rotation_vector(angle * axis).unwrap();
                turned.attitude_mut().set(i, state.attitude().get(i).then(rotation));
                bond.act(&turned).energy
            });
            let force = if i == 0 { action.force } else { -action.force };
            let errors = [(moved + force.dot(axis)).abs(), (turned + action.torques[i].dot(axis)).abs()];
            assert!(errors.into_iter().all(|error| error <= 1e-8 * size), "{name}, body {i}, {axis}: {errors:?}");
        }
    }
}

#[test]
fn pairs_follow_their_reference_trajectories() {
    for (law, shear) in [("paper", Shear::Printed), ("A", Shear::A), ("B", Shear::B)] {
        for (map, method) in [("(23)", RODRIGUES_23), ("(25)", RODRIGUES_25), ("(27)", RODRIGUES_27)] {
            let mut system = start(shear);
            let mut done = 0;
            for steps in [1, 10, 100] {
                system.run(method, 1e-3, steps - done, |_, _| ());
                done = steps;
                let name = format!("bond {law} {map} h=0.001 N={steps}");
                let error = distance(&system.state, data().at("trajectories").at(&name));
                assert!(error <= 1e-13, "{name}: {error:e}");
            }
        }
    }
}

/// The largest difference over all columns.
fn distance(state: &State, row: Reference) -> f64 {
    let mut worst = 0.0_f64;
    for i in 0..2 {
        let column = |name: &str| row.at(&format!("{name}{}", i + 1));
        worst = worst
            .max(difference(state.position().get(i), column("x").vector()))
            .max(difference(state.velocity().get(i), column("v").vector()))
            .max(difference(state.angular_momentum().get(i), column("Omega").vector()))
            .max(attitude_difference(state.attitude().get(i), column("alpha").rodrigues()));
    }
    worst
}

/// The largest drifts over 2e4 steps of linear, total angular and spin momentum.
fn momentum_drifts(shear: Shear) -> [f64; 3] {
    let momenta = |bodies: &Bodies, state: &State| {
        [linear_momentum(bodies, state), angular_momentum(bodies, state), spin_momentum(state)]
    };
    let mut system = start(shear);
    let first = momenta(&system.bodies, &system.state);
    let mut worst = [0.0_f64; 3];
    system.run(RODRIGUES_25, 1e-3, 20_000, |bodies, state| {
        for (k, momentum) in momenta(bodies, state).into_iter().enumerate() {
            worst[k] = worst[k].max(difference(momentum, first[k]));
        }
    });
    worst
}

#[test]
fn objective_bonds_keep_linear_and_total_angular_momentum() {
    for shear in [Shear::A, Shear::B] {
        let [linear, angular, spin] = momentum_drifts(shear);
        assert!(linear <= 1e-12 && angular <= 1e-12, "{shear:?}: {linear:e}, {angular:e}");
        // Orbits and spins do exchange momentum, so the sum is not kept merely because nothing is exchanged.
        assert!(spin > 1e-2, "{shear:?}: {spin:e}");
    }
}

#[test]
fn the_printed_bond_keeps_the_sum_of_spins_instead() {
    let [linear, angular, spin] = momentum_drifts(Shear::Printed);
    assert!(linear <= 1e-12 && spin <= 1e-12, "{linear:e}, {spin:e}");
    assert!(angular > 1e-2, "{angular:e}");
}
