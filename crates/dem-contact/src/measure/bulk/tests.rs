//! Closed forms and symmetries of sums over a part of space.

use proptest::prelude::*;
use rrp_integrate::{Bodies, Body, State};

use super::super::snapshot::Touch;
use super::*;
use crate::force::ContactForce;
use crate::law::contact::Partner;
use crate::law::{Damping, Frictionless, Hooke, Laws};
use crate::neighbor::{Boundary, Domain, NeighborList};
use crate::wall::Wall;

fn close(a: DMat3, b: DMat3, tolerance: f64) -> bool {
    a.abs_diff_eq(b, tolerance)
}

/// Chain of grains with any contact forces, made from numbers between −1 and 1, eight for each grain.
struct Sample {
    bodies: Bodies,
    state: State,
    touches: Vec<Touch>,
}

impl Sample {
    fn new(numbers: &[f64]) -> Self {
        let rows: Vec<&[f64]> = numbers.chunks_exact(8).collect();
        let mut state = State::at_rest(rows.len());
        let mut bodies = Vec::new();
        let mut touches = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let [position, force] = [&row[..3], &row[3..6]].map(DVec3::from_slice);
            state.position_mut().set(i, 2.0 * position);
            state.velocity_mut().set(i, 3.0 * force);
            bodies.push(Body::sphere(1.5 + row[6], 0.5 + 0.3 * row[7]));
            let b = if i + 1 < rows.len() { Partner::Body(i + 1) } else { Partner::Wall(0) };
            let normal = (position + DVec3::splat(2.0)).normalize();
            let power = PowerByMotion { normal: row[0], sliding: row[1], rolling: row[2], twisting: row[3] };
            touches.push(Touch { a: i, b, normal, overlap: 0.01 * row[6], force, couple: DVec3::ZERO, power });
        }
        Self { bodies: Bodies::new(bodies).unwrap(), state, touches }
    }

    fn bulk(&self, domain: &Domain, extent: Extent) -> Bulk {
        let snapshot = Snapshot::new(&self.bodies, &self.state, domain, self.touches.clone()).unwrap();
        snapshot.bulk(&Selection { least_contacts: 2, ..Selection::of(extent) }).unwrap()
    }
}

fn numbers() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(-1.0..1.0_f64, 8 * 6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn everything_turns_with_the_grains(numbers in numbers(), turn in proptest::array::uniform3(-3.0..3.0_f64)) {
        let before = Sample::new(&numbers);
        let [x, y, z] = turn;
        let turn = DMat3::from_rotation_x(x) * DMat3::from_rotation_y(y) * DMat3::from_rotation_z(z);
        let mut after = Sample::new(&numbers);
        for i in 0..before.bodies.len() {
            after.state.position_mut().set(i, turn * before.state.position().get(i));
            after.state.velocity_mut().set(i, turn * before.state.velocity().get(i));
        }
        for touch in &mut after.touches {
            (touch.normal, touch.force) = (turn * touch.normal, turn * touch.force);
        }
        let [before, after] = [before, after].map(|sample| sample.bulk(&Domain::OPEN, Extent::Whole));
        let turned = |matrix: DMat3| turn * matrix * turn.transpose();
        prop_assert!(close(after.virial, turned(before.virial), 1e-12));
        prop_assert!(close(after.fluctuation, turned(before.fluctuation), 1e-11));
        prop_assert!(close(after.fabric(), turned(before.fabric()), 1e-13));
        prop_assert!((after.temperature() - before.temperature()).abs() < 1e-11);
        prop_assert_eq!((after.ends, after.rattlers), (before.ends, before.rattlers));
    }

    #[test]
    fn boxes_side_by_side_add_up_to_the_whole_periodic_domain(numbers in numbers(), cut in 0.2..3.8_f64) {
        let low = DVec3::new(0.1, -2.0, 5.0);
        let high = DVec3::new(4.1, 3.0, 9.5);
        let domain = Domain::new(low, high, [Boundary::Periodic; 3]).unwrap();
        let sample = Sample::new(&numbers);
        let whole = sample.bulk(&domain, Extent::Whole);
        let mut left_high = high;
        let mut right_low = low;
        (left_high.x, right_low.x) = (low.x + cut, low.x + cut);
        let parts = [
            sample.bulk(&domain, Extent::Box { low, high: left_high }),
            sample.bulk(&domain, Extent::Box { low: right_low, high }),
        ];
        let sum = |of: fn(&Bulk) -> f64| parts.iter().map(of).sum::<f64>();
        let matrix = |of: fn(&Bulk) -> DMat3| parts.iter().fold(DMat3::ZERO, |sum, part| sum + of(part));
        let flux = |bulk: &Bulk| bulk.fluctuation + outer(bulk.momentum, bulk.mean_velocity());
        prop_assert_eq!(parts[0].grains + parts[1].grains, whole.grains);
        prop_assert_eq!(parts[0].ends + parts[1].ends, whole.ends);
        prop_assert_eq!(parts[0].bearing_ends + parts[1].bearing_ends, whole.bearing_ends);
        prop_assert!((sum(|bulk| bulk.mass) - whole.mass).abs() < 1e-13);
        prop_assert!((sum(|bulk| bulk.power.total()) - whole.power.total()).abs() < 1e-13);
        let all: f64 = sample.touches.iter().map(|touch| touch.power.total()).sum();
        prop_assert!((whole.power.total() - all).abs() < 1e-13);
        prop_assert!((whole.power_at_walls.total() - sample.touches[5].power.total()).abs() < 1e-13);
        prop_assert!((sum(|bulk| bulk.solid_volume) - whole.solid_volume).abs() < 1e-12);
        prop_assert!((sum(|bulk| bulk.volume.unwrap()) - whole.volume.unwrap()).abs() < 1e-12);
        prop_assert!(close(matrix(|bulk| bulk.virial), whole.virial, 1e-12));
        prop_assert!(close(matrix(|bulk| bulk.normals), whole.normals, 1e-12));
        prop_assert!(close(flux(&parts[0]) + flux(&parts[1]), flux(&whole), 1e-11));
    }
}

#[test]
fn a_cubic_lattice_has_its_closed_forms() {
    let count = 3_usize;
    let spacing = 0.98;
    let stiffness = 1e3;
    let side = count as f64 * spacing;
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(side), [Boundary::Periodic; 3]).unwrap();
    let bodies = Bodies::new(vec![Body::sphere(2.0, 0.5); count.pow(3)]).unwrap();
    let mut state = State::at_rest(bodies.len());
    for i in 0..bodies.len() {
        let index = [i % count, i / count % count, i / count / count].map(|index| index as f64);
        state.position_mut().set(i, spacing * DVec3::from_array(index));
        // Neighbours along x move against each other; the third grain rests.
        state.velocity_mut().set(i, DVec3::X * [1.0, -1.0, 0.0][i % count]);
    }
    let law = Hooke::new(stiffness, Damping::NONE).unwrap();
    let contacts = ContactForce::new(NeighborList::new(domain, 0.1).unwrap(), Laws::of(law, Frictionless));
    let bulk = Snapshot::read(&contacts, &bodies, &state).unwrap().bulk(&Selection::of(Extent::Whole)).unwrap();
    let pressure = stiffness * (1.0 - spacing) / (spacing * spacing);
    assert!(close(bulk.contact_stress().unwrap(), DMat3::IDENTITY * pressure, 1e-10));
    let kinetic = 2.0 * (2.0 / 3.0) / spacing.powi(3);
    assert!(close(bulk.kinetic_stress().unwrap(), DMat3::from_diagonal(DVec3::X * kinetic), 1e-12));
    assert!((bulk.temperature() - 2.0 / 9.0).abs() < 1e-15);
    assert!(close(bulk.fabric(), DMat3::IDENTITY * (1.0 / 3.0), 1e-14));
    assert!((bulk.coordination() - 6.0).abs() < 1e-15 && bulk.rattlers == 0);
    let volume = std::f64::consts::PI / 6.0;
    assert!((bulk.solid_fraction().unwrap() - volume / spacing.powi(3)).abs() < 1e-14);
    // Any box as large as the lattice has the same stress.
    let corner = DVec3::new(0.3, -7.1, 12.0);
    let shifted = Extent::Box { low: corner, high: corner + DVec3::splat(side) };
    let snapshot = Snapshot::read(&contacts, &bodies, &state).unwrap();
    let shifted = snapshot.bulk(&Selection::of(shifted)).unwrap();
    assert!(close(shifted.stress().unwrap(), bulk.stress().unwrap(), 1e-10));
}

#[test]
fn a_column_between_plates_carries_their_force() {
    // Two spheres of different sizes between plates, with overlaps of 0.01 everywhere.
    let bodies = Bodies::new([Body::sphere(1.0, 0.5), Body::sphere(1.0, 0.25), Body::fixed(0.2)]).unwrap();
    let mut state = State::at_rest(3);
    state.position_mut().set(0, DVec3::new(0.0, 0.0, 0.49));
    state.position_mut().set(1, DVec3::new(0.0, 0.0, 1.23));
    state.position_mut().set(2, DVec3::new(0.0, 0.0, 1.67));
    let law = Hooke::new(1e4, Damping::NONE).unwrap();
    let contacts = ContactForce::new(NeighborList::new(Domain::OPEN, 0.1).unwrap(), Laws::of(law, Frictionless))
        .with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)])
        .unwrap();
    let snapshot = Snapshot::read(&contacts, &bodies, &state).unwrap();
    // The box ends at the contact point of the fixed body, which acts as a plate.
    let low = DVec3::new(-0.5, -0.5, 0.0);
    let high = DVec3::new(0.5, 0.5, 1.475);
    let bulk = snapshot.bulk(&Selection::of(Extent::Box { low, high })).unwrap();
    let load = snapshot.wall_load(0, DVec3::X);
    assert!((load.force - DVec3::NEG_Z * 100.0).length() < 1e-9 && load.contacts == 1);
    assert!((load.torque - DVec3::NEG_Y * 100.0).length() < 1e-9, "{load:?}");
    assert!((bulk.stress().unwrap().z_axis.z - 100.0).abs() < 1e-9, "{bulk:?}");
    assert_eq!((bulk.grains, bulk.ends, bulk.rattlers), (2, 4, 2));
    // A cylinder around the column has the same virial as the box, over another area.
    let round = Extent::Cylinder { point: DVec3::ZERO, axis: 1.475 * DVec3::Z, radius: 0.6 };
    let round = snapshot.bulk(&Selection::of(round)).unwrap();
    assert!((round.stress().unwrap().z_axis.z - 100.0 / (std::f64::consts::PI * 0.36)).abs() < 1e-9);
    assert_eq!((round.grains, round.ends), (2, 4));
    // Half of the column, cut through a sphere.
    let half = Extent::Box { low, high: high.with_z(0.3) };
    let half = snapshot.bulk(&Selection::of(half)).unwrap();
    assert!((half.stress().unwrap().z_axis.z - 100.0).abs() < 1e-9 && half.grains == 0);
    let first = Selection::of(Extent::Whole).with_members(vec![true, false, false]);
    let first = snapshot.bulk(&first).unwrap();
    let [low, high] = bulk.bounds.unwrap();
    assert!(
        (low - DVec3::new(-0.5, -0.5, -0.01)).length() < 1e-15 && (high - DVec3::new(0.5, 0.5, 1.48)).length() < 1e-15
    );
    assert!((bulk.center_of_mass().unwrap() - DVec3::Z * 0.86).length() < 1e-15);
    assert!((first.virial.z_axis.z - 98.5).abs() < 1e-9 && first.volume.is_none());
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let bodies = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
    let state = State::at_rest(1);
    let snapshot = Snapshot::new(&bodies, &state, &Domain::OPEN, Vec::new()).unwrap();
    let refused = |selection: Selection| snapshot.bulk(&selection).is_err();
    assert!(refused(Selection::of(Extent::Box { low: DVec3::ONE, high: DVec3::ZERO })));
    assert!(refused(Selection::of(Extent::Box { low: DVec3::ZERO, high: DVec3::INFINITY })));
    assert!(refused(Selection::of(Extent::Box { low: DVec3::ZERO, high: DVec3::splat(1e200) })));
    for (axis, radius) in [(DVec3::ZERO, 1.0), (DVec3::Z, 0.0), (DVec3::NAN, 1.0), (DVec3::Z, f64::INFINITY)] {
        assert!(refused(Selection::of(Extent::Cylinder { point: DVec3::ZERO, axis, radius })));
    }
    assert!(refused(Selection::of(Extent::Whole).with_members(Vec::new())));
    let cube = Domain::new(DVec3::ZERO, DVec3::splat(9.0), [Boundary::Periodic; 3]).unwrap();
    let snapshot = Snapshot::new(&bodies, &state, &cube, Vec::new()).unwrap();
    let many =
        |count: f64| snapshot.bulk(&Selection::of(Extent::Box { low: DVec3::ZERO, high: DVec3::splat(count * 9.0) }));
    assert!(many(1e3).is_err() && many(9.0).unwrap().grains == 729);
    let grows = cube.deforming(0.0, DMat3::from_diagonal(DVec3::X)).unwrap();
    let snapshot = Snapshot::new(&bodies, &state, &grows, Vec::new()).unwrap();
    assert!(snapshot.bulk(&Selection::of(Extent::Box { low: DVec3::ZERO, high: DVec3::ONE })).is_err());
    assert!(snapshot.bulk(&Selection::of(Extent::Whole)).is_ok());
}
