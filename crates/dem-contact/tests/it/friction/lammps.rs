//! Tests of oblique impacts with friction springs against LAMMPS' `gran/hooke/history` and `gran/hertz/history`,
//! tangential damping included.
//!
//! `oblique_history.csv` is from LAMMPS 22Jul2025: two spheres that spin, diameter and mass one, slip over approach
//! `slip`, μ = 0.3, `k_t` = 2/7 `k_n`, a step of 2e-5; the first sphere at some steps. Tangential damping is zero or
//! has its usual value.

use crate::prelude::*;

const FRICTION: f64 = 0.3;
const APPROACH: f64 = 0.5;
const DT: f64 = 2e-5;

/// Returns position, velocity and spin of the first sphere after this many steps.
fn impact(
    law: impl ContactLaw + 'static,
    tangential: impl TangentialLaw + Copy + 'static,
    slip: f64,
    steps: usize,
) -> [DVec3; 3] {
    let (bodies, mut state) = spheres(&[DVec3::X * -0.5001, DVec3::X * 0.5001]);
    let velocity = DVec3::new(APPROACH, slip * APPROACH, 0.0);
    state.velocity_mut().set(0, velocity);
    state.velocity_mut().set(1, -velocity);
    state.set_spin(&bodies, 0, DVec3::new(0.0, 0.4, 0.3));
    state.set_spin(&bodies, 1, DVec3::new(0.0, 0.0, 0.3));
    advance(&bodies, &mut open(law, tangential), &mut state, DT, steps);
    [state.position().get(0), state.velocity().get(0), state.spin(&bodies, 0)]
}

#[test]
fn oblique_impacts_are_those_of_lammps() {
    let mut worst = [0.0_f64; 2];
    let rows = csv("oblique_history.csv");
    for row in &rows {
        let [k, gamma, gamma_t, slip] = ["k", "gamma_n", "gamma_t", "slip"].map(|name| number(row, name));
        let steps = number(row, "step") as usize;
        let hooke = row["law"] == "hooke";
        let found = if hooke {
            let law = Hooke::new(k, Damping::coefficient(gamma).unwrap()).unwrap();
            impact(law, FrictionSpring::new(2.0 / 7.0 * k, gamma_t, FRICTION).unwrap().as_in_lammps(), slip, steps)
        } else {
            let law = Hertz::new(k, Damping::NONE).unwrap().with_growing_damping(gamma).unwrap();
            impact(law, MindlinSpring::new(2.0 / 7.0 * k, gamma_t, FRICTION).unwrap().as_in_lammps(), slip, steps)
        };
        let vector = |names: [&str; 3]| DVec3::from_array(names.map(|name| number(row, name)));
        let expected = [vector(["x", "y", "z"]), vector(["vx", "vy", "vz"]), vector(["wx", "wy", "wz"])];
        for (found, expected) in found.into_iter().zip(expected) {
            let off = (found - expected).length() / expected.length();
            worst[usize::from(hooke)] = worst[usize::from(hooke)].max(off);
            assert!(off < 1e-10, "{row:?}: {found}, not {expected}");
        }
    }
    assert_eq!(rows.len(), 36);
    println!("relative differences: {:e} beside Hertz' law, {:e} beside Hooke's", worst[0], worst[1]);
}

/// Forces that act at the radius have a longer lever arm than forces at the contact point.
#[test]
fn viscous_laws_act_where_lammps_has_them() {
    let (bodies, state) = moving(&[[DVec3::ZERO; 2], [DVec3::X * 0.9, DVec3::Y]]);
    let law = Hooke::new(1e3, Damping::NONE).unwrap();
    let viscous = Viscous::new(20.0).unwrap();
    let limited = CoulombViscous::new(20.0, 0.1).unwrap();
    let arm = |out: Wrenches| out.torque.get(1).z / out.force.get(1).y;
    let found = [
        arm(wrenches(&bodies, &mut open(law, viscous), &state)),
        arm(wrenches(&bodies, &mut open(law, viscous.as_in_lammps()), &state)),
        arm(wrenches(&bodies, &mut open(law, limited), &state)),
        arm(wrenches(&bodies, &mut open(law, limited.as_in_lammps()), &state)),
    ];
    for (found, expected) in found.into_iter().zip([-0.45, -0.5, -0.45, -0.5]) {
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }
}
