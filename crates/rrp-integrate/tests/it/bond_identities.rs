//! Symmetries of bond laws, and those that (53) of `[BG21]` as printed violates.

use rrp_geom::Attitude;
use rrp_geom::glam::DVec3;
use rrp_integrate::State;

use crate::bond::{Bond, Shear};
use crate::identities::{assert_identities, assert_misprints, length};
use crate::problems::Random;

/// Unit stiffness throughout, so that residuals are relative ones.
fn bond(shear: Shear) -> Bond {
    Bond {
        bending: 1.0,
        stretching: 0.0,
        shearing: 1.0,
        contact: 0.0,
        diameter: 1.0,
        length: 1.0,
        direction: DVec3::new(0.36, 0.48, -0.8),
        shear,
    }
}

/// Two bodies at random places at least a half apart.
fn pair(random: &mut Random) -> State {
    loop {
        let state = random.state(2);
        if (state.position().get(0) - state.position().get(1)).length() > 0.5 {
            return state;
        }
    }
}

/// The pair turned as a whole or, if `places` is false, with the places left alone.
fn turned(state: &State, rotation: Attitude, places: bool) -> State {
    let mut turned = state.clone();
    for i in 0..2 {
        turned.attitude_mut().set(i, state.attitude().get(i).then(rotation));
        if places {
            turned.position_mut().set(i, rotation.rotate(state.position().get(i)));
        }
    }
    turned
}

/// The sum of the moments about the origin, which vanishes if the bond conserves angular momentum.
fn total_moment(bond: Bond, state: &State) -> f64 {
    let action = bond.act(state);
    let apart = state.position().get(0) - state.position().get(1);
    length(apart.cross(action.force) + action.torques[0] + action.torques[1])
}

/// The change of energy when the pair is turned.
fn objection(bond: Bond, state: &State, rotation: Attitude, places: bool) -> f64 {
    (bond.act(&turned(state, rotation, places)).energy - bond.act(state).energy).abs()
}

#[test]
fn objective_bonds_keep_energy_and_momentum_under_rotation() {
    assert_identities(|random| {
        let state = pair(random);
        let rotation = random.attitude();
        vec![
            ("U^m is objective", objection(bond(Shear::None), &state, rotation, true)),
            ("bond A is objective", objection(bond(Shear::A), &state, rotation, true)),
            ("bond B is objective", objection(bond(Shear::B), &state, rotation, true)),
            (
                "(33): (53) sees no rotation of the attitudes alone",
                objection(bond(Shear::Printed), &state, rotation, false),
            ),
            ("bond A: d × F + τ₁ + τ₂ = 0", total_moment(bond(Shear::A), &state)),
            ("bond B: d × F + τ₁ + τ₂ = 0", total_moment(bond(Shear::B), &state)),
        ]
    });
}

#[test]
fn the_printed_shear_law_53_is_not_objective() {
    let swapped = |state: &State| {
        let mut swapped = state.clone();
        for i in 0..2 {
            swapped.position_mut().set(i, state.position().get(1 - i));
            swapped.attitude_mut().set(i, state.attitude().get(1 - i));
        }
        swapped
    };
    assert_misprints(|random| {
        let state = pair(random);
        let rotation = random.attitude();
        let printed = bond(Shear::Printed);
        // A bond that was measured from the other end has the opposite direction.
        let reversed = Bond { direction: -printed.direction, ..printed };
        vec![
            ("(53) changes when the pair is turned", objection(printed, &state, rotation, true)),
            ("(53): d × F + τ₁ + τ₂", total_moment(printed, &state)),
            ("(53): U(ij) − U(ji)", (printed.act(&state).energy - reversed.act(&swapped(&state)).energy).abs()),
        ]
    });
}

/// U of an undeformed bond along n₀ whose ends stay unturned while the line between them turns by `angle`.
fn shear_energy(shear: Shear, angle: f64, attitudes_too: bool) -> f64 {
    let bond = Bond { direction: DVec3::X, bending: 0.0, ..bond(shear) };
    let rotation = Attitude::from_rotation_vector(DVec3::Z * angle).unwrap();
    let mut state = State::at_rest(2);
    state.position_mut().set(0, rotation.rotate(DVec3::X));
    if attitudes_too {
        (0..2).for_each(|i| state.attitude_mut().set(i, rotation));
    }
    bond.act(&state).energy
}

#[test]
fn shear_energies_of_small_angles() {
    let rows = [
        ("(53), 0.01", shear_energy(Shear::Printed, 0.01, false) / (1e-8 / 8.0), 0.999_983_333_458_332_8),
        ("(53), 0.001", shear_energy(Shear::Printed, 0.001, false) / (1e-12 / 8.0), 0.999_999_833_333_346),
        ("A, 0.001", shear_energy(Shear::A, 0.001, false) / (1e-6 / 2.0), 0.999_999_666_666_711),
        ("B, 0.001", shear_energy(Shear::B, 0.001, false) / (1e-6 / 2.0), 0.999_999_916_666_669),
    ];
    for (name, ratio, expected) in rows {
        // 1 − cos of a small angle loses the digits of its square.
        assert!((ratio - expected).abs() < 2e-9, "{name}: {ratio}");
    }
}

/// Turning an undeformed bond by ψ stores U = K/2 (1 − cos ψ)²; it should store no energy.
#[test]
fn the_printed_shear_law_53_stores_energy_when_turned_as_a_whole() {
    let angle = std::f64::consts::FRAC_PI_6;
    let expected = 0.5 * (1.0 - angle.cos()).powi(2);
    assert!((expected - 0.089_745_962_155_613_53 / 10.0).abs() < 1e-16);
    assert!((shear_energy(Shear::Printed, angle, true) - expected).abs() < 1e-15);
    assert!(shear_energy(Shear::A, angle, true).abs() < 1e-15 && shear_energy(Shear::B, angle, true).abs() < 1e-15);
}
