//! Tests of walls that replace others in the course of a run.

use crate::prelude::*;
use crate::walls::support::{Spring, floor};

/// A motion to and fro along x, faster and faster.
#[derive(Debug)]
struct Sweep;

impl WallMotion for Sweep {
    fn pose(&self, time: f64) -> WallPose {
        let phase = 20.0 * time * time;
        let rate = 40.0 * time;
        let displacement = DVec3::X * 0.01 * phase.sin();
        let velocity = DVec3::X * 0.01 * rate * phase.cos();
        WallPose { displacement, velocity, ..WallPose::REST }
    }
}

/// Spheres between a lid and a floor that is driven.
fn start() -> (Bodies, State, ContactForce) {
    let law = Hooke::new(1e4, Damping::restitution(0.6).unwrap()).unwrap();
    let walls = [Wall::plane(DVec3::Z * 0.997, DVec3::NEG_Z), driven()];
    let field = open(law, Spring { stiffness: 3e3, friction: 0.5 }).with_walls(walls).unwrap().with_ledger();
    let (bodies, mut state) = spheres(&[DVec3::new(0.1, 0.7, 0.499), DVec3::new(1.09, 0.7, 0.499)]);
    state.velocity_mut().set(0, DVec3::Y);
    (bodies, state, field)
}

fn driven() -> Wall {
    Wall::new(floor(3.0, 7), DVec3::ZERO).driven(Sweep)
}

#[test]
fn a_run_with_a_driven_wall_is_stored_and_goes_on_with_the_same_bits() {
    let (bodies, mut state, mut field) = start();
    advance(&bodies, &mut field, &mut state, 2e-4, 500);
    assert!(serde_json::to_string(&field.stored()).is_err());
    let parked = field.clone().with_wall(1, Wall::plane(DVec3::ZERO, DVec3::Z)).unwrap();
    let (mut there, again) = restored(&state, &parked);
    let mut again = again.with_wall(1, driven()).unwrap();
    advance(&bodies, &mut field, &mut state, 2e-4, 500);
    advance(&bodies, &mut again, &mut there, 2e-4, 500);
    assert_eq!(bits(&state), bits(&there));
    assert_eq!(field.wall_loads(), again.wall_loads());
    assert_eq!(energies(&bodies, &field, &state), energies(&bodies, &again, &there));
    assert!(field.wall_loads()[1].force.x.abs() > 0.1, "{:?}", field.wall_loads());
}

#[test]
fn a_wall_that_was_taken_for_another_is_felt_at_once() {
    let (bodies, mut state, mut field) = start();
    advance(&bodies, &mut field, &mut state, 2e-4, 500);
    // The new wall is far from the former one, so bodies near it were not near the former one.
    let mut field = field.with_wall(0, Wall::plane(DVec3::X * (state.position().get(0).x - 0.49), DVec3::X)).unwrap();
    state.discard_wrenches();
    advance(&bodies, &mut field, &mut state, 2e-4, 1);
    assert_eq!(field.wall_loads()[0].contacts, 1);
}

/// With another normal or shape at the same point, bodies near the former wall may not be near the new one.
#[test]
fn a_wall_at_the_same_point_is_another_one() {
    let law = Hooke::new(1e4, Damping::NONE).unwrap();
    let (bodies, state) = spheres(&[DVec3::new(5.0, 0.7, 0.499), DVec3::new(0.499, 0.7, 7.0)]);
    let plane = |normal| Wall::plane(DVec3::ZERO, normal);
    let mut field = open(law, Spring { stiffness: 3e3, friction: 0.5 }).with_walls([plane(DVec3::Z)]).unwrap();
    let mesh = Wall::new(floor(8.0, 7), DVec3::ZERO);
    for (wall, out) in [(plane(DVec3::X), DVec3::X), (mesh, DVec3::Z), (plane(DVec3::X), DVec3::X)] {
        field.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(2)).unwrap();
        field = field.with_wall(0, wall).unwrap();
        field.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(2)).unwrap();
        let load = field.wall_loads()[0];
        assert!(load.contacts == 1 && (load.force + 10.0 * out).length() < 1e-9, "{load:?}");
    }
}

#[test]
fn what_cannot_take_the_place_of_a_wall() {
    let (_, _, field) = start();
    let plane = || Wall::plane(DVec3::ZERO, DVec3::Z);
    let refused = field.clone().with_wall(2, plane());
    assert!(matches!(refused, Err(DemError::InvalidParameter { value, .. }) if value.to_bits() == 2.0_f64.to_bits()));
    assert!(matches!(
        field.with_wall(1, plane().moving(DVec3::NAN)),
        Err(DemError::Wall(WallError::InvalidWall { wall: 1, .. }))
    ));
}
