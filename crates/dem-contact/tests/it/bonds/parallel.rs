//! Tests of parallel bonds against closed forms of bars and beams.

use dem_contact::bond::bonded_pairs_in;

use super::laws::{carried, gradient_error};
use crate::prelude::*;

pub(crate) const LAW: ParallelBondLaw =
    ParallelBondLaw { radius: 0.3, normal_stiffness: 1e4, shear_stiffness: 4e3, strength: StressLimits::UNBREAKABLE };

/// Makes unit spheres in a row along x, with bonds between neighbours.
pub(crate) fn row(count: usize, law: ParallelBondLaw) -> (Bodies, State, Bonds) {
    let (bodies, state) = placed(vec![Body::sphere(1.0, 0.5); count], (0..count).map(|i| DVec3::X * i as f64));
    let bonds = Bonds::new(&bodies, &state, (1..count).map(|i| Bond::new(i - 1, i, law))).unwrap();
    (bodies, state, bonds)
}

fn turn(vector: DVec3) -> Attitude {
    Attitude::from_rotation_vector(vector).unwrap()
}

/// Makes two spheres of different sizes, rotated before they were bonded, in a state far from the reference.
fn skewed() -> (Bodies, State, Bonds) {
    let (bodies, mut state) =
        placed([Body::sphere(1.0, 0.4), Body::sphere(2.0, 0.9)], [[0.2, 0.1, -0.3], [0.9, -0.6, 0.5]]);
    state.attitude_mut().set(0, turn(DVec3::new(0.4, -1.0, 0.2)));
    state.attitude_mut().set(1, turn(DVec3::new(-0.7, 0.1, 1.5)));
    let bonds = Bonds::new(&bodies, &state, [Bond::new(0, 1, LAW)]).unwrap();
    state.position_mut().add(0, DVec3::new(0.1, 0.2, -0.1));
    let turned = state.attitude().get(1).then(turn(DVec3::new(0.3, 0.5, -0.4)));
    state.attitude_mut().set(1, turned);
    (bodies, state, bonds)
}

#[test]
fn forces_are_the_gradient_of_the_energy_and_balance() {
    let (bodies, state, mut bonds) = skewed();
    let out = wrenches(&bodies, &mut bonds, &state);
    let energies = bonds.energies(&bodies, &state);
    assert!(energies.bending > 1.0 && energies.stretching > 1.0 && energies.shearing > 1.0, "{energies:?}");
    let scale = energies.total();
    let error = gradient_error(&bodies, &mut bonds, &state);
    assert!(error < 1e-9 * scale, "{error:e}");
    let moment = |i: usize| state.position().get(i).cross(out.force.get(i)) + out.torque.get(i);
    assert!((out.force.get(0) + out.force.get(1)).length() < 1e-12 * scale);
    assert!((moment(0) + moment(1)).length() < 1e-12 * scale);
}

/// A rigid rotation changes no energy and rotates the forces; from the reference state it stores no energy.
#[test]
fn a_rigid_turn_stores_nothing() {
    let (bodies, state, mut bonds) = skewed();
    let rotation = turn(DVec3::new(1.0, -2.0, 0.7));
    let carried = |state: &State| carried(state, rotation, DVec3::splat(3.0));
    let before = wrenches(&bodies, &mut bonds, &state);
    let after = wrenches(&bodies, &mut bonds, &carried(&state));
    let scale = bonds.energy(&bodies, &state);
    assert!((bonds.energy(&bodies, &carried(&state)) / scale - 1.0).abs() < 1e-12);
    assert!((rotation.rotate(before.force.get(0)) - after.force.get(0)).length() < 1e-12 * scale);
    assert!((rotation.rotate(before.torque.get(1)) - after.torque.get(1)).length() < 1e-12 * scale);
    let (bodies, state, bonds) = row(5, LAW);
    assert!(bonds.energy(&bodies, &carried(&state)) < 1e-26 * scale);
}

/// n bonds in a row give n times the elongation, F = `k_n` A δ/n; T = G J Φ/L with G = `k_s` l, to large angles: twist
/// adds up along the axis.
#[test]
fn a_row_is_a_bar_in_tension_and_in_torsion() {
    let polar = std::f64::consts::FRAC_PI_2 * 0.3_f64.powi(4);
    let tension = LAW.normal_stiffness * std::f64::consts::PI * 0.09 * 0.2 / 5.0;
    let torsion = LAW.shear_stiffness * polar * 7.0 / 5.0;
    for (elongation, angle, force, torque) in [(0.2, 0.0, tension, 0.0), (0.0, 7.0, 0.0, torsion)] {
        let (bodies, mut state, mut bonds) = row(6, LAW);
        for i in 0..6 {
            state.position_mut().set(i, DVec3::X * i as f64 * (1.0 + elongation / 5.0));
            state.attitude_mut().set(i, turn(DVec3::X * angle * i as f64 / 5.0));
        }
        let out = wrenches(&bodies, &mut bonds, &state);
        for (i, sign) in [1.0, 0.0, 0.0, 0.0, 0.0, -1.0].into_iter().enumerate() {
            let off = [out.force.get(i) - DVec3::X * sign * force, out.torque.get(i) - DVec3::X * sign * torque];
            assert!(
                off.iter().all(|off| off.length() < 1e-12 * (force + torque)),
                "{elongation}, {angle}, {i}: {off:?}"
            );
        }
    }
}

/// Bonds across periodic sides act as bonds inside the domain do.
#[test]
fn bonds_go_across_periodic_sides() {
    let (bodies, inside, mut bonds) = row(3, LAW);
    let sides = [Boundary::Periodic, Boundary::Open, Boundary::Open];
    let domain = Domain::new(DVec3::splat(-0.5), DVec3::splat(5.5), sides).unwrap();
    let mut across = inside.clone();
    across.position_mut().set(2, DVec3::X * (2.0 - 6.0));
    let pairs = bonded_pairs_in(&bodies, &across, &domain, 1e-6).unwrap();
    assert_eq!(pairs, [[0, 1], [1, 2]]);
    let links = pairs.into_iter().map(|[i, j]| Bond::new(i, j, LAW));
    let mut bonds_across = Bonds::across_sides(&bodies, &across, &domain, links.clone()).unwrap();
    assert!(bonds_across.has_bonds_across_sides() && !bonds.has_bonds_across_sides());
    let [mut one, mut other] = [inside, across.clone()];
    for state in [&mut one, &mut other] {
        state.position_mut().add(2, DVec3::new(0.1, 0.05, 0.2));
        state.attitude_mut().set(1, turn(DVec3::new(0.1, 0.2, 0.3)));
    }
    let [here, there] = [wrenches(&bodies, &mut bonds, &one), wrenches(&bodies, &mut bonds_across, &other)];
    for i in 0..3 {
        assert!((here.force.get(i) - there.force.get(i)).length() < 1e-11 * here.force.get(1).length());
        assert!((here.torque.get(i) - there.torque.get(i)).length() < 1e-11 * here.force.get(1).length());
    }
    bonds_across.check_sides(&domain).unwrap();
    let wider = Domain::new(DVec3::splat(-0.5), DVec3::splat(6.5), sides).unwrap();
    let error = bonds_across.check_sides(&wider).unwrap_err();
    assert_matches!(error, DemError::Bond(BondError::OtherPeriods { bond: 1, .. }));
    let deforming = domain.deforming(0.0, rrp_geom::glam::DMat3::from_diagonal(DVec3::X * 0.1)).unwrap();
    assert!(bonds_across.check_sides(&deforming).is_err());
    assert!(Bonds::across_sides(&bodies, &across, &deforming, links).is_err());
}
