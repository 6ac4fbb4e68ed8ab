//! Tests of spheres on meshes: forces do not depend on seams of flat parts, and edges and corners act.

use crate::prelude::*;
use crate::walls::support::{Spring, block, floor};

fn law() -> Hooke {
    Hooke::new(2e4, Damping::restitution(0.7).unwrap()).unwrap()
}

fn gravity() -> Gravity {
    Gravity { acceleration: DVec3::NEG_Z * 9.81 }
}

/// Spheres thrown on a floor, some of them rolling right over points and along edges of the mesh.
fn thrown() -> (Bodies, State) {
    let (bodies, mut state) = spheres(&[
        DVec3::new(0.0, 0.0, 0.501),
        DVec3::new(-2.0, 1.3, 0.7),
        DVec3::new(2.0, -2.0, 0.4999),
        DVec3::new(-1.1, -1.4, 0.52),
    ]);
    let velocities = [[1.0, 0.3, 0.0], [1.1, -0.2, -0.5], [-0.7, 0.9, 0.0], [0.5, 1.1, 0.2]];
    (0..).zip(velocities).for_each(|(i, v)| state.velocity_mut().set(i, DVec3::from_array(v)));
    state.set_spin(&bodies, 2, DVec3::new(3.0, -2.0, 5.0));
    (bodies, state)
}

/// Returns the distance of the ends of two runs, one with each floor.
fn compare(tangential: impl TangentialLaw + Copy + 'static, walls: [Wall; 2]) -> f64 {
    let [one, two] = walls.map(|wall| {
        let (bodies, mut state) = thrown();
        let mut field = Both(gravity(), open(law(), tangential).with_walls([wall]).unwrap());
        advance(&bodies, &mut field, &mut state, 2e-4, 10_000);
        state
    });
    let far = |i: usize| {
        let position = (one.position().get(i) - two.position().get(i)).length();
        position
            + (one.velocity().get(i) - two.velocity().get(i)).length()
            + (one.angular_momentum().get(i) - two.angular_momentum().get(i)).length()
    };
    (0..4).map(far).fold(0.0, f64::max)
}

#[test]
fn a_triangulated_plane_is_a_plane() {
    let plane = || Wall::plane(DVec3::ZERO, DVec3::Z);
    let mesh = || Wall::new(floor(6.0, 60), DVec3::ZERO);
    let apart = compare(Frictionless, [plane(), mesh()]);
    assert!(apart < 1e-10, "frictionless: {apart:e}");
    let rough = Spring { stiffness: 5e3, friction: 0.4 };
    let apart = compare(rough, [plane(), mesh()]);
    assert!(apart < 1e-10, "with friction that remembers: {apart:e}");
    let turning = CoRotating::new(FrictionSpring::new(5e3, 0.0, 0.4).unwrap());
    let apart = compare(turning, [plane(), mesh()]);
    assert!(apart < 1e-9, "with friction that turns: {apart:e}");
}

#[test]
fn a_box_of_triangles_is_a_box() {
    let low = DVec3::new(-1.2, -0.9, 0.0);
    let high = DVec3::new(1.2, 1.1, 2.0);
    let run = |walls: Vec<Wall>| {
        let (bodies, mut state) = moving(&[
            [DVec3::new(0.5, 0.2, 0.9), DVec3::new(2.0, -3.0, 1.0)],
            [DVec3::new(-0.6, 0.4, 1.2), DVec3::new(-4.0, -1.0, 2.0)],
        ]);
        let mut field = open(law(), Spring { stiffness: 5e3, friction: 0.3 }).with_walls(walls).unwrap();
        advance(&bodies, &mut field, &mut state, 2e-4, 10_000);
        let total = field.wall_loads().iter().map(|load| load.contacts).sum::<usize>();
        ([0, 1].map(|i| state.position().get(i)), total)
    };
    let (planes, _) = run(Wall::inside_of_box(low, high).into());
    let (mesh, _) = run(vec![Wall::new(block(low, high).flipped(), DVec3::ZERO)]);
    assert!((0..2).all(|i| (planes[i] - mesh[i]).length() < 1e-10), "{planes:?} {mesh:?}");
}

/// Without damping, energy is conserved over faces, edges and corners: forces come from a potential.
#[test]
fn energy_is_kept_over_edges_and_corners() {
    let run = |dt: f64| {
        let (bodies, mut state) = spheres(&[
            DVec3::new(0.45, 0.5, 1.9),
            DVec3::new(1.05, 0.2, 1.7),
            DVec3::new(1.03, 1.04, 1.8),
            DVec3::new(-0.2, -0.3, 1.6),
        ]);
        (0..4).for_each(|i| state.velocity_mut().set(i, DVec3::new(0.02, 0.01, -1.0)));
        let spread = [DVec3::X * -4.0, DVec3::ZERO, DVec3::Y * 4.0, DVec3::NEG_Y * 4.0];
        let walls = spread.map(|at| Wall::new(block(DVec3::ZERO, DVec3::ONE), at));
        (0..4).for_each(|i| {
            let there = state.position().get(i) + spread[i];
            state.position_mut().set(i, there);
        });
        let mut field = open(Hooke::new(1e3, Damping::NONE).unwrap(), Frictionless).with_walls(walls).unwrap();
        let before = kinetic_energy(&bodies, &state).total();
        let mut worst = 0.0_f64;
        let mut touched = 0;
        for _ in 0..(2.0 / dt) as usize {
            advance(&bodies, &mut field, &mut state, dt, 1);
            let now = kinetic_energy(&bodies, &state).total() + field.elastic_energy(&bodies, &state).unwrap();
            worst = worst.max((now / before - 1.0).abs());
            touched += field.wall_loads().iter().filter(|load| load.contacts == 1).count();
            assert!(field.wall_loads().iter().all(|load| load.contacts <= 1));
        }
        assert!(touched > 100 && (0..4).all(|i| state.position().get(i).z > 0.9), "{touched}");
        worst
    };
    let coarse = run(2e-3);
    let fine = run(1e-3);
    assert!(fine < 2e-3 && coarse / fine > 3.0, "{coarse:e} {fine:e}");
}

#[test]
fn a_corner_of_three_planes_is_felt_three_times() {
    let room = Wall::new(block(DVec3::ZERO, DVec3::splat(3.0)).flipped(), DVec3::ZERO);
    let mut field = open(Hooke::new(1e3, Damping::NONE).unwrap(), Frictionless).with_walls([room]).unwrap();
    let (bodies, state) = spheres(&[DVec3::new(0.49, 0.48, 0.47)]);
    let out = wrenches(&bodies, &mut field, &state);
    assert!((out.force.get(0) - 1e3 * DVec3::new(0.01, 0.02, 0.03)).length() < 1e-10, "{}", out.force.get(0));
    let contacts = field.contacts(&bodies, &state).unwrap();
    assert_eq!(contacts.len(), 3);
    assert_eq!(field.wall_loads()[0].contacts, 3);
    assert!((field.wall_loads()[0].force + out.force.get(0)).length() < 1e-12);
}

/// Bodies slide round a periodic domain on a floor of triangles that ends not far beyond the domain: they stay on the
/// floor, whichever images the neighbour list has.
#[test]
fn a_floor_little_longer_than_a_periodic_domain_bears_who_goes_round() {
    let boundary = [Boundary::Periodic, Boundary::Open, Boundary::Open];
    let domain = Domain::new(DVec3::new(-2.0, -2.0, -1.0), DVec3::new(2.0, 2.0, 9.0), boundary).unwrap();
    let law = Hooke::new(1e4, Damping::NONE).unwrap();
    let mut field = contacts(NeighborList::new(domain, 0.1).unwrap(), law, Frictionless)
        .with_walls([Wall::new(floor(2.7, 8), DVec3::ZERO)])
        .unwrap();
    let (bodies, mut state) = spheres(&[DVec3::new(0.3, 0.1, 0.49), DVec3::new(-1.1, 0.4, 0.49)]);
    for _ in 0..400 {
        (0..2).for_each(|i| state.position_mut().add(i, DVec3::X * 0.03));
        let out = wrenches(&bodies, &mut field, &state);
        (0..2).for_each(|i| assert!((out.force.get(i) - DVec3::Z * 100.0).length() < 1e-6, "{:?}", state.position()));
        assert_eq!(field.contacts(&bodies, &state).unwrap().len(), 2);
    }
}
