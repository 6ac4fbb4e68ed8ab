//! Tests of the energies of a ledger: sliding, sticking and rolling, and bad states.

use crate::friction::incline::{BLOCK, Incline, STIFFNESS, spring};
use crate::prelude::*;

#[test]
fn the_balance_closes_with_the_step_sliding_sticking_and_rolling() {
    let resistance = SpringSlider::new(1e4, 60.0, 0.05).unwrap();
    let law = Rolling::new(spring(0.3), resistance).with_twisting(resistance);
    // A block that slides, then sticks; a block that swings in its spring; a sphere that rolls; a sphere that skids.
    for (name, angle, inertia, velocity) in
        [("slides", 0.0, BLOCK, 0.05), ("sticks", 0.2, BLOCK, 0.0), ("rolls", 0.3, 1.0, 0.0), ("skids", 0.0, 1.0, 0.2)]
    {
        let worst = [4e-4, 2e-4, 1e-4].map(|dt| {
            let mut run = Incline::new(law, angle, inertia)
                .moving(DVec3::X * velocity, if inertia > 1.0 { DVec3::ZERO } else { DVec3::Z });
            run.dt = dt;
            run.run(0.5).2
        });
        let order = (worst[0] / worst[2]).log2() / 2.0;
        println!("{name}: the balance is off by {worst:?}, order {order:.2}");
        assert!(worst[2] < 1e-4 && order > 1.8, "{name}: {worst:?}");
    }
}

/// A law of couples alone, which resists all turning.
#[derive(Debug, Clone, Copy)]
struct Brake;

impl TangentialLaw for Brake {
    type History = ();

    fn force(&self, _: &ContactKinematics, _: &mut ()) -> DVec3 {
        DVec3::ZERO
    }

    fn couple(&self, _: &ContactKinematics, spin: DVec3, _: &mut ()) -> DVec3 {
        -0.1 * spin
    }

    fn resists_rolling(&self) -> bool {
        true
    }

    fn is_active(&self) -> bool {
        false
    }
}

#[test]
fn couples_without_a_force_are_accounted_for() {
    let hooke = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
    let (bodies, mut state) = spheres(&[DVec3::ZERO, DVec3::X * 0.999]);
    state.set_spin(&bodies, 1, DVec3::new(1.0, 2.0, 3.0));
    let mut field = open(hooke, Brake).with_ledger();
    let start = energies(&bodies, &field, &state);
    advance(&bodies, &mut field, &mut state, 1e-6, 1000);
    let end = energies(&bodies, &field, &state);
    assert!(end.dissipated > 1e-3, "{end:?}");
    assert!((end.balance() - start.balance()).abs() < 1e-3 * end.dissipated, "{start:?} {end:?}");
}

/// Finite forces at a state that was modified between steps count as those at the start of the step.
#[test]
fn a_step_from_what_is_no_number_leaves_loads_and_ledger() {
    let hooke = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
    let (bodies, mut state) = moving(&[[DVec3::Z * 0.4995, DVec3::X], [DVec3::new(0.999, 0.0, 0.4995), DVec3::ZERO]]);
    let plane = Wall::plane(DVec3::ZERO, DVec3::Z);
    let mut field = open(hooke, Viscous::new(3.0).unwrap()).with_walls([plane]).unwrap().with_ledger();
    let mut map = Explicit::new(Map::Verlet, 1e-5).unwrap();
    advance(&bodies, &mut field, &mut state, 1e-5, 50);
    let kept = state.clone();
    let mut spared = field.clone();
    let loads = field.wall_loads().to_vec();
    for bad in [DVec3::NAN, DVec3::INFINITY] {
        state.velocity_mut().set(0, bad);
        map.step(&bodies, &mut field, &mut state).unwrap_err();
        assert_eq!(field.wall_loads(), loads);
        state.clone_from(&kept);
    }
    let mut other = kept;
    advance(&bodies, &mut field, &mut state, 1e-5, 50);
    advance(&bodies, &mut spared, &mut other, 1e-5, 50);
    let end = energies(&bodies, &field, &state);
    assert!(end.dissipated > 1e-6);
    assert_eq!(end, energies(&bodies, &spared, &other));
    assert_eq!(field.wall_loads(), spared.wall_loads());
}
