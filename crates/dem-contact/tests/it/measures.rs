//! Tests of measured stress and power: against the forces of walls, and by motion.

use dem_contact::measure::{Extent, Grid, Kernel, Selection, Snapshot, Touch};

use crate::prelude::*;

/// Contacts in a cube of six planes: two for each axis, the lower one first.
fn caged(side: f64) -> ContactForce {
    let planes = [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .flat_map(|axis| [Wall::plane(DVec3::ZERO, axis), Wall::plane(side * axis, -axis)]);
    open(Hooke::new(1e4, Damping::NONE).unwrap(), Frictionless).with_walls(planes).unwrap()
}

#[test]
fn the_stress_of_a_packing_at_rest_is_the_force_of_its_walls_over_their_area() {
    let side = 3.05;
    let (bodies, mut state) = crowd(64, side, 3);
    let contacts = caged(side);
    let load = VectorColumn::zeros(bodies.len());
    let found = EnergyMinimizer::default().minimize(&bodies, &contacts, &load, &mut state).unwrap();
    let touches = found.contacts.iter().map(Touch::from).collect();
    let snapshot = Snapshot::new(&bodies, &state, &Domain::OPEN, touches).unwrap();
    let cube = |low: DVec3, high: DVec3| snapshot.bulk(&Selection::of(Extent::Box { low, high })).unwrap();
    let corner = DVec3::splat(side);
    let whole = cube(DVec3::ZERO, corner);
    let stress = whole.contact_stress().unwrap();
    for axis in 0..3 {
        let [low, high] = [2 * axis, 2 * axis + 1].map(|wall| snapshot.wall_load(wall, DVec3::ZERO).force[axis]);
        assert!(high > 100.0 && (low + high).abs() < 1e-9 * high, "{low} {high}");
        let ratio = stress.col(axis)[axis] * side * side / high;
        assert!((ratio - 1.0).abs() < 1e-9, "{:e}", ratio - 1.0);
        // The stress is the same in each slice.
        let mut low = DVec3::ZERO;
        let mut high = corner;
        (low[axis], high[axis]) = (0.4 * side, 0.7 * side);
        let slice = cube(low, high).contact_stress().unwrap();
        assert!((slice.col(axis)[axis] / stress.col(axis)[axis] - 1.0).abs() < 1e-9);
    }
    // A packing in equilibrium has a symmetric stress.
    assert!(stress.abs_diff_eq(stress.transpose(), 1e-9 * stress.x_axis.x));
    let reach = DVec3::splat(7.0 * 0.5);
    let grid = Grid { low: -reach, high: corner + reach, cells: [24; 3] };
    let total = snapshot.fields(None, grid, Kernel::Gaussian { width: 0.5 }).unwrap().total();
    assert!(total.contact_stress.abs_diff_eq(whole.virial, 1e-8 * whole.virial.x_axis.x));
    assert!((total.density - whole.mass).abs() < 1e-8 * whole.mass);
}

#[test]
fn power_by_motion_is_that_of_each_motion_alone() {
    // A ball of radius 1/2 on the floor, 0.01 deep.
    let power = |velocity: DVec3, spin: DVec3| {
        let (bodies, mut state) = moving(&[[DVec3::Z * 0.49, velocity]]);
        state.set_spin(&bodies, 0, spin);
        let resistance = SpringSlider::new(1e3, 2.0, 0.5).unwrap();
        let tangential =
            Rolling::new(FrictionSpring::new(1e4, 3.0, 0.5).unwrap(), resistance).with_twisting(resistance);
        let contacts = open(Hooke::new(1e4, Damping::coefficient(4.0).unwrap()).unwrap(), tangential);
        let contacts = contacts.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
        let found = contacts.contacts(&bodies, &state).unwrap()[0];
        assert!((found.power_by_motion.total() - found.dissipated_power).abs() < 1e-14 * found.dissipated_power);
        let snapshot = Snapshot::read(&contacts, &bodies, &state).unwrap();
        let bulk = snapshot.bulk(&Selection::of(Extent::Whole)).unwrap();
        assert!(bulk.power == found.power_by_motion && bulk.power_at_walls == bulk.power);
        found.power_by_motion
    };
    let arm = 0.49;
    let approach = power(DVec3::NEG_Z * 0.1, DVec3::ZERO);
    assert!((approach.normal - 4.0 * 0.01).abs() < 1e-14 && approach.total() - approach.normal < 1e-14);
    let slip = power(DVec3::X * 0.1, DVec3::ZERO);
    assert!((slip.sliding - 3.0 * 0.01).abs() < 1e-14, "{slip:?}");
    let twist = power(DVec3::ZERO, DVec3::Z * 0.1);
    assert!((twist.twisting - 2.0 * 0.01).abs() < 1e-14 && twist.rolling.abs() < 1e-15, "{twist:?}");
    // The ball rolls without slip.
    let roll = power(DVec3::X * arm * 0.1, DVec3::Y * 0.1);
    assert!(roll.rolling > 0.0 && roll.sliding.abs() < 1e-14 && roll.twisting.abs() < 1e-15, "{roll:?}");
}
